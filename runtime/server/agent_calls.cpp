#include "scratchpage/runtime/server/agent_calls.hpp"

#include <memory>
#include <string>
#include <utility>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage {

std::optional<caf::error> check_first_change(const call_operation& x, const config& with) {
  const auto* what = find_operation(x.operation);
  if (what == nullptr || what->check_first == nullptr)
    return std::nullopt;
  auto outside = x;
  outside.by = as_outside(x.by);
  if (auto err = check_principal(what, outside.by))
    return err;
  if (auto key = take_request_key(*what, outside.arguments); !key)
    return key.error();
  return what->check_first(outside, with);
}

} // namespace scratchpage

namespace scratchpage::server {

namespace {

/// The key of a principal at an agent. All programs without a token have one key.
std::string key_of(const std::string& agent_id, const caller& by) {
  if (by.claimed)
    return agent_id;
  auto kind = name_of(by.kind);
  std::string result;
  result.reserve(agent_id.size() + kind.size() + by.name.size() + 2);
  return result.append(agent_id).append(1, '\0').append(kind).append(1, '\0').append(by.name);
}

bool is_missing(const caf::error& err) {
  return code_of(err) == errc::not_found && field_of(err) == "agent";
}

} // namespace

std::shared_ptr<const void> calls_under_way::enter(const std::string& agent_id, const caller& by) {
  auto key = key_of(agent_id, by);
  std::lock_guard lock{counts_->guard};
  auto [found, is_first] = counts_->by_principal.try_emplace(std::move(key), 0);
  if (found->second >= max_calls)
    return nullptr;
  auto& entry = *found; // it stays at its address as long as it counts a call
  ++entry.second;
  auto leave = [all = counts_, &entry](const void*) {
    std::lock_guard leaving{all->guard};
    if (--entry.second == 0)
      all->by_principal.erase(all->by_principal.find(entry.first));
  };
  return {this, std::move(leave)};
}

caf::error calls_under_way::refusal(const caller& by) {
  return fail(errc::overloaded, "",
    "expected at most " + std::to_string(max_calls) + " calls of " + principal_of(by)
      + " in progress at an agent");
}

agent_opener::agent_opener(agent_host& host)
  : host_{host},
    work_{{.pieces = max_waiting}, work_queue::pace::as_others} {}

agent_opener::~agent_opener() {
  std::unique_lock lock{gate_->guard}; // waits for those who are in it
  gate_->is_open = false;
}

void agent_opener::with(const std::string& id, open_mode what, const caller& by, on_agent then) {
  if (auto open = host_.find(id)) {
    then(std::move(open));
    return;
  }
  host_.open(
    id, what, by, [gate = gate_, then = std::move(then)](caf::expected<hosted_agent_ptr> agent) {
      std::shared_lock lock{gate->guard};
      if (gate->is_open)
        then(std::move(agent));
    });
}

void agent_calls::perform(
  const principal& who, std::string operation, json::object arguments, on_answer then) const {
  call_operation request{who.by, who.thread_id, std::move(operation), std::move(arguments)};
  continue_trace(request, who.traceparent);
  name_request(request.operation, who.request_key, request.arguments);
  if (auto err = host_.check_memory(); err && changes_something(request.operation))
    return then(std::move(err));
  auto permit = under_way_.enter(who.agent_id, who.by);
  if (!permit)
    return then(calls_under_way::refusal(who.by));
  then = [permit = std::move(permit), then = std::move(then)](
           auto result) { then(std::move(result)); };
  if (auto open = host_.find(who.agent_id))
    return call(open, std::move(request), std::move(then));
  auto refusal = check_first_change(request, host_.with());
  auto may_begin = who.may_begin && refusal && !*refusal;
  auto shared = std::make_shared<call_operation>(std::move(request));
  opener_.with(who.agent_id, may_begin ? open_mode::create : open_mode::existing, who.by,
    [this, shared, refusal, then = std::move(then)](caf::expected<hosted_agent_ptr> agent) {
      if (agent)
        return call(*agent, std::move(*shared), then);
      // The error of the first change is more useful than that there is no such agent.
      then(refusal && *refusal && is_missing(agent.error()) ? *refusal : agent.error());
    });
}

/// The agent is in use until it has answered.
void agent_calls::call(
  const hosted_agent_ptr& agent, call_operation request, on_answer then) const {
  const auto& operations = agent->operations;
  operations_.call(operations, std::move(request),
    [agent, then = std::move(then)](auto answer) { then(std::move(answer)); });
}

perform_operation agent_calls::performer() const {
  return
    [this](const principal& who, std::string operation, json::object arguments, on_answer then) {
      perform(who, std::move(operation), std::move(arguments), std::move(then));
    };
}

} // namespace scratchpage::server
