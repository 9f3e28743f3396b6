#include "scratchpage/runtime/models/gate.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <caf/send.hpp>

#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/tests/runtime/models/scripted_endpoint.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// The gate on virtual time: how many requests go at a time, how long, and how many tokens.

namespace scratchpage::test {

using namespace models;
using namespace std::chrono_literals;

namespace {

struct gate_parts {
  std::shared_ptr<scripted_endpoint> endpoint = std::make_shared<scripted_endpoint>();
  std::shared_ptr<memory_trace> trace = std::make_shared<memory_trace>();
  model_config config;
  model_access access;
  std::vector<chat_reply> replies; ///< in the order in which they came
};

struct gate_fixture : gate_parts, virtual_time {
  std::optional<model_gate> gate;

  gate_fixture() {
    config.model = "m";
    config.deadline_ms = 1'000;
    endpoint->answers["router"] = [](const json::object&) { return answer_of({{"x", 1}}); };
    access.endpoint = endpoint;
  }

  void ask(std::string text = "{}", std::string turn_id = "turn_1") {
    if (!gate) {
      gate.emplace(sys, agent_context{"agent", clock, trace}, config, access, false);
      own(gate->actor());
    }
    chat_request what{"router", "system", std::move(text), {{"type", "object"}}, 10};
    gate->ask({what, as_daemon("router", std::move(turn_id)), [this](const chat_reply& x) {
                 replies.push_back(x);
                 return reply_use{x.outcome == reply_outcome::answered};
               }});
    settle();
  }

  std::string outcome(size_t i) const { return std::string{name_of(replies.at(i).outcome)}; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(a_model_gate)

BOOST_FIXTURE_TEST_CASE(answers_after_the_latency_and_traces_the_question, gate_fixture) {
  ask();
  BOOST_TEST(replies.empty());
  advance(299ms);
  BOOST_TEST(replies.empty());
  advance(1ms);
  BOOST_REQUIRE(replies.size() == 1u);
  BOOST_TEST(outcome(0) == "answered");
  auto entries = trace->entries();
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(entries[0].operation == "ask_model");
  BOOST_TEST(entries[0].status == "success");
  BOOST_TEST(entries[0].turn_id == "turn_1");
  BOOST_TEST(entries[0].duration_ms == 300);
  BOOST_TEST(entries[0].detail.at("decided_by").as_string() == "model");
  BOOST_TEST(entries[0].detail.at("prompt_tokens").to_number<int>() == 100);
}

BOOST_FIXTURE_TEST_CASE(lets_a_limited_number_go_at_a_time, gate_fixture) {
  config.concurrency = 2;
  for (auto text : {"1", "2", "3"})
    ask("{\"n\": " + std::string{text} + "}");
  BOOST_TEST(endpoint->asked.size() == 2u);
  advance(300ms);
  BOOST_TEST(replies.size() == 2u);
  BOOST_TEST(endpoint->asked.size() == 3u);
  advance(300ms);
  BOOST_TEST(replies.size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(refuses_at_once_what_is_too_much_to_wait, gate_fixture) {
  config.concurrency = 1;
  config.max_waiting = 1;
  for (auto i = 0; i < 3; ++i)
    ask();
  BOOST_REQUIRE(replies.size() == 1u);
  BOOST_TEST(outcome(0) == "overloaded");
}

BOOST_FIXTURE_TEST_CASE(answers_late_at_the_deadline_whatever_the_endpoint_does, gate_fixture) {
  endpoint->answers["router"] = [](const json::object&) { return answer_of({}, 60'000); };
  config.concurrency = 1;
  ask();
  ask();
  advance(1s);
  BOOST_REQUIRE(replies.size() == 2u);
  BOOST_TEST(outcome(0) == "late");
  BOOST_TEST(outcome(1) == "late");
  BOOST_TEST(endpoint->asked.size() == 1u);
  BOOST_TEST(trace->entries().at(0).status == "warning");
}

BOOST_FIXTURE_TEST_CASE(asks_no_more_than_the_tokens_of_a_turn_allow, gate_fixture) {
  config.tokens_per_turn = 250; // a request is estimated at less than 110, and uses 110
  for (auto i = 0; i < 3; ++i) {
    ask();
    advance(300ms);
  }
  BOOST_TEST(outcome(1) == "answered");
  BOOST_TEST(outcome(2) == "answered");
  ask();
  BOOST_REQUIRE(replies.size() == 4u);
  BOOST_TEST(outcome(3) == "over_budget");
  ask("{}", "turn_2");
  advance(300ms);
  BOOST_TEST(outcome(4) == "answered");
}

BOOST_FIXTURE_TEST_CASE(keeps_replies_and_replays_them_after_the_same_time, gate_fixture) {
  access.replies = std::make_shared<reply_store>();
  ask();
  advance(300ms);
  auto recorded = trace->take();
  BOOST_TEST(access.replies->size() == 1u);

  gate_fixture again;
  again.access.endpoint = nullptr;
  again.access.replies = access.replies;
  again.ask();
  BOOST_TEST(again.replies.empty());
  again.advance(300ms);
  BOOST_TEST(again.outcome(0) == "answered");
  BOOST_TEST(again.trace->entries().at(0).detail == recorded.at(0).detail);
  BOOST_TEST(again.trace->entries().at(0).duration_ms == recorded.at(0).duration_ms);
  again.ask("{\"another\": true}");
  again.advance(1ms);
  BOOST_REQUIRE(again.replies.size() == 2u);
  BOOST_TEST(again.outcome(1) == "not_recorded");
}

BOOST_FIXTURE_TEST_CASE(drops_what_it_is_asked_after_its_end, gate_fixture) {
  ask();
  advance(300ms);
  caf::anon_send_exit(gate->actor(), caf::exit_reason::user_shutdown);
  settle();
  auto alive = std::make_shared<int>();
  gate->ask({{"router", "", "{}", {}, 10}, as_daemon("router"),
    [alive](const chat_reply&) { return reply_use{}; }});
  settle();
  BOOST_TEST(alive.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_token_budget)

BOOST_AUTO_TEST_CASE(counts_each_turn_and_gives_back_what_was_not_used) {
  token_budget budget{100};
  BOOST_TEST(budget.take("a", 80));
  BOOST_TEST(!budget.take("a", 30));
  budget.settle("a", 80, 10);
  BOOST_TEST(budget.take("a", 90));
  BOOST_TEST(!budget.take("a", 1));
  BOOST_TEST(budget.take("b", 100));
}

BOOST_AUTO_TEST_CASE(gives_questions_outside_turns_a_budget_each) {
  token_budget budget{100};
  BOOST_TEST(budget.take("", 100));
  BOOST_TEST(budget.take("", 100));
  BOOST_TEST(!budget.take("", 101));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
