#include "scratchpage/actors/policies/call_plan.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

namespace {

std::string field_at(size_t call, std::string_view field) {
  return "plan[" + std::to_string(call) + "]." + std::string{field};
}

std::string field_at(size_t call, std::string_view field, size_t index) {
  return field_at(call, field) + "[" + std::to_string(index) + "]";
}

} // namespace

caf::expected<call_plan> call_plan::make(std::vector<planned_call> calls) {
  if (auto err = check_plan(calls, "plan"))
    return err;
  call_plan result;
  for (auto& call : calls)
    result.slots_.push_back({std::move(call), {}, {}});
  result.order_.resize(result.slots_.size());
  std::iota(result.order_.begin(), result.order_.end(), size_t{0});
  auto problem = result.name_calls();
  for (size_t i = 0; i < result.slots_.size() && !problem; ++i)
    problem = result.resolve(i);
  if (!problem)
    problem = result.find_cycle();
  if (problem)
    return problem;
  return result;
}

caf::error call_plan::name_calls() {
  std::set<std::string> taken;
  for (size_t i = 0; i < slots_.size(); ++i) {
    const auto& id = slots_[i].call.call_id;
    if (!id.empty() && !taken.insert(id).second)
      return fail(errc::invalid_request, field_at(i, "call_id"),
        "expected a unique id; \"" + id + "\" is used twice");
  }
  for (size_t i = 0; i < slots_.size(); ++i) {
    auto& id = slots_[i].call.call_id;
    for (auto n = i + 1; id.empty(); ++n)
      if (auto candidate = "call_" + std::to_string(n); taken.insert(candidate).second)
        id = std::move(candidate);
  }
  return {};
}

caf::error call_plan::resolve(size_t at) {
  auto& x = slots_[at];
  auto look_up = [&](const std::vector<std::string>& ids, std::vector<size_t>& found,
                   std::string_view field) -> caf::error {
    for (size_t i = 0; i < ids.size(); ++i) {
      auto other = index_of(ids[i]);
      if (other == none)
        return fail(errc::invalid_request, field_at(at, field, i),
          "expected the id of a call of this plan, not \"" + ids[i] + "\"");
      found.push_back(other);
    }
    return {};
  };
  if (auto problem = look_up(x.call.depends_on, x.depends_on, "depends_on"))
    return problem;
  return look_up(x.call.after, x.after, "after");
}

/// Removes calls that wait for no other call, again and again. What remains is in a cycle, or
/// waits for one.
caf::error call_plan::find_cycle() const {
  std::vector<bool> gone(slots_.size());
  auto free = [&](const std::vector<size_t>& list) {
    return std::all_of(list.begin(), list.end(), [&](size_t i) { return gone[i]; });
  };
  for (bool moved = true; std::exchange(moved, false);)
    for (size_t i = 0; i < slots_.size(); ++i)
      if (!gone[i] && free(slots_[i].depends_on) && free(slots_[i].after))
        gone[i] = moved = true;
  auto left = std::find(gone.begin(), gone.end(), false);
  if (left == gone.end())
    return {};
  auto at = static_cast<size_t>(left - gone.begin());
  auto field = free(slots_[at].depends_on) ? "after" : "depends_on";
  return fail(errc::invalid_request, field_at(at, field), "expected no call that waits for itself");
}

size_t call_plan::index_of(std::string_view call_id) const {
  for (size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].call.call_id == call_id)
      return i;
  return none;
}

bool call_plan::has_ended(const slot& x) {
  return x.state != state::waiting && x.state != state::running;
}

bool call_plan::may_start(const slot& x) const {
  auto succeeded = [this](size_t i) { return slots_[i].state == state::succeeded; };
  auto over = [this](size_t i) { return has_ended(slots_[i]); };
  return x.state == state::waiting
         && std::all_of(x.depends_on.begin(), x.depends_on.end(), succeeded)
         && std::all_of(x.after.begin(), x.after.end(), over);
}

std::vector<const planned_call*> call_plan::ready(size_t parallel_limit) const {
  std::vector<const planned_call*> result;
  auto busy = running();
  for (auto i : order_) {
    if (busy + result.size() >= parallel_limit)
      break;
    if (may_start(slots_[i]))
      result.push_back(&slots_[i].call);
  }
  return result;
}

bool call_plan::started(std::string_view call_id) {
  auto i = index_of(call_id);
  if (i == none || slots_[i].state != state::waiting)
    return false;
  slots_[i].state = state::running;
  return true;
}

