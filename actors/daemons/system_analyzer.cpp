#include "scratchpage/actors/daemons/system_analyzer.hpp"

#include <algorithm>

#include "scratchpage/actors/daemons/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000;

query_observations with_type(const caller& by, std::vector<std::string> types) {
  query_observations request{
    .by = by, .text = {}, .filter = {}, .limit = most, .cursor = {}, .deadline = {}};
  request.filter.type = std::move(types);
  return request;
}

observation_draft to_draft(const suggestion& x) {
  observation_draft draft;
  draft.type = "action_suggestion";
  draft.content = x.statement;
  draft.confidence = x.confidence;
  draft.tags = x.tags;
  draft.metadata["key"] = x.key;
  draft.metadata["instead_of"] = x.prefer.empty() ? "" : x.tool_id;
  draft.metadata["prefer"] = x.prefer;
  draft.metadata["observation_ids"] = to_json(x.observation_ids);
  return draft;
}

} // namespace

system_analyzer_state::system_analyzer_state(
  handle::pointer self, daemon_setup setup, latency_config config, toolbox_actor tools)
  : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::system_analyzer)},
    config_{config},
    policy_{std::move(config)},
    tools_{std::move(tools)} {}

observation_filter system_analyzer_state::interests() const {
  observation_filter filter;
  filter.type = config_.types;
  for (const auto* type : {"contextual_insight", "observation"})
    filter.type.emplace_back(type);
  return filter;
}

void system_analyzer_state::react(const page_event& event, const token& done) {
  if (event.kind != event_kind::added)
    return;
  const auto& x = *event.observation;
  auto is_tagged = [&](const std::string& tag) {
    return std::find(x.tags.begin(), x.tags.end(), tag) != x.tags.end();
  };
  if (std::find(config_.types.begin(), config_.types.end(), x.type) != config_.types.end()
      || std::any_of(config_.tags.begin(), config_.tags.end(), is_tagged))
    read(as_me(event), done);
}

void system_analyzer_state::read(const caller& by, const token& done) {
  consult<query_result>(
    page(), with_type(by, interests().type), done, [this, by, done](const query_result& found) {
      consult<tool_list>(tools_, list_tools{by}, done,
        [this, by, measured = found.observations, done](const tool_list& known) {
          for (const auto& one : policy_.suggest(measured, known.tools))
            suggest(by, one, done);
        });
    });
}

void system_analyzer_state::suggest(const caller& by, const suggestion& what, const token& done) {
  if (!under_way_.insert(what.key).second)
    return; // another measurement of the same batch led to it, too
  consult<query_result>(page(), with_type(by, {"action_suggestion"}), done,
    [this, by, what, done](const query_result& live) {
      auto is_known = [&](const observation_ptr& x) {
        return text_member(x->metadata, "key") == what.key;
      };
      auto ended = [this, key = what.key](const receipt&) { under_way_.erase(key); };
      if (std::any_of(live.observations.begin(), live.observations.end(), is_known)) {
        ended({});
        return;
      }
      auto because = by;
      because.cause = trace_.write(
        "suggest", by, {{"key", what.key}, {"tool_id", what.tool_id}, {"prefer", what.prefer}});
      publish(std::move(because), to_draft(what), done, ended);
    });
}

} // namespace scratchpage
