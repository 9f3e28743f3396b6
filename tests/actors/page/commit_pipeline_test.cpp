#define BOOST_TEST_MODULE commit_pipeline
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

#include "scratchpage/tests/actors/page/pipeline_owner.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// commit_pipeline: the order in which changes are sent to the journal and become visible, and the
/// consequences when the journal refuses them.

namespace scratchpage::test {

namespace {

durability_config with_sync(uint64_t max_batch = 4'096) {
  durability_config x;
  x.durability = durability::sync;
  x.max_batch = max_batch;
  return x;
}

durability_config with_async(uint64_t async_changes = 100) {
  durability_config x;
  x.durability = durability::async;
  x.async_changes = async_changes;
  return x;
}

durability_config with_none() {
  durability_config x;
  x.durability = durability::none;
  return x;
}

/// Events as "SEQUENCE:OPERATION SEQUENCE:OPERATION".
std::string text_of(const std::vector<page_event>& events) {
  std::string result;
  for (const auto& x : events)
    result.append(result.empty() ? "" : " ")
      .append(std::to_string(x.sequence))
      .append(":")
      .append(std::to_string(x.cause));
  return result;
}

/// The events that the journal has not answered yet.
std::string sent(const pipeline_owner& x) {
  return x.at_journal ? text_of(*x.at_journal->events) : "nothing";
}

} // namespace

// -- visibility ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_is_not_kept_is_visible_at_once_and_never_sent) {
  pipeline_owner page{with_none()};
  page.commit(added(1, 2), 10);
  page.commit(added(3), 11);
  BOOST_TEST(text_of(page.applied) == "1:10 2:10 3:11");
  BOOST_TEST(sent(page) == "nothing");
  BOOST_TEST(page.pipeline.is_idle());
  BOOST_TEST(page.pipeline.last_sequence() == 3u);
}

BOOST_AUTO_TEST_CASE(a_durable_change_is_visible_when_the_journal_has_it) {
  pipeline_owner page{with_sync()};
  page.commit(added(1), 10);
  BOOST_TEST(sent(page) == "1:10");
  BOOST_TEST(page.applied.empty());
  BOOST_TEST(!page.pipeline.is_idle());
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10");
  BOOST_TEST(page.pipeline.is_idle());
}

BOOST_AUTO_TEST_CASE(sequences_go_on_where_the_history_ends) {
  pipeline_owner page{with_sync()};
  page.pipeline.begin_at(41);
  BOOST_TEST(page.pipeline.last_sequence() == 40u);
  page.commit(added(7), 10);
  BOOST_TEST(sent(page) == "41:10");
}

BOOST_AUTO_TEST_CASE(a_visible_change_is_saved_later) {
  pipeline_owner page{with_async()};
  page.commit(added(1), 10);
  BOOST_TEST(text_of(page.applied) == "1:10");
  BOOST_TEST(sent(page) == "1:10");
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10");
  BOOST_TEST(page.pipeline.is_idle());
}

BOOST_AUTO_TEST_CASE(beyond_the_bound_of_unsaved_changes_a_page_is_as_slow_as_its_journal) {
  pipeline_owner page{with_async(2)};
  page.commit(added(1), 10);
  page.commit(added(2), 11);
  page.commit(added(3), 12);
  BOOST_TEST(text_of(page.applied) == "1:10 2:11");
  BOOST_TEST(page.pipeline.staged() == 1u);
  page.journal_saves();
  BOOST_TEST(sent(page) == "2:11 3:12");
  BOOST_TEST(text_of(page.applied) == "1:10 2:11");
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10 2:11 3:12");
  page.commit(added(4), 13);
  BOOST_TEST(text_of(page.applied) == "1:10 2:11 3:12 4:13");
}

BOOST_AUTO_TEST_CASE(no_change_becomes_visible_before_one_that_waits) {
  pipeline_owner page{with_async(1)};
  page.commit(added(1), 10);
  page.commit(added(2), 11); // the bound is reached, so it is not visible yet
  page.journal_saves();
  page.commit(added(3), 12); // within the bound, but an earlier change still waits
  BOOST_TEST(text_of(page.applied) == "1:10");
  page.journal_saves();
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10 2:11 3:12");
}

