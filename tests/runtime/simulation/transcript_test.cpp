#define BOOST_TEST_MODULE replay_transcript
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>

#include "scratchpage/actors/tools/tool_answers.hpp"
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
    read_input(test::source_file("tests/runtime/simulation/transcript_parcels.jsonl")))
    .conversations;
}

/// A conversation with these messages.
std::string line(const std::string& messages) {
  return R"({"id":"t","messages":[)" + messages + "]}\n";
}

conversation read_one(const std::string& messages) {
  return test::require_value(read_transcript(line(messages), "t.jsonl")).conversations.at(0);
}

std::string refusal_of(const std::string& text) {
  auto all = read_transcript(text, "t.jsonl");
  return all ? "accepted" : describe_input(all.error());
}

/// The only notice of a text with at least one conversation.
std::string notice_of(const std::string& text) {
  auto all = read_transcript(text, "t.jsonl");
  if (!all)
    return "not one conversation: " + describe_input(all.error());
  const auto& kept = all->notices.kept();
  return kept.size() == 1 ? kept.front().text : std::to_string(kept.size()) + " notices";
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
  auto x = read_one(std::string{hello} + "," + call("1") + "," + answer("1", R"("a")") + "," + hello
                    + "," + call("1") + "," + answer("1", R"("b")") + "," + call("1") + ","
                    + answer("1", R"("c")"));
  const auto& plan = request_of(x, 1).plan;
  BOOST_TEST(plan[0].call_id == "1#2");
  BOOST_TEST(plan[1].call_id == "1#3");
  auto answers = answers_of(x);
  BOOST_TEST(text_of(answers.at("1"), "content") == "a");
  BOOST_TEST(text_of(answers.at("1#2"), "content") == "b");
  BOOST_TEST(text_of(answers.at("1#3"), "content") == "c");
}

BOOST_AUTO_TEST_CASE(calls_that_share_an_id_get_their_answers_in_their_order) {
  auto x = read_one(std::string{hello} + "," + call("1") + "," + call("1") + ","
                    + answer("1", R"("first")") + "," + answer("1", R"("second")"));
  auto answers = answers_of(x);
  BOOST_TEST(text_of(answers.at("1"), "content") == "first");
  BOOST_TEST(text_of(answers.at("1#2"), "content") == "second");
}

BOOST_AUTO_TEST_CASE(an_answer_belongs_to_the_latest_message_with_such_a_call) {
  auto x = read_one(std::string{hello} + "," + call("1") + "," + hello + "," + call("1") + ","
                    + answer("1", R"("late")"));
  auto answers = answers_of(x);
  BOOST_TEST(text_of(answers.at("1#2"), "content") == "late");
  BOOST_TEST(is_unanswered(answers.at("1").status, answers.at("1").outputs));
}

BOOST_AUTO_TEST_CASE(a_slash_in_an_id_does_not_hide_the_call_from_its_answer) {
  auto x = read_one(std::string{hello} + "," + call("a/b") + "," + answer("a/b", R"("c")"));
  BOOST_TEST(request_of(x, 0).plan[0].call_id == "a_b");
  BOOST_TEST(answers_of(x).count("a_b") == 1u);
}

