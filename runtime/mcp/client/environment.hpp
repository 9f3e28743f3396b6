#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/mcp/client/server_config.hpp"

namespace scratchpage::mcp_client {

/// The value of a variable of the environment; nothing if it is not set.
using environment = std::function<std::optional<std::string>(const std::string& name)>;

/// That of this process.
std::optional<std::string> own_environment(const std::string& name);

/// What a server is really started or asked with.
struct resolved_server {
  server_config config;
  std::vector<std::string> secrets; ///< values of variables, `env` and `headers`
};

/// `x` with each `${NAME}` in its texts replaced. A variable that is not set is
/// an `invalid_request` that names the field, below `path`, and the variable.
caf::expected<resolved_server> with_variables(
  const server_config& x, std::string_view path, const environment& variables = own_environment);

/// Whether all variables are there that the servers need; else the error says
/// which is missing first.
caf::error check_variables(const server_configs& servers, std::string_view path,
  const environment& variables = own_environment);

/// `text` with "***" in the place of each secret: for errors and traces. What is
/// shorter than six bytes is no secret.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

} // namespace scratchpage::mcp_client
