#include "scratchpage/runtime/mcp/client/environment.hpp"

#include <cstdlib>
#include <utility>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage::mcp_client {

namespace {

/// Puts values in the place of names, and keeps the first that is missing.
class replacement {
public:
  replacement(std::string_view path, const environment& variables)
    : path_{path},
      variables_{variables} {}

  void in(std::string& text, std::string_view field) {
    std::string result;
    std::string_view rest = text;
    for (auto begin = rest.find("${"); begin != std::string_view::npos; begin = rest.find("${")) {
      auto end = rest.find('}', begin);
      if (end == std::string_view::npos)
        break;
      std::string name{rest.substr(begin + 2, end - begin - 2)};
      auto value = value_of(name, field);
      result.append(rest.substr(0, begin)).append(value);
      secrets.push_back(std::move(value));
      rest.remove_prefix(end + 1);
    }
    text = result.append(rest);
  }

  const caf::error& error() const { return error_; }

  std::vector<std::string> secrets; ///< the values

private:
  std::string value_of(const std::string& name, std::string_view field) {
    auto value = name.empty() ? std::nullopt : variables_(name);
    if (!value && !error_)
      error_ = fail(errc::invalid_request, sub_path(path_, field),
        "expected the environment variable '" + name + "' to be set");
    return value.value_or("");
  }

  std::string path_;
  const environment& variables_;
  caf::error error_;
};

} // namespace

std::optional<std::string> own_environment(const std::string& name) {
  const auto* value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

caf::expected<resolved_server> with_variables(
  const server_config& x, std::string_view path, const environment& variables) {
  resolved_server result{x, {}};
  auto& config = result.config;
  replacement replace{path, variables};
  replace.in(config.command, "command");
  for (auto& arg : config.args)
    replace.in(arg, "args");
  for (auto& [name, value] : config.env)
    replace.in(value, sub_path("env", name));
  replace.in(config.cwd, "cwd");
  replace.in(config.url, "url");
  for (auto& [name, value] : config.headers)
    replace.in(value, sub_path("headers", name));
  if (replace.error())
    return replace.error();
  // What a variable brought in follows the same rules as what was written.
  if (auto err = validate(config, path))
    return err;
  result.secrets = std::move(replace.secrets);
  for (const auto* values : {&config.env, &config.headers})
    for (const auto& [name, value] : *values)
      result.secrets.push_back(value);
  return result;
}

caf::error check_variables(
  const server_configs& servers, std::string_view path, const environment& variables) {
  for (const auto& [name, server] : servers)
    if (auto known = with_variables(server, sub_path(path, name), variables); !known)
      return known.error();
  return {};
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  constexpr size_t shortest = 6;
  for (const auto& secret : secrets)
    if (secret.size() >= shortest)
      for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at))
        text.replace(at, secret.size(), "***");
  return text;
}

} // namespace scratchpage::mcp_client
