#include "scratchpage/actors/daemons/team.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most_results = 1000;

/// The observations to learn from, the latest first: those that the ensemble and its tools added to
/// the turn, then, up to `most_results`, those of others that are live or resolved.
std::vector<observation_ptr> observations_of(const turn_so_far& turn) {
  std::vector<observation_ptr> result{turn.own.rbegin(), turn.own.rend()};
  for (auto i = turn.others.rbegin(); i != turn.others.rend() && result.size() < most_results; ++i)
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
  if (!x.attribute.empty())
    draft.metadata["fact"].as_object()["attribute"] = x.attribute;
  return draft;
}

caf::error check_type(const turn_lesson& x) {
  if (x.type == "learning" || x.type == "pattern_detected")
    return {};
  return fail(errc::unknown_type, "type", "expected learning or pattern_detected");
}

} // namespace

reflector_state::reflector_state(
  handle::pointer self, daemon_setup setup, policy_choice<reflector_policy> policy)
  : deciding_daemon{self, std::move(setup), name, static_cast<uint32_t>(component::reflector)},
    policy_{std::move(policy)} {
  if (auto before = take_kept<kept_hearing>(this->setup().agent.kept))
    last_heard_ = before->last_heard;
}

reflector_state::~reflector_state() {
  if (const auto& kept = setup().agent.kept)
    kept->put(kept_hearing{last_heard_}, sizeof(kept_hearing));
}

std::vector<observation_filter> reflector_state::wanted() {
  observation_filter filter;
  filter.type = {"evaluation_result"};
  return {filter};
}

void reflector_state::react(const page_event& event, const ack_guard& done) {
  if (event.kind != event_kind::added || !is_evaluators_result(*event.observation))
    return;
  query<turn_so_far>(
    page(), read_turn{as_me(event)}, done, [this, event, done](const turn_so_far& turn) {
      hear(event, turn, done);
      archive_resolved(as_me(event), done);
    });
}

/// What tools report from outside belongs to no turn. Each report is read in the next turn that
/// ends.
void reflector_state::hear(
  const page_event& evaluation, const turn_so_far& turn, const ack_guard& done) {
  query_observations reports{.by = as_me(evaluation),
    .text = {},
    .filter = {},
    .limit = reflector_limits::reports,
    .cursor = {},
    .deadline = {}};
  reports.filter.type = {"observation", "contextual_insight"};
  query<query_result>(
    page(), std::move(reports), done, [this, evaluation, turn, done](const query_result& found) {
      reflect(evaluation, turn, new_reports(found), done);
    });
}

std::vector<observation_ptr> reflector_state::new_reports(const query_result& found) {
  std::vector<observation_ptr> result;
  auto latest = last_heard_;
  for (const auto& x : found.observations) {
    auto number = number_of(x->observation_id).value_or(0);
    if (number > last_heard_ && x->source.kind == source_kind::tool && x->source.turn_id.empty())
      result.push_back(x);
    latest = std::max(latest, number);
  }
  last_heard_ = latest;
  return result;
}

void reflector_state::reflect(const page_event& evaluation, const turn_so_far& turn,
  std::vector<observation_ptr> heard, const ack_guard& done) {
  turn_story story;
  story.turn_id = evaluation.turn_id;
  story.by = as_me(evaluation);
  if (auto input = first_of(turn.own, "user_input"))
    story.input = input->content;
  story.calls = calls_of(turn.own);
  story.observations = observations_of(turn);
  story.heard = std::move(heard);
  from_string(text_member(evaluation.observation->metadata, "outcome"), story.outcome);
  auto check = [](const std::vector<turn_lesson>& lessons) {
    for (const auto& one : lessons) {
      if (auto err = check_type(one))
        return err;
      if (auto err = check_draft(to_draft(one)))
        return err;
    }
    return caf::error{};
  };
  decide<reflector_policy>(policy_, as_me(evaluation), std::move(story), done, check,
    [this, by = as_me(evaluation)](
      const std::vector<turn_lesson>& lessons, const ack_guard& work) mutable {
      by.cause = trace_.write("reflect", by, {{"lessons", lessons.size()}});
      for (const auto& one : lessons)
        publish(by, to_draft(one), work);
    });
}

void reflector_state::archive_resolved(const caller& by, const ack_guard& done) {
  query_observations resolved{
    .by = by, .text = {}, .filter = {}, .limit = most_results, .cursor = {}, .deadline = {}};
  resolved.filter.status = {status::resolved};
  query<query_result>(
    page(), std::move(resolved), done, [this, by, done](const query_result& found) {
      if (found.observations.empty())
        return;
      clear_resolved request{by, {}};
      for (const auto& x : found.observations)
        request.observation_ids.push_back(x->observation_id);
      command(std::move(request), done);
    });
}

} // namespace scratchpage
