#include "scratchpage/actors/daemons/team.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t max_analyzed = 1000; // of a query

/// Types that any tool may use, for measurements and for anything else.
constexpr std::array<const char*, 2> types_for_all{"contextual_insight", "observation"};

query_observations with_type(const caller& by, std::vector<std::string> types) {
  query_observations request{
    .by = by, .text = {}, .filter = {}, .limit = max_analyzed, .cursor = {}, .deadline = {}};
  request.filter.type = std::move(types);
  return request;
}

bool is_mine(const observation& x) {
  return x.source.kind == source_kind::daemon && x.source.name == system_analyzer_state::name
         && x.source.relayed_by.empty();
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

struct system_analyzer_state::look {
  caller by;
  ack_guard done; ///< of the batch
  ack_guard over; ///< of the look
  std::vector<observation_ptr> measured;
  manifest_list tools; ///< of the agent
  std::vector<suggestion> found;

  bool is_agents(const std::string& tool_id) const {
    return std::any_of(
      tools.begin(), tools.end(), [&](const manifest_ptr& x) { return x->tool_id == tool_id; });
  }
};

system_analyzer_state::system_analyzer_state(
  handle::pointer self, daemon_setup setup, latency_config config, toolbox_actor tools)
  : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::system_analyzer)},
    config_{config},
    policy_{std::move(config)},
    tools_{std::move(tools)},
    works_{this->setup().agent.work()} {}

/// There are many observations of `types_for_all`; only those tagged as measurements are wanted.
std::vector<observation_filter> system_analyzer_state::wanted(const latency_config& with) {
  std::vector<observation_filter> result;
  if (!with.types.empty())
    result.emplace_back().type = with.types;
  for (const auto& tag : with.tags) {
    auto& tagged = result.emplace_back();
    tagged.type.assign(types_for_all.begin(), types_for_all.end());
    tagged.tags = {tag};
  }
  return result;
}

void system_analyzer_state::react(const page_event& event, const ack_guard& done) {
  if (event.kind != event_kind::added)
    return;
  wanted_ = as_me(event);
  if (state_ == state::idle)
    begin_look(done);
}

/// Measurements that are added before the page answers are in its answer, so `wanted_` is reset
/// then.
void system_analyzer_state::begin_look(const ack_guard& done) {
  state_ = state::looking;
  works_.set(true);
  auto x = std::make_shared<look>(look{*wanted_, done, at_the_end([this] { rest(); }), {}, {}, {}});
  auto types = config_.types;
  types.insert(types.end(), types_for_all.begin(), types_for_all.end());
  query<query_result>(
    page(), with_type(x->by, std::move(types)), x->over, [this, x](query_result& found) {
      wanted_.reset();
      x->measured = std::move(found.observations);
      read_tools(x);
    });
}

void system_analyzer_state::read_tools(const look_ptr& x) {
  query<tool_list>(tools_, list_tools{x->by}, x->over, [this, x](tool_list& known) {
    x->tools = std::move(known.tools);
    read_suggestions(x);
  });
}

void system_analyzer_state::read_suggestions(const look_ptr& x) {
  x->found = policy_.suggest(x->measured, x->tools);
  if (x->found.empty())
    return;
  auto live = with_type(x->by, {"action_suggestion"});
  live.filter.source = {name};
  query<query_result>(page(), std::move(live), x->over,
    [this, x](const query_result& known) { publish_new(x, known.observations); });
}

void system_analyzer_state::publish_new(
  const look_ptr& x, const std::vector<observation_ptr>& live) {
  std::set<std::string> known;
  for (const auto& one : live)
    if (is_mine(*one))
      known.insert(text_member(one->metadata, "key"));
  for (const auto& what : x->found) {
    auto has_room = known.size() < analysis_limits::suggestions || x->is_agents(what.tool_id);
    if (!has_room || !known.insert(what.key).second)
      continue;
    auto because = x->by;
    because.cause = trace_.write(
      "suggest", x->by, {{"key", what.key}, {"tool_id", what.tool_id}, {"prefer", what.prefer}});
    // The look ends when the suggestion is stored.
    publish(std::move(because), to_draft(what), x->over,
      [look = x](const receipt&) mutable { look.reset(); });
  }
}

/// Pauses after a look.
void system_analyzer_state::rest() {
  state_ = state::resting;
  self_->run_delayed(analysis_limits::pause, [this] {
    state_ = state::idle;
    if (wanted_)
      begin_look(ack_guard{[] {}});
    else
      works_.set(false);
  });
}

} // namespace scratchpage
