#include "scratchpage/actors/daemons/system_analyzer.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/daemons/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000;

/// Which any tool may use, for measurements or anything else.
constexpr std::array<const char*, 2> types_for_all{"contextual_insight", "observation"};

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

/// Of what anybody uses there is much: it hears of what is tagged as a measurement only.
std::vector<observation_filter> system_analyzer_state::interests() const {
  std::vector<observation_filter> result;
  if (!config_.types.empty())
    result.emplace_back().type = config_.types;
  for (const auto& tag : config_.tags) {
    auto& tagged = result.emplace_back();
    tagged.type.assign(types_for_all.begin(), types_for_all.end());
    tagged.tags = {tag};
  }
  return result;
}

void system_analyzer_state::react(const page_event& event, const token& done) {
  if (event.kind == event_kind::added)
    read(as_me(event), done);
}

void system_analyzer_state::read(const caller& by, const token& done) {
  auto types = config_.types;
  types.insert(types.end(), types_for_all.begin(), types_for_all.end());
  consult<query_result>(
    page(), with_type(by, std::move(types)), done, [this, by, done](const query_result& found) {
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
