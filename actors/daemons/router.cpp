#include "scratchpage/actors/daemons/router.hpp"

#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

router_state::router_state(handle::pointer self, daemon_setup setup, urgency_config config)
  : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::router)},
    policy_{std::move(config)} {}

std::vector<observation_filter> router_state::interests() const {
  observation_filter filter;
  filter.type = {"user_input"};
  return {filter};
}

void router_state::react(const page_event& event, const token& done) {
  if (event.kind != event_kind::added || is_from_tool(*event.observation))
    return;
  auto by = as_me(event);
  consult<uint64_t>(page(), review_candidates{by}, done, [](uint64_t) {});
  consult<query_result>(page(),
    get_active_observations{by, get_active_observations::all_of_them, {}}, done,
    [this, by, done, input = event.observation](const query_result& live) mutable {
      auto draft = decide(*input, live.observations);
      by.cause = trace_.write("assess_urgency", by, draft.metadata);
      publish(std::move(by), std::move(draft), done);
    });
}

observation_draft router_state::decide(
  const observation& input, const std::vector<observation_ptr>& live) const {
  auto assessment = policy_.assess(input.content, live);
  std::string content{name_of(assessment.level)};
  content.front() = static_cast<char>(content.front() - 'a' + 'A');
  content += " urgency";
  for (const auto& reason : assessment.reasons)
    content.append(&reason == &assessment.reasons.front() ? ": " : "; ").append(reason);
  observation_draft draft;
  draft.type = "routing_decision";
  draft.content = std::move(content);
  draft.confidence = 0.95;
  draft.tags = {"routing", "urgency"};
  draft.context = context_about(input);
  draft.metadata["urgency"] = name_of(assessment.level);
  draft.metadata["reasons"] = to_json(assessment.reasons);
  draft.metadata["requests"] = to_json(assessment.requests);
  draft.metadata["input_id"] = input.observation_id;
  return draft;
}

} // namespace scratchpage
