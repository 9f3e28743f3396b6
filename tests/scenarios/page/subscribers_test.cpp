#include <algorithm>
#include <map>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/query.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/chance.hpp"

/// Many subscribers that share few filters, and come and go (contract 5). Each gets the events that
/// it would get as the only subscriber.

namespace scratchpage::test {

namespace {

using lines = std::vector<std::string>;

const std::vector<std::string> tastes{"wine", "beer", "milk"};

struct listener {
  probe hears;
  std::vector<observation_filter> filters;
  uint64_t after = 0; ///< the sequence after which its events begin
};

struct crowd : page_fixture {
  std::vector<listener> here;
  std::vector<page_event> all;

  crowd() {
    setup.limits.batch_size = 3;
    setup.limits.delivery_attempts = 1'000'000;
  }

  void let_in(chance& pick) {
    listener x{new_probe(), {any_wish(pick)}, 0};
    while (pick.one_in(3))
      x.filters.push_back(any_wish(pick));
    auto last = stats().sequence;
    std::optional<uint64_t> from;
    if (pick.one_in(2))
      from = pick.below(last + 1);
    auto order = order_of(x.hears, x.filters.front(), from, pick.one_in(2));
    order.or_filters.assign(x.filters.begin() + 1, x.filters.end());
    x.after = value(ask(page, std::move(order)));
    here.push_back(std::move(x));
  }

  void let_out(chance& pick) {
    if (here.empty())
      return;
    auto at = here.begin() + static_cast<std::ptrdiff_t>(pick.below(here.size()));
    if (pick.one_in(2))
      end(at->hears);
    else
      value(ask(page, unsubscribe{as_daemon("probe"), at->hears.handle}));
    check(*at, false);
    here.erase(at);
  }

  void change_manners(chance& pick) {
    if (here.empty())
      return;
    auto& x = here[pick.below(here.size())].hears;
    auto to = pick.any_of({manner::acknowledge, manner::hold_back, manner::refuse});
    if (to == manner::refuse)
      x.log->first = {to};
    else
      x.log->with = to;
    if (to == manner::acknowledge)
      acknowledge(x);
  }

  static observation_filter any_wish(chance& pick) {
    return pick.one_in(4) ? observation_filter{} : with_tags({any_taste(pick)});
  }

  static const std::string& any_taste(chance& pick) { return tastes[pick.below(tastes.size())]; }

  /// Checks that the listener got the events that match its filters, each once: all of them if
  /// `is_complete`, else the first ones.
  void check(const listener& x, bool is_complete) const {
    lines expected;
    for (const auto& event : all)
      if (event.sequence > x.after && is_wanted(event, x.filters))
        expected.push_back(line_of(event));
    std::map<uint64_t, std::string> once;
    for (const auto& event : x.hears.log->events)
      once.emplace(event.sequence, line_of(event));
    lines got;
    for (const auto& [sequence, line] : once)
      got.push_back(line);
    if (!is_complete)
      expected.resize(std::min(expected.size(), got.size()));
    RC_ASSERT(got == expected);
    RC_ASSERT(x.hears.log->most_unanswered <= 1u);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(each_hears_what_it_would_hear_alone) {
  BOOST_TEST(rc::check("of few filters", [](uint64_t seed) {
    chance pick{seed};
    crowd of;
    of.start();
    auto witness = of.watch_page();
    for (auto steps = pick.below(80); steps > 0; --steps) {
      switch (pick.below(6)) {
      case 0:
        of.let_in(pick);
        break;
      case 1:
        of.let_out(pick);
        break;
      case 2:
        of.change_manners(pick);
        break;
      default:
        of.add(note("x", {crowd::any_taste(pick), crowd::any_taste(pick)}));
      }
      of.all = witness.log->events;
    }
    for (auto& x : of.here) {
      x.hears.log->with = manner::acknowledge;
      x.hears.log->first.clear();
      of.acknowledge(x.hears);
    }
    of.advance(std::chrono::minutes{1}); // the page repeats unanswered batches
    for (const auto& x : of.here)
      of.check(x, true);
    RC_ASSERT(of.stats().subscribers == of.here.size() + 1);
  }));
}

BOOST_FIXTURE_TEST_CASE(one_that_comes_later_may_begin_earlier, page_fixture) {
  start();
  add(note("a wine", {"wine"}));
  add(note("a beer", {"beer"}));
  auto first = watch_page(with_tags({"wine"}));
  auto second = watch_page(with_tags({"wine"}), 0);
  add(note("another wine", {"wine"}));
  auto third = watch_page(with_tags({"wine"}), 1);
  BOOST_TEST(first.lines() == (lines{"3 added 3"}), boost::test_tools::per_element());
  BOOST_TEST(second.lines() == (lines{"1 added 1", "3 added 3"}), boost::test_tools::per_element());
  BOOST_TEST(third.lines() == (lines{"3 added 3"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_turn_waits_for_the_slow_and_not_for_the_idle, page_fixture) {
  start();
  auto idle = watch_page(with_tags({"beer"}));
  auto slow = watch_page(with_tags({"wine"}), {}, manner::hold_back);
  auto by = as_daemon("planner", "turn_1");
  value(ask(page, open_turn{by}));
  add(note("a wine", {"wine"}), by);
  auto quiet = send(page, await_quiet{by, quiet_stage::ended});
  BOOST_TEST(!quiet->arrived());
  acknowledge(slow);
  BOOST_TEST(quiet->arrived());
}

} // namespace scratchpage::test
