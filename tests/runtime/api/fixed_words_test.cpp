#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/tests/runtime/api/asked_team.hpp"
#include "scratchpage/tests/runtime/api/callers.hpp"

/// Which observations callers from outside may change, and until when (contract 14). Nobody can
/// change what another caller has said.

namespace scratchpage::test {

namespace {

const caller gauge = as_tool("gauge");

/// A team with the tool `pay`, whose calls need a person's consent, and the tool `echo`.
struct team_with_words : asked_team {
  team_with_words() {
    add_tool({.tool_id = "pay", .permissions = {"payments"}}).after_last = after_last::repeat;
    recorded_response answer;
    answer.outputs["text"] = "hi";
    add_tool({.tool_id = "echo"}, {answer});
    begin();
  }

  /// Adds an observation of `who`. Returns its id.
  std::string say(const caller& who, const std::string& type, const std::string& more = {}) {
    by = who;
    return add(R"({"type": ")" + type + R"(", "content": "Is the bridge closed?")" + more + "}");
  }

  std::string change(const caller& who, const std::string& id, const std::string& changes) {
    by = who;
    return refusal(
      "update_observation", R"({"observation_id": ")" + id + R"(", "changes": {)" + changes + "}}");
  }

  std::string archive(const caller& who, const std::string& id) {
    by = who;
    return refusal("archive_observation", R"({"observation_id": ")" + id + "\"}");
  }

  /// Begins a turn that stays open. Returns the id of its input.
  std::string begin_held(const caller& who) {
    as(who, "begin_turn", R"({"input": "Yes", "thread_id": "t", "hold": true})");
    return of_type("user_input").front()->observation_id;
  }

  void end_turns(const caller& who) {
    auto turn = of_type("user_input").front()->source.turn_id;
    as(who, "end_turn", R"({"turn_id": ")" + turn + "\"}");
    settle();
  }

  std::string content_of(const std::string& id) {
    return std::string{as(agent, "get_observation", R"({"observation_id": ")" + id + "\"}")
                         .at("content")
                         .as_string()};
  }
};

/// The id that follows, which the next observation will have.
std::string id_after(const std::string& last) {
  auto result = last.substr(0, last.rfind('_') + 1);
  append_number(result, number_of(last).value() + 1);
  return result;
}

constexpr auto new_words = R"("content": "The bridge is open")";

} // namespace

BOOST_FIXTURE_TEST_SUITE(fixed_words, team_with_words)

// -- words of others ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_agent_cannot_change_the_words_of_another_agent) {
  auto id = say(agent, "observation");
  BOOST_TEST(change(other, id, new_words) == "forbidden content");
  BOOST_TEST(
    change(other, id, R"("metadata": {"fact": {"statement": "x"}})") == "forbidden metadata");
  BOOST_TEST(change(other, id, R"("context": {"pending_action_id": "x"})") == "forbidden context");
  BOOST_TEST(content_of(id) == "Is the bridge closed?");
  BOOST_TEST(change(other, id, R"("status": "resolved")") == "none"); // may be marked as done
}

BOOST_AUTO_TEST_CASE(an_agent_cannot_change_the_words_of_a_tool) {
  BOOST_TEST(change(other, say(gauge, "observation"), new_words) == "forbidden content");
}

BOOST_AUTO_TEST_CASE(nobody_outside_changes_the_result_of_a_call_but_the_owner) {
  as(ann, "begin_turn", R"({"input": "Echo", "plan": [{"tool_id": "echo"}]})");
  auto results = of_type("tool_result");
  BOOST_REQUIRE(results.size() == 1u);
  auto id = results.front()->observation_id;
  for (const auto& who : {other, ann})
    BOOST_TEST(change(who, id, new_words) == "forbidden content", who.name);
  BOOST_TEST(change(as_tool("echo"), id, new_words) == "forbidden observation_id");
  BOOST_TEST(change(owner, id, new_words) == "none");
}

BOOST_AUTO_TEST_CASE(everybody_changes_their_own_words) {
  for (const auto& who : {agent, ann, gauge})
    BOOST_TEST(change(who, say(who, "observation"), new_words) == "none", who.name);
}

