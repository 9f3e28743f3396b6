#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/memory/memory_ranking.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

/// One ranking for observations, episodes and facts.

namespace scratchpage {

using test::at;
using test::sample;
using test::shared;

namespace {

fact known(std::string id, std::string statement) {
  fact result;
  result.fact_id = std::move(id);
  result.statement = std::move(statement);
  result.sources = {"user ann"};
  result.last_seen = at(0);
  return result;
}

std::string ids(const memory_hits& xs) {
  std::string result;
  for (const auto& x : xs.hits)
    result += (result.empty() ? "" : " ") + (x.fact_id.empty() ? x.observation_id : x.fact_id);
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_memory_ranking)

BOOST_AUTO_TEST_CASE(puts_what_shares_rare_words_before_what_shares_common_ones) {
  memory_ranking ranking{"smoke room"};
  ranking.add(to_hit(memory_part::page, sample("obs_1", "The room is cold")));
  ranking.add(to_hit(memory_part::page, sample("obs_2", "A room with a view")));
  ranking.add(to_hit(memory_part::archive, sample("obs_3", "Smoke was seen")));
  ranking.add(to_hit(known("fact_1", "Smoke in the server room comes from the old fan")));
  ranking.add(to_hit(known("fact_2", "Ann lives in Berlin")));
  auto found = ranking.result(10);
  BOOST_TEST(ids(found) == "fact_1 obs_3 obs_1 obs_2");
  BOOST_TEST(found.total_count == 4u);
  for (const auto& x : found.hits)
    BOOST_TEST((x.score > 0 && x.score <= 1));
}

BOOST_AUTO_TEST_CASE(shows_an_observation_once_and_an_episode_by_its_best) {
  memory_ranking ranking{"smoke in the server room"};
  auto seen = sample("obs_1", "Smoke in the server room");
  ranking.add(to_hit(memory_part::archive, seen));
  episode story;
  story.turn_id = "turn_1";
  story.observations = {shared(seen)};
  ranking.add(story);
  story.turn_id = "turn_2";
  story.observations = {shared(sample("obs_2", "Hello")), shared(sample("obs_3", "The server")),
    shared(sample("obs_4", "Smoke near the server"))};
  ranking.add(story);
  auto found = ranking.result(10);
  BOOST_TEST(ids(found) == "obs_1 obs_4");
  BOOST_TEST((found.hits[0].in == memory_part::archive));
  BOOST_TEST(found.hits[1].turn_id == "turn_2");
}

BOOST_AUTO_TEST_CASE(puts_the_newest_first_among_equals_and_keeps_to_the_limit) {
  memory_ranking ranking{"allergies"};
  auto later = sample("obs_2", "An allergy");
  later.created_at = at(60);
  ranking.add(to_hit(memory_part::page, sample("obs_1", "An allergy")));
  ranking.add(to_hit(memory_part::page, later));
  auto found = ranking.result(1);
  BOOST_TEST(ids(found) == "obs_2");
  BOOST_TEST(found.total_count == 2u);
}

BOOST_AUTO_TEST_CASE(knows_irregular_verbs_and_the_day) {
  memory_ranking ranking{"who went there in may"};
  auto x = sample("obs_1", "Ada goes home");
  auto y = sample("obs_2", "Nothing else");
  y.created_at = *from_rfc3339("2023-05-08T00:00:00Z");
  ranking.add(to_hit(memory_part::archive, x));
  ranking.add(to_hit(memory_part::archive, y));
  BOOST_TEST(ranking.result(10).total_count == 2u);
}

BOOST_AUTO_TEST_CASE(cuts_what_it_shows) {
  memory_ranking ranking{"x"};
  ranking.add(to_hit(memory_part::page, sample("obs_1", "x " + std::string(10'000, 'y'))));
  auto found = ranking.result(10);
  BOOST_REQUIRE(found.hits.size() == 1u);
  BOOST_TEST(found.hits[0].text.size() <= search_limits::shown_bytes);
}

BOOST_AUTO_TEST_CASE(looks_for_episodes_by_the_longest_words) {
  auto words = memory_ranking{"a smoke in the big server room"}.key_words();
  BOOST_REQUIRE(words.size() == search_limits::words);
  BOOST_TEST(words.front() == "server");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
