#include <cmath>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

namespace scratchpage {

using test::at;
using test::statements;

namespace {

fact learn(semantic_store& store, std::string statement,
  fact_outcome outcome = fact_outcome::success, int64_t seconds = 0,
  std::vector<std::string> tags = {}, std::vector<std::string> from = {}) {
  auto learnt =
    store.learn({std::move(statement), std::move(tags), outcome, std::move(from)}, at(seconds), 0);
  BOOST_REQUIRE_MESSAGE(learnt, describe(learnt ? caf::error{} : learnt.error()));
  return *learnt;
}

std::string sources_of(const fact& x) {
  std::string result;
  for (const auto& one : x.sources)
    result.append(result.empty() ? "" : ", ").append(one);
  return result;
}

std::string query(const semantic_store& store, const query_facts& what) {
  auto found = store.query(what);
  BOOST_REQUIRE(found);
  return statements(*found);
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_semantic_store)

BOOST_AUTO_TEST_CASE(knows_one_statement_in_many_spellings) {
  memory_semantic_store store;
  learn(store, "User prefers Burgundy wines", fact_outcome::success, 0);
  learn(store, "  user  prefers\tburgundy\nwines. ", fact_outcome::success, 5);
  auto known = learn(store, "USER PREFERS BURGUNDY WINES !?", fact_outcome::success, 9);
  BOOST_TEST(store.size() == 1u);
  BOOST_TEST(known.fact_id == "fact_1");
  BOOST_TEST(known.statement == "User prefers Burgundy wines");
  BOOST_TEST(known.support == 3u);
  BOOST_TEST((known.first_seen == at(0)));
  BOOST_TEST((known.last_seen == at(9)));
  BOOST_TEST(learn(store, "User prefers Burgundy").fact_id == "fact_2");
}

BOOST_AUTO_TEST_CASE(grows_confident_with_success_and_never_quite_sure) {
  memory_semantic_store store{{.initial_confidence = 0.5, .success_rate = 0.2}};
  BOOST_TEST(learn(store, "x").confidence == 0.6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(learn(store, "x").confidence == 0.68, boost::test_tools::tolerance(1e-12));
  for (int i = 0; i < 1000; ++i)
    BOOST_REQUIRE(learn(store, "x").confidence <= 1.0);
  BOOST_TEST(learn(store, "x").confidence > 0.99);
}

BOOST_AUTO_TEST_CASE(loses_confidence_with_failure_and_contradiction) {
  memory_semantic_store store{
    {.initial_confidence = 0.5, .failure_rate = 0.2, .contradiction_rate = 0.5}};
  auto failed = learn(store, "x", fact_outcome::failure);
  BOOST_TEST(failed.confidence == 0.4, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(failed.support == 0u);
  auto contradicted = learn(store, "x", fact_outcome::contradiction);
  BOOST_TEST(contradicted.confidence == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(contradicted.contradicted == 1u);
  BOOST_TEST(contradicted.support == 0u);
}

BOOST_AUTO_TEST_CASE(names_as_sources_who_said_so_and_not_who_denied_it) {
  memory_semantic_store store;
  auto sources_after = [&](fact_outcome outcome, std::string who) {
    fact_lesson x{"User prefers trips to Paris", {}, outcome, {}, {std::move(who)}};
    auto learnt = store.learn(x, at(0), 0);
    BOOST_REQUIRE(learnt);
    return sources_of(*learnt);
  };
  BOOST_TEST(sources_after(fact_outcome::success, "user ann") == "user ann");
  BOOST_TEST(sources_after(fact_outcome::contradiction, "daemon other") == "user ann");
  BOOST_TEST(sources_after(fact_outcome::failure, "daemon other") == "user ann");
  BOOST_TEST(sources_after(fact_outcome::success, "user bob") == "user ann, user bob");
}

BOOST_AUTO_TEST_CASE(names_who_brought_a_statement_that_nobody_else_has_said) {
  memory_semantic_store store;
  fact_lesson x{"User prefers trips", {}, fact_outcome::contradiction, {}, {"daemon other"}};
  auto learnt = store.learn(x, at(0), 0);
  BOOST_REQUIRE(learnt);
  BOOST_TEST(sources_of(*learnt) == "daemon other");
}

BOOST_AUTO_TEST_CASE(collects_tags_and_the_latest_observations) {
  memory_semantic_store store{{.max_observation_ids = 2, .max_tags = 2}};
  learn(store, "x", fact_outcome::success, 0, {"a"}, {"obs_1", "obs_2"});
  auto known = learn(store, "x", fact_outcome::success, 0, {"a", "b", "c"}, {"obs_1", "obs_3"});
  BOOST_TEST(known.tags == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST(known.observation_ids == (std::vector<std::string>{"obs_1", "obs_3"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ranks_by_shared_words_then_confidence) {
  memory_semantic_store store;
  learn(store, "User prefers red wine");
  learn(store, "User prefers Burgundy wine");
  learn(store, "Flights are late");
  learn(store, "Flights are late");
  BOOST_TEST(query(store, {.text = "burgundy, which WINE?"})
             == "User prefers Burgundy wine, User prefers red wine, Flights are late");
  BOOST_TEST(query(store, {.text = ""})
             == "Flights are late, User prefers red wine, User prefers Burgundy wine");
  BOOST_TEST(query(store, {.text = "wine", .limit = 1}) == "User prefers red wine");
}

BOOST_AUTO_TEST_CASE(selects_by_tags_and_confidence) {
  memory_semantic_store store;
  learn(store, "a", fact_outcome::success, 0, {"wine", "user"});
  learn(store, "b", fact_outcome::failure, 0, {"wine"});
  BOOST_TEST(query(store, {.tags = {"wine"}}) == "a, b");
  BOOST_TEST(query(store, {.tags = {"user", "wine"}}) == "a");
  BOOST_TEST(query(store, {.min_confidence = 0.5}) == "a");
}

BOOST_AUTO_TEST_CASE(forgets_the_least_supported_and_of_those_the_longest_unseen) {
  memory_semantic_store store{{.max_facts = 3}};
  learn(store, "often", fact_outcome::success, 0);
  learn(store, "often", fact_outcome::success, 1);
  learn(store, "old", fact_outcome::success, 2);
  learn(store, "young", fact_outcome::success, 3);
  learn(store, "old", fact_outcome::failure, 4); // seen again, but not supported
  learn(store, "new", fact_outcome::failure, 5);
  BOOST_TEST(store.dropped() == 1u);
  BOOST_TEST(query(store, {}) == "often, old, new"); // "young" is forgotten
  auto again = learn(store, "newer", fact_outcome::success, 6);
  BOOST_TEST(again.fact_id == "fact_5"); // numbers are never used again
  BOOST_TEST(query(store, {}) == "often, newer, old");
}

BOOST_AUTO_TEST_CASE(refuses_what_says_nothing) {
  memory_semantic_store store;
  for (auto blank : {"", "  ", "...", "\t!\n"}) {
    auto learnt = store.learn({.statement = blank}, at(0), 0);
    BOOST_REQUIRE(!learnt);
    BOOST_TEST(field_of(learnt.error()) == "statement");
  }
  auto found = store.query({.limit = 2000});
  BOOST_REQUIRE(!found);
  BOOST_TEST(field_of(found.error()) == "limit");
}

BOOST_AUTO_TEST_CASE(counts_shared_words_whichever_text_is_the_longer) {
  auto few = word_set_of("a dog and a cat");
  auto many = word_set_of("the cat sat beside the dog under the tree");
  BOOST_TEST(count_shared(few, many) == 2u);
  BOOST_TEST(count_shared(many, few) == 2u);
  BOOST_TEST(count_shared(few, {}) == 0u);
}

BOOST_AUTO_TEST_CASE(cuts_what_is_too_long_for_a_fact) {
  memory_semantic_store store;
  std::string text;
  for (int i = 0; text.size() < 60'000; ++i)
    text += std::to_string(i) + " ";
  std::vector<std::string> many(10'000, "tag");
  many[0] = std::string(fact_limits::text_bytes + 1, 'x');
  auto known = learn(store, text, fact_outcome::success, 0, many, many);
  BOOST_TEST(known.statement.size() <= fact_limits::statement_bytes);
  BOOST_TEST(text.starts_with(known.statement));
  BOOST_TEST(known.tags == std::vector<std::string>{"tag"}, boost::test_tools::per_element());
  BOOST_TEST(
    known.observation_ids == std::vector<std::string>{"tag"}, boost::test_tools::per_element());
  BOOST_TEST(learn(store, text).support == 2u);
  BOOST_TEST(store.find(text)->fact_id == known.fact_id);
}

BOOST_AUTO_TEST_CASE(takes_no_more_bytes_than_it_may) {
  memory_semantic_store store{{.max_bytes = 100'000}};
  learn(store, "often");
  learn(store, "often");
  auto empty = store.bytes();
  for (int i = 0; i < 1'000; ++i)
    learn(store, std::to_string(i) + std::string(1'000, 'x'));
  BOOST_TEST(store.bytes() <= 100'000u);
  BOOST_TEST(store.bytes() > 90'000u);
  BOOST_TEST(store.dropped() > 900u);
  BOOST_TEST(!!store.find("often"));
  BOOST_TEST(!!store.find("999" + std::string(1'000, 'x')));
  auto kept = store.query({.limit = 1'000});
  for (const auto& x : kept->facts)
    if (x.statement != "often")
      store.forget(x.fact_id);
  BOOST_TEST(store.bytes() == empty);
}

BOOST_AUTO_TEST_CASE(takes_no_more_bytes_when_what_it_knows_grows) {
  memory_semantic_store store{{.max_bytes = 100'000}};
  constexpr int facts = 40;
  for (int i = 0; i < facts; ++i)
    learn(store, "fact " + std::to_string(i));
  for (int i = 0; i < facts; ++i) {
    std::vector<std::string> tags;
    tags.reserve(32);
    for (int tag = 0; tag < 32; ++tag)
      tags.push_back(std::to_string(tag) + std::string(250, 'x'));
    BOOST_TEST(
      learn(store, "fact " + std::to_string(i), fact_outcome::success, i, tags).tags.size() == 32u);
    BOOST_TEST(store.bytes() <= 100'000u);
  }
  BOOST_TEST(!!store.find("fact " + std::to_string(facts - 1)));
}

BOOST_AUTO_TEST_CASE(the_words_of_a_text_take_no_more_room_than_there_are) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "x y ";
  BOOST_TEST(word_set_of(text).capacity() == 2u);
  BOOST_TEST(word_hashes_of(text).capacity() == 2u);
  BOOST_TEST(count_shared(word_hashes_of("a Dog and a cat"), word_hashes_of("the DOG, a")) == 2u);
}

BOOST_AUTO_TEST_CASE(takes_rates_from_0_to_1_only) {
  BOOST_TEST(!validate(semantic_config{}));
  BOOST_TEST(field_of(validate(semantic_config{.success_rate = 1.1})) == "success_rate");
  BOOST_TEST(field_of(validate(semantic_config{.failure_rate = -0.1})) == "failure_rate");
  BOOST_TEST(field_of(validate(semantic_config{.initial_confidence = std::nan("")}))
             == "initial_confidence");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
