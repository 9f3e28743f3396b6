#include "scratchpage/runtime/server/agent_calls.hpp"

#include <memory>
#include <string>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/first_change.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage::serve {

namespace {

bool is_missing(const caf::error& err) {
  return code_of(err) == errc::not_found && field_of(err) == "agent";
}

} // namespace

void agent_calls::call(
  const std::string& agent_id, call_operation request, if_missing begins, on_answer then) const {
  if (auto err = host_.check_memory(); err && changes_something(request.operation))
    return then(std::move(err));
  auto place = under_way_.enter(agent_id, request.by);
  if (!place)
    return then(calls_under_way::refusal(request.by));
  then = [place = std::move(place), then = std::move(then)](
           auto result) { then(std::move(result)); };
  if (auto open = host_.find(agent_id))
    return operations_.call(open->operations, std::move(request), std::move(then));
  auto refusal = check_first_change(request, host_.with());
  auto may_begin = begins == if_missing::make && refusal && !*refusal;
  auto shared = std::make_shared<call_operation>(std::move(request));
  opener_.with(agent_id, may_begin ? if_missing::make : if_missing::refuse, shared->by,
    [this, shared, refusal, then = std::move(then)](caf::expected<hosted_agent_ptr> agent) {
      if (agent)
        return operations_.call((*agent)->operations, std::move(*shared), then);
      // What is wrong with a first change matters more than that there was none before.
      then(refusal && *refusal && is_missing(agent.error()) ? *refusal : agent.error());
    });
}

} // namespace scratchpage::serve
