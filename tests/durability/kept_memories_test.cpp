#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/kept_counter.hpp"
#include "scratchpage/persistence/kept_episodes.hpp"
#include "scratchpage/persistence/kept_facts.hpp"
#include "scratchpage/persistence/kept_goals.hpp"
#include "scratchpage/persistence/store/memory_store.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Memories that are kept in a store, and opened again.

namespace scratchpage::test {

namespace {

/// A store with one agent; a later claim makes it refuse what is written.
struct one_agent {
  std::shared_ptr<memory_store> in = std::make_shared<memory_store>();
  ownership owner = *in->claim("tester");

  void lose_it() { BOOST_REQUIRE(in->claim("tester")); }
};

std::string statements(const semantic_store& of) {
  auto found = of.query({});
  BOOST_REQUIRE(found);
  std::string result;
  for (const auto& x : found->facts)
    result += x.fact_id + " " + x.statement + " " + std::to_string(x.support) + "; ";
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(memories)

BOOST_FIXTURE_TEST_CASE(facts_and_their_confidence_outlive_the_process, one_agent) {
  auto before = *kept_facts::open(in, owner, {});
  BOOST_REQUIRE(
    before->learn({"User prefers Burgundy", {"wine"}, fact_outcome::success, {}}, {}, 0));
  auto second =
    before->learn({"User prefers Burgundy", {"wine"}, fact_outcome::success, {}}, {}, 0);
  auto after = *kept_facts::open(in, owner, {});
  BOOST_TEST(statements(*after) == "fact_1 User prefers Burgundy 2; ");
  auto third = after->learn({"user prefers burgundy.", {}, fact_outcome::failure, {}}, {}, 0);
  BOOST_REQUIRE(third);
  BOOST_TEST(third->fact_id == "fact_1");
  BOOST_TEST(third->confidence < second->confidence);
}

BOOST_FIXTURE_TEST_CASE(what_was_learnt_from_is_known_after_a_restart, one_agent) {
  auto before = *kept_facts::open(in, owner, {});
  BOOST_TEST(before->last_lesson() == 0u);
  BOOST_REQUIRE(before->learn({"Known", {}, fact_outcome::success, {}}, {}, 7));
  BOOST_REQUIRE(before->learn({"Told", {}, fact_outcome::success, {}}, {}, 0));
  auto after = *kept_facts::open(in, owner, {});
  BOOST_TEST(after->last_lesson() == 7u);
  lose_it();
  BOOST_TEST(!after->learn({"Lost", {}, fact_outcome::success, {}}, {}, 8));
  BOOST_TEST(after->last_lesson() == 7u);
}

BOOST_FIXTURE_TEST_CASE(what_the_store_refused_was_not_learnt, one_agent) {
  auto facts = *kept_facts::open(in, owner, {});
  BOOST_REQUIRE(facts->learn({"Known", {}, fact_outcome::success, {}}, {}, 0));
  auto before = statements(*facts);
  lose_it();
  BOOST_TEST(!facts->learn({"Known", {}, fact_outcome::success, {}}, {}, 0));
  BOOST_TEST(!facts->learn({"New", {}, fact_outcome::success, {}}, {}, 0));
  BOOST_TEST(statements(*facts) == before);
}

BOOST_FIXTURE_TEST_CASE(a_fact_that_had_to_go_does_not_come_back, one_agent) {
  semantic_config two;
  two.max_facts = 2;
  auto facts = *kept_facts::open(in, owner, two);
  for (auto* text : {"first", "second", "third"})
    BOOST_REQUIRE(facts->learn({text, {}, fact_outcome::success, {}}, {}, 0));
  BOOST_TEST(statements(**kept_facts::open(in, owner, two)) == statements(*facts));
}

BOOST_FIXTURE_TEST_CASE(episodes_are_found_after_a_restart, one_agent) {
  auto before = *kept_episodes::open(in, owner, {});
  episode x{"turn_1", "thread", at_ms(1), at_ms(2), {observation_ptr{plain_observation(1)}}};
  BOOST_REQUIRE(!before->record(x));
  BOOST_REQUIRE(!before->record({"turn_2", "", at_ms(3), at_ms(4), {}}));
  auto after = *kept_episodes::open(in, owner, {});
  query_episodes what;
  what.text = "something";
  auto found = after->query(what);
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->episodes.size() == 1u);
  BOOST_TEST(to_json_text(found->episodes.front()) == to_json_text(x));
}

BOOST_FIXTURE_TEST_CASE(a_number_is_never_given_twice, one_agent) {
  auto before = *kept_counter::open(in, owner, "turns");
  uint64_t last = 0;
  for (int i = 0; i < 150; ++i) {
    auto number = before->next();
    BOOST_REQUIRE(number);
    BOOST_TEST(*number == last + 1);
    last = *number;
  }
  auto after = *kept_counter::open(in, owner, "turns");
  BOOST_TEST(*after->next() > last);
  BOOST_TEST(*(*kept_counter::open(in, owner, "others"))->next() == 1u);
}

BOOST_FIXTURE_TEST_CASE(no_number_is_given_that_could_not_be_reserved, one_agent) {
  auto numbers = *kept_counter::open(in, owner, "turns");
  lose_it();
  BOOST_TEST(!numbers->next());
}

BOOST_FIXTURE_TEST_CASE(the_last_revision_of_a_goal_is_kept, one_agent) {
  kept_goals goals{in, owner, {}};
  goal x;
  x.goal_id = "goal_1";
  x.goal_type = "trip";
  BOOST_REQUIRE(!goals.put(x));
  x.progress = 0.5;
  BOOST_REQUIRE(!goals.put(x));
  auto found = read_all<goal>(*in, owner.agent, collection::goals);
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->size() == 1u);
  BOOST_TEST(to_json_text(found->front()) == to_json_text(x));
}

BOOST_FIXTURE_TEST_CASE(a_damaged_document_is_named, one_agent) {
  document broken{"goals", "goal_7", "{}", 1};
  BOOST_REQUIRE(!in->put(owner, {&broken, 1}));
  auto found = read_all<goal>(*in, owner.agent, collection::goals);
  BOOST_REQUIRE(!found);
  BOOST_TEST(field_of(found.error()) == "goals/goal_7");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
