#include "scratchpage/actors/daemons/team.hpp"

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

observation_draft routing_draft(const observation& input, const urgency_assessment& assessment) {
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
  if (!assessment.alerts.empty())
    draft.metadata["alert_ids"] = to_json(assessment.alerts);
  return draft;
}

} // namespace

router_state::router_state(handle::pointer self, daemon_setup setup,
  policy_choice<router_policy> policy, observation_filter read)
  : deciding_daemon{self, std::move(setup), name, static_cast<uint32_t>(component::router)},
    policy_{std::move(policy)},
    read_{std::move(read)} {}

std::vector<observation_filter> router_state::wanted() {
  observation_filter filter;
  filter.type = {"user_input"};
  return {filter};
}

void router_state::react(const page_event& event, const ack_guard& done) {
  if (event.kind != event_kind::added || is_from_tool(*event.observation))
    return;
  auto by = as_me(event);
  query<uint64_t>(page(), review_candidates{by}, done, [](uint64_t) {});
  get_active_observations wanted{by, get_active_observations::all_of_them, {}};
  if (!policy_.own)
    wanted.any_of = {read_};
  query<query_result>(page(), std::move(wanted), done,
    [this, by, done, input = event.observation](query_result& live) {
      decide<router_policy>(
        policy_, by, {input, std::move(live.observations), by}, done,
        [input](const urgency_assessment& x) { return check_draft(routing_draft(*input, x)); },
        [this, by, input](const urgency_assessment& decided, const ack_guard& work) {
          route(by, *input, decided, work);
        });
    });
}

void router_state::route(caller by, const observation& input, const urgency_assessment& assessment,
  const ack_guard& done) {
  auto draft = routing_draft(input, assessment);
  by.cause = trace_.write("assess_urgency", by, draft.metadata);
  publish(std::move(by), std::move(draft), done);
}

} // namespace scratchpage