BOOST_AUTO_TEST_CASE(nobody_hands_what_somebody_else_said_to_another_owner) {
  for (const auto& id : {say(ann, "observation"), say(agent, "observation")})
    for (const auto& who : {other, bob})
      BOOST_TEST(change(who, id, R"("owner": "mallory")") == "forbidden owner", who.name);
  auto question = ask_ann();
  for (const auto& who : {agent, other, bob})
    BOOST_TEST(change(who, question, R"("owner": "agent")") == "forbidden owner", who.name);
}

// -- inputs -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(nobody_outside_changes_an_input_while_its_turn_is_open) {
  auto id = begin_held(bob);
  for (const auto& who : {bob, ann, agent, owner}) {
    for (const auto* to : {new_words, R"("metadata": {"by_owner": true})",
           R"("context": {"user_id": "ann", "thread_id": "t"})", R"("status": "archived")",
           R"("ttl_minutes": 0)"})
      BOOST_TEST(change(who, id, to) == "forbidden observation_id", who.name << to);
    BOOST_TEST(archive(who, id) == "forbidden observation_id", who.name);
  }
}

BOOST_AUTO_TEST_CASE(the_words_of_an_input_stay_when_its_turn_has_ended) {
  auto id = begin_held(bob);
  end_turns(bob);
  for (const auto& who : {bob, ann, agent, owner}) {
    BOOST_TEST(change(who, id, new_words) == "forbidden content", who.name);
    BOOST_TEST(
      change(who, id, R"("metadata": {"by_owner": true})") == "forbidden metadata", who.name);
  }
  BOOST_TEST(change(agent, id, R"("ttl_minutes": 5)") == "none");
  BOOST_TEST(archive(bob, id) == "none");
}

BOOST_AUTO_TEST_CASE(a_person_does_not_become_the_owner_by_changing_their_own_input) {
  auto question = ask_ann();
  update_observation claim;
  claim.by = bob;
  claim.by.outside = true;
  claim.observation_id = id_after(say(bob, "observation"));
  claim.changes.metadata = json::object{{"by_owner", true}};
  auto turn = send(operations,
    call_operation{bob, "main", "begin_turn", parse_json(confirming(question))->get_object()});
  // Tries again and again between the steps of the ensemble.
  auto next_try = [&] { return send(host->page(), claim); };
  auto last_try = next_try();
  for (auto tries = 0; tries < 200 && driver.step();) {
    if (!last_try->arrived())
      continue;
    BOOST_TEST(!*last_try->value);
    last_try = next_try();
    ++tries;
  }
  settle();
  while (!turn->arrived() && driver.advance_to_next_deadline()) {
  }
  BOOST_TEST(turn->arrived());
  BOOST_TEST(of_type("user_input").front()->observation_id == claim.observation_id);
  BOOST_TEST(traced("call_tool") == 0u);
}

// -- lifetime -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(no_agent_prolongs_what_a_person_has_said) {
  auto id = say(ann, "observation", R"(, "tags": ["consent"], "ttl_minutes": 5)");
  for (const auto& who : {agent, other, bob})
    for (const auto* minutes : {"525600", "6", "-1"})
      BOOST_TEST(
        change(who, id, std::string{R"("ttl_minutes": )"} + minutes) == "forbidden ttl_minutes",
        who.name << minutes);
  BOOST_TEST(change(other, id, R"("ttl_minutes": 4)") == "none");
  for (const auto& who : {ann, owner})
    BOOST_TEST(change(who, id, R"("ttl_minutes": 10)") == "none", who.name);
  BOOST_TEST(archive(other, id) == "none");
}

BOOST_AUTO_TEST_CASE(a_consent_ends_when_the_person_said_whatever_an_agent_does) {
  auto id = say(ann, "observation", R"(, "tags": ["consent"], "ttl_minutes": 1)");
  change(other, id, R"("ttl_minutes": 525600)");
  advance(std::chrono::minutes{2});
  as(ann, "begin_turn",
    R"({"input": "Pay", "thread_id": "t", "plan": [{"tool_id": "pay", "inputs": {}}]})");
  BOOST_TEST(traced("call_tool") == 0u);
}

