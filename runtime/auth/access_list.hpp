#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/auth/token_entry.hpp"

namespace scratchpage::access {

/// Somebody whom a token vouches for.
struct identity {
  std::string token_id; ///< public: for logs
  std::string name;
  std::vector<std::string> agents;
  scratchpage::role role = scratchpage::role::tool;
  access::right right = access::right::read;
  bool person = false; ///< as a user; else as a tool or a daemon
};

/// What somebody wants to do.
struct intent {
  std::string agent_id;
  scratchpage::role role = scratchpage::role::tool;
  access::right right = access::right::read;
};

/// No error if they may; else `forbidden`, which names the first of `agent`, `role` and
/// `right` that is beyond them, and tells nothing of whether there is such an agent.
caf::error check(const identity& who, const intent& what);

/// As whom the contract knows them (contract 12): by the token's name, in its role, and as a
/// user if it is a person's.
caller as_caller(const identity& who);

/// Whether `id` is as `pattern`, in which `*` stands for any letters, or none.
bool matches(std::string_view pattern, std::string_view id);

/// Who is let in. It does not change.
class access_list {
public:
  access_list() = default;
  explicit access_list(std::vector<token_entry> tokens);

  /// Whose token it is. Errors: `unauthenticated`, without the token; that it has expired or
  /// was revoked is told only to whom had it. An id that is not there takes as long as a
  /// secret that is wrong.
  caf::expected<identity> check(std::string_view bearer, timestamp now) const;

  /// Whether anybody is.
  bool has_valid(timestamp now) const;

private:
  std::map<std::string, token_entry, std::less<>> by_id_;
};

} // namespace scratchpage::access
