#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/events/event_feed.hpp"
#include "scratchpage/tests/runtime/events/slow_stream.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// Event streams whose reader is slower than the page's timeout, on virtual time.

namespace scratchpage::test {

namespace {

using texts = std::vector<std::string>;

struct fed_reader : virtual_time {
  std::shared_ptr<slow_stream> stream = std::make_shared<slow_stream>();
  scratch_page_actor page;
  caf::actor feed;
  uint64_t per_second = 0;

  void start(uint64_t log_capacity = 1'000) {
    const auto& with = default_config();
    page_setup setup{with.page, with.weights, with.text, with.promotion};
    setup.limits.log_capacity = log_capacity;
    page = make<scratch_page_state>(agent_context{"ada", clock, nullptr}, std::move(setup));
    listen({});
  }

  void come_again(std::string_view last_event_id) {
    listen(events::read_event_id(last_event_id).value());
  }

  void listen(subscribe_from from) {
    events::event_order order;
    order.by = as_daemon("reader");
    order.from = from;
    order.per_second = per_second;
    feed = own(events::feed_events(sys, page, stream, std::move(order)));
    settle();
  }

  void add(int count) {
    for (; count > 0; --count) {
      observation_draft draft;
      draft.type = "observation";
      draft.content = "x";
      require_value(ask(page, add_observation{as_daemon("planner"), std::move(draft)}));
    }
  }

  void archive(const std::string& id) {
    auto done = ask(page, archive_observation{as_daemon("planner"), id});
    BOOST_REQUIRE(static_cast<bool>(done));
  }

  void read() {
    stream->read();
    settle();
  }

  /// Reads continuously for some time.
  void read_for(timespan time) {
    for (constexpr timespan step = std::chrono::milliseconds{100}; time > timespan{};
         time -= step) {
      read();
      advance(step);
    }
  }