// -- batches ---------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(one_flight_is_at_the_journal_and_the_rest_gathers) {
  pipeline_owner page{with_sync()};
  page.commit(added(1), 10);
  page.commit(added(2), 11);
  page.commit(added(3), 12);
  BOOST_TEST(sent(page) == "1:10");
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10");
  BOOST_TEST(sent(page) == "2:11 3:12");
}

BOOST_AUTO_TEST_CASE(a_flight_takes_half_of_what_has_arrived_and_gathered) {
  pipeline_owner page{with_sync()};
  for (uint64_t i = 1; i <= 6; ++i)
    page.commit(added(i), i);
  page.journal_saves(); // one was saved, and five are waiting
  BOOST_TEST(sent(page) == "2:2 3:3 4:4");
  page.journal_saves(); // three were saved, and two are waiting
  BOOST_TEST(sent(page) == "5:5 6:6");
}

BOOST_AUTO_TEST_CASE(a_flight_has_a_limit_and_no_commit_is_divided) {
  pipeline_owner page{with_sync(3)};
  page.commit(added(1, 9), 10); // sent alone, because nothing else waits
  BOOST_TEST(page.at_journal->events->size() == 9u);
  page.commit(added(10, 2), 11);
  page.commit(added(12, 2), 12);
  page.commit(added(14, 1), 13);
  page.journal_saves();
  BOOST_TEST(sent(page) == "10:11 11:11");
  page.journal_saves();
  BOOST_TEST(sent(page) == "12:12 13:12 14:13");
}

BOOST_AUTO_TEST_CASE(a_commit_that_is_larger_than_a_flight_goes_alone) {
  pipeline_owner page{with_sync(2)};
  page.commit(added(1), 10);
  page.commit(added(2, 5), 11);
  page.commit(added(7), 12);
  page.journal_saves();
  BOOST_TEST(sent(page) == "2:11 3:11 4:11 5:11 6:11");
  page.journal_saves();
  BOOST_TEST(sent(page) == "7:12");
}

BOOST_AUTO_TEST_CASE(visible_changes_gather_for_a_while_after_others_were_saved) {
  pipeline_owner page{with_async()};
  page.commit(added(1), 10);
  page.journal_saves();
  BOOST_TEST(page.gathers);
  BOOST_CHECK(page.pipeline.gathering_time() == timespan{std::chrono::milliseconds{5}});
  page.commit(added(2), 11);
  page.commit(added(3), 12);
  BOOST_TEST(sent(page) == "nothing");
  page.end_gathering();
  BOOST_TEST(sent(page) == "2:11 3:12");
}

BOOST_AUTO_TEST_CASE(without_a_time_to_gather_visible_changes_are_sent_at_once) {
  auto with = with_async();
  with.async_ms = 0;
  pipeline_owner page{with};
  page.commit(added(1), 10);
  page.journal_saves();
  BOOST_TEST(!page.gathers);
  page.commit(added(2), 11);
  BOOST_TEST(sent(page) == "2:11");
}

BOOST_AUTO_TEST_CASE(a_change_that_somebody_waits_for_ends_the_gathering) {
  pipeline_owner page{with_async(1)};
  page.commit(added(1), 10);
  page.journal_saves();
  page.commit(added(2), 11);
  BOOST_TEST(sent(page) == "nothing");
  page.commit(added(3), 12); // beyond the bound: not visible before it is saved
  BOOST_TEST(sent(page) == "2:11 3:12");
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10 2:11 3:12");
}

