#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/memory/memory_ranking.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

/// One ranking for observations, episodes and facts.

namespace scratchpage {

using test::at;
using test::sample;
using test::shared;

namespace {

/// An observation that belongs to no turn.
observation_ptr alone(std::string id, std::string content, timestamp created = at(0)) {
  auto result = sample(std::move(id), std::move(content));
  result.source.turn_id = "";
  result.created_at = created;
  return shared(std::move(result));
}

/// The n-th observation of the page, in a thread.
observation_ptr in_thread(unsigned n, std::string content, std::string thread = "trip") {
  auto result = sample("obs_" + std::to_string(n), std::move(content));
  result.source.turn_id = "";
  result.context["thread_id"] = std::move(thread);
  return shared(std::move(result));
}

/// Others, so that no word of a test is usual.
void add_others(memory_ranking& to) {
  for (unsigned n = 1'000; n < 1'020; ++n)
    to.add(memory_part::archive, in_thread(n, "filler", "other"));
}

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
  ranking.add(memory_part::page, alone("obs_1", "The room is cold"));
  ranking.add(memory_part::page, alone("obs_2", "A room with a view"));
  ranking.add(memory_part::archive, alone("obs_3", "Smoke was seen"));
  ranking.add(known("fact_1", "Smoke in the server room comes from the old fan"));
  ranking.add(known("fact_2", "Ann lives in Berlin"));
  auto found = ranking.result(10);
  BOOST_TEST(ids(found) == "fact_1 obs_3 obs_1 obs_2");
  BOOST_TEST(found.total_count == 4u);
  for (const auto& x : found.hits)
    BOOST_TEST((x.score > 0 && x.score <= 1));
}

BOOST_AUTO_TEST_CASE(shows_an_observation_once_and_an_episode_by_its_best) {
  auto seen = alone("obs_1", "Smoke in the server room");
  episode first;
  first.turn_id = "turn_1";
  first.observations = {seen};
  episode second;
  second.turn_id = "turn_2";
  second.observations = {
    alone("obs_2", "Hello"), alone("obs_3", "The server"), alone("obs_4", "Smoke near the server")};
  memory_ranking ranking{"smoke in the server room"};
  ranking.add(second);
  ranking.add(first);
  ranking.add(second);                     // found by another word
  ranking.add(memory_part::archive, seen); // whichever memory answers first
  auto found = ranking.result(10);
  BOOST_TEST(ids(found) == "obs_1 obs_4");
  BOOST_TEST((found.hits[0].in == memory_part::archive));
  BOOST_TEST(found.hits[1].turn_id == "turn_2");
}

BOOST_AUTO_TEST_CASE(puts_the_newest_first_among_equals_and_keeps_to_the_limit) {
  memory_ranking ranking{"allergies"};
  ranking.add(memory_part::archive, alone("obs_1", "An allergy"));
  ranking.add(memory_part::archive, alone("obs_2", "An allergy", at(60)));
  auto found = ranking.result(1);
  BOOST_TEST(ids(found) == "obs_2");
  BOOST_TEST(found.total_count == 2u);
}

BOOST_AUTO_TEST_CASE(knows_irregular_verbs_and_the_day) {
  memory_ranking ranking{"who went there in may"};
  ranking.add(memory_part::archive, alone("obs_1", "Ada goes home"));
  ranking.add(
    memory_part::archive, alone("obs_2", "Nothing else", *from_rfc3339("2023-05-08T00:00:00Z")));
  BOOST_TEST(ranking.result(10).total_count == 2u);
}

BOOST_AUTO_TEST_CASE(prefers_what_stands_among_others_that_fit) {
  memory_ranking ranking{"wine or tea"};
  add_others(ranking);
  auto one = in_thread(1, "the tea was good", "a");
  auto two = in_thread(3, "the tea was good", "b");
  ranking.add(memory_part::archive, one);
  ranking.add(memory_part::archive, in_thread(2, "red wine", "b"));
  ranking.add(memory_part::archive, two);
  ranking.add(memory_part::archive, in_thread(4, "wine", "b"));
  auto found = ids(ranking.result(10));
  BOOST_TEST(found.find(two->observation_id) < found.find(one->observation_id));
}

BOOST_AUTO_TEST_CASE(finds_neighbours_in_other_memories) {
  memory_ranking ranking{"dentist"};
  add_others(ranking);
  ranking.add(memory_part::page, in_thread(5, "the dentist was nice"));
  ranking.add(memory_part::archive, in_thread(4, "I was in Rome"));
  ranking.add(memory_part::archive, in_thread(3, "I was in Rome", "b"));
  episode story;
  story.turn_id = "turn_1";
  story.observations = {in_thread(6, "it cost a lot")};
  ranking.add(story);
  BOOST_TEST(ids(ranking.result(10)) == "obs_5 obs_6 obs_4");
}

BOOST_AUTO_TEST_CASE(finds_what_the_ensemble_noted_by_its_own_words_only) {
  auto noted = [](unsigned n, std::string content) {
    auto result = *in_thread(n, std::move(content));
    result.source.kind = source_kind::daemon;
    result.source.name = "router";
    return shared(std::move(result));
  };
  memory_ranking ranking{"Where is the harbour?"};
  add_others(ranking);
  ranking.add(memory_part::archive, in_thread(1, "The harbour is closed"));
  ranking.add(memory_part::archive, noted(2, "Urgency low: nothing is wrong"));
  ranking.add(memory_part::archive, in_thread(3, "Until noon"));
  ranking.add(memory_part::archive, noted(4, "Urgency high: the harbour burns"));
  auto found = ids(ranking.result(10));
  BOOST_TEST(found.find("obs_1") != std::string::npos);
  BOOST_TEST(found.find("obs_2") == std::string::npos);
  BOOST_TEST(found.find("obs_3") != std::string::npos);
  BOOST_TEST(found.find("obs_4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(keeps_the_order_of_a_page) {
  memory_ranking ranking{"tea"};
  ranking.add(memory_part::page, alone("obs_1", "Something with a neighbour elsewhere"));
  ranking.add(memory_part::page, alone("obs_2", "Much is said about tea and other things"));
  ranking.add(memory_part::page, alone("obs_3", "Tea"));
  ranking.add(memory_part::page, alone("obs_4", "Nothing"));
  auto found = ranking.result(10);
  BOOST_TEST(ids(found) == "obs_1 obs_2 obs_3");
  for (size_t i = 1; i < found.hits.size(); ++i)
    BOOST_TEST(found.hits[i - 1].score > found.hits[i].score);
}

BOOST_AUTO_TEST_CASE(cuts_what_it_shows) {
  memory_ranking ranking{"x"};
  ranking.add(memory_part::page, alone("obs_1", "x " + std::string(10'000, 'y')));
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
