#include <algorithm>
#include <future>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/host/agent_opening.hpp"

/// How a host opens its agents.

namespace scratchpage {

namespace {

bool is_no_such_agent(const caf::error& err) {
  return code_of(err) == errc::not_found && field_of(err) == "agent";
}

/// Whether the agent could not be opened because of what was asked for.
bool is_of_the_caller(const caf::error& err) {
  return is_no_such_agent(err) || code_of(err) == errc::invalid_request;
}

} // namespace

caf::error agent_host::check_new_id(const std::string& id, std::string_view field) {
  if (id.empty() || !utf8::is_valid(id))
    return fail(errc::invalid_request, field, "expected an agent's id, in UTF-8");
  if (id.size() > max_id_bytes)
    return fail(errc::invalid_request, field,
      "expected an agent's id of at most " + std::to_string(max_id_bytes) + " bytes");
  if (!is_key_text(id))
    return fail(errc::invalid_request, field, "expected an agent's id without U+0000");
  return {};
}

caf::expected<hosted_agent_ptr> agent_host::open(
  const std::string& id, open_mode what, const caller* by) {
  std::promise<caf::expected<hosted_agent_ptr>> answer;
  auto then = [&](caf::expected<hosted_agent_ptr> x) { answer.set_value(std::move(x)); };
  open(id, what, by == nullptr ? std::nullopt : std::optional{*by}, then);
  return answer.get_future().get();
}

void agent_host::open(
  const std::string& id, open_mode what, std::optional<caller> by, on_opened then) {
  caf::expected<hosted_agent_ptr> answer{hosted_agent_ptr{}};
  {
    std::lock_guard lock{guard_};
    auto found = members_.find(id);
    if (found == members_.end()) {
      auto err = check_may_open(id, by);
      if (code_of(err) == errc::overloaded)
        ++totals_.refusals;
      if (!err)
        return wait_for_opening(id, {what, std::move(by), std::move(then)});
      answer = err;
    } else {
      found->second->last_used = clock_->steady();
      answer = found->second->handles;
    }
  }
  then(std::move(answer));
}

/// Call it with the lock held.
caf::error agent_host::check_may_open(
  const std::string& id, const std::optional<caller>& by) const {
  if (auto err = losses_.check(id, clock_->steady()))
    return err;
  if (id.empty() || !utf8::is_valid(id))
    return check_new_id(id, "agent");
  if (waiting_ >= max_openings)
    return fail(errc::overloaded, "agent", "expected fewer agents that are opened at once");
  if (openings_.contains(id))
    return {};
  if (is_full() && !is_anybody_idle())
    return no_room();
  if (auto err = memory_.check())
    return err;
  return check_share(by);
}

/// A program that has opened as many agents as it may can open another one if one of them is idle,
/// which then rests. Call it with the lock held.
caf::error agent_host::check_share(const std::optional<caller>& by) const {
  auto refusal = by ? shares_.check(*by) : caf::error{};
  if (!refusal)
    return {};
  auto program = program_shares::key_of(*by);
  return shares_.excess(program) < idle_agents_of(program) ? caf::error{} : refusal;
}

/// Call it with the lock held.
void agent_host::wait_for_opening(const std::string& id, waiter x) {
  auto [found, is_new] = openings_.try_emplace(id);
  auto& of = found->second;
  if (is_new) {
    if (x.by)
      of.program = program_shares::key_of(*x.by);
    shares_.enter(of.program);
    if (shares_.excess(of.program) > 0)
      look_soon();
    of.since = clock_->steady();
    if (!going_to_rest_.contains(id))
      to_begin_.push_back(id);
  }
  of.waiters.push_back(std::move(x));
  ++waiting_;
  begin_some();
}

/// Call it with the lock held.
void agent_host::begin_some() {
  if (is_full() && !to_begin_.empty())
    look_soon();
  while (begun_ < openings_at_once && !to_begin_.empty() && members_.size() + begun_ < max_open_) {
    auto id = std::move(to_begin_.front());
    to_begin_.pop_front();
    const auto& waiters = openings_.at(id).waiters;
    auto is_new = [](const waiter& x) { return x.what == open_mode::create; };
    auto what =
      std::any_of(waiters.begin(), waiters.end(), is_new) ? open_mode::create : open_mode::existing;
    ++begun_;
    std::shared_ptr<const resting_agent> asleep;
    if (auto x = resting_.take(id))
      asleep = waking_[id] = std::make_shared<const resting_agent>(std::move(*x));
    auto then = [this, id, begun_at = clock_->steady()](opened_agent result) {
      end_opening(id, clock_->steady() - begun_at, std::move(result));
    };
    spawn_pooled<agent_opening_state>(
      pool_, system_, *factory_, id, what, std::move(asleep), std::move(then));
  }
}

void agent_host::end_opening(const std::string& id, timespan took, opened_agent result) {
  if (result && !is_waking(id))
    tell({host_event_kind::agent_opened, id, took, (*result)->handles->damage});
  if (!result && !is_of_the_caller(result.error()))
    tell({host_event_kind::agent_not_opened, id, took, describe(result.error())});
  auto answer = result ? caf::expected<hosted_agent_ptr>{(*result)->handles} : result.error();
  for (auto& x : take_waiters(id, std::move(result)))
    x.then(answer);
  std::lock_guard lock{guard_};
  --begun_;
  begin_some();
  changed_.notify_all(); // with the lock, because the host may end after that
}

bool agent_host::is_waking(const std::string& id) const {
  std::lock_guard lock{guard_};
  return waking_.contains(id);
}

/// Adds the agent to the open ones and returns those who waited for it. If there is no such agent,
/// those who would create it wait on: they came after the look for it.
std::vector<agent_host::waiter> agent_host::take_waiters(
  const std::string& id, opened_agent result) {
  std::lock_guard lock{guard_};
  auto& of = openings_.at(id);
  auto waiters = std::exchange(of.waiters, {});
  if (!result && is_no_such_agent(result.error())) {
    auto stays = std::stable_partition(waiters.begin(), waiters.end(),
      [](const waiter& x) { return x.what == open_mode::existing; });
    std::move(stays, waiters.end(), std::back_inserter(of.waiters));
    waiters.erase(stays, waiters.end());
  }
  waiting_ -= waiters.size();
  if (!of.waiters.empty()) {
    to_begin_.push_back(id);
    return waiters;
  }
  if (auto woken = waking_.extract(id)) {
    if (result)
      ++totals_.wakings;
    else
      resting_.add(id, *woken.mapped());
  }
  if (result) {
    auto& agent = **result;
    agent.since = agent.last_used = clock_->steady();
    agent.opened_by = of.program;
    claims_->add(agent.owner);
    members_.emplace(id, std::move(*result));
  } else {
    shares_.leave(of.program);
  }
  openings_.erase(id);
  return waiters;
}

} // namespace scratchpage
