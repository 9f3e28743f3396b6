#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/actors/page/index/thread_index.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage {

namespace {

observation said(std::string thread, std::string turn) {
  auto x = test::plain_observation(1);
  x.source = {source_kind::user, "ada", std::move(turn), {}};
  if (!thread.empty())
    x.context["thread_id"] = thread;
  return x;
}

std::vector<uint32_t> thread_of(const thread_index& in, const observation& x) {
  std::vector<uint32_t> result;
  if (const auto* slots = in.thread_of(x))
    slots->for_each([&](uint32_t slot) { return result.push_back(slot), true; });
  return result;
}

constexpr auto each_one = boost::test_tools::per_element();

} // namespace

BOOST_AUTO_TEST_CASE(a_turn_joins_the_first_thread_that_is_named_in_it) {
  thread_index threads;
  threads.add(1, said("", "turn_1"));
  threads.add(2, said("a", "turn_1"));
  threads.add(3, said("b", "turn_1"));
  threads.add(4, said("", "turn_1"));
  threads.add(5, said("a", ""));
  BOOST_TEST(
    thread_of(threads, said("", "turn_1")) == (std::vector<uint32_t>{1, 2, 4, 5}), each_one);
  BOOST_TEST(thread_of(threads, said("b", "turn_9")) == (std::vector<uint32_t>{3}), each_one);
}

BOOST_AUTO_TEST_CASE(a_turn_stays_in_its_thread_until_all_of_it_is_gone) {
  thread_index threads;
  threads.add(1, said("a", "turn_1"));
  threads.add(2, said("", "turn_1"));
  threads.remove(1, said("a", "turn_1"));
  threads.add(3, said("", "turn_1"));
  BOOST_TEST(thread_of(threads, said("a", "")) == (std::vector<uint32_t>{2, 3}), each_one);
  threads.remove(2, said("", "turn_1"));
  threads.remove(3, said("", "turn_1"));
  BOOST_TEST(thread_of(threads, said("a", "")).empty());
  threads.add(4, said("", "turn_1"));
  BOOST_TEST(thread_of(threads, said("a", "")).empty());
  BOOST_TEST(thread_of(threads, said("", "turn_1")) == (std::vector<uint32_t>{4}), each_one);
}

BOOST_AUTO_TEST_CASE(names_of_threads_and_turns_are_kept_apart) {
  thread_index threads;
  threads.add(1, said("ada", ""));
  threads.add(2, said("", "ada"));
  BOOST_TEST(thread_of(threads, said("ada", "")) == (std::vector<uint32_t>{1}), each_one);
  BOOST_TEST(thread_of(threads, said("", "ada")) == (std::vector<uint32_t>{2}), each_one);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_longer_than_the_id_of_a_thread_is_none) {
  thread_index threads;
  auto x = said(std::string(2'000, 'x'), "turn_1");
  threads.add(1, x);
  BOOST_TEST(thread_of(threads, said("", "turn_1")) == (std::vector<uint32_t>{1}), each_one);
}

} // namespace scratchpage