// -- refusals --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_is_refused_never_happened_and_its_sequences_go_to_the_next) {
  pipeline_owner page{with_sync()};
  page.commit(added(1), 10);
  page.commit(added(2), 11);
  page.commit(added(3), 12);
  page.journal_refuses();
  BOOST_TEST(page.refused == std::vector<span_id>{10}, boost::test_tools::per_element());
  BOOST_TEST(page.applied.empty());
  BOOST_TEST(sent(page) == "1:11 2:12");
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:11 2:12");
  BOOST_TEST(page.pipeline.last_sequence() == 2u);
}

BOOST_AUTO_TEST_CASE(a_refusal_says_whether_anything_is_still_on_its_way) {
  commit_pipeline last{with_sync()};
  std::vector<page_event> events(1);
  last.stage({added(1), as_daemon("probe"), "test", {}}, events);
  last.next_flight();
  auto failed = last.refused();
  BOOST_TEST(failed.is_empty);
  BOOST_TEST(!failed.rests);
  BOOST_TEST(failed.commits.size() == 1u);
  BOOST_TEST(last.last_sequence() == 0u);

  commit_pipeline busy{with_sync()};
  for (uint64_t i = 1; i <= 2; ++i) {
    std::vector<page_event> one(1);
    busy.stage({added(i), as_daemon("probe"), "test", {}}, one);
    busy.next_flight();
  }
  BOOST_TEST(!busy.refused().is_empty);
}

BOOST_AUTO_TEST_CASE(what_is_visible_is_offered_again_after_a_rest_and_before_what_came_since) {
  pipeline_owner page{with_async()};
  page.commit(added(1, 2), 10);
  page.commit(added(3), 11);
  page.journal_refuses();
  BOOST_TEST(page.rests);
  BOOST_TEST(page.refused.empty());
  page.commit(added(4), 12);
  BOOST_TEST(sent(page) == "nothing");
  page.end_rest();
  BOOST_TEST(sent(page) == "1:10 2:10 3:11 4:12");
  page.journal_saves();
  BOOST_TEST(text_of(page.saved) == text_of(page.applied));
  BOOST_TEST(page.pipeline.is_idle());
}

BOOST_AUTO_TEST_CASE(a_refusal_says_how_many_visible_changes_are_not_saved) {
  commit_pipeline pipeline{with_async()};
  std::vector<page_event> events(2);
  pipeline.publish(events);
  pipeline.next_flight();
  pipeline.publish(events);
  auto failed = pipeline.refused();
  BOOST_TEST(failed.rests);
  BOOST_TEST(failed.visible == 4u);
}

BOOST_AUTO_TEST_CASE(of_a_flight_with_both_only_what_was_not_visible_is_refused) {
  auto with = with_async(2);
  with.async_ms = 0;
  pipeline_owner page{with};
  page.commit(added(1), 9); // sent to the journal
  page.commit(added(2), 10);
  page.commit(added(3), 11); // waits, because two visible changes are not saved
  page.commit(added(4), 12);
  page.journal_refuses();
  page.end_rest();
  BOOST_TEST(sent(page) == "1:9 2:10 3:11 4:12");
  page.journal_refuses();
  BOOST_TEST(page.refused == (std::vector<span_id>{11, 12}), boost::test_tools::per_element());
  page.end_rest();
  BOOST_TEST(sent(page) == "1:9 2:10");
  page.commit(added(5), 13);
  page.journal_saves();
  BOOST_TEST(sent(page) == "3:13");
}

// -- timeouts of the journal ------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_answer_counts_for_the_flight_that_is_under_way) {
  pipeline_owner page{with_sync()};
  BOOST_TEST(!page.pipeline.is_any_under_way());
  page.commit(added(1), 10);
  auto first = page.at_journal->number;
  BOOST_TEST(page.pipeline.is_under_way(first));
  page.journal_refuses(); // its answer is late
  BOOST_TEST(!page.pipeline.is_under_way(first));
  page.commit(added(1), 11);
  BOOST_TEST(!page.pipeline.is_under_way(first));
  BOOST_TEST(page.pipeline.is_under_way(page.at_journal->number));
  page.journal_saves();
  BOOST_TEST(!page.pipeline.is_any_under_way());
}

