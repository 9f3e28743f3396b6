#include <array>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/promotion_queue.hpp"

namespace scratchpage {

namespace {

constexpr size_t all = 100;

promotion_candidate candidate(
  uint64_t number, std::string content = "x", std::string counts_for = {}) {
  observation x;
  x.observation_id = "obs_" + std::to_string(number);
  x.content = std::move(content);
  return {observation_ptr{std::move(x)}, "rule", 0, std::move(counts_for)};
}

promotion_candidate of_program(uint64_t number, std::string program) {
  return candidate(number, "x", std::move(program));
}

/// The id of the observation that was left out, "" if there is none.
std::string left_out(const observation_ptr& x) {
  return x ? x->observation_id : "";
}

std::string ids(const std::vector<promotion_candidate>& list) {
  std::string result;
  for (const auto& x : list)
    result.append(result.empty() ? "" : " ").append(x.observation->observation_id);
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(candidates_are_taken_together_and_one_batch_at_a_time) {
  promotion_queue queue{10};
  queue.offer(2, 20, candidate(2));
  queue.offer(1, 21, candidate(1));
  BOOST_TEST(ids(queue.take(all)) == "obs_1 obs_2");
  queue.offer(3, 22, candidate(3));
  BOOST_TEST(queue.take(all).empty());
  queue.done({});
  BOOST_TEST(ids(queue.take(all)) == "obs_3");
}

BOOST_AUTO_TEST_CASE(candidates_wait_for_what_was_on_its_way_with_them_and_for_nothing_later) {
  promotion_queue queue{10};
  queue.offer(1, 5, candidate(1));
  BOOST_TEST(queue.must_hold(7, 5, true));
  BOOST_TEST(queue.must_hold(9, 6, true)); // 8 and 9 came after the candidate
  BOOST_TEST(!queue.must_hold(9, 7, true));
  BOOST_TEST(queue.must_hold(9, 7, true));   // the candidates after it
  BOOST_TEST(!queue.must_hold(8, 7, false)); // storage refused the changes before it
}

BOOST_AUTO_TEST_CASE(a_newer_revision_takes_the_place_of_the_older) {
  promotion_queue queue{1};
  BOOST_TEST(!queue.offer(1, 20, candidate(1, "old")));
  BOOST_TEST(!queue.offer(1, 21, candidate(1, "new")));
  auto taken = queue.take(all);
  BOOST_REQUIRE(taken.size() == 1u);
  BOOST_TEST(taken.front().observation->content == "new");
}

BOOST_AUTO_TEST_CASE(a_full_queue_takes_no_more) {
  promotion_queue queue{2};
  BOOST_TEST(!queue.offer(1, 20, candidate(1)));
  BOOST_TEST(!queue.offer(2, 21, candidate(2)));
  BOOST_TEST(left_out(queue.offer(3, 22, candidate(3))) == "obs_3");
  BOOST_TEST(ids(queue.take(all)) == "obs_1 obs_2");
}

BOOST_AUTO_TEST_CASE(a_full_queue_takes_newer_revisions_of_what_waits_or_was_put_back) {
  promotion_queue queue{2};
  queue.offer(1, 20, candidate(1));
  queue.offer(2, 21, candidate(2));
  BOOST_TEST(!queue.offer(1, 22, candidate(1, "newer")));
  BOOST_TEST(ids(queue.take(all)) == "obs_1 obs_2");
  queue.failed();
  BOOST_TEST(!queue.offer(1, 23, candidate(1, "newest")));
  BOOST_TEST(left_out(queue.offer(3, 24, candidate(3))) == "obs_3");
  auto taken = queue.take(all);
  BOOST_TEST(ids(taken) == "obs_1");
  BOOST_TEST(taken.front().observation->content == "newest");
  queue.done({});
  BOOST_TEST(queue.retry(all) == 1u);
  BOOST_TEST(ids(queue.take(all)) == "obs_2");
}

BOOST_AUTO_TEST_CASE(what_could_not_be_dealt_with_waits_for_the_next_turn) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1));
  queue.offer(2, 21, candidate(2));
  queue.take(all);
  queue.done({"obs_2"});
  BOOST_TEST(queue.take(all).empty());
  BOOST_TEST(queue.oldest() == 0u); // does not keep its turn open
  BOOST_TEST(queue.retry(all) == 1u);
  BOOST_TEST(queue.oldest() == 21u);
  BOOST_TEST(ids(queue.take(all)) == "obs_2");
}

BOOST_AUTO_TEST_CASE(a_batch_that_failed_is_put_back_whole) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1));
  queue.offer(2, 21, candidate(2));
  queue.take(all);
  queue.failed();
  BOOST_TEST(queue.retry(all) == 2u);
  BOOST_TEST(ids(queue.take(all)) == "obs_1 obs_2");
}

BOOST_AUTO_TEST_CASE(a_revision_that_came_meanwhile_is_not_put_back_over) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1, "old"));
  queue.take(all);
  queue.offer(1, 22, candidate(1, "new"));
  queue.failed();
  BOOST_TEST(queue.retry(all) == 0u);
  auto taken = queue.take(all);
  BOOST_REQUIRE(taken.size() == 1u);
  BOOST_TEST(taken.front().observation->content == "new");
}

