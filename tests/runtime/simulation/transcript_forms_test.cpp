#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/recorded_calls.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/planned_calls.hpp"
#include "scratchpage/tests/support/require_value.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Forms of messages and files that are met beside the usual one.

namespace scratchpage {

namespace {

constexpr std::string_view hi = R"({"role":"user","content":"Hello"})";

/// The only conversation of a file, which has no notices.
conversation read_only(const std::string& text, const std::string& file = "t.jsonl") {
  auto read = test::require_value(read_transcript(text, file));
  for (const auto& x : read.notices.kept())
    BOOST_TEST_MESSAGE(x.text);
  BOOST_TEST(read.notices.count() == 0u);
  BOOST_TEST_REQUIRE(read.conversations.size() == 1u);
  return std::move(read.conversations.front());
}

/// A conversation of a greeting and these messages.
conversation greeted(const std::string& messages) {
  return read_only(R"({"id":"t","messages":[)" + std::string{hi} + "," + messages + "]}\n");
}

const replay_turn& only_turn(const conversation& x, size_t number = 0) {
  return std::get<turns_step>(x.steps.at(number).what).turns.front();
}

const recorded_response& answer_to(const conversation& x, const std::string& call_id) {
  for (const auto& tool : x.tools)
    for (const auto& response : std::get<recorded_tool>(tool.kind).responses)
      if (response.call_id == call_id)
        return response;
  throw std::runtime_error{"no answer to " + call_id};
}

std::string written(const json::object& x) {
  return to_text(json::value(x));
}

size_t number_of_conversations(const std::string& text, const std::string& file) {
  return test::require_value(read_transcript(text, file)).conversations.size();
}

std::string refused(const test::temp_dir& dir, const std::string& name, std::string_view bytes) {
  auto read = read_input(dir.file(name, bytes));
  return read ? "accepted" : expectation_of(read.error());
}

} // namespace

BOOST_AUTO_TEST_CASE(the_older_form_of_calls_is_read) {
  auto x = greeted(
    R"({"role":"assistant","content":null,"function_call":{"name":"look","arguments":"{\"a\":1}"}},)"
    R"({"role":"function","name":"look","content":"{\"b\":2}"},)"
    R"({"role":"assistant","function_call":{"name":"look","arguments":"{}"}},)"
    R"({"role":"function","name":"look","content":"Error: gone"},)"
    R"({"role":"assistant","content":"Done"})");
  const auto& turn = only_turn(x);
  BOOST_TEST_REQUIRE(turn.request.plan.size() == 2u);
  BOOST_TEST(written(turn.request.plan[0].inputs) == R"({"a":1})");
  BOOST_TEST(turn.request.plan[1].after.at(0) == "call");
  BOOST_TEST(written(answer_to(x, "call").outputs) == R"({"b":2})");
  BOOST_TEST(int(answer_to(x, "call#2").status) == int(tool_status::error));
  BOOST_TEST(turn.recorded_response == "Done");
}

BOOST_AUTO_TEST_CASE(a_call_with_both_forms_is_read_once) {
  auto x =
    greeted(R"({"role":"assistant","function_call":{"name":"look","arguments":"{}"},"tool_calls":[)"
            R"({"id":"1","type":"function","function":{"name":"look","arguments":"{}"}}]})");
  BOOST_TEST(count_calls(x) == 1u);
}

BOOST_AUTO_TEST_CASE(a_custom_call_has_its_input_as_text) {
  auto x = greeted(
    R"({"role":"assistant","tool_calls":[{"id":"1","type":"custom","custom":)"
    R"({"name":"shell","input":"ls {\"a\":1}"}}]},{"role":"tool","tool_call_id":"1","content":"a"})");
  BOOST_TEST(written(only_turn(x).request.plan.at(0).inputs) == R"({"input":"ls {\"a\":1}"})");
  BOOST_TEST(written(answer_to(x, "1").outputs) == R"({"content":"a"})");
}

