#define BOOST_TEST_MODULE virtual_time
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <caf/event_based_actor.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

namespace scratchpage {

namespace {

using namespace std::literals;

/// Events in order.
using log = std::vector<std::string>;

/// Notes each request; answers after `timeout_ms` milliseconds.
class echo_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "echo";

  echo_state(handle::pointer self, log& seen)
    : self_{self},
      seen_{seen} {}

  handle::behavior_type make_behavior() {
    return {[this](const tool_request& x) -> caf::result<tool_response> {
      seen_.push_back(x.request_id);
      auto promise = self_->make_response_promise<tool_response>();
      tool_response answer;
      answer.request_id = x.request_id;
      if (x.timeout_ms == 0)
        promise.deliver(answer);
      else
        self_->run_delayed(std::chrono::milliseconds{static_cast<int>(x.timeout_ms)},
          [promise, answer]() mutable { promise.deliver(answer); });
      return promise;
    }};
  }

private:
  handle::pointer self_;
  log& seen_;
};

/// Counts how often its timer fires, and sets it again each time.
class ticker_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "ticker";

  ticker_state(
    handle::pointer self, std::vector<timestamp>& ticks, std::shared_ptr<const clock> time)
    : self_{self},
      ticks_{ticks},
      time_{std::move(time)} {}

  handle::behavior_type make_behavior() {
    again();
    return {[](const tool_request&) { return tool_response{}; }};
  }

private:
  void again() {
    self_->run_delayed(1s, [this] {
      ticks_.push_back(time_->now());
      again();
    });
  }

  handle::pointer self_;
  std::vector<timestamp>& ticks_;
  std::shared_ptr<const clock> time_;
};

tool_request request(std::string id, double delay_ms = 0) {
  tool_request result;
  result.request_id = std::move(id);
  result.timeout_ms = delay_ms;
  return result;
}

/// The log of the actors, which outlives them.
struct notes {
  log seen;
};

struct fixture : notes, test::virtual_time {};

/// The order in which six actors, each with one message, run.
log order_of_six(std::optional<uint64_t> seed) {
  fixture f;
  std::vector<tool_actor> actors;
  actors.reserve(6);
  for (int i = 0; i < 6; ++i)
    actors.push_back(f.make<echo_state>(f.seen));
  f.settle();
  if (seed)
    f.driver.shuffle(*seed);
  for (size_t i = 0; i < actors.size(); ++i)
    anon_tell(actors[i], request(std::to_string(i)));
  f.settle();
  return f.seen;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(virtual_time, fixture)

BOOST_AUTO_TEST_CASE(time_begins_at_the_origin_and_stands_still_while_actors_run) {
  auto echo = make<echo_state>(seen);
  auto answer = ask(echo, request("a"));
  BOOST_REQUIRE(answer);
  BOOST_TEST(answer->request_id == "a");
  BOOST_TEST(to_rfc3339(now()) == "2025-11-05T10:00:00.000Z");
  BOOST_TEST(to_rfc3339(clock->now()) == "2025-11-05T10:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(an_answer_arrives_exactly_at_its_deadline) {
  auto echo = make<echo_state>(seen);
  auto answer = send(echo, request("a", 250));
  advance(249ms);
  BOOST_TEST(!answer->arrived());
  advance(1ms);
  BOOST_TEST(answer->arrived());
  BOOST_TEST(to_rfc3339(now()) == "2025-11-05T10:00:00.250Z");
}

BOOST_AUTO_TEST_CASE(an_answer_that_needs_time_is_an_error_of_ask) {
  auto echo = make<echo_state>(seen);
  auto answer = ask(echo, request("a", 250));
  BOOST_REQUIRE(!answer);
  BOOST_TEST(to_string(code_of(answer.error())) == "deadline_exceeded");
}

BOOST_AUTO_TEST_CASE(a_timer_that_is_set_again_fires_at_each_of_its_times) {
  std::vector<timestamp> ticks;
  make<ticker_state>(ticks, clock);
  advance(10s);
  BOOST_REQUIRE(ticks.size() == 10u);
  BOOST_TEST(to_rfc3339(ticks[0]) == "2025-11-05T10:00:01.000Z");
  BOOST_TEST(to_rfc3339(ticks[9]) == "2025-11-05T10:00:10.000Z");
}

BOOST_AUTO_TEST_CASE(the_next_deadline_is_reached_in_one_step_and_no_further_than_the_limit) {
  auto echo = make<echo_state>(seen);
  auto answer = send(echo, request("a", 7 * 24 * 3600 * 1000.0));
  settle();
  BOOST_TEST(!driver.advance_to_next_deadline(now() + 24h));
  BOOST_TEST(to_rfc3339(now()) == "2025-11-05T10:00:00.000Z");
  BOOST_TEST(driver.advance_to_next_deadline());
  BOOST_TEST(answer->arrived());
  BOOST_TEST(to_rfc3339(now()) == "2025-11-12T10:00:00.000Z");
  BOOST_TEST(!driver.advance_to_next_deadline());
}

BOOST_AUTO_TEST_CASE(a_cancelled_timer_is_no_deadline) {
  auto echo = make<echo_state>(seen);
  own(sys.spawn([echo](caf::event_based_actor* self) {
    scratchpage::ask(self, echo, timespan{30s}, request("a"))
      .then([](const tool_response&) {}, [](const caf::error&) {});
  }));
  settle();
  BOOST_TEST(seen.size() == 1u);
  BOOST_TEST(!driver.next_deadline().has_value());
}

BOOST_AUTO_TEST_CASE(steps_can_be_bounded) {
  auto echo = make<echo_state>(seen);
  settle();
  for (auto id : {"a", "b", "c"})
    anon_tell(echo, request(id));
  BOOST_TEST(driver.settle(2) == 2u);
  BOOST_TEST((seen == log{"a", "b"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(without_a_seed_actors_run_in_the_order_in_which_they_became_ready) {
  BOOST_TEST((order_of_six(std::nullopt) == log{"0", "1", "2", "3", "4", "5"}));
}

BOOST_AUTO_TEST_CASE(a_seed_chooses_the_order_and_repeats_it) {
  BOOST_TEST((order_of_six(1) == order_of_six(1)));
  BOOST_TEST((order_of_six(1) != order_of_six(2) || order_of_six(1) != order_of_six(3)));
}

} // namespace scratchpage
