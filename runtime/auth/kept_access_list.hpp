#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "scratchpage/runtime/auth/access_list.hpp"
#include "scratchpage/runtime/auth/token_file.hpp"

namespace scratchpage::access {

/// Who is let in, by a file of tokens that may change meanwhile: it is looked at again
/// when a second has passed, so that a token that is revoked is nobody's a second later.
/// A file that cannot be read lets nobody in, and neither does one that is gone: once there
/// were tokens, everybody needs one. All of it may be called from any thread.
class kept_access_list {
public:
  /// Is told why the file cannot be read, once each time it becomes so.
  using on_trouble = std::function<void(const caf::error&)>;

  explicit kept_access_list(token_file file, on_trouble tell = {})
    : file_{std::move(file)},
      tell_{std::move(tell)} {}

  /// As `access_list`; and `storage_unavailable`, without a path, if the file cannot be read.
  caf::expected<identity> check(std::string_view bearer, timestamp now);

  /// Whether anybody is let in. Errors: those of `token_file`, which name the file.
  caf::expected<bool> has_valid(timestamp now);

  /// Whether tokens are asked for: there is such a file, also one that cannot be read, or
  /// there was one since this list began.
  bool asks_for_tokens(timestamp now);

private:
  using list_ptr = std::shared_ptr<const access_list>;

  /// Null if it cannot be read, and then `why` says why.
  list_ptr list(timestamp now, caf::error& why);
  /// Reads the file again if it is time to; under the lock.
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

} // namespace scratchpage::access
