#pragma once

#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::serve {

/// Puts "ADDRESS:PORT", "[IPV6]:PORT" or ":PORT" into a configuration. Error:
/// `invalid_request` about `--listen`.
caf::error set_listen_address(std::string_view text, http::server_config& to);

/// How a client names it.
std::string url_of(const http::server_config& x, uint16_t port);

} // namespace scratchpage::serve
