#define BOOST_TEST_MODULE deadline_queue
#include <boost/test/unit_test.hpp>

#include <map>
#include <vector>

#include "scratchpage/actors/page/index/deadline_queue.hpp"

namespace scratchpage {

namespace {

timestamp at(int64_t ms) {
  return timestamp{std::chrono::milliseconds{ms}};
}

/// A queue, and its owner's map of the current deadlines.
struct fixture {
  deadline_queue queue;
  std::map<uint64_t, timestamp> current;

  auto is_current() {
    return [this](const deadline_queue::entry& x) {
      auto i = current.find(x.number);
      return i != current.end() && i->second == x.deadline;
    };
  }

  void schedule(uint64_t number, int64_t ms) {
    if (current.erase(number) > 0)
      queue.forget(is_current());
    current[number] = at(ms);
    queue.push(at(ms), number);
  }

  void cancel(uint64_t number) {
    current.erase(number);
    queue.forget(is_current());
  }

  std::vector<uint64_t> drain() {
    std::vector<uint64_t> result;
    while (auto next = queue.top(is_current())) {
      result.push_back(next->number);
      queue.pop();
    }
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(entries_come_by_deadline_and_ties_by_number, fixture) {
  schedule(3, 20);
  schedule(2, 10);
  schedule(9, 5);
  schedule(1, 10);
  BOOST_TEST(drain() == (std::vector<uint64_t>{9, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(an_entry_that_was_moved_or_cancelled_is_never_seen, fixture) {
  schedule(1, 10);
  schedule(2, 20);
  schedule(3, 30);
  schedule(1, 40);
  cancel(2);
  BOOST_TEST(drain() == (std::vector<uint64_t>{3, 1}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(stale_entries_do_not_pile_up, fixture) {
  schedule(1, 5);
  for (int64_t i = 0; i < 10'000; ++i)
    schedule(2, 100'000 - i);
  BOOST_TEST(queue.size() < 200u);
  BOOST_TEST(drain() == (std::vector<uint64_t>{1, 2}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(an_empty_queue_has_no_top, fixture) {
  BOOST_TEST(!queue.top(is_current()).has_value());
  schedule(1, 1);
  cancel(1);
  BOOST_TEST(!queue.top(is_current()).has_value());
  BOOST_TEST(queue.size() == 0u);
}

} // namespace scratchpage
