#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/tests/runtime/api/asked_team.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// What an agent outside says in the turns that it holds, and what its users answer (contract 14).

namespace scratchpage::test {

namespace {

struct conversations : asked_team {
  conversations() { begin(); }

  static std::string text(const json::value& x, std::string_view member) {
    return std::string{x.at(member).as_string()};
  }

  /// A turn of ann in the thread, which the assistant relays and answers. Returns its result.
  json::value talk(
    const std::string& input, const std::string& response, const std::string& thread = "t") {
    auto begun = as(as_daemon("assistant"), "begin_turn",
      to_text(
        json::object{{"input", input}, {"user_id", "ann"}, {"thread_id", thread}, {"hold", true}}));
    return call(
      "end_turn", to_text(json::object{{"turn_id", begun.at("turn_id")}, {"response", response}}));
  }

  /// What ann says herself about one question.
  void say_about(const std::string& question, const std::string& input) {
    json::object context{{"confirms", json::array{}}, {"answers", question}};
    as(as_user("ann"), "begin_turn",
      to_text(json::object{{"input", input}, {"thread_id", "t"}, {"context", std::move(context)}}));
  }

  /// The open questions of responses; the Clarifier may have some of its own beside them.
  std::vector<observation_ptr> open_questions() {
    auto asked = of_type("pending_confirmation");
    std::erase_if(asked, [](const observation_ptr& x) { return !x->metadata.contains("kind"); });
    return asked;
  }

  /// Two turns whose responses ask. Returns the ids of the questions, the older one first.
  std::pair<std::string, std::string> ask_twice() {
    talk("Book me a table at Nora's", "A table for two at Nora's at 7 pm. Shall I book it?");
    auto asked = open_questions();
    BOOST_REQUIRE(asked.size() == 1u);
    auto older = asked[0]->observation_id;
    talk("What is their phone number?", "It is 555 0100. A taxi there costs 20. Shall I book it?");
    asked = open_questions();
    BOOST_REQUIRE(asked.size() == 2u);
    auto newer = asked[asked[0]->observation_id == older ? 1 : 0]->observation_id;
    return {older, newer};
  }

  /// The only question of a response that is still open; null if there are none or several.
  observation_ptr only_open_question() {
    auto asked = open_questions();
    return asked.size() == 1 ? asked[0] : observation_ptr{};
  }

  /// How the newest question of a response was answered, or its status if it was not.
  std::string answered_as() {
    auto asked = of_type("pending_confirmation");
    return asked.empty() ? answered_as("") : to_string(asked[0]->status);
  }

