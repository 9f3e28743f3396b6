#include "scratchpage/persistence/memories/stored_goals.hpp"

#include <algorithm>
#include <tuple>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

caf::expected<std::shared_ptr<stored_goals>> stored_goals::open(
  std::shared_ptr<store> in, const ownership& by) {
  std::shared_ptr<stored_goals> result{new stored_goals{in, by}};
  auto take_goal = [&result](goal&& x) {
    result->writer_.remember(to_document(collection::goals, x.goal_id, x));
    result->made_.emplace(x.goal_id, 0);
    result->found_.push_back(std::move(x));
  };
  if (auto err = read_each<goal>(*in, by.agent, collection::goals, take_goal))
    return err;
  auto take_place = [&result](goal_place&& x) { result->take(std::move(x)); };
  if (auto err = read_each<goal_place>(*in, by.agent, collection::goal_order, take_place))
    return err;
  auto counters = read_all<stored_number>(*in, by.agent, collection::counters);
  if (!counters)
    return counters.error();
  result->last_dropped_ = reserved_in(*counters, counter_name::goals);
  result->put_in_order();
  return result;
}

void stored_goals::take(goal_place x) {
  writer_.remember(to_document(collection::goal_order, x.goal_id, x));
  last_made_ = std::max(last_made_, x.made);
  if (auto known = made_.find(x.goal_id); known != made_.end())
    known->second = x.made;
}

void stored_goals::put_in_order() {
  auto place_of = [this](const goal& x) {
    return std::tuple{made_.at(x.goal_id), x.created_at, number_of(x.goal_id).value_or(0)};
  };
  std::stable_sort(found_.begin(), found_.end(),
    [&](const goal& a, const goal& b) { return place_of(a) < place_of(b); });
}

caf::error stored_goals::put(const goal& x) {
  auto is_new = !made_.contains(x.goal_id);
  auto rows = rows_of_dropped();
  if (is_new)
    rows.push_back(
      to_document(collection::goal_order, x.goal_id, goal_place{x.goal_id, last_made_ + 1}));
  rows.push_back(to_document(collection::goals, x.goal_id, x));
  if (auto err = writer_.put(std::move(rows)))
    return err;
  dropped_.clear();
  if (is_new)
    made_.emplace(x.goal_id, ++last_made_);
  return {};
}

void stored_goals::drop(const std::string& goal_id) {
  if (made_.erase(goal_id) == 0)
    return;
  dropped_.insert(goal_id);
  if (auto number = number_of(goal_id); number && goal_id.starts_with("goal_"))
    last_dropped_ = std::max(last_dropped_, *number);
}

caf::error stored_goals::flush() {
  if (dropped_.empty())
    return {};
  auto err = writer_.put(rows_of_dropped());
  if (!err)
    dropped_.clear();
  return err;
}

/// They come before the rows of a goal that is put, which may have the id of one that was dropped.
std::vector<document> stored_goals::rows_of_dropped() const {
  std::vector<document> result;
  for (const auto& id : dropped_) {
    result.push_back(make_document(collection::goals, id, ""));
    result.push_back(make_document(collection::goal_order, id, ""));
  }
  std::string name{counter_name::goals};
  if (!dropped_.empty() && last_dropped_ > 0)
    result.push_back(to_document(collection::counters, name, stored_number{name, last_dropped_}));
  return result;
}

} // namespace scratchpage
