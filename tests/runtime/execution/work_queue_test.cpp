#include <future>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/execution/work_queue.hpp"
#include "scratchpage/tests/support/few_threads_left.hpp"

/// work_queue: long work, such as parsing large bodies, that must not block network threads.

namespace scratchpage::test {

namespace {

/// A queue whose thread is blocked until the test releases it.
struct busy_queue {
  explicit busy_queue(work_queue::limits most)
    : queue{most, work_queue::pace::as_others} {
    std::promise<void> begun;
    BOOST_REQUIRE(queue.later([&begun, wait = released.get_future().share()] {
      begun.set_value();
      wait.wait();
    }));
    begun.get_future().wait();
  }

  std::promise<void> released; // declared first, because the queue's thread waits for it
  work_queue queue;
};

} // namespace

BOOST_AUTO_TEST_SUITE(work_queues)

BOOST_AUTO_TEST_CASE(work_is_done_on_another_thread_in_its_order) {
  std::vector<int> order;
  auto where = std::this_thread::get_id();
  {
    work_queue queue{{8}, work_queue::pace::gives_way};
    for (auto i = 0; i < 3; ++i)
      BOOST_TEST(queue.later([&order, &where, i] {
        order.push_back(i);
        where = std::this_thread::get_id();
      }));
  }
  BOOST_TEST(order == (std::vector<int>{0, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST((where != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(more_pieces_than_may_wait_are_refused) {
  busy_queue busy{{2}};
  BOOST_TEST(busy.queue.later([] {}));
  BOOST_TEST(busy.queue.later([] {}));
  BOOST_TEST(!busy.queue.later([] {}));
  busy.released.set_value();
}

BOOST_AUTO_TEST_CASE(more_bytes_than_may_wait_are_refused_until_there_is_room) {
  busy_queue busy{{8, 100}};
  std::promise<void> done;
  BOOST_TEST(!busy.queue.later([] {}, 101));
  BOOST_TEST(busy.queue.later([] {}, 60));
  BOOST_TEST(!busy.queue.later([] {}, 41));
  BOOST_TEST(busy.queue.later([&done] { done.set_value(); }, 40));
  busy.released.set_value();
  done.get_future().wait();
  BOOST_TEST(busy.queue.later([] {}, 60)); // the bytes of the first are free again
}

BOOST_AUTO_TEST_CASE(without_a_thread_nothing_is_promised) {
  few_threads_left none{0};
  work_queue queue{{8}, work_queue::pace::as_others};
  BOOST_TEST(!queue.later([] {}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
