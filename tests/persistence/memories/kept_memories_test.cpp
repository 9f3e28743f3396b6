#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/tests/persistence/memories/one_agent.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Memories in a store, opened again.

namespace scratchpage::test {

namespace {

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
  auto before = *stored_facts::open(in, owner, {});
  BOOST_REQUIRE(
    before->learn({"User prefers Burgundy", {"wine"}, fact_outcome::success, {}}, {}, 0));
  auto second =
    before->learn({"User prefers Burgundy", {"wine"}, fact_outcome::success, {}}, {}, 0);
  auto after = *stored_facts::open(in, owner, {});
  BOOST_TEST(statements(*after) == "fact_1 User prefers Burgundy 2; ");
  auto third = after->learn({"user prefers burgundy.", {}, fact_outcome::failure, {}}, {}, 0);
  BOOST_REQUIRE(third);
  BOOST_TEST(third->fact_id == "fact_1");
  BOOST_TEST(third->confidence < second->confidence);
}

BOOST_FIXTURE_TEST_CASE(what_was_learnt_from_is_known_after_a_restart, one_agent) {
  auto before = *stored_facts::open(in, owner, {});
  BOOST_TEST(before->last_lesson() == 0u);
  BOOST_REQUIRE(before->learn({"Known", {}, fact_outcome::success, {}}, {}, 7));
  BOOST_REQUIRE(before->learn({"Told", {}, fact_outcome::success, {}}, {}, 0));
  auto after = *stored_facts::open(in, owner, {});
  BOOST_TEST(after->last_lesson() == 7u);
  lose_it();
  BOOST_TEST(!after->learn({"Lost", {}, fact_outcome::success, {}}, {}, 8));
  BOOST_TEST(after->last_lesson() == 7u);
}

BOOST_FIXTURE_TEST_CASE(what_the_store_refused_was_not_learnt, one_agent) {
  auto facts = *stored_facts::open(in, owner, {});
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
  auto facts = *stored_facts::open(in, owner, two);
  for (auto* text : {"first", "second", "third"})
    BOOST_REQUIRE(facts->learn({text, {}, fact_outcome::success, {}}, {}, 0));
  BOOST_TEST(statements(**stored_facts::open(in, owner, two)) == statements(*facts));
}

BOOST_FIXTURE_TEST_CASE(facts_that_have_no_room_go_from_the_store_as_well, one_agent) {
  auto before = *stored_facts::open(in, owner, {});
  for (const auto* text : {"often", "often", "first", "second"})
    BOOST_REQUIRE(before->learn({text, {}, fact_outcome::success, {}}, {}, 0));
  semantic_config two;
  two.max_facts = 2;
  BOOST_TEST(
    statements(**stored_facts::open(in, owner, two)) == "fact_1 often 2; fact_3 second 1; ");
  BOOST_TEST(
    statements(**stored_facts::open(in, owner, {})) == "fact_1 often 2; fact_3 second 1; ");
}

BOOST_FIXTURE_TEST_CASE(a_fact_that_is_too_long_in_the_store_is_cut, one_agent) {
  const std::string text(60'000, 'x');
  fact same{"fact_1", text + "y"};
  fact longer{"fact_2", text};
  std::array rows{to_document(collection::facts, same.fact_id, same),
    to_document(collection::facts, longer.fact_id, longer)};
  BOOST_REQUIRE(!in->put(owner, rows));
  auto facts = *stored_facts::open(in, owner, {});
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
  auto before = *stored_episodes::open(in, owner);
  episode x{"turn_1", "thread", at_ms(1), at_ms(2), {observation_ptr{plain_observation(1)}},
    turn_status::timed_out};
  BOOST_REQUIRE(!before->record(x));
  BOOST_REQUIRE(!before->record({"turn_2", "", at_ms(3), at_ms(4), {}}));
  auto after = *stored_episodes::open(in, owner);
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

  std::shared_ptr<stored_episodes> kept = *stored_episodes::open(in, owner);
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

  /// What the stored memory finds; tests that the model finds the same.
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
  record(told(2, {{"Coffee", "coffee"}})); // replaces the first episode of turn 2
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
  what.tags = {"wine"}; // the tag of another observation than the word's
  BOOST_TEST(found(what) == "");
  what.tags = {"tea", "all"};
  what.text = "TWO tea";
  BOOST_TEST(found(what) == "turn_1 2; ");
  what = {};
  what.text = std::string(300, 'x');
  BOOST_TEST(found(what) == "turn_4 1; ");
  what.text = std::string(299, 'x'); // a prefix of the long word
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
  BOOST_TEST(!story.index->terms.empty());
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
  kept = *stored_episodes::open(in, owner);
  query_episodes what;
  what.text = "word7";
  BOOST_TEST(found(what) == "turn_7 1; ");
  what = {};
  what.limit = 1'000;
  BOOST_TEST(kept->query(what)->episodes.size() == 300u);
}

/// Episodes of one observation each, in a memory with limits.
struct few_episodes : one_agent {
  static episode told(uint64_t turn, const std::string& content = "Tea") {
    return many_episodes::told(turn, {{content, "tag"}});
  }

  std::shared_ptr<stored_episodes> open(const episodic_config& limits) const {
    return *stored_episodes::open(in, owner, limits);
  }

  /// The turns that a collection of the store has.
  std::string keys(std::string_view collection) const {
    std::string result;
    BOOST_TEST(!in->read_documents(owner.agent, std::string{collection}, [&result](document&& x) {
      result += x.key + " ";
      return true;
    }));
    return result;
  }

  /// The turns of the stored episodes; tests that each has its size stored.
  std::string kept_turns() const {
    auto result = keys(collection::stories);
    BOOST_TEST(keys(collection::story_sizes) == result);
    return result;
  }
};

BOOST_FIXTURE_TEST_CASE(the_oldest_episodes_go_when_there_are_too_many, few_episodes) {
  auto kept = open({.max_episodes = 3});
  for (uint64_t turn : {2, 1, 3, 4, 5})
    BOOST_REQUIRE(!kept->record(told(turn)));
  BOOST_TEST(kept_turns() == "turn_3 turn_4 turn_5 ");
  kept = open({.max_episodes = 3});
  BOOST_REQUIRE(!kept->record(told(6)));
  BOOST_TEST(kept_turns() == "turn_4 turn_5 turn_6 ");
  BOOST_REQUIRE(!kept->record(told(5))); // is there already
  BOOST_TEST(kept_turns() == "turn_4 turn_5 turn_6 ");
}

BOOST_FIXTURE_TEST_CASE(the_oldest_episodes_go_when_they_have_too_many_observations, few_episodes) {
  auto kept = open({.max_observations = 4});
  for (uint64_t turn = 1; turn <= 3; ++turn)
    BOOST_REQUIRE(!kept->record(many_episodes::told(turn, {{"Tea", "tag"}, {"Wine", "tag"}})));
  BOOST_TEST(kept_turns() == "turn_2 turn_3 ");
  std::vector<std::pair<std::string, std::string>> much(5, {"Tea", "tag"});
  BOOST_REQUIRE(!kept->record(many_episodes::told(4, much)));
  BOOST_TEST(kept_turns() == "turn_4 ");
  BOOST_TEST(kept->query({})->episodes.front().observations.size() == 4u);
}

BOOST_FIXTURE_TEST_CASE(the_oldest_episodes_go_when_they_take_too_many_bytes, few_episodes) {
  const std::string large(100'000, 'x');
  episodic_config limits;
  limits.max_bytes = 350'000;
  auto kept = open(limits);
  for (uint64_t turn = 1; turn <= 6; ++turn)
    BOOST_REQUIRE(!kept->record(told(turn, large)));
  BOOST_TEST(kept_turns() == "turn_4 turn_5 turn_6 ");
  BOOST_REQUIRE(!kept->record(told(7, std::string(500'000, 'x')))); // too large, but the newest
  BOOST_TEST(kept_turns() == "turn_7 ");
}

BOOST_FIXTURE_TEST_CASE(the_words_that_an_episode_is_found_by_count_as_well, few_episodes) {
  std::string words;
  for (int i = 0; i < 1'000; ++i)
    words += "w" + std::to_string(i) + " ";
  BOOST_REQUIRE(words.size() < 10'000);
  episodic_config limits;
  limits.max_bytes = 100'000;
  auto kept = open(limits);
  BOOST_REQUIRE(!kept->record(told(1, words)));
  BOOST_REQUIRE(!kept->record(told(2, words)));
  BOOST_TEST(kept_turns() == "turn_2 ");
}

BOOST_FIXTURE_TEST_CASE(what_a_start_finds_no_room_for_goes, few_episodes) {
  auto kept = open({});
  for (uint64_t turn = 10; turn < 60; ++turn)
    BOOST_REQUIRE(!kept->record(told(turn)));
  kept = open({.max_episodes = 2});
  BOOST_TEST(kept_turns() == "turn_58 turn_59 ");
}

BOOST_FIXTURE_TEST_CASE(episodes_from_elsewhere_are_measured_once, few_episodes) {
  for (uint64_t turn = 1; turn <= 3; ++turn) {
    auto row = to_story(told(turn, std::string(100'000, 'x')));
    BOOST_REQUIRE(!in->put(owner, {&row, 1}));
  }
  auto of_none = make_document(collection::story_sizes, "turn_9",
    R"({"turn_id":"turn_9","ended_at":"2025-11-05T10:00:00Z","observations":1,"bytes":900000})");
  BOOST_REQUIRE(!in->put(owner, {&of_none, 1}));
  episodic_config limits;
  limits.max_bytes = 250'000;
  auto kept = open(limits);
  BOOST_TEST(kept_turns() == "turn_2 turn_3 ");
}

/// A store that counts the episodes that are read. It can report an error for a write that worked.
class watched_stories : public memory_store {
public:
  caf::error find_documents(uint64_t agent, const std::string& collection,
    const document_range& range, const visitor<document>& f) override {
    return memory_store::find_documents(agent, collection, range, [&](document&& x) {
      read += x.body.empty() ? 0 : 1;
      return f(std::move(x));
    });
  }

  caf::error put(const ownership& by, std::span<const document> xs) override {
    auto err = memory_store::put(by, xs);
    return std::exchange(seems_to_fail, false) ? fail(errc::storage_unavailable, "", "an answer")
                                               : err;
  }

  size_t read = 0;
  bool seems_to_fail = false;
};

struct watched_agent {
  std::shared_ptr<watched_stories> in = std::make_shared<watched_stories>();
  ownership owner = *in->claim("tester");

  std::string found(const stored_episodes& kept) const { return many_episodes::turns(kept, {}); }
};

BOOST_FIXTURE_TEST_CASE(a_start_reads_no_episode_to_know_what_they_take, watched_agent) {
  auto kept = *stored_episodes::open(in, owner);
  for (uint64_t turn = 1; turn <= 5; ++turn)
    BOOST_REQUIRE(!kept->record(few_episodes::told(turn)));
  kept = *stored_episodes::open(in, owner, {.max_episodes = 3});
  BOOST_TEST(in->read == 0u);
  BOOST_TEST(found(*kept) == "turn_5 1; turn_4 1; turn_3 1; ");
}

BOOST_FIXTURE_TEST_CASE(an_episode_that_only_seemed_to_be_refused_counts, watched_agent) {
  auto kept = *stored_episodes::open(in, owner, {.max_episodes = 2});
  BOOST_REQUIRE(!kept->record(few_episodes::told(1)));
  in->seems_to_fail = true;
  BOOST_TEST(!!kept->record(few_episodes::told(2)));
  BOOST_REQUIRE(!kept->record(few_episodes::told(3)));
  BOOST_TEST(found(*kept) == "turn_3 1; turn_2 1; ");
}

BOOST_FIXTURE_TEST_CASE(episodes_of_the_first_form_are_found_too, many_episodes) {
  auto old = told(1, {{"Tea for two", "tea"}});
  auto row = to_document(collection::episodes, old.turn_id, old);
  BOOST_REQUIRE(!in->put(owner, {&row, 1}));
  BOOST_REQUIRE(!model.record(old));
  for (int i = 0; i < 2; ++i) {
    kept = *stored_episodes::open(in, owner);
    query_episodes what;
    what.tags = {"tea"};
    BOOST_TEST(found(what) == "turn_1 1; ");
  }
}

BOOST_FIXTURE_TEST_CASE(a_number_is_never_given_twice, one_agent) {
  auto before = *id_allocator::open(in, owner, "turns");
  uint64_t last = 0;
  for (int i = 0; i < 150; ++i) {
    auto number = before->next();
    BOOST_REQUIRE(number);
    BOOST_TEST(*number == last + 1);
    last = *number;
  }
  auto after = *id_allocator::open(in, owner, "turns");
  BOOST_TEST(*after->next() > last);
  BOOST_TEST(*(*id_allocator::open(in, owner, "others"))->next() == 1u);
}

BOOST_FIXTURE_TEST_CASE(no_number_is_given_that_could_not_be_reserved, one_agent) {
  auto numbers = *id_allocator::open(in, owner, "turns");
  lose_it();
  BOOST_TEST(!numbers->next());
}

BOOST_FIXTURE_TEST_CASE(the_id_of_a_fact_that_was_removed_is_not_given_again, one_agent) {
  auto learn = [](stored_facts& to, const char* text) {
    auto learnt = to.learn({text, {}, fact_outcome::success, {}}, {}, 0);
    BOOST_REQUIRE(learnt);
    return learnt->fact_id;
  };
  auto facts = *stored_facts::open(in, owner, {});
  learn(*facts, "first");
  BOOST_REQUIRE(!facts->drop(learn(*facts, "second")));
  facts = *stored_facts::open(in, owner, {});
  BOOST_TEST(facts->last_number() == 2u);
  BOOST_TEST(learn(*facts, "third") == "fact_3");
  semantic_config one;
  one.max_facts = 1;
  facts = *stored_facts::open(in, owner, one); // drops all but one
  facts = *stored_facts::open(in, owner, {});
  BOOST_TEST(learn(*facts, "fourth") == "fact_4");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
