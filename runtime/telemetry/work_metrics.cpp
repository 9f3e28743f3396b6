#include "scratchpage/runtime/telemetry/work_metrics.hpp"

#include <string>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage::telemetry {

namespace {

constexpr std::string_view other_tools = "other";

bool is_entry(const trace_entry& x, std::string_view component, std::string_view operation) {
  return x.component == component && x.operation == operation;
}

std::string text_of(const trace_entry& x, std::string_view member) {
  const auto* found = x.detail.if_contains(json::string_view{member.data(), member.size()});
  return found != nullptr && found->is_string()
           ? std::string{found->get_string().data(), found->get_string().size()}
           : std::string{};
}

/// 0 if it is no count.
uint64_t count_of(const trace_entry& x, std::string_view member) {
  const auto* found = x.detail.if_contains(json::string_view{member.data(), member.size()});
  if (found == nullptr)
    return 0;
  boost::system::error_code err;
  auto number = found->to_number<uint64_t>(err);
  return err ? 0 : number;
}

void add_one(std::atomic<uint64_t>& to) {
  to.fetch_add(1, std::memory_order_relaxed);
}

timespan took(const trace_entry& x) {
  return from_milliseconds(x.duration_ms);
}

} // namespace

void work_metrics::count(const trace_entry& x) {
  add_one(entries_);
  auto is_done = x.status == "success";
  if (is_entry(x, "turns", "begin_turn"))
    add_one(is_done ? begun_ : refused_);
  else if (is_entry(x, "turns", "end_turn") && is_done)
    count_turn_end(x);
  else if (is_entry(x, "tools", "call_tool"))
    count_call(x);
  else if (x.component == "frontal_cortex"
           && (x.operation == "create_goal" || x.operation == "join_goal")) {
    add_one(is_done ? promoted_ : not_promoted_);
    if (is_done && x.operation == "create_goal")
      add_one(goals_);
  } else if (is_entry(x, "semantic_memory", "learn") && is_done)
    add_one(learned_);
  else if (is_entry(x, "episodic_memory", "record_episode") && is_done)
    add_one(recorded_);
  else if (x.operation == "clarify" && is_done)
    questions_.fetch_add(count_of(x, "questions"), std::memory_order_relaxed);
  else if (x.operation == "take_answer" && is_done)
    add_one(answers_);
}

void work_metrics::count_turn_end(const trace_entry& x) {
  turn_status status{};
  if (!from_string(text_of(x, "status"), status))
    return;
  add_one(ended_[static_cast<size_t>(status)]);
  turns_.add(took(x));
}

void work_metrics::count_call(const trace_entry& x) {
  std::lock_guard lock{guard_};
  auto& to = tool_of(text_of(x, "tool_id"));
  ++to.ended[x.status == "success" ? "success" : is_error_status(x.status) ? "error" : "partial"];
  to.took.add(took(x));
}

/// Call it with the lock held.
work_metrics::tool& work_metrics::tool_of(std::string_view name) {
  auto found = tools_.find(name);
  if (found == tools_.end()) {
    auto fits = tools_.size() < max_tools && name.size() <= trace_limits::name_bytes;
    found = tools_.try_emplace(std::string{fits ? name : other_tools}).first;
  }
  if (!found->second)
    found->second = std::make_unique<tool>();
  return *found->second;
}

void work_metrics::write(metrics_text& to) const {
  auto counter = [&](std::string_view name, const char* help, const std::atomic<uint64_t>& value) {
    to.head(name, metric_type::counter, help);
    to.sample(name, {}, value.load(std::memory_order_relaxed));
  };
  counter("scratchpage_turns_begun_total", "Turns that have begun.", begun_);
  counter("scratchpage_turns_refused_total", "Turns that could not begin.", refused_);
  constexpr std::string_view ended = "scratchpage_turns_ended_total";
  to.head(ended, metric_type::counter, "Turns that have ended, by their status.");
  for (size_t i = 0; i < statuses; ++i)
    to.sample(ended, {{"status", enum_names<turn_status>[i]}}, ended_[i].load());
  constexpr std::string_view duration = "scratchpage_turn_duration_seconds";
  to.head(duration, metric_type::histogram, "How long turns took.");
  to.samples(duration, {}, turns_);
  counter("scratchpage_promotions_total",
    "Groups of observations that became a goal or joined one.", promoted_);
  counter("scratchpage_promotions_refused_total",
    "Groups of observations that the Frontal Cortex has refused.", not_promoted_);
  counter("scratchpage_goals_created_total", "Goals that were made of observations.", goals_);
  counter("scratchpage_facts_learned_total",
    "Experiences that the semantic memory has learned from.", learned_);
  counter(
    "scratchpage_episodes_recorded_total", "Turns that were recorded as episodes.", recorded_);
  counter("scratchpage_questions_total", "Questions that the Clarifier asked.", questions_);
  counter("scratchpage_answers_total", "Questions that were answered.", answers_);
  counter("scratchpage_trace_entries_total", "Entries that were traced.", entries_);
  std::lock_guard lock{guard_};
  constexpr std::string_view calls = "scratchpage_tool_calls_total";
  to.head(calls, metric_type::counter, "Calls of tools, by how they ended.");
  for (const auto& [name, x] : tools_)
    for (const auto& [status, count] : x->ended)
      to.sample(calls, {{"tool", name}, {"status", status}}, count);
  constexpr std::string_view times = "scratchpage_tool_duration_seconds";
  to.head(times, metric_type::histogram, "How long calls of tools took.");
  for (const auto& [name, x] : tools_)
    to.samples(times, {{"tool", name}}, x->took);
}

} // namespace scratchpage::telemetry
