#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage::test {

/// A simple model of a page. It has no index: each operation checks all observations, which it
/// names by the number in their id. Drafts must be valid. Operations return `errc::none` or the
/// code of the error.
class page_model {
public:
  explicit page_model(size_t capacity)
    : capacity_{capacity} {}

  timestamp now;
  bool storage_fails = false;

  errc add(const observation_draft& draft, std::string source);
  errc update(
    uint64_t number, const observation_changes& changes, std::optional<uint64_t> expected_revision);
  errc archive(uint64_t number);
  errc clear_resolved(const std::vector<uint64_t>& numbers);
  errc link(const std::string& goal_id, const std::vector<uint64_t>& numbers);
  void close_goal(const std::string& goal_id);
  /// Whether the page has the observation. Counts as a use of it.
  bool get(uint64_t number);
  /// Expires all observations whose time has come.
  void expire();

  struct change {
    event_kind kind;
    uint64_t number;
    std::vector<std::string> tags;
  };

  /// The change at index n has the sequence n + 1.
  const std::vector<change>& changes() const { return changes_; }
  /// The observations on the page, by number.
  std::map<uint64_t, observation> observations() const;
  uint64_t last_number() const { return last_number_; }
  std::optional<uint64_t> revision_of(uint64_t number) const;

private:
  struct row {
    observation value;
    uint64_t used;
  };

  row* find(uint64_t number);
  bool is_protected(const observation& x) const;
  std::optional<uint64_t> victim() const;
  void touch(row& x) { x.used = ++uses_; }
  void note(event_kind kind, uint64_t number, const observation& x);
  void remove(event_kind kind, uint64_t number);

  size_t capacity_;
  type_weights weights_;
  std::map<uint64_t, row> rows_;
  std::set<uint64_t> archived_;
  std::set<std::string> open_goals_;
  std::vector<change> changes_;
  uint64_t last_number_ = 0;
  uint64_t uses_ = 0;
};

} // namespace scratchpage::test
