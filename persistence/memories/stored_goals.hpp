#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The place of a goal in the order in which goals were made; stored beside the goal.
struct goal_place {
  std::string goal_id;
  uint64_t made = 0; ///< higher for a goal that was made later

  static constexpr auto fields(auto all) {
    return all(required("goal_id", &goal_place::goal_id), required("made", &goal_place::made));
  }
};

/// Goals as documents of a store. A goal is durable when `put` returns.
class stored_goals : public goal_store {
public:
  /// Reads the goals. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<stored_goals>> open(
    std::shared_ptr<store> in, const ownership& by);

  /// The goals that the store had at the opening, in the order in which they were made. Those that
  /// an older version has made have no place: they come first, the earliest first.
  std::vector<goal> take_goals() { return std::exchange(found_, {}); }

  caf::error put(const goal& x) override;
  void drop(const std::string& goal_id) override;
  caf::error flush() override;
  uint64_t last_dropped() const override { return last_dropped_; }
  bool is_in_doubt() const override { return writer_.is_in_doubt(); }

private:
  stored_goals(std::shared_ptr<store> in, const ownership& by)
    : writer_{std::move(in), by} {}

  void take(goal_place x);
  void put_in_order();
  std::vector<document> rows_of_dropped() const;

  document_writer writer_;
  std::map<std::string, uint64_t> made_; // places, 0 for a goal without one
  uint64_t last_made_ = 0;
  std::set<std::string> dropped_; // since the last `put`
  uint64_t last_dropped_ = 0;
  std::vector<goal> found_;
};

} // namespace scratchpage