bool call_plan::ended(std::string_view call_id, call_outcome outcome) {
  auto i = index_of(call_id);
  if (i == none || has_ended(slots_[i]))
    return false;
  slots_[i].by_another = false;
  slots_[i].state = outcome == call_outcome::succeeded ? state::succeeded
                    : outcome == call_outcome::failed  ? state::failed
                                                       : state::skipped;
  if (outcome != call_outcome::succeeded)
    skip_dependents();
  return true;
}

/// Whether something that `x` depends on ended without success.
bool call_plan::is_lost(const slot& x) const {
  return std::any_of(x.depends_on.begin(), x.depends_on.end(), [this](size_t i) {
    return slots_[i].state == state::failed || slots_[i].state == state::skipped;
  });
}

void call_plan::skip_dependents() {
  for (bool moved = true; std::exchange(moved, false);) {
    for (auto& x : slots_) {
      if (x.state != state::waiting || !is_lost(x))
        continue;
      x.state = state::skipped;
      x.by_another = true;
      newly_skipped_.push_back(x.call.call_id);
      moved = true;
    }
  }
}

std::vector<std::string> call_plan::take_skipped() {
  return std::exchange(newly_skipped_, {});
}

bool call_plan::restart(std::string_view call_id) {
  auto i = index_of(call_id);
  if (i == none || (slots_[i].state != state::failed && slots_[i].state != state::skipped))
    return false;
  slots_[i].state = state::waiting;
  std::erase(newly_skipped_, slots_[i].call.call_id);
  slots_[i].by_another = false;
  revive_dependents(i);
  return true;
}

bool call_plan::has_failed(std::string_view call_id) const {
  auto i = index_of(call_id);
  return i != none && slots_[i].state == state::failed;
}

void call_plan::revive_dependents(size_t of) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    auto& x = slots_[i];
    auto depends = std::find(x.depends_on.begin(), x.depends_on.end(), of) != x.depends_on.end();
    if (!depends || !x.by_another || x.state != state::skipped || is_lost(x))
      continue;
    x.state = state::waiting;
    x.by_another = false;
    std::erase(newly_skipped_, x.call.call_id);
    revive_dependents(i);
  }
}

bool call_plan::replace_tool(std::string_view call_id, std::string tool_id) {
  auto i = index_of(call_id);
  if (i == none)
    return false;
  slots_[i].call.tool_id = std::move(tool_id);
  return true;
}

std::string call_plan::append(planned_call call) {
  auto is_free = [this](const std::string& id) { return !id.empty() && index_of(id) == none; };
  for (auto n = slots_.size() + 1; !is_free(call.call_id); ++n)
    call.call_id = "call_" + std::to_string(n);
  call.depends_on.clear();
  call.after.clear();
  order_.push_back(slots_.size());
  slots_.push_back({std::move(call), {}, {}});
  return slots_.back().call.call_id;
}

void call_plan::prioritise(const std::function<bool(const planned_call&)>& first) {
  std::vector<bool> placed(slots_.size());
  std::vector<size_t> order;
  for (auto i : order_)
    if (first(slots_[i].call))
      move_up(i, placed, order);
  for (auto i : order_)
    if (!placed[i])
      order.push_back(i);
  order_ = std::move(order);
}

void call_plan::move_up(size_t at, std::vector<bool>& placed, std::vector<size_t>& order) const {
  if (placed[at])
    return;
  placed[at] = true;
  for (auto i : order_) {
    auto waits = [i](const std::vector<size_t>& list) {
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    if (waits(slots_[at].depends_on) || waits(slots_[at].after))
      move_up(i, placed, order);
  }
  order.push_back(at);
}

bool call_plan::finished() const {
  return std::all_of(slots_.begin(), slots_.end(), has_ended);
}

size_t call_plan::running() const {
  return static_cast<size_t>(std::count_if(
    slots_.begin(), slots_.end(), [](const slot& x) { return x.state == state::running; }));
}

call_counts call_plan::counts() const {
  call_counts result;
  for (const auto& x : slots_) {
    result.succeeded += x.state == state::succeeded;
    result.failed += x.state == state::failed;
    result.skipped += x.state == state::skipped;
  }
  return result;
}

std::vector<const planned_call*> call_plan::calls() const {
  std::vector<const planned_call*> result;
  for (const auto& x : slots_)
    result.push_back(&x.call);
  return result;
}

const planned_call* call_plan::find(std::string_view call_id) const {
  auto i = index_of(call_id);
  return i != none ? &slots_[i].call : nullptr;
}

} // namespace scratchpage