BOOST_AUTO_TEST_CASE(calls_and_answers_that_are_parts_of_the_content_are_read) {
  auto x = greeted(R"({"role":"assistant","content":[{"type":"text","text":"I look"},)"
                   R"({"type":"tool_use","id":"u1","name":"look","input":{"a":1}}]},)"
                   R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"u1",)"
                   R"("content":[{"type":"text","text":"{\"b\":2}"}]}]},)"
                   R"({"role":"assistant","content":"Found"})");
  BOOST_TEST(x.steps.size() == 1u); // an answer is no turn
  BOOST_TEST(written(only_turn(x).request.plan.at(0).inputs) == R"({"a":1})");
  BOOST_TEST(written(answer_to(x, "u1").outputs) == R"({"b":2})");
  BOOST_TEST(only_turn(x).recorded_response == "Found");
}

BOOST_AUTO_TEST_CASE(calls_without_ids_get_their_answers_by_name_or_in_their_order) {
  auto x =
    greeted(R"({"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":{}}},)"
            R"({"function":{"name":"b","arguments":{}}},{"name":"c","args":{"x":1}}]},)"
            R"({"role":"tool","name":"b","content":"of b"},{"role":"tool","content":"of a"})");
  BOOST_TEST(written(answer_to(x, "call").outputs) == R"({"content":"of a"})");
  BOOST_TEST(written(answer_to(x, "call#2").outputs) == R"({"content":"of b"})");
  BOOST_TEST(is_unanswered(answer_to(x, "call#3").status, answer_to(x, "call#3").outputs));
  BOOST_TEST(written(only_turn(x).request.plan.at(2).inputs) == R"({"x":1})");
}

BOOST_AUTO_TEST_CASE(of_calls_with_one_id_an_answer_with_a_name_finds_its_tool) {
  auto x = greeted(R"({"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a"}},)"
                   R"({"id":"1","function":{"name":"b"}}]},)"
                   R"({"role":"tool","tool_call_id":"1","name":"b","content":"of b"},)"
                   R"({"role":"tool","tool_call_id":"1","name":"a","content":"of a"})");
  BOOST_TEST(written(answer_to(x, "1").outputs) == R"({"content":"of a"})");
  BOOST_TEST(written(answer_to(x, "1#2").outputs) == R"({"content":"of b"})");
}

