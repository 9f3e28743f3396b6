#include <array>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/episode_limits.hpp"
#include "scratchpage/persistence/kept_counter.hpp"
#include "scratchpage/persistence/kept_episodes.hpp"
#include "scratchpage/persistence/kept_facts.hpp"
#include "scratchpage/persistence/kept_goals.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/memory_store.hpp"
#include "scratchpage/persistence/travel/document_check.hpp"
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

BOOST_FIXTURE_TEST_CASE(facts_that_have_no_room_go_from_the_store_as_well, one_agent) {
  auto before = *kept_facts::open(in, owner, {});
  for (const auto* text : {"often", "often", "first", "second"})
    BOOST_REQUIRE(before->learn({text, {}, fact_outcome::success, {}}, {}, 0));
  semantic_config two;
  two.max_facts = 2;
  BOOST_TEST(statements(**kept_facts::open(in, owner, two)) == "fact_1 often 2; fact_3 second 1; ");
  BOOST_TEST(statements(**kept_facts::open(in, owner, {})) == "fact_1 often 2; fact_3 second 1; ");
}

BOOST_FIXTURE_TEST_CASE(a_fact_that_is_too_long_in_the_store_is_cut, one_agent) {
  const std::string text(60'000, 'x');
  fact same{"fact_1", text + "y"};
  fact longer{"fact_2", text};
  std::array rows{to_document(collection::facts, same.fact_id, same),
    to_document(collection::facts, longer.fact_id, longer)};
  BOOST_REQUIRE(!in->put(owner, rows));
  auto facts = *kept_facts::open(in, owner, {});
  auto kept = read_all<fact>(*in, owner.agent, collection::facts);
  BOOST_REQUIRE(kept);
  BOOST_REQUIRE(kept->size() == 1u);
  BOOST_TEST(kept->front().fact_id == "fact_1");
  BOOST_TEST(kept->front().statement == text.substr(0, fact_limits::statement_bytes));
  auto learnt = facts->learn({text, {}, fact_outcome::success, {}}, {}, 0);
  BOOST_REQUIRE(learnt);
  BOOST_TEST(learnt->fact_id == "fact_1");
}

BOOST_FIXTURE_TEST_CASE(episodes_are_found_after_a_restart, one_agent) {
  auto before = *kept_episodes::open(in, owner);
  episode x{"turn_1", "thread", at_ms(1), at_ms(2), {observation_ptr{plain_observation(1)}},
    turn_status::timed_out};
  BOOST_REQUIRE(!before->record(x));
  BOOST_REQUIRE(!before->record({"turn_2", "", at_ms(3), at_ms(4), {}}));
  auto after = *kept_episodes::open(in, owner);
  query_episodes what;
  what.text = "something";
  auto found = after->query(what);
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->episodes.size() == 1u);
  BOOST_TEST(to_json_text(found->episodes.front()) == to_json_text(x));
}

/// Episodes that differ in turn, time, tags and words.
struct many_episodes : one_agent {
  static timestamp at(uint64_t turn) { return at_ms(static_cast<int64_t>(turn) * 10); }

  static episode told(uint64_t turn, const std::vector<std::pair<std::string, std::string>>& said) {
    episode x{"turn_" + std::to_string(turn), "thread", at(turn),
      at(turn) + std::chrono::milliseconds{5}, {}};
    for (const auto& [content, tag] : said) {
      auto one = plain_observation(100 * turn + x.observations.size());
      one.content = content;
      one.tags = {tag, "all"};
      x.observations.push_back(observation_ptr{std::move(one)});
    }
    return x;
  }

  std::shared_ptr<kept_episodes> kept = *kept_episodes::open(in, owner);
  memory_episodic_store model;

  void record(const episode& x) {
    BOOST_REQUIRE(!kept->record(x));
    BOOST_REQUIRE(!model.record(x));
  }

  static std::string turns(const episodic_store& of, const query_episodes& what) {
    auto found = of.query(what);
    BOOST_REQUIRE(found);
    std::string result;
    for (const auto& x : found->episodes)
      result += x.turn_id + " " + std::to_string(x.observations.size()) + "; ";
    return result;
  }

