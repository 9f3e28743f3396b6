#pragma once

#include <functional>
#include <vector>

#include "scratchpage/tests/disk/kept_page.hpp"

namespace scratchpage::test {

/// What a store may hold, as far as those who use it can know. A call that
/// failed while its process lives has not happened. When the process has ended,
/// one of those that failed since something was last written may have happened
/// all the same, or none: it was in doubt.
class possible_pages {
public:
  using change = std::function<void(kept_pages&)>;

  /// What a living process may see; more than one only until `narrow`.
  const std::vector<kept_pages>& all() const { return all_; }

  /// It has happened; if something was written for it, then nothing of what was
  /// in doubt has.
  void succeed(const change& f, bool has_written);
  void fail(change f) { in_doubt_.push_back(std::move(f)); }
  /// The process has ended.
  void end_process();
  /// Leaves those of which `is_right`. False if there is none, and nothing
  /// changes.
  bool narrow(const std::function<bool(const kept_pages&)>& is_right);
  /// What are left cannot be told apart: one is enough.
  void settle() { all_.resize(1); }

  bool has_doubt() const { return !in_doubt_.empty(); }
  /// Whether a call that had failed turned out to have happened.
  bool has_happened() const { return !is_first_left_; }

private:
  std::vector<kept_pages> all_{{}};
  bool is_first_left_ = true; // in which nothing that was in doubt has happened
  std::vector<change> in_doubt_;
};

} // namespace scratchpage::test
