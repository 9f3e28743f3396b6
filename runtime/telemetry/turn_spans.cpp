#include "scratchpage/runtime/telemetry/turn_spans.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage::telemetry {

namespace {

std::string hex(uint64_t x) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result(16, '0');
  for (auto i = result.rbegin(); i != result.rend(); ++i, x >>= 4)
    *i = digits[x & 0xf];
  return result;
}

std::string text_in_detail(const trace_entry& x, std::string_view name) {
  const auto* found = x.detail.if_contains(view(name));
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

bool is(const trace_entry& x, std::string_view component, std::string_view operation) {
  return x.component == component && x.operation == operation;
}

/// An operation for which the semantic conventions have a name.
struct known_operation {
  std::string_view component;
  std::string_view operation;
  std::string_view gen_ai_name;
};

constexpr std::array known_operations{
  known_operation{"turns", "end_turn", "invoke_agent"},
  known_operation{"tools", "call_tool", "execute_tool"},
  known_operation{"models", "ask_model", "chat"},
  known_operation{"scratch_page", "add_observation", "create_memory"},
  known_operation{"scratch_page", "update_observation", "update_memory"},
  known_operation{"scratch_page", "archive_observation", "delete_memory"},
  known_operation{"scratch_page", "query_observations", "search_memory"},
  known_operation{"scratch_page", "get_active_observations", "search_memory"},
  known_operation{"scratch_page", "list_archive", "search_memory"},
  known_operation{"semantic_memory", "learn", "create_memory"},
  known_operation{"semantic_memory", "query_facts", "search_memory"},
  known_operation{"episodic_memory", "record_episode", "create_memory"},
  known_operation{"episodic_memory", "query_episodes", "search_memory"},
};

std::string_view gen_ai_name_of(const trace_entry& x) {
  const auto* found = std::find_if(known_operations.begin(), known_operations.end(),
    [&](const known_operation& one) { return is(x, one.component, one.operation); });
  return found == known_operations.end() ? std::string_view{} : found->gen_ai_name;
}

constexpr std::string_view our_prefix = "scratchpage.";

/// The attributes for members of an entry's detail that are our own ids, names and numbers.
constexpr std::array<std::string_view, 18> told_members{"scratchpage.action", "scratchpage.attempt",
  "scratchpage.call_id", "scratchpage.calls", "scratchpage.decision", "scratchpage.error_class",
  "scratchpage.event", "scratchpage.fact_id", "scratchpage.found", "scratchpage.goal_id",
  "scratchpage.mandate_id", "scratchpage.observation_id", "scratchpage.observation_type",
  "scratchpage.outcome", "scratchpage.returned", "scratchpage.rule_id", "scratchpage.sequence",
  "scratchpage.verdict"};

std::optional<span::value> as_value(const json::value& x) {
  if (x.is_string())
    return span::value{std::string{x.get_string()}};
  if (x.is_bool())
    return span::value{x.get_bool()};
  if (x.is_double())
    return span::value{x.get_double()};
  if (x.is_int64())
    return span::value{x.get_int64()};
  if (x.is_uint64())
    return span::value{static_cast<int64_t>(x.get_uint64())};
  return std::nullopt;
}

/// The attributes of a question to a model.
void describe_chat(const trace_entry& x, span& to) {
  struct told {
    std::string_view member;
    std::string_view name;
  };
  constexpr std::array all{told{"model", "gen_ai.request.model"},
    told{"prompt_tokens", "gen_ai.usage.input_tokens"},
    told{"answer_tokens", "gen_ai.usage.output_tokens"},
    told{"cached_tokens", "gen_ai.usage.cache_read.input_tokens"},
    told{"decided_by", "scratchpage.decided_by"}};
  for (const auto& one : all)
    if (const auto* found = x.detail.if_contains(view(one.member)))
      if (auto value = as_value(*found))
        to.attributes.emplace_back(one.name, std::move(*value));
  to.attributes.emplace_back("gen_ai.output.type", std::string{"json"});
}

void describe(const trace_entry& x, span& to) {
  to.attributes.reserve(8 + told_members.size());
  auto put = [&](std::string_view name, std::string text) {
    if (!text.empty())
      to.attributes.emplace_back(name, std::move(text));
  };
  auto gen_ai = std::string{gen_ai_name_of(x)};
  auto tool = text_in_detail(x, "tool_id");
  put("gen_ai.operation.name", gen_ai);
  put("gen_ai.agent.id", x.agent_id);
  put("gen_ai.tool.name", tool);
  put("scratchpage.component", x.component);
  put("scratchpage.operation", x.operation);
  put("scratchpage.turn_id", x.turn_id);
  put("scratchpage.caller", x.source);
  for (auto name : told_members)
    if (const auto* found = x.detail.if_contains(view(name.substr(our_prefix.size()))))
      if (auto value = as_value(*found))
        to.attributes.emplace_back(name, std::move(*value));
  if (gen_ai == "invoke_agent")
    to.name = gen_ai + " " + x.agent_id;
  else if (gen_ai == "execute_tool")
    to.name = gen_ai + " " + tool;
  else if (gen_ai == "chat")
    to.name = gen_ai + " " + text_in_detail(x, "model");
  else
    to.name = gen_ai.empty() ? x.component + " " + x.operation : gen_ai + " " + x.component;
  if (gen_ai == "chat")
    describe_chat(x, to);
  if (is_error_status(x.status)) {
    to.error = x.status;
    put("error.type", x.status);
  }
}

} // namespace

