#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/auth/token.hpp"

namespace scratchpage::auth {

/// The owner of a valid token, and what the token allows.
struct identity {
  std::string token_id; ///< public, for logs
  std::string name;
  std::vector<std::string> agents;
  scratchpage::role role = scratchpage::role::tool;
  auth::right right = auth::right::read;
  bool person = false; ///< acts as a user; else as a tool or a daemon
};

/// An action that needs permission.
struct intent {
  std::string agent_id;
  scratchpage::role role = scratchpage::role::tool;
  auth::right right = auth::right::read;
};

/// `forbidden` about the first of `agent`, `role` and `right` that the token does not allow. The
/// error does not tell whether the agent exists.
caf::error check(const identity& who, const intent& what);

/// The caller that requests with the token have (contract 12): it has the token's name and role,
/// and is a user if the token is a person's.
caller as_caller(const identity& who);

/// Whether `id` matches `pattern`, in which `*` stands for any number of characters.
bool matches(std::string_view pattern, std::string_view id);

/// The tokens that are accepted. It does not change.
class access_list {
public:
  access_list() = default;
  explicit access_list(std::vector<token_entry> tokens);

  /// The owner of the token. Errors: `unauthenticated`, without the token. Only a client that has
  /// the secret learns that a token has expired or was revoked. An unknown id takes as long as a
  /// wrong secret.
  caf::expected<identity> check(std::string_view bearer, timestamp now) const;

  /// Whether any token is valid now.
  bool has_valid(timestamp now) const;

private:
  std::map<std::string, token_entry, std::less<>> by_id_;
};

/// An access list that follows its file of tokens. It checks the file for changes at most once a
/// second, so a revoked token is refused a second later at the latest. If the file cannot be read,
/// or has been deleted, every token is refused. May be used from any thread.
class reloading_access_list {
public:
  /// Called with the reason each time the file becomes unreadable.
  using on_trouble = std::function<void(const caf::error&)>;

  explicit reloading_access_list(token_file file, on_trouble tell = {})
    : file_{std::move(file)},
      tell_{std::move(tell)} {}

  /// As `access_list::check`. Also `storage_unavailable`, without a path, if the file cannot be
  /// read.
  caf::expected<identity> check(std::string_view bearer, timestamp now);

  /// Whether any token is valid now. Errors: those of `token_file`, which name the file.
  caf::expected<bool> has_valid(timestamp now);

  /// Whether requests need a token: the file exists, readable or not, or it has existed since this
  /// object was made.
  bool asks_for_tokens(timestamp now);

private:
  using list_ptr = std::shared_ptr<const access_list>;

  /// The current list; null if the file cannot be read, and then `why` is the error.
  list_ptr list(timestamp now, caf::error& why);
  /// Reads the file again if it has changed since the last look, which is a second ago or longer.
  /// The caller holds the mutex.
  void look(timestamp now);
  void read();

  std::mutex mutex_;
  token_file file_;
  on_trouble tell_;
  std::optional<timestamp> looked_at_;
  std::optional<file_stamp> stamp_;
  list_ptr list_;
  bool had_file_ = false;
  caf::error trouble_;
};

} // namespace scratchpage::auth
