#include "scratchpage/runtime/telemetry/turn_spans.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

/// The spans that are made from trace entries.

namespace scratchpage::test {

using telemetry::span;
using telemetry::turn_spans;

namespace {

const timestamp noon{std::chrono::hours{12}};

trace_entry entry(span_id id, span_id parent, std::string component, std::string operation,
  json::object detail = {}) {
  trace_entry x;
  x.id = id;
  x.parent = parent;
  x.at = noon;
  x.agent_id = "ada";
  x.turn_id = "turn_1";
  x.component = std::move(component);
  x.operation = std::move(operation);
  x.status = "success";
  x.source = "executor";
  x.detail = std::move(detail);
  return x;
}

std::string text(const span& x, std::string_view name) {
  for (const auto& [key, value] : x.attributes)
    if (key == name)
      return std::get<std::string>(value);
  return {};
}

struct spans_of_a_turn {
  turn_spans make{std::make_shared<telemetry::turn_traces>(7)};

  span take(const trace_entry& x) {
    auto result = make.take(x);
    BOOST_REQUIRE(result.has_value());
    return std::move(*result);
  }

  void begin(json::object detail = {{"thread_id", "trip"}}) {
    BOOST_TEST(!make.take(entry(10, 0, "turns", "begin_turn", std::move(detail))).has_value());
  }

