#include <algorithm>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// The statuses of observations on a page (contract 2).

namespace scratchpage::test {

namespace {

using enum status;

const std::vector<std::pair<status, status>> allowed{{active, pending_review}, {active, resolved},
  {active, archived}, {pending_review, active}, {pending_review, resolved},
  {pending_review, archived}, {resolved, archived}};

const std::vector<status> callers_statuses{active, pending_review, resolved, archived};

struct lifecycle : page_fixture {
  lifecycle() { start(); }

  /// Adds an observation, and gives it the status `x`.
  observation_ptr in(status x) {
    auto begin = note("x");
    if (x == pending_review)
      begin.status = x;
    auto added = add(begin);
    return x == active || x == pending_review ? added : set_status(added->observation_id, x);
  }

  observation_ptr find(const std::string& observation_id) {
    if (auto x = get(observation_id))
      return x;
    for (const auto& x : archived_ones())
      if (x->observation_id == observation_id)
        return x;
    return {};
  }

  std::vector<observation_ptr> archived_ones() { return archive_list().observations; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(each_transition_of_the_lifecycle_is_a_revision_and_a_change, lifecycle) {
  for (auto [from, to] : allowed) {
    auto before = in(from);
    auto sequence = stats().sequence;
    auto after = set_status(before->observation_id, to);
    BOOST_TEST_CONTEXT(to_string(from) << " to " << to_string(to)) {
      BOOST_TEST(to_string(after->status) == to_string(to));
      BOOST_TEST(after->revision == before->revision + 1);
      BOOST_TEST(stats().sequence == sequence + 1);
      BOOST_TEST(text_of(*find(after->observation_id)) == text_of(*after));
      BOOST_TEST(static_cast<bool>(get(after->observation_id)) == (to != archived));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(any_other_transition_is_invalid_and_changes_nothing, lifecycle) {
  unsigned count = 0;
  for (auto from : callers_statuses) {
    for (auto to : callers_statuses) {
      if (from == to || std::count(allowed.begin(), allowed.end(), std::pair{from, to}) > 0)
        continue;
      auto before = in(from);
      auto stood = stats();
      observation_changes changes{.status = to, .content = "must not be stored"};
      auto answer = try_update(before->observation_id, changes);
      BOOST_TEST_CONTEXT(to_string(from) << " to " << to_string(to)) {
        BOOST_CHECK(refused(answer, errc::invalid_transition, "status"));
        BOOST_TEST(text_of(*find(before->observation_id)) == text_of(*before));
        BOOST_TEST(stats().sequence == stood.sequence);
        BOOST_TEST(stats().archived == stood.archived);
      }
      ++count;
    }
  }
  BOOST_TEST(count == 5u);
}

BOOST_FIXTURE_TEST_CASE(what_is_archived_stays_archived, lifecycle) {
  auto before = in(archived);
  BOOST_CHECK(refused(
    try_update(before->observation_id, {.status = archived}), errc::invalid_transition, "status"));
  BOOST_CHECK(refused(
    try_update(before->observation_id, {.content = "new"}), errc::not_found, "observation_id"));
  BOOST_TEST(text_of(*find(before->observation_id)) == text_of(*before));
}

BOOST_FIXTURE_TEST_CASE(the_status_that_it_has_is_no_transition, lifecycle) {
  for (auto x : {active, pending_review, resolved}) {
    auto before = in(x);
    auto after = update(before->observation_id, {.status = x, .content = "new"});
    BOOST_TEST(to_string(after->status) == to_string(x));
    BOOST_TEST(after->content == "new");
  }
}

BOOST_FIXTURE_TEST_CASE(no_caller_makes_anything_expired_or_evicted, lifecycle) {
  for (auto to : {expired, evicted}) {
    auto before = in(active);
    BOOST_CHECK(refused(
      try_update(before->observation_id, {.status = to}), errc::invalid_transition, "status"));
    BOOST_TEST(text_of(*get(before->observation_id)) == text_of(*before));
  }
}

BOOST_FIXTURE_TEST_CASE(archiving_works_from_every_status_but_archived, lifecycle) {
  auto watcher = watch_page();
  for (auto from : {active, pending_review, resolved}) {
    auto x = in(from);
    archive(x->observation_id);
    BOOST_TEST(!get(x->observation_id));
    BOOST_TEST(to_string(find(x->observation_id)->status) == "archived");
    BOOST_TEST(watcher.lines().back().ends_with(" archived " + number_of(*x)));
    auto again = ask(page, archive_observation{as_daemon("planner"), x->observation_id});
    BOOST_CHECK(refused(again, errc::not_found, "observation_id"));
  }
}

} // namespace scratchpage::test
