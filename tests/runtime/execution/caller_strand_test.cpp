#include <boost/test/unit_test.hpp>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

/// A strand that runs work on the threads of its callers.

namespace scratchpage::test {

namespace {

struct with_caller_strand {
  inline_strand strand{std::make_shared<wall_clock>()};
  std::string ran;

  std::function<void()> note(const std::string& what) {
    return [this, what] { ran += what; };
  }
};

/// Work that runs until it is released.
struct held_work {
  std::promise<void> begun;
  std::promise<void> goes;

  std::function<void()> work() {
    return [this] {
      begun.set_value();
      goes.get_future().wait();
    };
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_caller_strand, with_caller_strand)

BOOST_AUTO_TEST_CASE(work_runs_on_the_thread_that_posts_it_before_it_goes_on) {
  std::thread::id where;
  strand.post([&] { where = std::this_thread::get_id(); });
  BOOST_TEST((where == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(what_work_posts_runs_after_it) {
  strand.post([this] {
    strand.post(note("b"));
    ran += "a";
  });
  BOOST_TEST(ran == "ab");
}

BOOST_AUTO_TEST_CASE(who_finds_it_busy_goes_on_and_leaves_the_work_to_who_runs) {
  held_work first;
  std::thread other{[&] { strand.post(first.work()); }};
  first.begun.get_future().wait();
  std::thread::id where;
  strand.post([&] { where = std::this_thread::get_id(); });
  auto runner = other.get_id();
  first.goes.set_value();
  other.join();
  BOOST_TEST((where == runner));
}

BOOST_AUTO_TEST_CASE(no_two_threads_run_at_a_time) {
  int count = 0; // not atomic: threads could not share it
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      for (int j = 0; j < 10'000; ++j)
        strand.post([&] { ++count; });
    });
  for (auto& x : all)
    x.join();
  strand.post([&] { BOOST_TEST(count == 40'000); });
}

BOOST_AUTO_TEST_CASE(what_is_for_later_runs_in_the_order_of_its_time) {
  std::promise<void> last;
  strand.after(std::chrono::milliseconds{2}, [&] {
    ran += "b";
    last.set_value();
  });
  strand.after(std::chrono::milliseconds{1}, note("a"));
  last.get_future().wait();
  strand.stop();
  BOOST_TEST(ran == "ab");
}

BOOST_AUTO_TEST_CASE(the_end_waits_for_what_runs_and_drops_what_has_not_begun) {
  held_work first;
  std::thread runner{[&] { strand.post(first.work()); }};
  first.begun.get_future().wait();
  auto owned = std::make_shared<int>(1);
  strand.post([this, owned] { ran += "never"; });
  strand.after(std::chrono::hours{1}, [this, owned] { ran += "never"; });
  auto ended = std::async(std::launch::async, [this] { strand.stop(); });
  while (owned.use_count() > 1) // waits until the work is dropped
    std::this_thread::yield();
  BOOST_TEST((ended.wait_for(std::chrono::seconds{0}) == std::future_status::timeout));
  first.goes.set_value();
  ended.get();
  runner.join();
  strand.post(note("never"));
  BOOST_TEST(ran == "");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