BOOST_AUTO_TEST_CASE(content_has_many_forms) {
  auto input = [](const std::string& content) {
    return only_turn(
      read_only(R"({"id":"t","messages":[{"role":"user","content":)" + content + "}]}"))
      .request.input;
  };
  BOOST_TEST(input(R"([{"type":"input_text","text":"a"},"b",{"text":"c"}])") == "a\nb\nc");
  BOOST_TEST(input(R"({"type":"text","text":"a"})") == "a");
  BOOST_TEST(input(R"([{"type":"text","text":{"value":"a"}}])") == "a");
  BOOST_TEST(input("7") == "7");
  BOOST_TEST(input("[]") == "(no text)");
  BOOST_TEST(input(R"([{"type":"image_url","image_url":{"url":"x"}}])") == "(no text)");
  auto x = greeted(R"({"role":"assistant","content":null,"refusal":"I may not"})");
  BOOST_TEST(only_turn(x).recorded_response == "I may not");
  auto y = greeted(R"({"role":"assistant","content":[{"type":"refusal","refusal":"No"}]})");
  BOOST_TEST(only_turn(y).recorded_response == "No");
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_data_is_kept_as_its_json) {
  auto outputs = [](const std::string& content) {
    auto x = greeted(R"({"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a"}}]},)"
                     R"({"role":"tool","tool_call_id":"1","content":)"
                     + content + "}");
    return written(answer_to(x, "1").outputs);
  };
  BOOST_TEST(outputs(R"({"a":1})") == R"({"a":1})");
  BOOST_TEST(outputs("[1,2]") == R"({"content":"[1,2]"})");
  BOOST_TEST(outputs(R"([{"a":1}])") == R"({"content":"[{\"a\":1}]"})");
  BOOST_TEST(outputs(R"([{"type":"text","text":"x"}])") == R"({"content":"x"})");
  BOOST_TEST(outputs("null") == R"({"content":""})");
}

BOOST_AUTO_TEST_CASE(a_list_of_conversations_is_read_like_lines) {
  auto one = R"({"messages":[)" + std::string{hi} + "]}";
  BOOST_TEST(number_of_conversations("[" + one + "," + one + "]", "t.json") == 2u);
  auto spread = "[\n" + one + ",\n\n{\n \"messages\": [\n" + std::string{hi} + "\n]\n}\n]\n";
  auto read = test::require_value(read_transcript(spread, "t.json"));
  BOOST_TEST_REQUIRE(read.conversations.size() == 2u);
  BOOST_TEST(read.conversations[0].id == "line_2");
  BOOST_TEST(read.conversations[1].id == "line_4");
  BOOST_TEST(number_of_conversations("[\n" + std::string{hi} + "\n]\n", "t.json") == 1u);
  BOOST_TEST(
    number_of_conversations("{\n\"messages\": [" + std::string{hi} + "]\n}\n", "t.json") == 1u);
}

BOOST_AUTO_TEST_CASE(one_bad_element_of_a_list_leaves_the_others) {
  auto one = R"({"messages":[)" + std::string{hi} + "]}";
  auto read = test::require_value(
    read_transcript("[\n" + one + ",\n{\"messages\": 7},\nnonsense,\n" + one + "\n]\n", "t.json"));
  BOOST_TEST(read.conversations.size() == 2u);
  BOOST_TEST(read.notices.refused() == 2u);
  BOOST_TEST(read.notices.kept().at(0).text.starts_with("t.json:3: messages: expected"));
  BOOST_TEST(read.notices.kept().at(1).text.starts_with("t.json:4: expected valid JSON"));
}

BOOST_AUTO_TEST_CASE(the_kind_of_a_file_shows_in_its_content) {
  auto one = R"({"messages":[)" + std::string{hi} + "]}";
  BOOST_TEST(int(kind_of_input("[\n" + one + "\n]", "t.json")) == int(input_kind::transcript));
  BOOST_TEST(int(kind_of_input("{\n\"messages\":[]}", "t")) == int(input_kind::transcript));
  BOOST_TEST(int(kind_of_input("{\n\"steps\":[]}", "t")) == int(input_kind::scenario));
  BOOST_TEST(int(kind_of_input("x", "t.ndjson")) == int(input_kind::transcript));
}

BOOST_AUTO_TEST_CASE(files_that_are_no_text_say_what_they_are) {
  test::temp_dir dir;
  BOOST_TEST(refused(dir, "a.jsonl", std::string_view{"\x1f\x8b\x08\x00", 4})
             == "expected text, but the file is compressed (gzip): decompress it first");
  BOOST_TEST(refused(dir, "b.jsonl", "\xff\xfe{").starts_with("expected UTF-8, but the file is"));
  BOOST_TEST(refused(dir, "c.jsonl", "\xEF\xBB\xBF\r\n")
             == "expected a scenario or a transcript, but the file is empty");
}

BOOST_AUTO_TEST_CASE(a_strict_reader_refuses_what_is_left_out) {
  test::temp_dir dir;
  auto path = dir.file("t.jsonl", R"({"messages":[)" + std::string{hi} + "]}\nx\n");
  BOOST_TEST(test::require_value(read_inputs({path})).conversations.size() == 1u);
  auto strict = read_inputs({path}, true);
  BOOST_TEST_REQUIRE(!strict);
  BOOST_TEST(describe_input(strict.error()).starts_with(path + ":2: expected valid JSON"));
}

BOOST_AUTO_TEST_CASE(an_open_call_is_answered_once) {
  open_calls calls;
  calls.begin_message(false);
  calls.add({"1", "1", "look"});
  BOOST_TEST(calls.take("1", "").has_value());
  BOOST_TEST(!calls.take("1", "").has_value());
  BOOST_TEST(calls.take_all().empty());
}

} // namespace scratchpage