BOOST_AUTO_TEST_CASE(no_agent_prolongs_a_question_for_consent_or_what_led_to_it) {
  auto question = ask_ann();
  auto input = of_type("user_input").front()->observation_id;
  for (const auto& id : {question, input})
    for (const auto& who : {agent, other, bob})
      BOOST_TEST(
        change(who, id, R"("ttl_minutes": 525600)") == "forbidden ttl_minutes", who.name << id);
  BOOST_TEST(change(ann, question, R"("ttl_minutes": 525600)") == "none");
  advance(std::chrono::hours{25});
  as(ann, "begin_turn", confirming(question)); // the answer comes too late
  BOOST_TEST(traced("call_tool") == 0u);
}

// -- questions ------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(nobody_outside_changes_a_question_that_is_answered) {
  auto id = say(other, "pending_confirmation", R"(, "context": {"thread_id": "t"})");
  auto answer = R"({"input": "Yes", "thread_id": "t", "hold": true,
    "context": {"confirms": [], "answers": ")"
                + id + "\"}}";
  as(ann, "begin_turn", answer);
  for (const auto& who : {other, ann, owner}) {
    BOOST_TEST(change(who, id, new_words) == "forbidden content", who.name);
    BOOST_TEST(change(who, id, R"("metadata": {"answer": "No"})") == "forbidden metadata");
    BOOST_TEST(change(who, id, R"("owner": "agent")") == "forbidden owner", who.name);
  }
  BOOST_TEST(content_of(id) == "Is the bridge closed?");
}

BOOST_AUTO_TEST_CASE(a_question_is_not_changed_while_somebody_answers_it) {
  for (const auto& who : {other, gauge}) {
    auto id = say(who, "pending_confirmation");
    BOOST_TEST(change(who, id, new_words) == "forbidden content", who.name);
    BOOST_TEST(change(who, id, R"("context": {"pending_action_id": "pay"})") == "forbidden context",
      who.name);
    BOOST_TEST(archive(who, id) == "none", who.name); // but it can be archived
  }
}

BOOST_AUTO_TEST_CASE(nobody_outside_changes_what_is_resolved) {
  for (const auto& who : {agent, ann, gauge}) {
    auto id = say(who, "observation");
    BOOST_TEST(change(who, id, R"("status": "resolved")") == "none", who.name);
    BOOST_TEST(change(who, id, new_words) == "forbidden content", who.name);
    BOOST_TEST(change(owner, id, new_words) == "forbidden content", who.name);
    BOOST_TEST(archive(who, id) == "none", who.name);
  }
}

// -- metadata that the ensemble decides by -----------------------------------------------------

BOOST_AUTO_TEST_CASE(nobody_outside_writes_metadata_that_the_ensemble_decides_by) {
  for (const auto& who : {agent, ann, owner, gauge}) {
    auto id = say(who, "observation");
    for (const auto* name :
      {"by_owner", "answered_by", "answer_id", "consent_of", "call", "resolved_by", "plan"}) {
      auto metadata = R"("metadata": {")" + std::string{name} + R"(": true})";
      auto expected = "forbidden metadata." + std::string{name};
      BOOST_TEST(change(who, id, metadata) == expected, who.name);
      BOOST_TEST(
        refusal("add_observation", R"({"type": "observation", "content": "x", )" + metadata + "}")
        == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_owner_corrects_a_word_of_the_ensemble_and_not_what_it_decides_by) {
  as(ann, "begin_turn", R"({"input": "Hello"})");
  auto decision = of_type("routing_decision").front();
  auto with = [&](json::object metadata) {
    return change(owner, decision->observation_id, "\"metadata\": " + to_text(metadata));
  };
  auto metadata = decision->metadata;
  metadata["note"] = "seen";
  BOOST_TEST(with(metadata) == "none");
  metadata["urgency"] = "high";
  BOOST_TEST(with(metadata) == "forbidden metadata.urgency");
}

// -- time ------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(nobody_says_that_they_noticed_something_later_than_now) {
  for (const auto& who : {agent, ann, gauge}) {
    by = who;
    auto told = call("add_observation", R"({"type": "observation", "content": "Smoke",
      "source": {")" + std::string{name_of(who.kind)}
                                          + R"(": ")" + who.name
                                          + R"(", "timestamp": "2035-01-01T00:00:00Z"}})");
    BOOST_TEST(
      to_text(told.at("source").at("timestamp")) == to_text(told.at("created_at")), who.name);
    BOOST_TEST(told.at("warnings").as_array().size() == 1u, who.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