BOOST_AUTO_TEST_CASE(one_timer_watches_over_all_flights) {
  auto with = with_sync();
  with.save_ms = 100;
  commit_pipeline pipeline{with};
  pipeline.begin_wait(std::chrono::seconds{1});
  BOOST_CHECK(pipeline.answer_by() == timespan{std::chrono::milliseconds{1'100}});
  BOOST_TEST(pipeline.begin_watch());
  pipeline.begin_wait(std::chrono::seconds{2});
  BOOST_TEST(!pipeline.begin_watch());
  BOOST_CHECK(pipeline.answer_by() == timespan{std::chrono::milliseconds{2'100}});
  pipeline.end_watch();
  BOOST_TEST(pipeline.begin_watch());
}

// -- parked operations ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_operation_on_an_observation_waits_for_the_change_that_is_on_its_way) {
  pipeline_owner page{with_sync()};
  page.update(7, 10);
  page.update(7, 11);
  page.update(8, 12);
  BOOST_TEST(page.pipeline.is_busy(7));
  BOOST_TEST(page.pipeline.staged() == 2u); // the second update of 7 is parked
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10");
  page.journal_saves();
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10 2:12 3:11");
  BOOST_TEST(!page.pipeline.is_busy(7));
}

BOOST_AUTO_TEST_CASE(operations_that_wait_for_one_observation_go_on_in_their_order) {
  pipeline_owner page{with_sync()};
  for (span_id operation : {10, 11, 12, 13})
    page.update(7, operation);
  for (int i = 0; i < 4; ++i)
    page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:10 2:11 3:12 4:13");
  BOOST_TEST(page.pipeline.is_idle());
}

BOOST_AUTO_TEST_CASE(a_refusal_lets_those_go_on_that_waited_for_the_change) {
  pipeline_owner page{with_sync()};
  page.update(7, 10);
  page.update(7, 11);
  page.journal_refuses();
  BOOST_TEST(sent(page) == "1:11");
  page.journal_saves();
  BOOST_TEST(text_of(page.applied) == "1:11");
}

BOOST_AUTO_TEST_CASE(an_addition_keeps_nobody_waiting) {
  pipeline_owner page{with_sync()};
  page.commit(added(7), 10);
  BOOST_TEST(!page.pipeline.is_busy(7));
}

BOOST_AUTO_TEST_CASE(the_first_busy_observation_of_several_is_named) {
  pipeline_owner page{with_sync()};
  const std::vector<std::string> ids{"no id", "obs_20251105_1", "obs_20251105_7", "obs_20251105_8"};
  BOOST_TEST(!page.pipeline.first_busy(ids).has_value());
  page.update(8, 10);
  BOOST_TEST(page.pipeline.first_busy(ids).value() == 8u);
  page.update(7, 11);
  BOOST_TEST(page.pipeline.first_busy(ids).value() == 7u);
  BOOST_TEST(!page.pipeline.first_busy({}).has_value());
}

// -- changes under way -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_growth_of_what_is_on_its_way_is_known) {
  pipeline_owner page{with_sync()};
  page.commit(added(10, 2), 10, 300);
  page.commit(updated(3), 11, -50);
  BOOST_TEST(page.pipeline.staged_growth() == 2);
  BOOST_TEST(page.pipeline.staged_bytes() == 250);
  page.commit({change_of(event_kind::evicted, 4)}, 12, -100);
  page.commit({change_of(event_kind::expired, 5)}, 13, -100);
  page.commit({change_of(event_kind::archived, 6)}, 14, -100);
  BOOST_TEST(page.pipeline.staged_growth() == -1);
  BOOST_TEST(page.pipeline.staged_bytes() == -50);
  BOOST_TEST(page.pipeline.staged() == 6u);
  while (page.at_journal)
    page.journal_saves();
  BOOST_TEST(page.pipeline.staged_growth() == 0);
  BOOST_TEST(page.pipeline.staged_bytes() == 0);
  BOOST_TEST(page.pipeline.staged() == 0u);
}

} // namespace scratchpage::test
