#define BOOST_TEST_MODULE write_rules
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

/// write_rules: who may change what, as plain functions of the observation and the caller.

namespace scratchpage {

namespace {

using test::from_outside;

const caller assistant = from_outside(as_daemon("assistant"));
const caller other = from_outside(as_daemon("other"));
const caller ann = from_outside(as_user("ann"));
const caller bob = from_outside(as_user("bob"));
const caller owner = from_outside(as_admin("root"));
const caller gauge = from_outside(as_tool("gauge"));
const std::vector<caller> everybody{assistant, other, ann, bob, owner, gauge};

observation word_of(const caller& who, std::string type = "observation") {
  observation x;
  x.type = std::move(type);
  x.content = "The bridge is closed";
  x.source = {who.kind, who.name, who.turn_id, {}, who.relayed_by};
  return x;
}

/// One change for each member that counts as somebody's words.
std::vector<std::pair<std::string, observation_changes>> changes_of_words() {
  return {{"content", {.content = "The bridge is open"}}, {"confidence", {.confidence = 0.99}},
    {"tags", {.tags = std::vector<std::string>{"checked"}}},
    {"context", {.context = json::object{{"goal_id", "trip"}}}},
    {"metadata", {.metadata = json::object{{"x", 1}}}}, {"owner", {.owner = "user"}}};
}

std::string outcome(const caf::error& err) {
  return err ? to_string(code_of(err)) + " " + field_of(err) : "ok";
}

std::string change(const observation& x, const observation_changes& to, const caller& by) {
  return outcome(write_rules::check(x, to, by));
}

std::string change_metadata(const json::object& from, json::object to, const caller& by) {
  auto x = word_of(by);
  x.metadata = from;
  return change(x, {.metadata = std::move(to)}, by);
}

std::string add(const json::object& metadata, const caller& by) {
  static const write_rules rules{{"observation"}};
  observation_draft draft;
  draft.type = "observation";
  draft.metadata = metadata;
  return outcome(rules.check(draft, by));
}

void check_fixed(const observation& x, const caller& by) {
  for (const auto& [name, words] : changes_of_words())
    BOOST_TEST(change(x, words, by) == "forbidden " + name, by.name);
}

/// The outcome of moving the expiry by `by_time`.
std::string prolong(const observation& x, std::chrono::minutes by_time, const caller& by) {
  auto after = x;
  after.expires_at += by_time;
  return outcome(write_rules::check_life(x, after, by));
}

/// The Executor's question to a user whether a call may be made.
observation question_to(const std::string& user) {
  planned_call call;
  call.call_id = "c1";
  call.tool_id = "pay";
  auto draft = draft_of({call, user, ""}, "it costs money", {}, 60);
  auto x = word_of(as_daemon("executor"), draft.type);
  x.metadata = draft.metadata;
  return x;
}

void check_free(const observation& x, const caller& by) {
  for (const auto& [name, words] : changes_of_words())
    BOOST_TEST(change(x, words, by) == "ok", by.name + " " + name);
}

} // namespace

// -- words -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(whoever_said_something_may_change_it_and_so_may_the_owner) {
  for (const auto& who : {assistant, ann, gauge}) {
    check_free(word_of(who), who);
    check_free(word_of(who), owner);
  }
}

BOOST_AUTO_TEST_CASE(nobody_else_changes_the_words_of_an_agent_a_tool_or_a_person) {
  for (const auto& who : {assistant, ann, gauge})
    for (const auto& by : {other, bob})
      check_fixed(word_of(who), by);
}

BOOST_AUTO_TEST_CASE(one_of_the_same_name_and_of_another_kind_is_somebody_else) {
  check_fixed(word_of(as_tool("other")), other);
  check_fixed(word_of(as_user("other")), other);
}

BOOST_AUTO_TEST_CASE(a_tool_from_outside_does_not_change_what_a_call_of_the_ensemble_gave) {
  check_fixed(word_of(as_tool("gauge", "turn_1"), "tool_result"), gauge);
}

