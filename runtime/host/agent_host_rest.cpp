#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"

/// How a host puts its agents to rest, and wakes them.

namespace scratchpage {

namespace {

constexpr timespan between_looks = std::chrono::seconds{2};
/// An agent that was used so lately stays open, also when others need its place: somebody who has
/// just got its handles may be about to use them.
constexpr timespan just_used = std::chrono::seconds{1};
/// How long somebody waits until another agent is at rest.
constexpr timespan longest_wait_for_room = std::chrono::seconds{10};
/// An agent that was woken because something was due is put to rest again after this time.
constexpr timespan short_stay = std::chrono::seconds{5};
constexpr size_t rests_at_once = 32;
constexpr size_t wakings_at_once = 64;

/// Whether nobody uses the agent, so that it can rest for others.
bool is_idle(const open_agent& x, timespan now) {
  return x.handles.use_count() == 1 && now - x.last_used > just_used;
}

} // namespace

/// Call it with the lock held.
bool agent_host::is_full() const {
  return members_.size() + openings_.size() >= max_open_;
}

/// Whether a place may become free. Call it with the lock held.
bool agent_host::is_anybody_idle() const {
  auto is_so = [now = clock_->steady()](const auto& x) { return is_idle(*x.second, now); };
  return !going_to_rest_.empty() || std::any_of(members_.begin(), members_.end(), is_so);
}

/// The agents that nobody uses. Call it with the lock held.
std::vector<std::string> agent_host::idle_agents(const rest_order& x) const {
  std::vector<std::pair<timespan, const std::string*>> found;
  for (const auto& [id, agent] : members_)
    if (agent->handles.use_count() == 1 && agent->last_used < x.unused_since)
      found.emplace_back(agent->last_used, &id);
  auto count = static_cast<ptrdiff_t>(std::min(found.size(), x.most));
  std::partial_sort(found.begin(), found.begin() + count, found.end());
  std::vector<std::string> result;
  for (auto i = found.begin(); i != found.begin() + count; ++i)
    result.push_back(*i->second);
  return result;
}

/// Call it with the lock held.
size_t agent_host::idle_agents_of(std::string_view program) const {
  auto is_so = [&, now = clock_->steady()](const auto& x) {
    return x.second->opened_by == program && is_idle(*x.second, now);
  };
  return static_cast<size_t>(std::count_if(members_.begin(), members_.end(), is_so));
}

/// Idle agents of programs that have more open than they may, so many of each. Call it with the
/// lock held.
std::vector<std::string> agent_host::idle_beyond_shares(size_t most) const {
  std::map<std::string_view, size_t> chosen;
  std::vector<std::string> result;
  for (const auto& id : idle_agents({clock_->steady() - just_used, members_.size()})) {
    std::string_view program = members_.find(id)->second->opened_by;
    if (result.size() < most && chosen[program] < shares_.excess(program)) {
      ++chosen[program];
      result.push_back(id);
    }
  }
  return result;
}

void agent_host::look_after_agents() {
  std::vector<std::string> tired;
  {
    std::lock_guard lock{guard_};
    auto free = rests_at_once - std::min(rests_at_once, going_to_rest_.size());
    auto now = clock_->steady();
    auto after = from_minutes(config_.host.rest_minutes);
    if (after > timespan{})
      tired = idle_agents({now - after, free});
    auto wanted = std::min(free, to_begin_.size());
    if (memory_.check())
      wanted = free;
    if ((is_full() || wanted == free) && tired.size() < wanted)
      tired = idle_agents({now - just_used, wanted});
    if (shares_.is_any_beyond())
      for (auto& id : idle_beyond_shares(free - std::min(free, tired.size())))
        tired.push_back(std::move(id));
    is_looking_soon_ = false;
  }
  rest_some(std::move(tired));
  wake_due();
  refuse_openings(clock_->steady() - longest_wait_for_room);
}

/// Call it with the lock held.
void agent_host::look_soon() {
  if (!std::exchange(is_looking_soon_, true))
    keeper_->post([this] { look_after_agents(); });
}

void agent_host::rest_some(std::vector<std::string> ids) {
  for (const auto& id : ids)
    put_to_rest(id, [](bool) {});
}

void agent_host::put_to_rest(const std::string& id, std::function<void(bool)> then) {
  std::unique_ptr<open_agent> agent;
  {
    std::lock_guard lock{guard_};
    agent = take_idle(id);
    if (agent)
      going_to_rest_.emplace(id, std::move(then));
  }
  if (!agent)
    return then(false);
  spawn<agent_resting_state>(system_, std::move(agent),
    [this, id](agent_resting_state::outcome x) { end_rest(id, std::move(x)); });
}

/// Takes an agent that nobody uses out of the open ones, so that nobody can begin to. Null if it is
/// used, or has programs of its own, which may remember something. Call it with the lock held.
std::unique_ptr<open_agent> agent_host::take_idle(const std::string& id) {
  auto found = members_.find(id);
  if (found == members_.end() || found->second->handles.use_count() > 1
      || !config_.mcp_servers.empty())
    return nullptr;
  auto result = std::move(found->second);
  shares_.leave(result->opened_by);
  members_.erase(found);
  return result;
}

void agent_host::end_rest(const std::string& id, agent_resting_state::outcome x) {
  std::function<void(bool)> tell;
  std::vector<waiter> waiters;
  hosted_agent_ptr awake = x.awake ? x.awake->handles : nullptr;
  {
    std::lock_guard lock{guard_};
    tell = std::move(going_to_rest_.at(id));
    going_to_rest_.erase(id);
    ++telling_;
    if (x.awake)
      waiters = go_on_with(id, std::move(x.awake));
    else
      begin_rest(id, std::move(*x.asleep));
  }
  tell(!awake);
  for (auto& one : waiters)
    one.then(awake);
  std::lock_guard lock{guard_};
  --telling_;
  begin_some();
  if (going_to_rest_.size() < rests_at_once / 2)
    look_soon();
  changed_.notify_all(); // with the lock, because the host may end after that
}

/// Call it with the lock held.
void agent_host::begin_rest(const std::string& id, resting_agent x) {
  claims_->remove(x.owner);
  resting_.add(id, std::move(x));
  ++totals_.rests;
  if (openings_.contains(id))
    to_begin_.push_back(id);
}

/// Goes on with an agent that is busy, and returns those who have asked for it meanwhile. Call it
/// with the lock held.
std::vector<agent_host::waiter> agent_host::go_on_with(
  const std::string& id, std::unique_ptr<open_agent> agent) {
  agent->last_used = clock_->steady(); // so that it is not asked again at once
  shares_.enter(agent->opened_by);
  members_.emplace(id, std::move(agent));
  auto opening = openings_.extract(id);
  if (!opening)
    return {};
  shares_.leave(opening.mapped().program);
  auto result = std::move(opening.mapped().waiters);
  waiting_ -= result.size();
  return result;
}

/// Wakes agents of which something is due. They stay for a short time.
void agent_host::wake_due() {
  std::vector<std::string> ids;
  {
    std::lock_guard lock{guard_};
    ids = resting_.due(clock_->now(), wakings_at_once);
  }
  for (const auto& id : ids)
    open(id, open_mode::existing, std::nullopt, [this, id](const auto&) {
      auto after = from_minutes(config_.host.rest_minutes);
      std::lock_guard lock{guard_};
      if (auto found = members_.find(id); found != members_.end() && after > short_stay)
        found->second->last_used -= after - short_stay;
    });
}

/// Refuses those who have waited for a place since `too_long`.
void agent_host::refuse_openings(timespan too_long) {
  std::vector<waiter> late;
  {
    std::lock_guard lock{guard_};
    std::erase_if(to_begin_, [&](const std::string& id) {
      auto found = openings_.find(id);
      if (found->second.since > too_long)
        return false;
      std::move(
        found->second.waiters.begin(), found->second.waiters.end(), std::back_inserter(late));
      shares_.leave(found->second.program);
      openings_.erase(found);
      return true;
    });
    waiting_ -= late.size();
    totals_.refusals += late.size();
    changed_.notify_all();
  }
  for (auto& x : late)
    x.then(no_room());
}

caf::error agent_host::no_room() const {
  return fail(errc::overloaded, "agent",
    "expected at most " + std::to_string(max_open_) + " agents at once, all of which are in use");
}

void agent_host::look_again_later() {
  keeper_->after(between_looks, [this] {
    look_after_agents();
    look_again_later();
  });
}

agent_host::agent_counts agent_host::counts() const {
  std::lock_guard lock{guard_};
  auto result = totals_;
  result.open = members_.size();
  result.resting = resting_.count();
  result.resting_bytes = resting_.bytes();
  result.max_open = max_open_;
  return result;
}

} // namespace scratchpage
