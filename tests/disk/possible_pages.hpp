#pragma once

#include <functional>
#include <vector>

#include "scratchpage/tests/disk/kept_page.hpp"

namespace scratchpage::test {

/// All contents that a store may have, as far as its callers can know. While a process lives,
/// a call that failed has not happened. When the process has ended, the calls that failed since
/// the last successful write are in doubt: none or one of them may have happened.
class possible_pages {
public:
  using change = std::function<void(kept_pages&)>;

  /// The possible contents; more than one only until `narrow`.
  const std::vector<kept_pages>& all() const { return all_; }

  /// The change has happened. If it has written something, no call in doubt has happened.
  void succeed(const change& f, bool has_written);
  void fail(change f) { in_doubt_.push_back(std::move(f)); }
  /// Ends the process: each call in doubt adds possible contents.
  void end_process();
  /// Keeps the contents for which `is_right` returns true. If there is none, changes nothing and
  /// returns false.
  bool narrow(const std::function<bool(const kept_pages&)>& is_right);
  /// Keeps only the first content, since the others look the same.
  void settle() { all_.resize(1); }

  bool has_doubt() const { return !in_doubt_.empty(); }
  /// Whether a call that was in doubt has happened.
  bool has_happened() const { return !is_first_left_; }

private:
  std::vector<kept_pages> all_{{}};
  bool is_first_left_ = true; // whether the first, without calls in doubt, is possible
  std::vector<change> in_doubt_;
};

} // namespace scratchpage::test
