#define BOOST_TEST_MODULE replay_transcript
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/planned_calls.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

namespace scratchpage {

namespace {

const begin_turn& request_of(const conversation& x, size_t turn) {
  return std::get<turns_step>(x.steps.at(turn).what).turns.at(0).request;
}

const std::string& response_of(const conversation& x, size_t turn) {
  return std::get<turns_step>(x.steps.at(turn).what).turns.at(0).recorded_response;
}

std::vector<conversation> read_sample() {
  return test::require_value(
    read_input(test::source_file("tests/runtime/simulation/transcript_parcels.jsonl")));
}

/// A conversation with these messages.
std::string line(const std::string& messages) {
  return R"({"id":"t","messages":[)" + messages + "]}\n";
}

conversation read_one(const std::string& messages) {
  return test::require_value(read_transcript(line(messages), "t.jsonl")).at(0);
}

std::string refusal_of(const std::string& text) {
  auto all = read_transcript(text, "t.jsonl");
  return all ? "accepted" : describe_input(all.error());
}

std::string call(const std::string& id, const std::string& arguments = R"("{}")") {
  return R"({"role":"assistant","content":null,"tool_calls":[{"id":")" + id
         + R"(","type":"function","function":{"name":"look","arguments":)" + arguments + "}}]}";
}

std::string answer(const std::string& id, const std::string& content) {
  return R"({"role":"tool","tool_call_id":")" + id + R"(","content":)" + content + "}";
}

constexpr auto hello = R"({"role":"user","content":"Hello"})";

/// The recorded answers by the ids of the calls.
std::map<std::string, recorded_response> answers_of(const conversation& x) {
  std::map<std::string, recorded_response> result;
  for (const auto& tool : x.tools)
    for (const auto& response : std::get<recorded_tool>(tool.kind).responses)
      BOOST_TEST(result.emplace(response.call_id, response).second);
  return result;
}

bool failed(const recorded_response& x) {
  return x.status == tool_status::error;
}

size_t failures_of(const conversation& x) {
  size_t result = 0;
  for (const auto& [id, answer] : answers_of(x))
    result += failed(answer) ? 1 : 0;
  return result;
}

std::string text_of(const recorded_response& x, std::string_view member) {
  return std::string{x.outputs.at(member).as_string()};
}

} // namespace

BOOST_AUTO_TEST_CASE(each_user_message_is_a_turn_with_the_calls_that_follow) {
  auto all = read_sample();
  BOOST_TEST(all.size() == 2u);
  BOOST_TEST(all[0].id == "parcels-1");
  BOOST_TEST(count_turns(all[0]) == 2u);
  BOOST_TEST(count_calls(all[0]) == 3u);
  const auto& first = request_of(all[0], 0);
  BOOST_TEST(first.input == "Where is my parcel?");
  BOOST_TEST(first.agent_id == "parcels-1");
  BOOST_TEST(first.plan[0].tool_id == "find_parcel");
  BOOST_TEST(to_text(first.plan[0].inputs) == R"({"name":"Ada"})");
  BOOST_TEST(request_of(all[0], 1).plan.empty());
}

BOOST_AUTO_TEST_CASE(calls_of_one_message_are_independent_and_wait_for_the_message_before) {
  const auto all = read_sample();
  const auto& plan = request_of(all[0], 0).plan;
  BOOST_TEST(plan[0].after.empty());
  BOOST_TEST(plan[1].after.empty());
  std::vector<std::string> both{"c1", "c2"};
  BOOST_TEST(plan[2].after == both, boost::test_tools::per_element());
  BOOST_TEST(plan[2].depends_on.empty());
}

BOOST_AUTO_TEST_CASE(a_turn_does_not_wait_for_calls_of_an_earlier_one) {
  auto x = read_one(std::string{hello} + "," + call("1") + "," + hello + "," + call("2"));
  BOOST_TEST(request_of(x, 1).plan[0].after.empty());
}

BOOST_AUTO_TEST_CASE(the_text_after_the_calls_is_the_recorded_response) {
  auto all = read_sample();
  BOOST_TEST(response_of(all[0], 0) == "It lies in the south.");
  BOOST_TEST(response_of(all[0], 1) == "You are welcome.");
  BOOST_TEST(response_of(all[1], 0) == "Too dark.");
}

BOOST_AUTO_TEST_CASE(an_answer_that_tells_an_error_is_a_failure) {
  auto all = read_sample();
  BOOST_TEST(failures_of(all[0]) == 1u);
  auto first = answers_of(all[0]);
  BOOST_TEST(text_of(first.at("c2"), "error") == "Error: the depot does not answer");
  BOOST_TEST(text_of(first.at("c1"), "where") == "north");
  BOOST_TEST(!failed(first.at("c3"))); // a null error is none
  BOOST_TEST(text_of(answers_of(all[1]).at("c1"), "error") == "too dark");
}