BOOST_AUTO_TEST_CASE(a_tool_changes_nothing_but_what_it_added_itself) {
  auto change = [](const caller& author, const caller& by) {
    return outcome(write_rules::check_author(word_of(author), by));
  };
  BOOST_TEST(change(gauge, gauge) == "ok");
  BOOST_TEST(change(as_tool("gauge", "turn_1"), as_tool("gauge", "turn_1")) == "ok");
  BOOST_TEST(change(as_tool("gauge", "turn_1"), as_tool("gauge", "turn_2")) == "ok");
  for (const auto& author : {as_tool("gauge", "turn_1"), as_tool("other"), as_daemon("gauge"), ann})
    BOOST_TEST(change(author, gauge) == "forbidden observation_id", author.name);
  for (const auto& by : {assistant, ann, owner})
    BOOST_TEST(change(as_tool("gauge", "turn_1"), by) == "ok", by.name);
}

BOOST_AUTO_TEST_CASE(an_agent_does_not_change_the_words_that_it_has_relayed) {
  auto relayed = as_user("ann");
  relayed.relayed_by = "assistant";
  check_fixed(word_of(relayed), assistant);
  check_fixed(word_of(relayed), ann);
}

BOOST_AUTO_TEST_CASE(the_words_of_an_input_stay_whoever_asks) {
  for (const auto& by : everybody)
    check_fixed(word_of(ann, "user_input"), by);
}

BOOST_AUTO_TEST_CASE(the_words_of_what_is_resolved_stay_whoever_asks) {
  for (const auto& by : everybody) {
    auto x = word_of(by);
    x.status = status::resolved;
    check_fixed(x, by);
    check_fixed(x, owner);
  }
}

BOOST_AUTO_TEST_CASE(the_words_of_what_is_answered_stay_whoever_asks) {
  for (const auto& by : everybody) {
    auto x = word_of(by);
    x.metadata["answer_id"] = "obs_20251105_002";
    check_fixed(x, by);
    check_fixed(x, owner);
  }
}

BOOST_AUTO_TEST_CASE(a_question_is_answered_as_it_was_asked) {
  for (const auto& by : everybody) {
    check_fixed(word_of(by, "pending_confirmation"), by);
    check_fixed(word_of(by, "pending_confirmation"), owner);
  }
}

BOOST_AUTO_TEST_CASE(status_and_lifetime_are_no_words) {
  for (const auto& by : everybody)
    for (const auto* type : {"observation", "pending_confirmation", "user_input"}) {
      BOOST_TEST(change(word_of(ann, type), {.status = status::resolved}, by) == "ok");
      BOOST_TEST(change(word_of(ann, type), {.ttl_minutes = 5}, by) == "ok");
    }
}

BOOST_AUTO_TEST_CASE(the_ensemble_and_its_program_change_whatever_they_want) {
  for (const auto& by : {as_daemon("clarifier"), as_daemon("planner"), as_user("ann")})
    for (const auto* type : {"observation", "pending_confirmation", "user_input"})
      check_free(word_of(bob, type), by);
  BOOST_TEST(
    change(word_of(bob), {.metadata = json::object{{"answer", "Yes"}}}, as_daemon("clarifier"))
    == "ok");
}

// -- lifetime -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_a_person_has_said_lives_longer_only_if_they_or_the_owner_want_it_to) {
  constexpr std::chrono::minutes more{1};
  auto relayed = as_user("ann");
  relayed.relayed_by = "assistant";
  for (const auto& said :
    {word_of(ann), word_of(ann, "user_input"), word_of(relayed, "user_input")})
    for (const auto& by : everybody)
      BOOST_TEST(prolong(said, more, by)
                   == (by.name == "ann" || by.name == "root" ? "ok" : "forbidden ttl_minutes"),
        by.name);
  auto in_her_name = from_outside(relayed);
  BOOST_TEST(prolong(word_of(ann), more, in_her_name) == "forbidden ttl_minutes");
}

BOOST_AUTO_TEST_CASE(a_question_for_consent_waits_longer_only_for_whoever_is_asked_or_the_owner) {
  constexpr std::chrono::minutes more{1};
  for (const auto& by : everybody)
    BOOST_TEST(prolong(question_to("ann"), more, by)
                 == (by.name == "ann" || by.name == "root" ? "ok" : "forbidden ttl_minutes"),
      by.name);
}