  uint64_t subscribers() { return require_value(ask(page, caf::get_atom_v)).subscribers; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(event_feeds, fed_reader)

BOOST_AUTO_TEST_CASE(a_batch_is_written_once_however_often_the_page_tells_it) {
  start();
  add(1);
  advance(std::chrono::seconds{70});
  BOOST_TEST(stream->pieces() == 1u);
  add(1);
  read();
  read();
  BOOST_TEST(
    stream->events() == (texts{"0-1 added", "0-2 added"}), boost::test_tools::per_element());
  BOOST_TEST(subscribers() == 1u);
}

BOOST_AUTO_TEST_CASE(who_was_set_aside_goes_on_after_what_it_has_read) {
  start();
  add(1);
  advance(std::chrono::minutes{10});
  add(2);
  read();
  BOOST_TEST(subscribers() == 1u);
  read();
  add(1);
  BOOST_TEST(stream->events() == (texts{"0-1 added", "0-2 added", "0-3 added", "0-4 added"}),
    boost::test_tools::per_element());
  BOOST_TEST(!stream->is_closed);
}

BOOST_AUTO_TEST_CASE(who_was_set_aside_for_too_long_lags) {
  start(3);
  add(1);
  advance(std::chrono::minutes{10});
  add(4);
  read();
  BOOST_TEST(stream->events()
               == (texts{"0-1 added", "0-1 lagged", "0-1 current", "0-1 current", "0-1 current",
                 "0-1 current", "0-1 current"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_breaks_off_in_the_state_hears_all_of_it_when_it_comes_again) {
  start(3);
  add(1);
  advance(std::chrono::minutes{10});
  add(4);
  read(); // the state is being sent
  stream = std::make_shared<slow_stream>();
  come_again("0-1"); // the id of the events of the state
  BOOST_TEST(stream->events()
               == (texts{"0-1 lagged", "0-1 current", "0-1 current", "0-1 current", "0-1 current",
                 "0-1 current"}),
    boost::test_tools::per_element());
  read();
  add(1);
  BOOST_TEST(stream->events().back() == "0-6 added");
}

BOOST_AUTO_TEST_CASE(who_was_set_aside_over_the_state_hears_all_of_it_again) {
  start(3);
  add(1);
  advance(std::chrono::minutes{10});
  add(4);
  read();
  advance(std::chrono::minutes{10}); // nobody reads the state
  archive("obs_20251105_001");
  read();
  read();
  auto events = stream->events();
  BOOST_REQUIRE(events.size() > 7u);
  events.erase(events.begin(), events.begin() + 7);
  BOOST_TEST(
    events == (texts{"0-1 lagged", "0-1 current", "0-1 current", "0-1 current", "0-1 current"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_wants_few_events_a_second_is_told_no_more) {
  per_second = 10;
  start();
  add(1);
  read(); // takes a tenth of a second
  add(20);
  BOOST_TEST(stream->events().size() == 1u);
  advance(std::chrono::milliseconds{99});
  BOOST_TEST(stream->events().size() == 1u);
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(stream->events().size() == 2u);
  advance(std::chrono::seconds{10});
  BOOST_TEST(stream->events().size() == 2u); // the reader has not read more
  read();
  advance(std::chrono::milliseconds{99});
  BOOST_TEST(stream->events().size() == 2u);
  advance(std::chrono::milliseconds{1});
  BOOST_TEST(stream->events().size() == 3u);
}

BOOST_AUTO_TEST_CASE(who_wants_few_events_a_second_is_told_those_few_at_once) {
  per_second = 100;
  start();
  for (int i = 1; i <= 5; ++i) { // a burst of five is allowed
    add(1);
    read();
    BOOST_TEST(stream->events().size() == static_cast<size_t>(i));
  }
}

BOOST_AUTO_TEST_CASE(who_wants_few_events_a_second_misses_none_of_a_burst) {
  per_second = 10;
  start();
  add(1'000);
  read_for(std::chrono::seconds{100});
  texts expected;
  for (int i = 1; i <= 1'000; ++i)
    expected.push_back("0-" + std::to_string(i) + " added");
  BOOST_TEST(stream->events() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_wants_few_events_a_second_is_told_a_long_state_once) {
  per_second = 10;
  start(3);
  add(1'000); // takes longer than the page waits for a batch
  read_for(std::chrono::seconds{101});
  texts expected(1'000, "0-1 current");
  expected.insert(expected.begin(), {"0-1 added", "0-1 lagged"});
  BOOST_TEST(stream->events() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_takes_a_second_for_each_event_hears_all_of_a_long_state) {
  start(3);
  add(600);
  size_t read_so_far = 0;
  for (int batch = 0; batch < 200 && read_so_far < stream->events().size(); ++batch) {
    auto there = stream->events().size();
    advance(std::chrono::seconds{there - read_so_far});
    read_so_far = there;
    read();
  }
  auto events = stream->events();
  auto last_state = std::find(events.rbegin(), events.rend(), "0-1 lagged").base();
  BOOST_TEST(std::count(last_state, events.end(), "0-1 current") == 600);
  add(1);
  BOOST_TEST(stream->events().back() == "0-601 added");
}

BOOST_AUTO_TEST_CASE(the_clock_holds_nothing_of_who_has_gone) {
  start();
  BOOST_TEST(driver.next_deadline().has_value());
  caf::anon_send_exit(feed, caf::exit_reason::user_shutdown);
  settle();
  BOOST_TEST(!driver.next_deadline().has_value());
}

BOOST_AUTO_TEST_CASE(nor_of_who_has_gone_while_it_rested) {
  per_second = 10;
  start();
  add(1);
  read();
  auto end_of_rest = driver.now() + std::chrono::milliseconds{100};
  while (driver.next_deadline() < end_of_rest) // the page indexes what was added
    BOOST_REQUIRE(driver.advance_to_next_deadline());
  BOOST_TEST((driver.next_deadline() == end_of_rest));
  caf::anon_send_exit(feed, caf::exit_reason::user_shutdown);
  settle();
  BOOST_TEST((driver.next_deadline() != end_of_rest)); // only timers of the page, if any
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