  span end() {
    auto last = entry(11, 10, "turns", "end_turn", {{"status", "complete"}});
    last.duration_ms = 1'500;
    return take(last);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(spans, spans_of_a_turn)

BOOST_AUTO_TEST_CASE(a_turn_is_one_trace_with_the_turn_on_top) {
  begin();
  auto plan = take(entry(20, 10, "executor", "plan"));
  auto tool = take(entry(30, 20, "tools", "call_tool", {{"tool_id", "weather_api"}}));
  auto top = end();
  BOOST_TEST(top.parent_id == "");
  BOOST_TEST(plan.parent_id == top.span_id);
  BOOST_TEST(tool.parent_id == plan.span_id);
  BOOST_TEST((top.trace_id == plan.trace_id && plan.trace_id == tool.trace_id));
  BOOST_TEST(top.trace_id.size() == 32u);
  BOOST_TEST(top.span_id.size() == 16u);
  BOOST_TEST(top.is_server);
  BOOST_TEST(!tool.is_server);
  BOOST_TEST((top.ended - top.began == std::chrono::milliseconds{1'500}));
}

BOOST_AUTO_TEST_CASE(names_are_those_of_the_conventions_for_generative_ai) {
  begin();
  BOOST_TEST(end().name == "invoke_agent ada");
  auto tool = take(entry(30, 20, "tools", "call_tool", {{"tool_id", "weather_api"}}));
  BOOST_TEST(tool.name == "execute_tool weather_api");
  BOOST_TEST(text(tool, "gen_ai.operation.name") == "execute_tool");
  BOOST_TEST(text(tool, "gen_ai.tool.name") == "weather_api");
  auto added = take(entry(31, 20, "scratch_page", "add_observation"));
  BOOST_TEST(added.name == "create_memory scratch_page");
  BOOST_TEST(text(added, "gen_ai.agent.id") == "ada");
  auto asked = take(entry(32, 20, "scratch_page", "query_observations"));
  BOOST_TEST(text(asked, "gen_ai.operation.name") == "search_memory");
  BOOST_TEST(take(entry(33, 20, "router", "assess_urgency")).name == "router assess_urgency");
}

BOOST_AUTO_TEST_CASE(a_question_to_a_model_tells_the_model_and_its_tokens) {
  auto chat = take(entry(30, 20, "models", "ask_model",
    {{"model", "small"}, {"outcome", "answered"}, {"decided_by", "model"}, {"prompt_tokens", 90},
      {"answer_tokens", 7}}));
  BOOST_TEST(chat.name == "chat small");
  BOOST_TEST(text(chat, "gen_ai.operation.name") == "chat");
  BOOST_TEST(text(chat, "gen_ai.request.model") == "small");
  BOOST_TEST(text(chat, "scratchpage.decided_by") == "model");
  auto has_tokens = [&](std::string_view name, int64_t value) {
    return std::find(chat.attributes.begin(), chat.attributes.end(),
             std::pair<std::string_view, span::value>{name, value})
           != chat.attributes.end();
  };
  BOOST_TEST(has_tokens("gen_ai.usage.input_tokens", 90));
  BOOST_TEST(has_tokens("gen_ai.usage.output_tokens", 7));
}

BOOST_AUTO_TEST_CASE(a_turn_belongs_to_the_trace_of_who_asked) {
  begin({{"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}});
  auto plan = take(entry(20, 10, "executor", "plan"));
  auto top = end();
  BOOST_TEST(plan.trace_id == "0af7651916cd43dd8448eb211c80319c");
  BOOST_TEST(top.trace_id == plan.trace_id);
  BOOST_TEST(top.parent_id == "b7ad6b7169203331");
}

BOOST_AUTO_TEST_CASE(agents_and_processes_have_ids_of_their_own) {
  turn_spans other{std::make_shared<telemetry::turn_traces>(8)};
  auto x = entry(20, 10, "executor", "plan");
  auto of_ada = take(x);
  auto elsewhere = *other.take(x);
  x.agent_id = "bob";
  auto of_bob = take(x);
  std::set<std::string> traces{of_ada.trace_id, elsewhere.trace_id, of_bob.trace_id};
  std::set<std::string> ids{of_ada.span_id, elsewhere.span_id, of_bob.span_id};
  BOOST_TEST(traces.size() == 3u);
  BOOST_TEST(ids.size() == 3u);
}

BOOST_AUTO_TEST_CASE(what_is_done_in_no_turn_is_a_trace_with_what_it_led_to) {
  auto outside = [](span_id id, span_id parent) {
    auto x = entry(id, parent, "scratch_page", "add_observation");
    x.turn_id.clear();
    return x;
  };
  auto first = take(outside(40, 0));
  auto second = take(outside(41, 40));
  auto third = take(outside(42, 41));
  auto other = take(outside(43, 0));
  BOOST_TEST(second.trace_id == first.trace_id);
  BOOST_TEST(third.trace_id == first.trace_id);
  BOOST_TEST(other.trace_id != first.trace_id);
  BOOST_TEST(third.parent_id == second.span_id);
}

BOOST_AUTO_TEST_CASE(what_failed_says_how) {
  auto x = entry(20, 10, "scratch_page", "add_observation");
  x.status = "forbidden";
  auto failed = take(x);
  BOOST_TEST(failed.error == "forbidden");
  BOOST_TEST(text(failed, "error.type") == "forbidden");
  x.status = "warning";
  BOOST_TEST(take(x).error == "");
}

BOOST_AUTO_TEST_CASE(an_answer_that_its_deadline_made_partial_is_no_error) {
  auto x = entry(20, 10, "scratch_page", "query_observations");
  x.status = "partial";
  auto cut_short = take(x);
  BOOST_TEST(cut_short.error == "");
  BOOST_TEST(text(cut_short, "error.type") == "");
}

BOOST_AUTO_TEST_CASE(texts_of_people_and_tools_stay_out) {
  observation noted;
  noted.content = "my number is 4111 1111 1111 1111";
  auto x = entry(20, 10, "scratch_page", "query_observations",
    {{"text", "my secret"}, {"error", "cannot read my secret"}, {"returned", 3},
      {"filter", {{"tags", {"my secret"}}}}});
  x.observation = observation_ptr{std::move(noted)};
  auto told = take(x);
  for (const auto& [name, value] : told.attributes)
    if (const auto* content = std::get_if<std::string>(&value))
      BOOST_TEST(content->find("my ") == std::string::npos, name);
  auto has_count = false;
  for (const auto& [name, value] : told.attributes)
    has_count = has_count || (name == "scratchpage.returned" && value == span::value{int64_t{3}});
  BOOST_TEST(has_count);
}

BOOST_AUTO_TEST_CASE(no_more_turns_are_remembered_than_there_is_room_for) {
  for (size_t i = 0; i <= telemetry::turn_traces::max_known; ++i) {
    auto x = entry(10, 0, "turns", "begin_turn",
      {{"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}});
    x.turn_id = "turn_" + std::to_string(i);
    make.take(x);
  }
  auto plan = [](std::string turn) {
    auto x = entry(20, 10, "executor", "plan");
    x.turn_id = std::move(turn);
    return x;
  };
  const std::string askers = "0af7651916cd43dd8448eb211c80319c";
  BOOST_TEST(take(plan("turn_0")).trace_id != askers);
  BOOST_TEST(take(plan("turn_1")).trace_id == askers);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
