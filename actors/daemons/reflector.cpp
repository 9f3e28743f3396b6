#include "scratchpage/actors/daemons/reflector.hpp"

#include "scratchpage/actors/turns/turn_calls.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000;

/// What there is to learn from, the latest first: what the ensemble and its tools put into the
/// turn, and, as far as there is room beside it, what others added and nobody took away.
std::vector<observation_ptr> worth_a_look(const turn_so_far& turn) {
  std::vector<observation_ptr> result{turn.own.rbegin(), turn.own.rend()};
  for (auto i = turn.others.rbegin(); i != turn.others.rend() && result.size() < most; ++i)
    if (is_live((*i)->status) || (*i)->status == status::resolved)
      result.push_back(*i);
  return result;
}

observation_draft to_draft(const turn_lesson& x) {
  observation_draft draft;
  draft.type = x.type;
  draft.content = x.statement;
  draft.confidence = x.confidence;
  draft.tags = x.tags;
  draft.metadata["fact_key"] = x.fact_key;
  draft.metadata["turns"] = x.turns;
  draft.metadata["fact"] = json::object{{"statement", x.fact.empty() ? x.statement : x.fact},
    {"tags", to_json(x.tags)}, {"outcome", name_of(x.effect)},
    {"observation_ids", to_json(x.observation_ids)}, {"sources", to_json(x.sources)}};
  return draft;
}

} // namespace

reflector_state::reflector_state(handle::pointer self, daemon_setup setup, reflection_config config)
  : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::reflector)},
    policy_{std::move(config)} {}

std::vector<observation_filter> reflector_state::interests() const {
  observation_filter filter;
  filter.type = {"evaluation_result"};
  return {filter};
}

void reflector_state::react(const page_event& event, const token& done) {
  if (event.kind != event_kind::added || !is_evaluators_result(*event.observation))
    return;
  consult<turn_so_far>(
    page(), read_turn{as_me(event)}, done, [this, event, done](const turn_so_far& turn) {
      reflect(event, turn, done);
      archive_resolved(as_me(event), done);
    });
}

void reflector_state::reflect(
  const page_event& evaluation, const turn_so_far& turn, const token& done) {
  turn_story story;
  story.turn_id = evaluation.turn_id;
  if (auto input = first_of(turn.own, "user_input"))
    story.input = input->content;
  story.calls = calls_of(turn.own);
  story.observations = worth_a_look(turn);
  from_string(text_member(evaluation.observation->metadata, "outcome"), story.outcome);
  auto lessons = policy_.reflect(story);
  auto by = as_me(evaluation);
  by.cause = trace_.write("reflect", by, {{"lessons", lessons.size()}});
  for (const auto& one : lessons)
    publish(by, to_draft(one), done);
}

void reflector_state::archive_resolved(const caller& by, const token& done) {
  query_observations resolved{
    .by = by, .text = {}, .filter = {}, .limit = most, .cursor = {}, .deadline = {}};
  resolved.filter.status = {status::resolved};
  consult<query_result>(
    page(), std::move(resolved), done, [this, by, done](const query_result& found) {
      if (found.observations.empty())
        return;
      clear_resolved request{by, {}};
      for (const auto& x : found.observations)
        request.observation_ids.push_back(x->observation_id);
      order(std::move(request), done);
    });
}

} // namespace scratchpage