BOOST_AUTO_TEST_CASE(only_the_form_of_the_contract_is_a_failure) {
  auto fails = [](const std::string& content) {
    auto x = read_one(std::string{hello} + "," + call("1") + "," + answer("1", content));
    return failed(answers_of(x).at("1"));
  };
  for (auto bad : {R"("Error")", R"("Error: x")", R"("{\"error\": \"x\"}")",
         R"("{\"error\": true}")", R"("{\"error\": 0}")", R"("{\"error\": {}}")"})
    BOOST_TEST(fails(bad), bad);
  for (auto good : {R"("error: x")", R"(" Error")", R"("no Error")", R"("{\"error\": \"\"}")",
         R"("{\"error\": false}")", R"("[{\"error\": \"x\"}]")", R"("{\"error\": \"x\"")", R"("")",
         "null"})
    BOOST_TEST(!fails(good), good);
}

BOOST_AUTO_TEST_CASE(content_may_be_a_list_of_parts) {
  auto all = read_sample();
  BOOST_TEST(request_of(all[1], 0).input == "Look at\nthis");
}

BOOST_AUTO_TEST_CASE(arguments_are_text_or_an_object_and_kept_when_they_are_neither) {
  auto inputs = [](const std::string& arguments) {
    auto x = read_one(std::string{hello} + "," + call("1", arguments));
    return to_text(request_of(x, 0).plan[0].inputs);
  };
  BOOST_TEST(inputs(R"({"a": 1})") == R"({"a":1})");
  BOOST_TEST(inputs(R"("{\"a\": 1}")") == R"({"a":1})");
  BOOST_TEST(inputs(R"("a = 1")") == R"({"raw":"a = 1"})");
  BOOST_TEST(inputs(R"("[1]")") == R"({"raw":"[1]"})");
  BOOST_TEST(inputs(R"("")") == "{}");
  BOOST_TEST(inputs("null") == "{}");
}

BOOST_AUTO_TEST_CASE(calls_before_the_first_user_message_belong_to_the_first_turn) {
  auto x = read_one(call("1") + "," + answer("1", R"("a")") + "," + hello + "," + call("2"));
  const auto& plan = request_of(x, 0).plan;
  BOOST_TEST(plan.size() == 2u);
  BOOST_TEST(plan[1].after.at(0) == "1");
}

BOOST_AUTO_TEST_CASE(ids_that_occur_again_become_unique_and_keep_their_answers) {
  auto x =
    read_one(std::string{hello} + "," + call("1") + "," + answer("1", R"("a")") + "," + call("1")
             + "," + call("1") + "," + answer("1", R"("c")") + "," + answer("1", R"("b")"));
  const auto& plan = request_of(x, 0).plan;
  BOOST_TEST(plan[1].call_id == "1#2");
  BOOST_TEST(plan[2].call_id == "1#3");
  auto answers = answers_of(x);
  BOOST_TEST(text_of(answers.at("1"), "content") == "a");
  BOOST_TEST(text_of(answers.at("1#2"), "content") == "b");
  BOOST_TEST(text_of(answers.at("1#3"), "content") == "c"); // answers the latest open call first
}

BOOST_AUTO_TEST_CASE(a_slash_in_an_id_does_not_hide_the_call_from_its_answer) {
  auto x = read_one(std::string{hello} + "," + call("a/b") + "," + answer("a/b", R"("c")"));
  BOOST_TEST(request_of(x, 0).plan[0].call_id == "a_b");
  BOOST_TEST(answers_of(x).count("a_b") == 1u);
}

BOOST_AUTO_TEST_CASE(a_call_without_an_answer_is_allowed) {
  auto x = read_one(std::string{hello} + "," + call("1"));
  BOOST_TEST(count_calls(x) == 1u);
  BOOST_TEST(answers_of(x).empty());
}

BOOST_AUTO_TEST_CASE(a_message_without_text_still_makes_a_turn) {
  auto x = read_one(R"({"role":"user","content":"  "})");
  BOOST_TEST(request_of(x, 0).input == "(no text)");
}

BOOST_AUTO_TEST_CASE(each_tool_that_is_used_has_a_manifest) {
  auto all = read_sample();
  BOOST_TEST(all[0].tools.size() == 2u);
  BOOST_TEST(all[0].tools[0].manifest.tool_id == "find_parcel");
  BOOST_TEST(!all[0].tools[0].manifest.idempotent); // recorded calls are not repeated
}

BOOST_AUTO_TEST_CASE(line_ends_blank_lines_and_a_byte_order_mark_are_fine) {
  auto text = "\xEF\xBB\xBF" + line(hello);
  text.insert(text.size() - 1, "\r");
  BOOST_TEST(refusal_of(text + "\r\n  \n") == "accepted");
  text.pop_back();
  BOOST_TEST(refusal_of(text) == "accepted");
}

BOOST_AUTO_TEST_CASE(bad_input_names_file_line_field_and_what_was_expected) {
  auto good = line(hello);
  auto second = [&good](const std::string& text) { return refusal_of(good + text); };
  BOOST_TEST(refusal_of("\n" + line(R"({"role":"robot"})"))
             == "t.jsonl:2: messages[0].role: expected one of system, developer, user, assistant, "
                "tool");
  BOOST_TEST(
    second("{\"id\": \"b\", ")
      .starts_with("t.jsonl:2: expected valid JSON, at most 64 levels deep, but it breaks"),
    second("{\"id\": \"b\", "));
  BOOST_TEST(second("[]") == "t.jsonl:2: expected a conversation: an object with id and messages");
  BOOST_TEST(
    second(R"({"messages":[]})") == "t.jsonl:2: id: expected a text that names the conversation");
  BOOST_TEST(second(R"({"id":7,"messages":[]})")
             == "t.jsonl:2: id: expected a text that names the conversation");
  BOOST_TEST(second(R"({"id":"b"})")
             == "t.jsonl:2: messages: expected a list of messages that is not empty");
  BOOST_TEST(second(R"({"id":"b","messages":[]})")
             == "t.jsonl:2: messages: expected a list of messages that is not empty");
  BOOST_TEST(second(R"({"id":"b","messages":{}})")
             == "t.jsonl:2: messages: expected a list of messages that is not empty");
  BOOST_TEST(
    second(good) == "t.jsonl:2: id: expected an id of its own, but an earlier line has \"t\" too");
  BOOST_TEST(refusal_of(line(R"({"role":"system","content":"x"})"))
             == "t.jsonl:1: messages: expected a message of the role user");
  BOOST_TEST(refusal_of(line(std::string{hello} + "," + answer("9", R"("a")")))
             == "t.jsonl:1: messages[1].tool_call_id: expected the id of an earlier call that has "
                "no answer yet, but no such call is named \"9\"");
  BOOST_TEST(refusal_of(line(R"({"role":"user","content":7})"))
             == "t.jsonl:1: messages[0].content: expected a text, null, or a list of parts");
  BOOST_TEST(refusal_of(line(R"({"role":"user","content":[{"type":"text"}]})"))
             == "t.jsonl:1: messages[0].content[0].text: expected a text");
  BOOST_TEST(
    refusal_of(line(std::string{hello} + R"(,{"role":"assistant","tool_calls":[{"id":"1"}]})"))
    == "t.jsonl:1: messages[1].tool_calls[0].function: expected an object with name and "
       "arguments");
}

BOOST_AUTO_TEST_CASE(a_second_answer_to_one_call_is_refused) {
  auto text = line(std::string{hello} + "," + call("1") + "," + answer("1", R"("a")") + ","
                   + answer("1", R"("b")"));
  BOOST_TEST(refusal_of(text).starts_with("t.jsonl:1: messages[3].tool_call_id: expected"));
}

BOOST_AUTO_TEST_CASE(a_file_without_a_conversation_is_refused) {
  BOOST_TEST(
    refusal_of("\n\n") == "t.jsonl: expected at least one conversation, but the file has none");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_utf8_is_refused) {
  BOOST_TEST(refusal_of(line("{\"role\":\"user\",\"content\":\"\xFF\"}"))
             == "t.jsonl:1: expected UTF-8, but there is none at column 49");
}

BOOST_AUTO_TEST_CASE(an_overlong_line_is_refused) {
  BOOST_TEST(refusal_of(std::string(max_transcript_line + 1, 'x'))
             == "t.jsonl:1: expected a line of at most 16 MiB");
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_and_not_followed) {
  std::string deep(10'000, '[');
  BOOST_TEST(
    refusal_of("{\"id\":\"t\",\"x\":" + deep).starts_with("t.jsonl:1: expected valid JSON"));
}

/// Tests real transcripts if SCRATCHPAGE_TRANSCRIPTS is set to a file of them.
BOOST_AUTO_TEST_CASE(every_call_of_real_transcripts_is_planned_once) {
  const auto* path = std::getenv("SCRATCHPAGE_TRANSCRIPTS");
  if (path == nullptr)
    return;
  const auto all = test::require_value(read_input(path));
  size_t turns = 0, calls = 0, answers = 0, failures = 0;
  for (const auto& x : all) {
    turns += count_turns(x);
    calls += count_calls(x);
    answers += answers_of(x).size();
    failures += failures_of(x);
  }
  BOOST_TEST_MESSAGE(all.size() << " conversations, " << turns << " turns, " << calls << " calls, "
                                << failures << " failures");
  BOOST_TEST(turns >= all.size());
  BOOST_TEST(answers <= calls);
}

} // namespace scratchpage
