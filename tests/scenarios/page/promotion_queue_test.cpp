#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/promotion_queue.hpp"

namespace scratchpage {

namespace {

promotion_candidate candidate(uint64_t number, std::string content = "x") {
  observation x;
  x.observation_id = "obs_" + std::to_string(number);
  x.content = std::move(content);
  return {observation_ptr{std::move(x)}, "rule", 0};
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
  BOOST_TEST(ids(queue.take()) == "obs_1 obs_2");
  queue.offer(3, 22, candidate(3));
  BOOST_TEST(queue.take().empty());
  queue.done({});
  BOOST_TEST(ids(queue.take()) == "obs_3");
}

BOOST_AUTO_TEST_CASE(a_newer_revision_takes_the_place_of_the_older) {
  promotion_queue queue{1};
  BOOST_TEST(queue.offer(1, 20, candidate(1, "old")));
  BOOST_TEST(queue.offer(1, 21, candidate(1, "new")));
  auto taken = queue.take();
  BOOST_REQUIRE(taken.size() == 1u);
  BOOST_TEST(taken.front().observation->content == "new");
}

BOOST_AUTO_TEST_CASE(a_full_queue_takes_no_more) {
  promotion_queue queue{2};
  BOOST_TEST(queue.offer(1, 20, candidate(1)));
  BOOST_TEST(queue.offer(2, 21, candidate(2)));
  BOOST_TEST(!queue.offer(3, 22, candidate(3)));
  BOOST_TEST(ids(queue.take()) == "obs_1 obs_2");
}

BOOST_AUTO_TEST_CASE(what_could_not_be_dealt_with_waits_for_the_next_turn) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1));
  queue.offer(2, 21, candidate(2));
  queue.take();
  queue.done({"obs_2"});
  BOOST_TEST(queue.take().empty());
  BOOST_TEST(queue.oldest() == 0u); // its turn may end
  BOOST_TEST(queue.retry() == 1u);
  BOOST_TEST(queue.oldest() == 21u);
  BOOST_TEST(ids(queue.take()) == "obs_2");
}

BOOST_AUTO_TEST_CASE(a_batch_that_failed_is_put_back_whole) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1));
  queue.offer(2, 21, candidate(2));
  queue.take();
  queue.failed();
  BOOST_TEST(queue.retry() == 2u);
  BOOST_TEST(ids(queue.take()) == "obs_1 obs_2");
}

BOOST_AUTO_TEST_CASE(a_revision_that_came_meanwhile_is_not_put_back_over) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1, "old"));
  queue.take();
  queue.offer(1, 22, candidate(1, "new"));
  queue.failed();
  BOOST_TEST(queue.retry() == 0u);
  auto taken = queue.take();
  BOOST_REQUIRE(taken.size() == 1u);
  BOOST_TEST(taken.front().observation->content == "new");
}

BOOST_AUTO_TEST_CASE(the_oldest_change_counts_while_it_waits_and_is_looked_at) {
  promotion_queue queue{10};
  BOOST_TEST(queue.oldest() == 0u);
  queue.offer(1, 20, candidate(1));
  queue.take();
  queue.offer(2, 21, candidate(2));
  BOOST_TEST(queue.oldest() == 20u);
  queue.done({});
  BOOST_TEST(queue.oldest() == 21u);
}

BOOST_AUTO_TEST_CASE(what_left_the_page_is_no_candidate_any_more) {
  promotion_queue queue{10};
  queue.offer(1, 20, candidate(1));
  queue.erase(1);
  BOOST_TEST(queue.take().empty());
  queue.offer(2, 21, candidate(2));
  queue.take();
  queue.erase(2);
  queue.failed();
  BOOST_TEST(queue.retry() == 0u);
}

} // namespace scratchpage
