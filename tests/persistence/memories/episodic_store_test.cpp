#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

namespace scratchpage {

using test::at;
using test::sample;
using test::shared;
using test::tagged;
using test::turns;

namespace {

episode story(std::string turn, int64_t end, std::vector<observation> observations = {}) {
  episode result;
  result.turn_id = std::move(turn);
  result.started_at = at(end - 1);
  result.ended_at = at(end);
  for (auto& x : observations)
    result.observations.push_back(shared(std::move(x)));
  return result;
}

void record(episodic_store& store, episode x) {
  auto err = store.record(std::move(x));
  BOOST_REQUIRE_MESSAGE(!err, describe(err));
}

std::string query(const episodic_store& store, const query_episodes& what) {
  auto found = store.query(what);
  BOOST_REQUIRE(found);
  return turns(*found);
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_episodic_store)

BOOST_AUTO_TEST_CASE(answers_the_newest_first_and_no_more_than_the_limit) {
  memory_episodic_store store;
  record(store, story("turn_1", 10));
  record(store, story("turn_2", 30));
  record(store, story("turn_3", 20));
  BOOST_TEST(query(store, {}) == "turn_2 turn_3 turn_1");
  BOOST_TEST(query(store, {.limit = 2}) == "turn_2 turn_3");
}

BOOST_AUTO_TEST_CASE(is_paged_through_also_where_several_ended_at_once) {
  memory_episodic_store store;
  for (int i = 0; i < 7; ++i)
    record(store, story("turn_" + std::to_string(i), i < 5 ? 10 : 20));
  query_episodes what{.limit = 2};
  std::string all;
  do {
    auto part = store.query(what);
    BOOST_REQUIRE(part);
    all += turns(*part) + "|";
    what.cursor = part->next_cursor;
  } while (!what.cursor.empty());
  BOOST_TEST(all == "turn_6 turn_5|turn_4 turn_3|turn_2 turn_1|turn_0|");
  for (const auto* wrong : {"x", "1", "1.", ".1", "1.x", "-1.1", "9223372036854775807.1"}) {
    what.cursor = wrong;
    BOOST_TEST(!store.query(what));
  }
}

BOOST_AUTO_TEST_CASE(drops_an_episode) {
  memory_episodic_store store;
  record(store, story("turn_1", 10));
  record(store, story("turn_2", 20));
  BOOST_TEST(!store.drop("turn_1"));
  BOOST_TEST(!store.drop("turn_9"));
  BOOST_TEST(query(store, {}) == "turn_2");
}

BOOST_AUTO_TEST_CASE(finds_a_turn_with_all_its_observations_in_any_status) {
  memory_episodic_store store;
  auto archived = sample("obs_1");
  archived.status = status::archived;
  auto expired = sample("obs_2");
  expired.status = status::expired;
  record(store, story("turn_1", 10, {archived, expired, sample("obs_3")}));
  record(store, story("turn_2", 20));
  auto found = store.query({.turn_id = "turn_1"});
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->episodes.size() == 1u);
  BOOST_TEST(test::ids(found->episodes[0].observations) == "obs_1 obs_2 obs_3");
}

BOOST_AUTO_TEST_CASE(wants_all_tags_and_all_words_in_one_observation) {
  memory_episodic_store store;
  auto wine = tagged("obs_1", {"wine", "user"});
  wine.content = "The user likes Burgundy, not Bordeaux.";
  auto order = tagged("obs_2", {"order"});
  order.content = "Ordered a case.";
  record(store, story("turn_1", 10, {wine, order}));
  record(store, story("turn_2", 20, {sample("obs_3", "Burgundy is a region")}));
  BOOST_TEST(query(store, {.tags = {"user", "wine"}}) == "turn_1");
  BOOST_TEST(query(store, {.tags = {"wine", "order"}}) == "");
  BOOST_TEST(query(store, {.text = "burgundy"}) == "turn_2 turn_1");
  BOOST_TEST(query(store, {.text = "Bordeaux burgundy!"}) == "turn_1");
  BOOST_TEST(query(store, {.text = "burgundy case"}) == "");
  BOOST_TEST(query(store, {.text = "burg"}) == "");
  BOOST_TEST(query(store, {.tags = {"order"}, .text = "burgundy"}) == "");
}

BOOST_AUTO_TEST_CASE(takes_times_as_exclusive_and_about_the_end) {
  memory_episodic_store store;
  for (int64_t i = 1; i <= 3; ++i)
    record(store, story("turn_" + std::to_string(i), 10 * i));
  BOOST_TEST(query(store, {.after = at(10)}) == "turn_3 turn_2");
  BOOST_TEST(query(store, {.before = at(30)}) == "turn_2 turn_1");
  BOOST_TEST(query(store, {.after = at(10), .before = at(30)}) == "turn_2");
}

BOOST_AUTO_TEST_CASE(leaves_out_and_counts_the_largest_of_a_story_that_is_too_long) {
  constexpr size_t count = 60; // their bytes take six characters each in JSON
  std::vector<observation> said;
  for (size_t i = 0; i < count; ++i)
    said.push_back(sample("obs_" + std::to_string(i), std::string(60'000 + i, '\x01')));
  auto input = sample("input", std::string(65'000, '\x01'));
  input.type = "user_input";
  said.insert(said.begin(), input);
  said.push_back(sample("short"));
  memory_episodic_store store;
  record(store, story("turn_1", 10, said));
  auto kept = store.query({})->episodes.at(0);
  BOOST_TEST(to_json_text(kept).size() < episode_limits::bytes + 10'000);
  BOOST_TEST(to_json_text(kept).size() > episode_limits::bytes / 2);
  BOOST_TEST(kept.left_out > 0u);
  BOOST_TEST(kept.observations.size() + kept.left_out == count + 2);
  auto left = test::ids(kept.observations);
  BOOST_TEST(left.starts_with("input obs_0 obs_1 "));
  BOOST_TEST(left.ends_with(" short"));
}

BOOST_AUTO_TEST_CASE(keeps_all_of_a_story_that_is_long_but_not_too_long) {
  memory_episodic_store store;
  std::vector<observation> said;
  for (size_t i = 0; i < 100; ++i)
    said.push_back(sample("obs_" + std::to_string(i), std::string(60'000, 'x')));
  record(store, story("turn_1", 10, said));
  auto kept = store.query({})->episodes.at(0);
  BOOST_TEST(kept.observations.size() == 100u);
  BOOST_TEST(kept.left_out == 0u);
}

BOOST_AUTO_TEST_CASE(answers_with_as_many_bytes_as_an_answer_may_have_and_one_at_least) {
  memory_episodic_store store;
  auto large = sample("obs_1", std::string(episode_limits::answer_bytes / 3, 'x'));
  for (int64_t i = 1; i <= 4; ++i)
    record(store, story("turn_" + std::to_string(i), i, {large}));
  BOOST_TEST(query(store, {}) == "turn_4 turn_3");
  record(store, story("turn_5", 5, {large, large, large, large}));
  BOOST_TEST(query(store, {}) == "turn_5");
}

BOOST_AUTO_TEST_CASE(keeps_a_turn_once) {
  memory_episodic_store store{{.max_observations = 2}};
  record(store, story("turn_1", 10, {sample("obs_1"), sample("obs_2")}));
  record(store, story("turn_2", 20));
  record(store, story("turn_1", 30, {sample("obs_1"), sample("obs_2")}));
  BOOST_TEST(query(store, {}) == "turn_1 turn_2");
  BOOST_TEST(store.dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(drops_the_oldest_episodes_for_want_of_room) {
  memory_episodic_store store{{.max_episodes = 2, .max_observations = 3}};
  record(store, story("turn_1", 10));
  record(store, story("turn_2", 20, {sample("obs_1"), sample("obs_2")}));
  record(store, story("turn_3", 30));
  BOOST_TEST(query(store, {}) == "turn_3 turn_2");
  record(store, story("turn_4", 40, {sample("obs_3"), sample("obs_4")}));
  BOOST_TEST(query(store, {}) == "turn_4 turn_3");
  BOOST_TEST(store.dropped() == 2u);
}

BOOST_AUTO_TEST_CASE(drops_the_oldest_episodes_when_they_take_too_many_bytes_in_memory) {
  memory_episodic_store store{{.max_memory_bytes = 250'000}};
  auto large = sample("obs_1", std::string(100'000, 'x'));
  for (int64_t i = 1; i <= 4; ++i)
    record(store, story("turn_" + std::to_string(i), i, {large}));
  BOOST_TEST(query(store, {}) == "turn_4 turn_3");
  record(store, story("turn_5", 5, {large, large, large})); // too large, but the newest
  BOOST_TEST(query(store, {}) == "turn_5");
  record(store, story("turn_6", 6));
  BOOST_TEST(query(store, {}) == "turn_6");
}

BOOST_AUTO_TEST_CASE(keeps_the_latest_observations_of_a_turn_that_has_too_many) {
  memory_episodic_store store{{.max_observations = 2}};
  record(store, story("turn_1", 10, {sample("obs_1"), sample("obs_2"), sample("obs_3")}));
  auto found = store.query({});
  BOOST_REQUIRE(found);
  BOOST_TEST(test::ids(found->episodes.at(0).observations) == "obs_2 obs_3");
}

BOOST_AUTO_TEST_CASE(refuses_an_episode_without_a_turn_and_a_senseless_limit) {
  memory_episodic_store store;
  auto err = store.record(story("", 10));
  BOOST_TEST(field_of(err) == "episode.turn_id");
  auto found = store.query({.limit = 0});
  BOOST_REQUIRE(!found);
  BOOST_TEST(field_of(found.error()) == "limit");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
