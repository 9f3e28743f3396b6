#define BOOST_TEST_MODULE sparing_clock
#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/execution/sparing_clock.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <caf/action.hpp>

// CAF 1.x has no place for a clock of ours.
#if CAF_MAJOR_VERSION < 1

namespace scratchpage::test {

namespace {

using namespace std::chrono_literals;

/// A sparing clock with its thread.
struct running {
  ~running() {
    clock.stop();
    thread.join();
  }

  /// Waits until an action has run that is due now.
  void await_now() {
    std::promise<void> done;
    clock.schedule(clock.now(), caf::make_action([&done] { done.set_value(); }));
    done.get_future().get();
  }

  caf::detail::thread_safe_actor_clock other;
  sparing_clock clock{other};
  std::thread thread{[this] { clock.run(); }};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sparing_clocks, running)

BOOST_AUTO_TEST_CASE(what_is_due_runs_in_the_order_in_which_it_was_added) {
  std::string done;
  auto at = clock.now() - 1s;
  for (const auto* name : {"a", "b", "c", "d"})
    clock.schedule(at, caf::make_action([&done, name] { done += name; }));
  await_now();
  BOOST_TEST(done == "abcd");
}

BOOST_AUTO_TEST_CASE(only_a_new_first_action_wakes_the_thread) {
  await_now();
  auto before = clock.wakes();
  for (int i = 0; i < 1'000; ++i)
    clock.schedule(clock.now() + 1h + std::chrono::milliseconds{i}, caf::make_action([] {}));
  BOOST_TEST(clock.wakes() <= before + 1);
}

BOOST_AUTO_TEST_CASE(what_was_disposed_of_does_not_run) {
  std::string done;
  std::promise<void> go_on;
  // The thread is busy meanwhile.
  clock.schedule(clock.now(), caf::make_action([&] { go_on.get_future().get(); }));
  auto answered = clock.schedule(clock.now(), caf::make_action([&done] { done += "a"; }));
  clock.schedule(clock.now(), caf::make_action([&done] { done += "b"; }));
  answered.dispose();
  go_on.set_value();
  await_now();
  BOOST_TEST(done == "b");
}

BOOST_AUTO_TEST_CASE(an_action_may_schedule_others_without_end) {
  std::promise<void> done;
  int left = 10'000;
  std::function<void()> next = [&] {
    if (--left == 0)
      done.set_value();
    else
      clock.schedule(clock.now(), caf::make_action(next));
  };
  clock.schedule(clock.now(), caf::make_action(next));
  done.get_future().get();
  BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_CASE(ever_earlier_actions_from_many_threads_all_run) {
  std::atomic<int> ran = 0;
  std::promise<void> all;
  auto from = clock.now() + 50ms;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1'000; ++i)
        clock.schedule(from - std::chrono::microseconds{i * 10}, caf::make_action([&] {
          if (++ran == 4'000)
            all.set_value();
        }));
    });
  for (auto& x : threads)
    x.join();
  all.get_future().get();
  BOOST_TEST(ran == 4'000);
}

BOOST_AUTO_TEST_CASE(an_action_in_place_of_one_that_was_swept_is_not_late) {
  await_now();
  clock.schedule(clock.now() + 1h, caf::make_action([] {}));
  for (int round = 0; round < 200; ++round) {
    auto soon = clock.now() + 20ms;
    // The thread is woken for the first one, but may find it swept with many others.
    clock.schedule(soon, caf::make_action([] {})).dispose();
    for (size_t i = 0; i <= delayed_actions::few; ++i)
      clock.schedule(clock.now() + 2h, caf::make_action([] {})).dispose();
    std::promise<void> done;
    clock.schedule(soon + 1ms, caf::make_action([&done] { done.set_value(); }));
    auto ran = done.get_future();
    BOOST_REQUIRE((ran.wait_for(10s) == std::future_status::ready));
  }
}

BOOST_AUTO_TEST_CASE(what_is_scheduled_after_the_end_does_not_run) {
  clock.stop();
  clock.schedule(clock.now(), caf::make_action([] { BOOST_ERROR("expected no run"); }));
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