BOOST_AUTO_TEST_CASE(what_the_ensemble_wrote_lives_longer_only_if_a_person_wants_it_to) {
  constexpr std::chrono::minutes more{1};
  for (const auto* type : {"action_suggestion", "security_alert", "learning", "tool_result"})
    for (const auto& by : everybody)
      BOOST_TEST(prolong(word_of(as_daemon("executor"), type), more, by)
                   == (is_person(by) ? "ok" : "forbidden ttl_minutes"),
        by.name << " " << type);
}

BOOST_AUTO_TEST_CASE(what_agents_and_tools_said_is_kept_by_whoever_needs_it) {
  constexpr std::chrono::minutes more{1};
  for (const auto& said : {word_of(assistant), word_of(gauge), word_of(as_tool("pay", "turn_1"))})
    for (const auto& by : {assistant, other, ann, bob, owner})
      BOOST_TEST(prolong(said, more, by) == "ok", by.name);
}

BOOST_AUTO_TEST_CASE(everything_may_be_given_less_time_and_the_ensemble_gives_any) {
  for (const auto& said : {word_of(ann), question_to("ann"), word_of(as_daemon("executor"))}) {
    for (const auto& by : everybody)
      for (auto minutes : {0, -1})
        BOOST_TEST(prolong(said, std::chrono::minutes{minutes}, by) == "ok", by.name);
    BOOST_TEST(prolong(said, std::chrono::minutes{1}, as_daemon("planner")) == "ok");
  }
}

// -- members that the ensemble decides by ----------------------------------------------------

BOOST_AUTO_TEST_CASE(nobody_outside_adds_what_the_ensemble_decides_by) {
  for (const auto& by : everybody)
    for (const auto* name : {"by_owner", "consent_of", "consent_for", "call", "answer", "answer_id",
           "answered_by", "resolved_by", "plan", "resumed", "call_ids", "verdict", "mandate_id"}) {
      BOOST_TEST(add({{name, true}}, by) == "forbidden metadata." + std::string{name});
      BOOST_TEST(
        change_metadata({}, {{name, true}}, by) == "forbidden metadata." + std::string{name});
    }
}

BOOST_AUTO_TEST_CASE(nobody_outside_changes_or_takes_away_what_the_ensemble_has_written) {
  const json::object before{{"consent_of", "ann"}, {"x", 1}};
  for (const auto& by : everybody) {
    BOOST_TEST(
      change_metadata(before, {{"consent_of", "bob"}}, by) == "forbidden metadata.consent_of");
    BOOST_TEST(change_metadata(before, {{"x", 1}}, by) == "forbidden metadata.consent_of");
    BOOST_TEST(change_metadata(before, {{"consent_of", "ann"}, {"x", 2}}, by) == "ok");
  }
}

BOOST_AUTO_TEST_CASE(agents_and_persons_write_some_members_as_their_own_word_and_tools_none) {
  std::vector<std::string> open;
  for (auto member : deciding_members()) {
    const json::object metadata{{json::string_view{member.data(), member.size()}, "x"}};
    auto expected = "forbidden metadata." + std::string{member};
    BOOST_TEST(add(metadata, gauge) == expected);
    BOOST_TEST(change_metadata({}, metadata, gauge) == expected);
    BOOST_TEST(add(metadata, assistant) == add(metadata, ann));
    BOOST_TEST(add(metadata, assistant) == add(metadata, owner));
    BOOST_TEST(add(metadata, assistant) == change_metadata({}, metadata, assistant));
    if (add(metadata, assistant) == "ok")
      open.emplace_back(member);
  }
  const std::vector<std::string> wanted{"action", "alternative", "attempt", "backoff_ms", "call_id",
    "error_class", "fact", "instead_of", "outcome", "prefer", "urgency"};
  BOOST_TEST(open == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_other_metadata_are_free) {
  for (const auto& by : everybody)
    BOOST_TEST(add({{"latency_ms", 12}, {"questions", json::array{}}}, by) == "ok");
}

} // namespace scratchpage
