#include "scratchpage/runtime/auth/host_check.hpp"

#include <algorithm>
#include <string>

#include <arpa/inet.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage::auth {

namespace {

constexpr size_t max_host = 255; // of a DNS name

bool is_digit(char x) {
  return x >= '0' && x <= '9';
}

char to_lower(char x) {
  return x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x;
}

std::string in_lower_case(std::string_view text) {
  std::string result{text};
  std::transform(result.begin(), result.end(), result.begin(), to_lower);
  return result;
}

bool is_name(std::string_view host) {
  auto is_part = [](char x) {
    return is_digit(x) || (x >= 'a' && x <= 'z') || x == '-' || x == '.' || x == '_';
  };
  return std::all_of(host.begin(), host.end(), is_part);
}

/// An IPv6 address in its brackets.
bool is_in_brackets(std::string_view host) {
  auto is_part = [](char x) {
    return is_digit(x) || (x >= 'a' && x <= 'f') || x == ':' || x == '.';
  };
  return host.size() > 2 && host.front() == '[' && host.back() == ']'
         && std::all_of(host.begin() + 1, host.end() - 1, is_part);
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), is_digit);
}

/// The part after "http://" or "https://", which browsers write in lower case.
std::optional<std::string_view> after_scheme(std::string_view origin) {
  for (std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme))
      return origin.substr(scheme.size());
  return std::nullopt;
}

std::string got(std::string_view text) {
  return ", got '" + escaped(text.substr(0, max_host)) + "'";
}

/// Whether a person follows a link to the page in the browser. The page itself has no data and is
/// served to everybody.
bool is_link_to_page(const http::request& x) {
  const auto* mode = x.header("sec-fetch-mode");
  const auto* to = x.header("sec-fetch-dest");
  return x.method == "GET" && x.path == "/" && mode != nullptr && *mode == "navigate"
         && to != nullptr && *to == "document";
}

} // namespace

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1" || host == "[::1]")
    return true;
  in_addr address{};
  return host.find('\0') == std::string_view::npos
         && ::inet_pton(AF_INET, std::string{host}.c_str(), &address) == 1
         && ntohl(address.s_addr) >> 24 == 127;
}

caf::expected<host_check> host_check::make(const std::vector<std::string>& names) {
  host_check result;
  for (const auto& name : names) {
    if (name.find("://") != std::string::npos) {
      auto rest = after_scheme(name);
      if (!rest || !read(*rest))
        return fail(
          errc::invalid_request, "", "expected https://NAME or https://NAME:PORT" + got(name));
      result.origins_.push_back(in_lower_case(name));
    } else if (auto read_name = read(name)) {
      result.names_.push_back(std::move(*read_name));
    } else {
      return fail(errc::invalid_request, "", "expected NAME or NAME:PORT" + got(name));
    }
  }
  return result;
}

caf::error host_check::check(const http::request& x) const {
  return check(x, {});
}

caf::error host_check::check_probe(const http::request& x) const {
  auto is_v6 = x.local.find(':') != std::string::npos;
  return check(x, is_v6 ? "[" + x.local + "]" : x.local);
}

/// `also` is one more host that is allowed; "": none.
caf::error host_check::check(const http::request& x, std::string_view also) const {
  const std::string* host = nullptr;
  const std::string* origin = nullptr;
  for (const auto& each : x.headers) {
    if (each.name != "host" && each.name != "origin")
      continue;
    auto& found = each.name == "host" ? host : origin;
    if (found != nullptr)
      return fail(errc::forbidden, each.name, "expected it once");
    found = &each.value;
  }
  if (host == nullptr)
    return fail(errc::forbidden, "host", "expected a name of this server");
  auto called = read(*host);
  if (!called || !(is_allowed(*called) || (!also.empty() && called->host == also)))
    return fail(errc::forbidden, "host", "expected a name of this server" + got(*host));
  if (origin != nullptr && !is_allowed_origin(*origin))
    return fail(
      errc::forbidden, "origin", "expected a page that may call this server" + got(*origin));
  return origin != nullptr ? caf::error{} : check_fetch(x);
}

/// Browsers send `Sec-Fetch-Site` also for images, frames and forms, which have no `Origin`.
caf::error host_check::check_fetch(const http::request& x) {
  const auto* site = x.header("sec-fetch-site");
  auto is_foreign = site != nullptr && *site != "same-origin" && *site != "none";
  if (!is_foreign || is_link_to_page(x))
    return {};
  return fail(errc::forbidden, "sec-fetch-site",
    "expected no page of another site to ask without an Origin" + got(*site));
}

std::optional<host_check::authority> host_check::read(std::string_view text) {
  if (text.size() > max_host + 6)
    return std::nullopt;
  authority result;
  auto colon = text.rfind(':');
  if (colon != std::string_view::npos && !text.ends_with(']')) {
    result.port = text.substr(colon + 1);
    if (!is_port(result.port))
      return std::nullopt;
    text = text.substr(0, colon);
  }
  result.host = in_lower_case(text);
  if (result.host.empty() || !(is_name(result.host) || is_in_brackets(result.host)))
    return std::nullopt;
  return result;
}

bool host_check::is_allowed(const authority& x) const {
  return is_loopback(x.host)
         || std::any_of(names_.begin(), names_.end(), [&x](const authority& allowed) {
              return allowed.host == x.host && (allowed.port.empty() || allowed.port == x.port);
            });
}

bool host_check::is_allowed_origin(std::string_view text) const {
  if (std::find(origins_.begin(), origins_.end(), text) != origins_.end())
    return true;
  auto rest = after_scheme(text);
  if (!rest)
    return false; // also "null", the origin of pages that hide it
  auto from = read(*rest);
  return from && is_allowed(*from);
}

caf::error check_listening(const listen_plan& x) {
  auto is_local_socket = x.address.starts_with('/');
  if (is_local_socket || is_loopback(x.address) || (x.has_tls && x.has_valid_token))
    return {};
  std::string missing;
  if (!x.has_tls)
    missing = "--tls-certificate and --tls-key";
  if (!x.has_valid_token)
    missing.append(missing.empty() ? "" : ", and ")
      .append("a token that is valid ('scratchpage token add' makes one)");
  return fail(errc::invalid_request, "--listen",
    "expected an address of this machine alone, such as 127.0.0.1, got '" + escaped(x.address)
      + "'; any other needs " + missing);
}

} // namespace scratchpage::auth
