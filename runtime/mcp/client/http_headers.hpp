#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"

namespace scratchpage::mcp_client {

/// The headers of Streamable HTTP: what each request to a server has in its head,
/// which depends on what was agreed on so far.
class http_headers {
public:
  /// Of a POST with that message; null: of a GET or DELETE. `own` are the
  /// operator's. A message that says its revision itself decides for all later ones; a
  /// call then has the arguments that its tool wants there.
  std::vector<std::pair<std::string, std::string>> of(
    const std::map<std::string, std::string>& own, const json::object* message);

  /// The server's answer to the greeting says which revision is spoken, its tools
  /// which arguments they want in headers.
  void learn_from(std::string_view message, size_t max_bytes);

  /// One of visible ASCII characters, as it has to be; any other is none.
  void set_session(std::string_view id);

  bool has_session() const { return !session_.empty(); }

  /// Whether requests say their revision themselves (2026-07-28).
  bool is_modern() const { return modern_; }

private:
  void mirror(const json::object& call, std::vector<std::pair<std::string, std::string>>& to) const;

  std::string version_; ///< agreed on in a greeting
  std::string session_;
  bool modern_ = false;
  mcp::header_arguments mirrored_; ///< of all tools that were listed
};

} // namespace scratchpage::mcp_client
