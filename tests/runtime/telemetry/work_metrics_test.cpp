#include "scratchpage/runtime/telemetry/work_metrics.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

/// The metrics of turns, tools and memories, which are counted by their trace entries.

namespace scratchpage::test {

namespace {

trace_entry entry_of(std::string component, std::string operation, std::string status = "success",
  json::object detail = {}) {
  trace_entry result;
  result.component = std::move(component);
  result.operation = std::move(operation);
  result.status = std::move(status);
  result.duration_ms = 20;
  result.detail = std::move(detail);
  return result;
}

trace_entry call_of(const std::string& tool, std::string status = "success") {
  return entry_of("tools", "call_tool", std::move(status), {{"tool_id", tool}});
}

std::string text_of(const telemetry::work_metrics& metrics) {
  telemetry::metrics_text text;
  metrics.write(text);
  return text.take();
}

bool has_sample(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(turns_are_counted_by_how_they_began_and_ended) {
  telemetry::work_metrics metrics;
  metrics.count(entry_of("turns", "begin_turn"));
  metrics.count(entry_of("turns", "begin_turn"));
  metrics.count(entry_of("turns", "begin_turn", "overloaded"));
  metrics.count(entry_of("turns", "end_turn", "success", {{"status", "complete"}}));
  metrics.count(entry_of("turns", "end_turn", "success", {{"status", "no such status"}}));
  metrics.count(entry_of("turns", "end_turn", "not_found", {{"status", "complete"}}));
  auto text = text_of(metrics);
  BOOST_TEST(has_sample(text, "scratchpage_turns_begun_total 2"));
  BOOST_TEST(has_sample(text, "scratchpage_turns_refused_total 1"));
  BOOST_TEST(has_sample(text, R"(scratchpage_turns_ended_total{status="complete"} 1)"));
  BOOST_TEST(has_sample(text, R"(scratchpage_turns_ended_total{status="waiting"} 0)"));
  BOOST_TEST(has_sample(text, "scratchpage_turn_duration_seconds_count 1"));
  BOOST_TEST(has_sample(text, R"(scratchpage_turn_duration_seconds_bucket{le="0.01"} 0)"));
  BOOST_TEST(has_sample(text, R"(scratchpage_turn_duration_seconds_bucket{le="0.025"} 1)"));
  BOOST_TEST(has_sample(text, "scratchpage_trace_entries_total 6"));
}

BOOST_AUTO_TEST_CASE(calls_are_counted_for_each_tool_by_how_they_ended) {
  telemetry::work_metrics metrics;
  metrics.count(call_of("tides"));
  metrics.count(call_of("tides", "partial"));
  metrics.count(call_of("tides", "deadline_exceeded"));
  metrics.count(entry_of("executor", "call_tool", "success", {{"tool_id", "tides"}}));
  auto text = text_of(metrics);
  const std::string calls = "scratchpage_tool_calls_total";
  BOOST_TEST(has_sample(text, calls + R"({tool="tides",status="success"} 1)"));
  BOOST_TEST(has_sample(text, calls + R"({tool="tides",status="partial"} 1)"));
  BOOST_TEST(has_sample(text, calls + R"({tool="tides",status="error"} 1)"));
  BOOST_TEST(has_sample(text, R"(scratchpage_tool_duration_seconds_count{tool="tides"} 3)"));
}

BOOST_AUTO_TEST_CASE(many_tools_and_long_names_count_as_other_tools) {
  telemetry::work_metrics metrics;
  metrics.count(call_of(std::string(10'000, 'x')));
  for (size_t i = 1; i < telemetry::work_metrics::max_tools + 10; ++i)
    metrics.count(call_of("tool_" + std::to_string(i)));
  auto text = text_of(metrics);
  const std::string calls = "scratchpage_tool_calls_total";
  BOOST_TEST(has_sample(text, calls + R"({tool="tool_63",status="success"} 1)"));
  BOOST_TEST(text.find("tool_64") == std::string::npos);
  BOOST_TEST(text.find("xxx") == std::string::npos);
  BOOST_TEST(has_sample(text, calls + R"({tool="other",status="success"} 11)"));
}

BOOST_AUTO_TEST_CASE(memories_goals_and_questions_are_counted_if_they_were_made) {
  telemetry::work_metrics metrics;
  metrics.count(entry_of("semantic_memory", "learn"));
  metrics.count(entry_of("semantic_memory", "learn", "storage_unavailable"));
  metrics.count(entry_of("episodic_memory", "record_episode"));
  metrics.count(entry_of("frontal_cortex", "create_goal"));
  metrics.count(entry_of("frontal_cortex", "join_goal"));
  metrics.count(entry_of("frontal_cortex", "create_goal", "forbidden"));
  metrics.count(entry_of("clarifier", "clarify", "success", {{"questions", 0}}));
  metrics.count(entry_of("clarifier", "clarify", "success", {{"questions", 2}}));
  metrics.count(entry_of("clarifier", "take_answer"));
  auto text = text_of(metrics);
  BOOST_TEST(has_sample(text, "scratchpage_facts_learned_total 1"));
  BOOST_TEST(has_sample(text, "scratchpage_episodes_recorded_total 1"));
  BOOST_TEST(has_sample(text, "scratchpage_goals_created_total 1"));
  BOOST_TEST(has_sample(text, "scratchpage_promotions_total 2"));
  BOOST_TEST(has_sample(text, "scratchpage_promotions_refused_total 1"));
  BOOST_TEST(has_sample(text, "scratchpage_questions_total 2"));
  BOOST_TEST(has_sample(text, "scratchpage_answers_total 1"));
}

} // namespace scratchpage::test