bool begins_turn(const trace_entry& x) {
  return x.component == "turns" && x.operation == "begin_turn" && x.status == "success";
}

void turn_traces::note(const trace_entry& x) {
  if (!begins_turn(x))
    return;
  turn_place turn{trace_of(x.agent_id, x.turn_id), {}, text_in_detail(x, "thread_id")};
  if (auto asker = trace_context::parse(text_in_detail(x, "traceparent"))) {
    turn.trace_id = asker->trace_id;
    turn.parent_id = asker->parent_id;
  }
  turn_key key{x.agent_id, x.turn_id};
  std::lock_guard lock{mutex_};
  if (turns_.insert_or_assign(key, std::move(turn)).second)
    in_order_.push_back(std::move(key));
  for (; in_order_.size() > max_known; in_order_.pop_front())
    turns_.erase(in_order_.front());
}

turn_place turn_traces::place_of(const std::string& agent_id, const std::string& turn_id) const {
  {
    std::lock_guard lock{mutex_};
    if (auto found = turns_.find({agent_id, turn_id}); found != turns_.end())
      return found->second;
  }
  return {trace_of(agent_id, turn_id), {}, {}};
}

std::string turn_traces::span_of(std::string_view agent_id, span_id id) const {
  std::string of = hex(salt_);
  of.append("/").append(agent_id).append("#").append(hex(id));
  return hex(checksum_of(of) | 1); // 0 is no id
}

std::string turn_traces::trace_of(std::string_view agent_id, std::string_view what) const {
  std::string of = hex(salt_);
  of.append("/").append(agent_id).append("/").append(what);
  return hex(salt_ | 1) + hex(checksum_of(of));
}

std::optional<span> turn_spans::take(const trace_entry& x) {
  if (begins_turn(x)) {
    traces_->note(x);
    return std::nullopt;
  }
  span result;
  result.ended = x.at;
  result.began = x.at - from_milliseconds(std::max(0.0, x.duration_ms));
  result.span_id = traces_->span_of(x.agent_id, x.id);
  if (x.parent != 0)
    result.parent_id = traces_->span_of(x.agent_id, x.parent);
  describe(x, result);
  if (x.turn_id.empty())
    result.trace_id = trace_outside_turns(x);
  else
    place(x, result);
  return result;
}

/// Sets the trace and the parent of a span in a turn. The span of the turn itself has the id of the
/// entry that began it, since that is the cause of the other entries.
void turn_spans::place(const trace_entry& x, span& to) const {
  auto turn = traces_->place_of(x.agent_id, x.turn_id);
  to.trace_id = std::move(turn.trace_id);
  if (!is(x, "turns", "end_turn"))
    return;
  if (!to.parent_id.empty())
    to.span_id = to.parent_id;
  to.parent_id = std::move(turn.parent_id);
  to.is_server = true;
  if (!turn.thread_id.empty())
    to.attributes.emplace_back("gen_ai.conversation.id", std::move(turn.thread_id));
}

std::string turn_spans::trace_outside_turns(const trace_entry& x) {
  auto cause = outside_.find({x.agent_id, x.parent});
  auto first = x.parent != 0 ? x.parent : x.id;
  auto result = cause != outside_.end()
                  ? cause->second
                  : traces_->trace_of(x.agent_id, traces_->span_of(x.agent_id, first));
  std::pair<std::string, span_id> key{x.agent_id, x.id};
  if (outside_.insert_or_assign(key, result).second)
    outside_in_order_.push_back(std::move(key));
  for (; outside_in_order_.size() > max_known; outside_in_order_.pop_front())
    outside_.erase(outside_in_order_.front());
  return result;
}

} // namespace scratchpage::telemetry
