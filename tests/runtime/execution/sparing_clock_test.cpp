#define BOOST_TEST_MODULE sparing_clock
#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/execution/sparing_clock.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <caf/action.hpp>

// CAF 1.x has no place for a clock of ours.
#if CAF_MAJOR_VERSION < 1

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

/// A clock on which the test lets time pass.
class manual_clock : public caf::actor_clock {
public:
  time_point now() const noexcept override { return now_; }

  caf::disposable schedule_periodically(
    time_point first_run, caf::action f, duration_type) override {
    ++wakes;
    waiting_.add(first_run, f);
    return std::move(f).as_disposable();
  }

  void pass(duration_type time) {
    now_ += time;
    for (auto& x : waiting_.take_due(now_))
      x.run();
  }

  size_t wakes = 0; ///< how often it was told to wake

private:
  time_point now_{};
  delayed_actions waiting_;
};

struct fixture {
  /// Adds its name to `done` when it runs.
  caf::action named(std::string name) {
    return caf::make_action([this, name] { done += name; });
  }

  auto after(caf::actor_clock::duration_type time, std::string name) {
    return clock.schedule(waker.now() + time, named(std::move(name)));
  }

  std::string done;
  manual_clock waker;
  sparing_clock clock{waker};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sparing_clocks, fixture)

BOOST_AUTO_TEST_CASE(actions_run_in_the_order_of_their_times) {
  after(3s, "c");
  after(1s, "a");
  after(2s, "b");
  waker.pass(2s);
  BOOST_TEST(done == "ab");
  waker.pass(1s);
  BOOST_TEST(done == "abc");
}

BOOST_AUTO_TEST_CASE(actions_of_one_time_run_in_the_order_in_which_they_were_added) {
  for (auto name : {"a", "b", "c", "d"})
    after(1s, name);
  waker.pass(1s);
  BOOST_TEST(done == "abcd");
}

BOOST_AUTO_TEST_CASE(only_a_new_first_action_wakes_the_thread) {
  for (int i = 0; i < 100; ++i)
    after(30s + std::chrono::milliseconds{i}, "x");
  BOOST_TEST(waker.wakes == 1u);
  after(1s, "a");
  BOOST_TEST(waker.wakes == 2u);
  waker.pass(1s);
  BOOST_TEST(done == "a");
  BOOST_TEST(waker.wakes == 3u); // for the action that is the first now
}

BOOST_AUTO_TEST_CASE(what_was_disposed_of_does_not_run) {
  auto answered = after(1s, "a");
  after(1s, "b");
  answered.dispose();
  waker.pass(1s);
  BOOST_TEST(done == "b");
}

BOOST_AUTO_TEST_CASE(an_action_may_schedule_another_one) {
  clock.schedule(waker.now() + 1s, caf::make_action([this] {
    done += "a";
    after(1s, "b");
  }));
  waker.pass(1s);
  BOOST_TEST(done == "a");
  waker.pass(1s);
  BOOST_TEST(done == "ab");
}

BOOST_AUTO_TEST_CASE(what_is_repeated_is_left_to_the_waker) {
  clock.schedule_periodically(waker.now(), named("a"), 1s);
  BOOST_TEST(waker.wakes == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(delayed)

BOOST_AUTO_TEST_CASE(few_of_the_actions_that_are_kept_were_disposed_of) {
  delayed_actions all;
  constexpr size_t waiting = 500;
  auto at = delayed_actions::time_point{} + 1h;
  std::vector<caf::action> kept;
  for (size_t n = 0; n < 20'000; ++n) {
    auto x = caf::make_action([] {});
    all.add(at - std::chrono::milliseconds{n}, x);
    if (n < waiting)
      kept.push_back(x);
    else
      x.dispose();
    for (const auto& one : all.take_disposed())
      BOOST_REQUIRE(one.disposed());
    BOOST_REQUIRE(all.size() <= 2 * waiting + delayed_actions::few);
  }
  size_t found = 0;
  for (const auto& one : all.take_due(at))
    found += one.disposed() ? 0 : 1;
  BOOST_TEST(found == waiting);
  BOOST_TEST(all.size() == 0u);
  BOOST_TEST(!all.first());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test

#endif