BOOST_AUTO_TEST_CASE(the_oldest_change_counts_while_it_waits_and_is_looked_at) {
  promotion_queue queue{10};
  BOOST_TEST(queue.oldest() == 0u);
  queue.offer(1, 20, candidate(1));
  queue.take(all);
  queue.offer(2, 21, candidate(2));
  BOOST_TEST(queue.oldest() == 20u);
  queue.done({});
  BOOST_TEST(queue.oldest() == 21u);
}

BOOST_AUTO_TEST_CASE(what_left_the_page_is_no_candidate_any_more) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1));
  queue.erase(1);
  BOOST_TEST(queue.take(all).empty());
  queue.offer(2, 21, candidate(2));
  queue.take(all);
  queue.erase(2);
  queue.failed();
  BOOST_TEST(queue.retry(all) == 0u);
}

BOOST_AUTO_TEST_CASE(so_many_are_taken_at_a_time) {
  promotion_queue queue{10};
  for (uint64_t i = 1; i <= 5; ++i)
    queue.offer(i, 20 + i, candidate(i));
  BOOST_TEST(ids(queue.take(3)) == "obs_1 obs_2 obs_3");
  queue.done({});
  BOOST_TEST(queue.has_waiting());
  BOOST_TEST(ids(queue.take(3)) == "obs_4 obs_5");
}

BOOST_AUTO_TEST_CASE(a_program_from_outside_gives_way_to_everybody_else) {
  promotion_queue queue{3};
  queue.offer(1, 21, of_program(1, "tool gauge"));
  queue.offer(2, 22, of_program(2, "tool gauge"));
  queue.take(1);
  queue.done({"obs_1"});
  queue.offer(3, 23, of_program(3, "tool gauge"));
  BOOST_TEST(left_out(queue.offer(4, 24, of_program(4, "tool gauge"))) == "obs_4");
  BOOST_TEST(left_out(queue.offer(5, 25, candidate(5))) == "obs_3");
  BOOST_TEST(left_out(queue.offer(6, 26, of_program(6, "tool scale"))) == "obs_2");
  BOOST_TEST(left_out(queue.offer(7, 27, of_program(7, "tool scale"))) == "obs_7");
  BOOST_TEST(left_out(queue.offer(8, 28, candidate(8))) != "");
  BOOST_TEST(left_out(queue.offer(9, 29, candidate(9))) != "");
  BOOST_TEST(left_out(queue.offer(10, 30, candidate(10))) == "obs_10");
  BOOST_TEST(ids(queue.take(all)) == "obs_5 obs_8 obs_9");
}

BOOST_AUTO_TEST_CASE(tells_beforehand_whether_a_candidate_would_be_left_out) {
  promotion_queue queue{4};
  const std::array<std::string, 3> programs{"", "tool gauge", "tool scale"};
  size_t refused = 0;
  for (uint64_t i = 0; i < 300; ++i) {
    auto number = i * 7 % 40 + i / 4; // some come again while they wait
    const auto& program = programs[i * i % 5 % 3];
    auto has_room = queue.has_room_for(number, program);
    auto id = "obs_" + std::to_string(number);
    BOOST_TEST(
      has_room == (left_out(queue.offer(number, i + 1, of_program(number, program))) != id));
    refused += has_room ? 0 : 1;
    if (i % 11 == 0) {
      queue.take(1 + i % 3);
      queue.done({id});
    }
  }
  BOOST_TEST(refused > 20u);
  BOOST_TEST(refused < 280u);
}

BOOST_AUTO_TEST_CASE(so_many_are_reviewed_at_a_time_and_those_of_programs_last) {
  promotion_queue queue{10};
  for (uint64_t i = 1; i <= 4; ++i)
    queue.offer(i, 20 + i, of_program(i, "tool gauge"));
  queue.offer(5, 25, candidate(5));
  queue.take(all);
  queue.failed();
  BOOST_TEST(queue.retry(2) == 2u);
  BOOST_TEST(ids(queue.take(all)) == "obs_1 obs_5");
  queue.done({"obs_1"});
  BOOST_TEST(queue.retry(2) == 2u); // others than before
  BOOST_TEST(ids(queue.take(all)) == "obs_2 obs_3");
  queue.failed();
  BOOST_TEST(queue.retry(all) == 4u);
}

BOOST_AUTO_TEST_CASE(what_was_put_back_can_be_moved_to_another_queue) {
  promotion_queue queue{10};
  for (uint64_t i = 1; i <= 3; ++i)
    queue.offer(i, 20 + i, of_program(i, "tool gauge"));
  queue.take(all);
  queue.failed();
  queue.retry(1);
  queue.take(all);
  queue.failed(); // the first one was tried twice
  promotion_queue other{3};
  for (auto& x : queue.put_back())
    other.restore(std::move(x));
  BOOST_TEST(other.is_idle());
  BOOST_TEST(left_out(other.offer(4, 24, candidate(4))) == "obs_3"); // it counts for its program
  BOOST_TEST(ids(other.take(all)) == "obs_4");
  other.done({});
  BOOST_TEST(other.retry(1) == 1u);
  BOOST_TEST(other.oldest() == 22u);
  BOOST_TEST(ids(other.take(all)) == "obs_2");
}

} // namespace scratchpage
