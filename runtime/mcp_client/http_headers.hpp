#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json.hpp"

namespace scratchpage::mcp_client {

/// The headers of Streamable HTTP: what each request to a server has in its head,
/// which depends on what was agreed on so far.
class http_headers {
public:
  /// Of a POST with that message; null: of a GET or DELETE. `own` are the
  /// operator's. A message that says its revision itself decides for all later ones.
  std::vector<std::pair<std::string, std::string>> of(
    const std::map<std::string, std::string>& own, const json::object* message);

  /// The server's answer to the greeting says which revision is spoken.
  void learn_from(std::string_view message, size_t max_bytes);

  /// One of visible ASCII characters, as it has to be; any other is none.
  void set_session(std::string_view id);

  bool has_session() const { return !session_.empty(); }

  /// Whether requests say their revision themselves (2026-07-28).
  bool is_modern() const { return modern_; }

private:
  std::string version_; ///< agreed on in a greeting
  std::string session_;
  bool modern_ = false;
};

} // namespace scratchpage::mcp_client
