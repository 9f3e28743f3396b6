#include "scratchpage/tests/scenarios/page/page_model.hpp"

#include <algorithm>
#include <tuple>

namespace scratchpage::test {

namespace {

std::string id_of(uint64_t number, timestamp at) {
  auto digits = std::to_string(number);
  return "obs_" + to_yyyymmdd(at) + "_"
         + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

bool is_allowed(status from, status to) {
  using enum status;
  if (from == resolved)
    return to == archived;
  return to == resolved || to == archived || (to != from && is_live(to));
}

bool is_confirmation_or_alert(const std::string& type) {
  return type == "pending_confirmation" || type.find("alert") != std::string::npos;
}

} // namespace

errc page_model::add(const observation_draft& draft, std::string source) {
  std::optional<uint64_t> leaving;
  if (rows_.size() >= capacity_) {
    leaving = victim();
    if (!leaving)
      return errc::overloaded;
  }
  if (storage_fails)
    return errc::storage_unavailable;
  if (leaving)
    remove(event_kind::evicted, *leaving);
  observation x;
  x.observation_id = id_of(++last_number_, now);
  x.type = draft.type;
  x.content = draft.content;
  x.confidence = draft.confidence.value_or(0.5);
  x.tags = draft.tags;
  x.source = {source_kind::daemon, std::move(source), "", now};
  x.status = draft.status.value_or(status::active);
  x.ttl_minutes = draft.ttl_minutes.value_or(7 * 24 * 60);
  x.created_at = x.updated_at = now;
  x.expires_at = now + from_minutes(x.ttl_minutes);
  note(event_kind::added, last_number_, x);
  rows_[last_number_] = {std::move(x), ++uses_};
  return errc::none;
}

errc page_model::update(
  uint64_t number, const observation_changes& changes, std::optional<uint64_t> expected_revision) {
  auto* found = find(number);
  if (found == nullptr)
    return changes.status && archived_.contains(number) ? errc::invalid_transition
                                                        : errc::not_found;
  auto x = found->value;
  if (expected_revision && *expected_revision != x.revision)
    return errc::conflict;
  if (changes.status && *changes.status != x.status && !is_allowed(x.status, *changes.status))
    return errc::invalid_transition;
  if (storage_fails)
    return errc::storage_unavailable;
  if (changes.status == status::resolved && x.status != status::resolved)
    x.resolved_by = source{source_kind::daemon, "planner", {}, now};
  x.status = changes.status.value_or(x.status);
  x.content = changes.content.value_or(x.content);
  x.tags = changes.tags.value_or(x.tags);
  if (changes.ttl_minutes) {
    x.ttl_minutes = *changes.ttl_minutes;
    x.expires_at = now + from_minutes(x.ttl_minutes);
  }
  x.updated_at = now;
  ++x.revision;
  found->value = x;
  touch(*found);
  if (x.status == status::archived)
    remove(event_kind::archived, number);
  else
    note(event_kind::updated, number, x);
  return errc::none;
}

errc page_model::archive(uint64_t number) {
  if (find(number) == nullptr)
    return errc::not_found;
  if (storage_fails)
    return errc::storage_unavailable;
  remove(event_kind::archived, number);
  return errc::none;
}

errc page_model::clear_resolved(const std::vector<uint64_t>& numbers) {
  for (auto number : numbers) {
    const auto* x = find(number);
    if (x == nullptr)
      return errc::not_found;
    if (x->value.status != status::resolved)
      return errc::invalid_transition;
  }
  if (storage_fails)
    return errc::storage_unavailable;
  for (auto number : numbers)
    if (find(number) != nullptr) // the list may contain it twice
      remove(event_kind::archived, number);
  return errc::none;
}

errc page_model::link(const std::string& goal_id, const std::vector<uint64_t>& numbers) {
  std::vector<uint64_t> linked;
  for (auto number : numbers) {
    const auto* x = find(number);
    if (x == nullptr || std::count(linked.begin(), linked.end(), number) > 0)
      continue;
    const auto& goals = x->value.linked_goal_ids;
    if (std::count(goals.begin(), goals.end(), goal_id) == 0)
      linked.push_back(number);
  }
  if (linked.empty())
    return errc::none;
  if (storage_fails)
    return errc::storage_unavailable;
  for (auto number : linked) {
    auto& x = *find(number);
    x.value.linked_goal_ids.push_back(goal_id);
    x.value.linked_to_goal = true;
    x.value.updated_at = now;
    ++x.value.revision;
    touch(x);
    note(event_kind::linked, number, x.value);
  }
  open_goals_.insert(goal_id);
  return errc::none;
}

/// Observations that the goal protected count as used now.
void page_model::close_goal(const std::string& goal_id) {
  open_goals_.erase(goal_id);
  for (auto& [number, x] : rows_) {
    const auto& goals = x.value.linked_goal_ids;
    if (std::count(goals.begin(), goals.end(), goal_id) > 0)
      touch(x);
  }
}

bool page_model::get(uint64_t number) {
  auto* x = find(number);
  if (x != nullptr)
    touch(*x);
  return x != nullptr;
}

void page_model::expire() {
  std::set<std::pair<timestamp, uint64_t>> due;
  for (const auto& [number, x] : rows_)
    if (x.value.expires_at <= now)
      due.emplace(x.value.expires_at, number);
  for (const auto& [end, number] : due)
    remove(event_kind::expired, number);
}

std::map<uint64_t, observation> page_model::observations() const {
  std::map<uint64_t, observation> result;
  for (const auto& [number, x] : rows_)
    result.emplace(number, x.value);
  return result;
}

std::optional<uint64_t> page_model::revision_of(uint64_t number) const {
  auto i = rows_.find(number);
  return i == rows_.end() ? std::nullopt : std::optional{i->second.value.revision};
}

page_model::row* page_model::find(uint64_t number) {
  auto i = rows_.find(number);
  return i == rows_.end() || i->second.value.expires_at <= now ? nullptr : &i->second;
}

bool page_model::is_protected(const observation& x) const {
  auto is_open = [this](const std::string& goal) { return open_goals_.contains(goal); };
  return (is_confirmation_or_alert(x.type) && is_live(x.status))
         || std::any_of(x.linked_goal_ids.begin(), x.linked_goal_ids.end(), is_open);
}

/// The observation to evict: resolved ones first, then by weight, then by last use.
std::optional<uint64_t> page_model::victim() const {
  std::optional<std::tuple<bool, int64_t, uint64_t, uint64_t>> least;
  for (const auto& [number, x] : rows_) {
    if (is_protected(x.value))
      continue;
    auto live = is_live(x.value.status);
    std::tuple rank{live, live ? weights_.of(x.value.type) : 0, x.used, number};
    if (!least || rank < *least)
      least = rank;
  }
  return least ? std::optional{std::get<3>(*least)} : std::nullopt;
}

void page_model::note(event_kind kind, uint64_t number, const observation& x) {
  changes_.push_back({kind, number, x.tags});
}

void page_model::remove(event_kind kind, uint64_t number) {
  auto node = rows_.extract(number);
  if (kind == event_kind::archived)
    archived_.insert(number);
  note(kind, number, node.mapped().value);
}

} // namespace scratchpage::test