  /// What both find.
  std::string found(const query_episodes& what) {
    auto result = turns(*kept, what);
    BOOST_TEST(result == turns(model, what));
    return result;
  }
};

BOOST_FIXTURE_TEST_CASE(episodes_are_found_by_whatever_may_be_asked, many_episodes) {
  record(told(1, {{"Tea for two", "tea"}, {"Wine for one", "wine"}}));
  record(told(2, {{"Tea, wine", "both"}}));
  record(told(3, {}));
  record(told(4, {{std::string(300, 'x') + " " + std::string(64, 'y'), "long"}}));
  record(told(2, {{"Coffee", "coffee"}})); // in place of what was told
  BOOST_TEST(found({}) == "turn_4 1; turn_3 0; turn_2 1; turn_1 2; ");
  query_episodes what;
  what.limit = 2;
  BOOST_TEST(found(what) == "turn_4 1; turn_3 0; ");
  what = {};
  what.turn_id = "turn_1";
  BOOST_TEST(found(what) == "turn_1 2; ");
  what = {};
  what.text = "tea";
  BOOST_TEST(found(what) == "turn_1 2; ");
  what.tags = {"wine"}; // of another observation than the word
  BOOST_TEST(found(what) == "");
  what.tags = {"tea", "all"};
  what.text = "TWO tea";
  BOOST_TEST(found(what) == "turn_1 2; ");
  what = {};
  what.text = std::string(300, 'x');
  BOOST_TEST(found(what) == "turn_4 1; ");
  what.text = std::string(299, 'x'); // begins like the longer one
  BOOST_TEST(found(what) == "");
  what = {};
  what.after = at_ms(15);
  what.before = at_ms(45);
  BOOST_TEST(found(what) == "turn_3 0; turn_2 1; ");
}

BOOST_FIXTURE_TEST_CASE(an_episode_that_was_too_long_can_be_read_again, many_episodes) {
  std::vector<std::pair<std::string, std::string>> said(200, {std::string(60'000, '\x01'), "tag"});
  auto x = told(1, said);
  BOOST_REQUIRE(!kept->record(x));
  size_t bytes = 0;
  BOOST_REQUIRE(!in->read_documents(owner.agent, "stories", [&bytes](document&& one) {
    bytes = one.body.size();
    BOOST_TEST(!!from_document<episode>(one, stored_json));
    return true;
  }));
  BOOST_TEST(bytes < episode_limits::bytes + 10'000);
  auto found = kept->query({});
  BOOST_REQUIRE(found);
  BOOST_TEST(found->episodes.front().observations.size() + found->episodes.front().left_out
             == x.observations.size());
}

BOOST_FIXTURE_TEST_CASE(a_tag_with_a_nul_keeps_no_episode_from_being_written, many_episodes) {
  const std::string nul{"a\0b", 3};
  auto x = told(1, {{"Tea", nul}});
  const auto story = to_story(x);
  for (const auto& term : story.index->terms)
    BOOST_TEST(term.find('\0') == std::string::npos);
  record(x);
  query_episodes what;
  what.tags = {nul};
  BOOST_TEST(found(what) == "turn_1 1; ");
}

BOOST_FIXTURE_TEST_CASE(no_episode_is_forgotten_for_want_of_room, many_episodes) {
  for (unsigned i = 1; i <= 300; ++i)
    record(told(i, {{"word" + std::to_string(i), "tag"}}));
  kept = *kept_episodes::open(in, owner);
  query_episodes what;
  what.text = "word7";
  BOOST_TEST(found(what) == "turn_7 1; ");
  what = {};
  what.limit = 1'000;
  BOOST_TEST(kept->query(what)->episodes.size() == 300u);
}

BOOST_FIXTURE_TEST_CASE(episodes_of_the_first_form_are_found_too, many_episodes) {
  auto old = told(1, {{"Tea for two", "tea"}});
  auto row = to_document(collection::episodes, old.turn_id, old);
  BOOST_REQUIRE(!in->put(owner, {&row, 1}));
  BOOST_REQUIRE(!model.record(old));
  for (int i = 0; i < 2; ++i) {
    kept = *kept_episodes::open(in, owner);
    query_episodes what;
    what.tags = {"tea"};
    BOOST_TEST(found(what) == "turn_1 1; ");
  }
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
