#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(what_is_kept_during_a_rest)

BOOST_AUTO_TEST_CASE(a_value_is_taken_once) {
  keepsakes kept;
  kept.put(std::string{"heard"}, 5);
  BOOST_TEST(kept.take<std::string>().value() == "heard");
  BOOST_TEST(!kept.take<std::string>());
  BOOST_TEST(!kept.take<int>());
}

BOOST_AUTO_TEST_CASE(values_of_different_types_do_not_disturb_each_other) {
  keepsakes kept;
  kept.put(std::string{"heard"}, 5);
  kept.put(7, 4);
  BOOST_TEST(kept.take<int>().value() == 7);
  BOOST_TEST(kept.take<std::string>().value() == "heard");
}

BOOST_AUTO_TEST_CASE(its_bytes_are_told) {
  keepsakes kept;
  auto empty = kept.bytes();
  kept.put(std::make_unique<int>(1), 1'000);
  BOOST_TEST(kept.bytes() > empty + 1'000);
  kept.take<std::unique_ptr<int>>();
  BOOST_TEST(kept.bytes() == empty);
}

BOOST_AUTO_TEST_CASE(a_counter_goes_on) {
  keepsakes kept;
  ++*kept.counter(1, 10);
  BOOST_TEST(*kept.counter(1, 10) == 11u);
  BOOST_TEST(*kept.counter(2, 0) == 0u);
}

BOOST_AUTO_TEST_CASE(values_of_one_class_are_distinguished_by_their_places) {
  keepsakes kept;
  kept.put(1, 4);
  kept.put(2, 4, 1);
  BOOST_TEST(kept.take<int>(1).value() == 2);
  BOOST_TEST(kept.take<int>().value() == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_kept_of_an_agent_that_is_not_woken) {
  keepsakes kept;
  kept.put(1, 4);
  kept.drop();
  BOOST_TEST(!kept.take<int>());
  kept.put(2, 4);
  BOOST_TEST(!kept.take<int>());
  BOOST_TEST(kept.is_dropped());
}

BOOST_AUTO_TEST_CASE(an_agent_works_until_the_last_copy_of_each_mark_is_gone) {
  keepsakes kept;
  BOOST_TEST(!kept.is_working());
  auto one = kept.begin_work();
  auto copy = one;
  auto other = kept.begin_work();
  one.reset();
  BOOST_TEST(kept.is_working());
  other.reset();
  BOOST_TEST(kept.is_working());
  copy.reset();
  BOOST_TEST(!kept.is_working());
}

BOOST_AUTO_TEST_CASE(a_mark_may_outlive_the_keepsakes) {
  work_mark mark;
  {
    keepsakes kept;
    mark = kept.begin_work();
  }
  mark.reset();
}

BOOST_AUTO_TEST_CASE(a_flag_counts_once_however_often_it_is_set) {
  keepsakes kept;
  work_flag flag{kept.work()};
  flag.set(true);
  flag.set(true);
  BOOST_TEST(kept.is_working());
  flag.set(false);
  BOOST_TEST(!kept.is_working());
  flag.set(false);
  BOOST_TEST(!kept.is_working());
}

BOOST_AUTO_TEST_CASE(an_agent_that_never_rests_counts_no_work) {
  agent_context agent{"tester", nullptr, nullptr};
  BOOST_TEST(!agent.begin_work());
  BOOST_TEST(!agent.work().is_any());
  BOOST_TEST(!agent.may_wake());
  BOOST_TEST(!take_kept<int>(agent.kept));
}

BOOST_AUTO_TEST_CASE(the_earliest_deadline_is_told) {
  keepsakes kept;
  auto at = [](int64_t seconds) { return timestamp{std::chrono::seconds{seconds}}; };
  BOOST_TEST(!kept.next_deadline());
  kept.note_deadline("housekeeping", at(30));
  kept.note_deadline("goals", at(20));
  BOOST_TEST((kept.next_deadline() == at(20)));
  kept.note_deadline("goals", at(40)); // replaces the earlier one
  BOOST_TEST((kept.next_deadline() == at(30)));
  kept.forget_deadline("housekeeping");
  BOOST_TEST((kept.next_deadline() == at(40)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
