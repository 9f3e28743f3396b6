#include "scratchpage/runtime/server/listen_address.hpp"

#include <charconv>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::serve {

caf::error set_listen_address(std::string_view text, http::server_config& to) {
  auto colon = text.rfind(':');
  auto port = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  uint16_t number = 0;
  auto [end, ec] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (port.empty() || ec != std::errc{} || end != port.data() + port.size())
    return fail(errc::invalid_request, "--listen",
      "expected ADDRESS:PORT such as 127.0.0.1:7070, got '" + std::string{text} + "'");
  auto address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  if (!address.empty())
    to.address = address;
  to.port = number;
  return {};
}

std::string url_of(const http::server_config& x, uint16_t port) {
  auto is_v6 = x.address.find(':') != std::string::npos;
  auto host = is_v6 ? "[" + x.address + "]" : x.address;
  return (x.certificate_file.empty() ? "http://" : "https://") + host + ":" + std::to_string(port);
}

} // namespace scratchpage::serve