  /// How the question with this id was answered, or any if it is ""; its status if it was not.
  std::string answered_as(const std::string& id) {
    list_archive gone{.by = as_daemon("probe"), .filter = {}, .limit = 10, .cursor = {}};
    gone.filter.type = {"pending_confirmation"};
    for (const auto& x : value(ask(host->page(), std::move(gone))).observations)
      if (id.empty() || x->observation_id == id) {
        const auto* as = x->metadata.if_contains("resolved_as");
        return as != nullptr ? std::string{as->as_string()} : to_string(x->status);
      }
    return "none";
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation, conversations)

BOOST_AUTO_TEST_CASE(what_the_agent_answers_is_on_the_page_and_in_the_result) {
  auto turn = talk("Is the museum open today?", "The museum is open until five today.");
  BOOST_TEST(text(turn, "response") == "The museum is open until five today.");
  auto said = of_type("agent_response");
  BOOST_REQUIRE(said.size() == 1u);
  BOOST_TEST(said[0]->content == "The museum is open until five today.");
  BOOST_TEST(said[0]->source.name == "assistant");
  BOOST_TEST(said[0]->source.turn_id == text(turn, "turn_id"));
  BOOST_TEST(said[0]->metadata.contains("turn_input_id"));
  BOOST_TEST(text(turn, "status") == "complete");
}

BOOST_AUTO_TEST_CASE(only_end_turn_adds_responses_and_only_good_ones) {
  by = as_daemon("assistant");
  by.outside = true;
  BOOST_TEST(refusal("add_observation", R"({"type": "agent_response", "content": "Yes"})")
             == "forbidden type");
  auto begun = call("begin_turn", R"({"input": "Hello", "hold": true})");
  json::object ending{{"turn_id", begun.at("turn_id")}, {"response", std::string(70'000, 'x')}};
  BOOST_TEST(refusal("end_turn", to_text(ending)) == "invalid_request response");
  ending["response"] = "Hello, how can I help you?";
  BOOST_TEST(refusal("end_turn", to_text(ending)) == "none");
}

BOOST_AUTO_TEST_CASE(a_response_that_asks_waits_for_the_person_and_the_next_input_answers) {
  auto turn = talk("Book me a table at Nora's for tonight",
    "A table for two at Nora's at 7 pm tonight. Shall I book it?");
  BOOST_TEST(text(turn, "status") == "waiting");
  auto asked = of_type("pending_confirmation");
  BOOST_REQUIRE(asked.size() == 1u);
  BOOST_TEST(std::string{asked[0]->metadata.at("kind").as_string()} == "confirm");
  talk("Yes, please do", "Your table is booked.");
  BOOST_TEST(answered_as() == "affirmed");
}

BOOST_AUTO_TEST_CASE(an_answer_may_decline_or_change_what_was_asked) {
  talk("Book me a table at Nora's", "A table for two at Nora's at 7 pm. Is that correct?");
  talk("No, make it 8 pm", "A table for two at Nora's at 8 pm. Is that correct?");
  auto asked = of_type("pending_confirmation");
  BOOST_REQUIRE(asked.size() == 1u);
  talk("No, thanks, forget it", "All right.");
  BOOST_TEST(answered_as() == "declined");
}

BOOST_AUTO_TEST_CASE(an_input_that_does_not_speak_to_a_question_leaves_it_open_and_it_is_told) {
  talk("Book me a table at Nora's", "A table for two at Nora's at 7 pm. Shall I book it?");
  auto turn = talk("What is their phone number?", "It is 555 0100.");
  const auto& waiting = turn.at("waiting").as_array();
  BOOST_REQUIRE(waiting.size() == 1u);
  BOOST_TEST(text(waiting[0], "kind") == "confirm");
  BOOST_TEST(text(waiting[0], "question").find("Shall I book it?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(another_user_and_another_thread_answer_nothing) {
  talk("Book me a table at Nora's", "A table for two at Nora's at 7 pm. Shall I book it?");
  talk("Yes, please do", "What do you mean by that?", "another");
  as(as_daemon("assistant"), "begin_turn",
    R"({"input": "Yes, please do", "user_id": "ben", "thread_id": "t"})");
  auto asked = of_type("pending_confirmation");
  auto of_ann = std::count_if(asked.begin(), asked.end(), [](const observation_ptr& x) {
    return x->content.find("Shall I book it?") != std::string::npos;
  });
  BOOST_TEST(of_ann == 1);
}

BOOST_AUTO_TEST_CASE(an_input_that_names_a_question_answers_that_one_alone) {
  auto [older, newer] = ask_twice();
  say_about(older, "Yes");
  auto open = only_open_question();
  BOOST_REQUIRE(open);
  BOOST_TEST(open->observation_id == newer);
  BOOST_TEST(!open->metadata.contains("waited_inputs"));
  BOOST_TEST(answered_as(older) == "affirmed");
}

BOOST_AUTO_TEST_CASE(words_about_a_named_question_answer_it_whatever_they_are) {
  auto [older, newer] = ask_twice();
  say_about(older, "The one with the green door");
  auto open = only_open_question();
  BOOST_REQUIRE(open);
  BOOST_TEST(open->observation_id == newer);
}

BOOST_AUTO_TEST_CASE(relayed_words_name_no_question_and_answer_the_newest) {
  auto [older, newer] = ask_twice();
  json::object said{{"input", "Yes, please do"}, {"user_id", "ann"}, {"thread_id", "t"},
    {"context", json::object{{"answers", older}}}};
  as(as_daemon("assistant"), "begin_turn", to_text(said));
  auto open = only_open_question();
  BOOST_REQUIRE(open);
  BOOST_TEST(open->observation_id == older);
  BOOST_TEST(answered_as(newer) == "affirmed");
}

BOOST_AUTO_TEST_CASE(a_question_that_nobody_answers_is_given_up) {
  talk("Book me a table at Nora's", "A table for two at Nora's at 7 pm. Shall I book it?");
  for (auto i = 0u; i < clarifier_config{}.give_up_after_turns; ++i)
    talk("What is their phone number?", "It is 555 0100.");
  BOOST_TEST(of_type("pending_confirmation").empty());
}

BOOST_AUTO_TEST_CASE(one_wish_is_one_goal_that_ends_with_the_deed) {
  auto turn = talk("I want to book a table for two at Nora's", "What time would you like?");
  BOOST_REQUIRE(turn.at("goals").as_array().size() == 1u);
  BOOST_TEST(text(turn.at("goals").at(0), "goal_type") == "wish");
  BOOST_TEST(text(turn.at("goals").at(0), "status") == "blocked");
  talk("I want to book a table for two at Nora's at 7", "A table at 7 pm. Shall I book it?");
  auto begun = as(as_daemon("assistant"), "begin_turn",
    R"({"input": "Yes, please", "user_id": "ann", "thread_id": "t", "hold": true})");
  json::object call_made{{"turn_id", begun.at("turn_id")}, {"tool_id", "book_table"},
    {"status", "ok"}, {"outputs", json::object{{"confirmation", "A7"}}}};
  call("report_tool_call", to_text(call_made));
  call("end_turn",
    to_text(json::object{{"turn_id", begun.at("turn_id")}, {"response", "Your table is booked."}}));
  auto goals = call("goals_list");
  BOOST_REQUIRE(goals.at("goals").as_array().size() == 1u);
  BOOST_TEST(text(goals.at("goals").at(0), "status") == "completed");
}

BOOST_AUTO_TEST_CASE(a_dropped_wish_is_abandoned) {
  talk("I want to book a table for two at Nora's", "What time would you like?");
  talk("Forget about the table", "All right.");
  BOOST_TEST(text(call("goals_list").at("goals").at(0), "status") == "abandoned");
}

BOOST_AUTO_TEST_CASE(who_holds_off_with_everything_drops_all_wishes) {
  talk("I want to move my flight to Friday", "Which flight is it?");
  talk("I also want to add a suitcase", "That is 80 euros together. Shall I do it?");
  BOOST_TEST(call("goals_list").at("goals").as_array().size() == 2u);
  talk("I'd rather not change anything for now", "All right.");
  auto goals = call("goals_list").at("goals").as_array();
  for (const auto& one : goals)
    BOOST_TEST(text(one, "status") == "abandoned");
}

BOOST_AUTO_TEST_CASE(a_wish_that_says_little_becomes_the_one_that_says_more) {
  talk("I'd like to make some changes to my booking", "What would you like to change?");
  talk("I want to move my flight to the 12th of May", "Done, it is moved.");
  auto goals = call("goals_list");
  BOOST_REQUIRE(goals.at("goals").as_array().size() == 1u);
  BOOST_TEST(text(goals.at("goals").at(0), "title").find("12th") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_response_tells_of_beside_the_deed_is_done_too) {
  talk("I want to book a table for two at Nora's", "What time would you like?");
  talk("I also want to add a high chair for my son", "Of course. At what time shall I book it?");
  auto begun = as(as_daemon("assistant"), "begin_turn",
    R"({"input": "At seven, please", "user_id": "ann", "thread_id": "t", "hold": true})");
  json::object call_made{{"turn_id", begun.at("turn_id")}, {"tool_id", "book_table"},
    {"status", "ok"}, {"outputs", json::object{{"confirmation", "A7"}}}};
  call("report_tool_call", to_text(call_made));
  call("end_turn",
    to_text(json::object{{"turn_id", begun.at("turn_id")},
      {"response", "Your table is booked, and a high chair for your son has been added."}}));
  auto goals = call("goals_list").at("goals").as_array();
  BOOST_TEST(goals.size() == 2u);
  for (const auto& one : goals)
    BOOST_TEST(text(one, "status") == "completed");
}

BOOST_AUTO_TEST_CASE(a_goodbye_completes_no_wish) {
  talk("I want to book a table for two at Nora's", "They are closed until Monday.");
  talk("Thanks, bye!", "Goodbye!");
  BOOST_TEST(text(call("goals_list").at("goals").at(0), "status") != "completed");
}

BOOST_AUTO_TEST_CASE(a_wish_to_know_ends_with_the_answer) {
  talk("I'd like to find out how many bags I can take", "Which flight are you on?");
  talk("The LH 400 on Friday", "You can take two bags of 23 kg each.");
  BOOST_TEST(text(call("goals_list").at("goals").at(0), "status") == "completed");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
