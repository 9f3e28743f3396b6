#include "scratchpage/actors/tools/tool_actors.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

#include "scratchpage/tests/support/tools.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage {

namespace {

using namespace std::literals;
using test::answer;
using test::manifest;
using test::request;
using test::summary;

recorded_tool recording(std::vector<recorded_response> responses) {
  recorded_tool result;
  result.responses = std::move(responses);
  return result;
}

recorded_answers answers(recorded_tool tool, uint64_t seed = 0) {
  return {manifest("t"), std::move(tool), seed};
}

std::string ask(recorded_answers& from, std::string request_id, uint32_t attempt = 1) {
  auto asked = request("t", std::move(request_id));
  asked.attempt = attempt;
  auto given = from.next(asked);
  BOOST_TEST(given.response.request_id == asked.request_id);
  return summary(given.response);
}

timespan latency(uint64_t seed, std::string request_id, uint32_t attempt = 1) {
  auto tool = recording({answer(1)});
  tool.after_last = after_last::repeat;
  tool.latency = {100, 900};
  auto asked = request("t", std::move(request_id));
  asked.attempt = attempt;
  return answers(tool, seed).next(asked).latency;
}

recorded_fault fault(fault_kind kind, uint32_t on_attempt) {
  recorded_fault result;
  result.fault = kind;
  result.on_attempt = on_attempt;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(recorded_tool_test)

BOOST_AUTO_TEST_CASE(answers_without_a_name_are_given_in_order) {
  auto tool = answers(recording({answer(1), answer(2)}));
  BOOST_TEST(ask(tool, "turn/a") == "ok n=1");
  BOOST_TEST(ask(tool, "turn/b") == "ok n=2");
  BOOST_TEST(ask(tool, "turn/c") == "partial: nothing was recorded for this call");
}

BOOST_AUTO_TEST_CASE(the_last_answer_repeats_if_asked_to) {
  auto two = recording({answer(1), answer(2)});
  two.after_last = after_last::repeat;
  auto tool = answers(two);
  for (auto expected : {"ok n=1", "ok n=2", "ok n=2", "ok n=2"})
    BOOST_TEST(ask(tool, "turn/x") == expected);
}

BOOST_AUTO_TEST_CASE(an_answer_with_a_name_is_for_that_call_only) {
  auto tool = answers(recording({answer(1, "a"), answer(2, "b"), answer(3)}));
  BOOST_TEST(ask(tool, "turn_7/b") == "ok n=2");
  BOOST_TEST(ask(tool, "turn_7/a") == "ok n=1");
  BOOST_TEST(ask(tool, "turn_7/a", 2) == "ok n=1");
  BOOST_TEST(ask(tool, "turn_7/z") == "ok n=3");
  BOOST_TEST(ask(tool, "turn_7/y") == "partial: nothing was recorded for this call");
}

BOOST_AUTO_TEST_CASE(a_name_that_recurs_gets_its_answers_one_by_one_and_a_retry_the_same_again) {
  auto tool = answers(recording({answer(1, "a"), answer(2, "a")}));
  BOOST_TEST(ask(tool, "turn_1/a") == "ok n=1");
  BOOST_TEST(ask(tool, "turn_1/a", 2) == "ok n=1");
  BOOST_TEST(ask(tool, "turn_2/a") == "ok n=2");
  BOOST_TEST(ask(tool, "turn_1/a", 3) == "ok n=1");
  BOOST_TEST(ask(tool, "turn_3/a") == "ok n=2");
}

BOOST_AUTO_TEST_CASE(a_fault_stands_in_for_an_answer_and_does_not_use_it_up) {
  auto one = answer(1);
  one.faults = {fault(fault_kind::error, 1), fault(fault_kind::timeout, 2)};
  auto tool = answers(recording({one}));
  BOOST_TEST(ask(tool, "turn/a", 1) == "error: injected fault");
  BOOST_TEST(ask(tool, "turn/a", 2) == "timeout: timeout: no answer within 1000 ms");
  BOOST_TEST(ask(tool, "turn/a", 3) == "ok n=1");
}

BOOST_AUTO_TEST_CASE(a_timeout_answers_later_than_anybody_waits) {
  auto one = recording({answer(1)});
  one.faults = {fault(fault_kind::timeout, 0)};
  auto tool = answers(one);
  auto asked = request("t", "turn/a");
  BOOST_TEST((tool.next(asked).latency > 1000ms));
  asked.timeout_ms = 5000;
  BOOST_TEST((tool.next(asked).latency > 5000ms));
}

BOOST_AUTO_TEST_CASE(malformed_writes_come_with_the_recorded_answer) {
  auto one = answer(1);
  one.scratch_page_writes = {json::object{{"type", "alert"}, {"content", "good"}}};
  one.faults = {fault(fault_kind::malformed_writes, 1)};
  auto tool = answers(recording({one}));
  auto given = tool.next(request("t", "turn/a")).response;
  BOOST_TEST(summary(given) == "ok n=1");
  BOOST_REQUIRE(given.scratch_page_writes.size() == 3u);
  BOOST_TEST(given.scratch_page_writes[0].at("content").get_string() == "good");
  BOOST_TEST(!given.scratch_page_writes[2].is_object());
}

BOOST_AUTO_TEST_CASE(a_latency_is_in_its_range_and_depends_on_seed_request_and_attempt_only) {
  std::set<timespan> seen;
  for (int i = 0; i < 100; ++i) {
    auto picked = latency(7, "turn/" + std::to_string(i));
    BOOST_TEST((picked >= 100ms && picked <= 900ms));
    BOOST_TEST((picked == latency(7, "turn/" + std::to_string(i))));
    seen.insert(picked);
  }
  BOOST_TEST(seen.size() > 80u);
  BOOST_TEST((latency(7, "turn/1") != latency(8, "turn/1")));
  BOOST_TEST((latency(7, "turn/1", 1) != latency(7, "turn/1", 2)));
}

BOOST_AUTO_TEST_CASE(a_latency_is_the_same_whatever_was_asked_before) {
  auto tool = recording({answer(1, "a"), answer(2, "b")});
  tool.latency = {0, 1000};
  auto forwards = answers(tool, 3);
  auto backwards = answers(tool, 3);
  auto a = forwards.next(request("t", "turn/a")).latency;
  auto b = forwards.next(request("t", "turn/b")).latency;
  BOOST_TEST((backwards.next(request("t", "turn/b")).latency == b));
  BOOST_TEST((backwards.next(request("t", "turn/a")).latency == a));
}

BOOST_FIXTURE_TEST_CASE(the_answer_comes_after_its_latency, test::virtual_time) {
  auto one = answer(1);
  one.latency_ms = 250;
  auto tool = make<recorded_tool_state>(manifest("t"), recording({one}), uint64_t{0});
  auto given = send(tool, request("t", "turn/a"));
  advance(249ms);
  BOOST_TEST(!given->arrived());
  advance(1ms);
  BOOST_REQUIRE(given->arrived());
  BOOST_TEST(summary(**given->value) == "ok n=1");
}

BOOST_FIXTURE_TEST_CASE(answers_may_overtake_each_other, test::virtual_time) {
  auto slow = answer(1);
  slow.latency_ms = 500;
  auto fast = answer(2);
  fast.latency_ms = 100;
  auto tool = make<recorded_tool_state>(manifest("t"), recording({slow, fast}), uint64_t{0});
  auto first = send(tool, request("t", "turn/a"));
  settle();
  auto second = send(tool, request("t", "turn/b"));
  advance(100ms);
  BOOST_TEST(!first->arrived());
  BOOST_TEST(second->arrived());
  advance(400ms);
  BOOST_TEST(first->arrived());
}

BOOST_FIXTURE_TEST_CASE(calls_that_wait_are_bounded, test::virtual_time) {
  auto tool = recording({answer(1)});
  tool.after_last = after_last::repeat;
  tool.latency = {100, 100};
  tool.max_pending = 2;
  auto actor = make<recorded_tool_state>(manifest("t"), tool, uint64_t{0});
  send(actor, request("t", "turn/a"));
  send(actor, request("t", "turn/b"));
  settle();
  auto third = ask(actor, request("t", "turn/c"));
  BOOST_REQUIRE(third);
  BOOST_TEST(summary(*third) == "error: overloaded: 2 calls are waiting already");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
