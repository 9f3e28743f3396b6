#include "scratchpage/actors/policies/consent_question.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

BOOST_AUTO_TEST_SUITE(a_question_for_consent)

BOOST_AUTO_TEST_CASE(says_how_much_of_the_inputs_it_does_not_show) {
  auto request = call("c1", "pay");
  request.inputs = {{"note", std::string(600, 'x')}, {"to", "somebody else"}};
  auto draft = draft_of({request, "ann", "obs_1"}, "it costs money", {}, 60);
  BOOST_TEST(draft.content.find("somebody else") == std::string::npos);
  BOOST_TEST(draft.content.ends_with("x… (132 more bytes are not shown)? Reason: it costs money"));
}

BOOST_AUTO_TEST_CASE(says_how_much_of_secret_inputs_it_does_not_show) {
  auto request = call("c1", "pay");
  request.inputs = {{"pin", std::string(100, 'y')}, {"note", std::string(600, 'x')}};
  auto text = draft_of({request, "ann", "obs_1"}, "it costs money", {"pin"}, 60).content;
  // The question shows {"pin":"…","note":"xxx…: the names and 500 bytes.
  BOOST_TEST(text.ends_with("x… (225 more bytes are not shown)? Reason: it costs money"), text);
}

BOOST_AUTO_TEST_CASE(says_what_the_tool_is_told_of_the_page) {
  auto request = call("c1", "pay");
  request.scratch_page_query = scratch_page_query{{}, 1000};
  auto text = [&] { return draft_of({request, "ann", "obs_1"}, "it costs money", {}, 60).content; };
  BOOST_TEST(
    text() == "Allow pay, and give it up to 1000 observations of the page? Reason: it costs money");
  request.inputs = {{"amount", 100}};
  request.scratch_page_query->filters.type = {"observation"};
  BOOST_TEST(text().starts_with(R"(Allow pay with {"amount":100}, and give it up to 1000 )"
                                R"(observations of the page that match {"type":["observation"]}?)"),
    text());
}

BOOST_AUTO_TEST_CASE(shows_what_is_invisible_or_turns_the_direction_of_writing) {
  auto request = call("c1", "pay\xE2\x81\xA6");
  request.inputs = {{"folder", "tmp\xE2\x80\xAE\xE3\x85\xA4\n"}};
  auto draft = draft_of({request, "ann", "obs_1"}, "it costs\nmoney", {}, 60);
  BOOST_TEST(draft.content
             == R"(Allow pay\u{2066} with {"folder":"tmp\u{202e}\u{3164}\n"}? )"
                R"(Reason: it costs\nmoney)");
}

BOOST_AUTO_TEST_CASE(is_for_what_the_tool_is_told_of_the_page_too) {
  auto blind = call("c1", "pay");
  auto told = blind;
  told.scratch_page_query = scratch_page_query{};
  auto told_more = told;
  told_more.scratch_page_query->limit = 1000;
  BOOST_TEST(is_same_call(told, told));
  BOOST_TEST(!is_same_call(blind, told));
  BOOST_TEST(!is_same_call(told, told_more));
}

BOOST_AUTO_TEST_CASE(asks_about_the_call_with_its_inputs_and_without_its_secrets) {
  auto request = call("c1", "pay", {"earlier"});
  request.inputs = {{"amount", 100}, {"pin", "1234"}};
  auto draft = draft_of({request, "ann", "obs_1"}, "it costs money", {"pin"}, 60);
  BOOST_TEST(draft.content
             == R"(Allow pay with {"amount":100,"pin":"…"} )"
                R"((6 bytes are not shown)? Reason: it costs money)");
  observation asked;
  asked.type = draft.type;
  asked.metadata = draft.metadata;
  asked.source.kind = source_kind::daemon;
  BOOST_TEST(!read_consent_question(asked)); // it names no user
  asked.source.name = "executor";
  auto read = read_consent_question(asked);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(is_same_call(read->call, request));
  BOOST_TEST(read->call.depends_on.empty());
  BOOST_TEST(read->user == "ann");
  BOOST_TEST(read->alert_id == "obs_1");
  BOOST_TEST(read->planned_by.empty());
}

BOOST_AUTO_TEST_CASE(says_who_asked_for_the_call_in_the_users_name) {
  auto draft = draft_of({call("c1", "pay"), "ann", "", "assistant"}, "it costs money", {}, 60);
  auto asked = seen("obs_2", draft.type, draft.content);
  asked.metadata = draft.metadata;
  auto read = read_consent_question(asked);
  BOOST_REQUIRE(read.has_value());
  BOOST_TEST(read->planned_by == "assistant");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