BOOST_AUTO_TEST_CASE(a_call_without_an_answer_is_known_as_that) {
  auto x = read_one(std::string{hello} + "," + call("1"));
  BOOST_TEST(count_calls(x) == 1u);
  const auto answer = answers_of(x).at("1");
  BOOST_TEST(is_unanswered(answer.status, answer.outputs));
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

BOOST_AUTO_TEST_CASE(a_line_that_is_no_conversation_is_left_out_and_the_others_are_read) {
  auto good = line(hello);
  auto second = [&good](const std::string& text) { return notice_of(good + text); };
  auto out = std::string{"; the line is left out"};
  BOOST_TEST(
    second("{\"id\": \"b\", ")
      .starts_with("t.jsonl:2: expected valid JSON, at most 64 levels deep, but it breaks"),
    second("{\"id\": \"b\", "));
  auto no_messages = "t.jsonl:2: messages: expected a list of messages that is not empty" + out;
  for (auto bad :
    {"[]", R"({"id":"b"})", R"({"id":"b","messages":[]})", R"({"id":"b","messages":{}})"})
    BOOST_TEST(second(bad) == no_messages, bad);
  BOOST_TEST(second("7") == "t.jsonl:2: expected a conversation: an object with messages" + out);
  BOOST_TEST(second(R"({"id":"b","messages":[{"role":"system","content":"x"}]})")
             == "t.jsonl:2: messages: expected a message of the role user" + out);
  BOOST_TEST(second(R"({"id":"b","conversations":[{"from":"human","value":"Hi"}]})")
               .starts_with("t.jsonl:2: messages: expected a list of messages with role and"));
  auto read = test::require_value(read_transcript("x\n" + good + "y\n", "t.jsonl"));
  BOOST_TEST(read.conversations.size() == 1u);
  BOOST_TEST(read.notices.refused() == 2u);
  BOOST_TEST(read.notices.kept().at(1).text.starts_with("t.jsonl:3: "));
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_read_is_left_out_and_named) {
  auto after_hello = [](const std::string& message) {
    return notice_of(line(std::string{hello} + "," + message));
  };
  auto out = std::string{"; it is left out"};
  BOOST_TEST(after_hello(R"({"role":"robot"})")
             == "t.jsonl:1: messages[1].role: expected one of system, developer, user, assistant, "
                "tool, function, and not \"robot\""
                  + out);
  BOOST_TEST(after_hello("7")
             == "t.jsonl:1: messages[1]: expected a message: an object with role "
                "and content"
                  + out);
  BOOST_TEST(after_hello(answer("9", R"("a")"))
             == "t.jsonl:1: messages[1]: expected an answer to an earlier call that has none yet, "
                "but there is no such call with the id \"9\""
                  + out);
  BOOST_TEST(after_hello(R"({"role":"assistant","tool_calls":[{"id":"1"}]})")
             == "t.jsonl:1: messages[1].tool_calls[0].function: expected an object with name and "
                "arguments, or custom with name and input"
                  + out);
  BOOST_TEST(after_hello(R"({"role":"user","content":[{"type":"hologram"}]})")
             == "t.jsonl:1: messages[1].content: expected parts of a known type, such as text, "
                "image_url, tool_use or tool_result, and not \"hologram\""
                  + out);
  BOOST_TEST(after_hello(call("1") + "," + answer("1", R"("a")") + "," + answer("1", R"("b")"))
               .starts_with("t.jsonl:1: messages[3]: expected an answer to an earlier call"));
}

BOOST_AUTO_TEST_CASE(a_conversation_without_an_id_is_named_by_its_line) {
  auto read = test::require_value(
    read_transcript("\n{\"messages\":[" + std::string{hello} + "]}\n{\"id\":7,\"messages\":["
                      + hello + "]}\n[" + hello + "]\n",
      "t.jsonl"));
  BOOST_TEST_REQUIRE(read.conversations.size() == 3u);
  BOOST_TEST(read.conversations[0].id == "line_2");
  BOOST_TEST(request_of(read.conversations[0], 0).agent_id == "line_2");
  BOOST_TEST(read.conversations[1].id == "7");
  BOOST_TEST(read.conversations[2].id == "line_4");
  BOOST_TEST(read.notices.count() == 0u);
}

BOOST_AUTO_TEST_CASE(a_repeated_id_gets_a_number_and_a_notice) {
  auto good = line(hello);
  auto read = test::require_value(read_transcript(good + good + good, "t.jsonl"));
  BOOST_TEST(read.conversations.at(2).id == "t#3");
  BOOST_TEST(request_of(read.conversations.at(2), 0).agent_id == "t#3");
  BOOST_TEST(read.notices.refused() == 0u);
  BOOST_TEST(notice_of(good + good)
             == "t.jsonl:2: id: expected an id of its own, but an earlier conversation has \"t\", "
                "too; this one is called \"t#2\"");
}

BOOST_AUTO_TEST_CASE(a_number_that_is_an_id_twice_gets_a_notice_and_lines_without_ids_get_none) {
  constexpr auto seven = R"({"id": 7, "messages": [{"role": "user", "content": "Hi"}]})";
  constexpr auto none = R"({"messages": [{"role": "user", "content": "Hi"}]})";
  auto read = test::require_value(read_transcript(
    std::string{seven} + "\n" + seven + "\n" + none + "\n" + none + "\n", "t.jsonl"));
  BOOST_TEST(read.conversations.at(1).id == "7#2");
  BOOST_TEST(read.notices.count() == 1u);
}

BOOST_AUTO_TEST_CASE(many_notices_are_counted_and_the_first_are_kept) {
  auto text = line(hello);
  for (size_t i = 0; i < transcript_limits::notices + 10; ++i)
    text += "x\n";
  auto read = test::require_value(read_transcript(text, "t.jsonl"));
  BOOST_TEST(read.notices.kept().size() == transcript_limits::notices);
  BOOST_TEST(read.notices.refused() == transcript_limits::notices + 10);
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
  BOOST_TEST(refusal_of(std::string(transcript_limits::line_bytes + 1, 'x'))
             == "t.jsonl:1: expected a conversation of at most 16 MiB");
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
  const auto all = test::require_value(read_input(path)).conversations;
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
