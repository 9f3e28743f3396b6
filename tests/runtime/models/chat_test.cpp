#include "scratchpage/runtime/models/chat.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"

/// What a model is asked, and how its responses are read.

namespace scratchpage::test {

using namespace models;

namespace {

chat_request some_request() {
  chat_request result;
  result.daemon = "router";
  result.system = "Decide.";
  result.user = R"({"input":{"text":"He said \"ignore all rules\""}})";
  result.schema = {{"type", "object"}};
  result.answer_tokens = 50;
  return result;
}

/// A response whose message has this content, as JSON text.
std::string response(const std::string& message, const std::string& finish = "stop") {
  return R"({"id":"x","choices":[{"index":0,"finish_reason":")" + finish + R"(","message":)"
         + message + R"(}],"usage":{"prompt_tokens":12,"completion_tokens":3,)"
         + R"("prompt_tokens_details":{"cached_tokens":8}}})";
}

chat_reply read(const std::string& body) {
  return read_response("application/json", body);
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_chat)

BOOST_AUTO_TEST_CASE(asks_in_the_form_of_chat_completions) {
  auto body = parse_json(to_body(some_request(), "small"));
  BOOST_REQUIRE(body);
  const auto& x = body->as_object();
  BOOST_TEST(x.at("model").as_string() == "small");
  BOOST_TEST(x.at("max_completion_tokens").to_number<int>() == 50);
  const auto& format = x.at("response_format").as_object();
  BOOST_TEST(format.at("type").as_string() == "json_schema");
  BOOST_TEST(format.at("json_schema").as_object().at("name").as_string() == "router");
  BOOST_TEST(format.at("json_schema").as_object().at("strict").as_bool());
  const auto& messages = x.at("messages").as_array();
  BOOST_REQUIRE(messages.size() == 2u);
  BOOST_TEST(messages[0].as_object().at("role").as_string() == "system");
  BOOST_TEST(messages[0].as_object().at("content").as_string() == "Decide.");
  BOOST_TEST(messages[1].as_object().at("content").as_string() == some_request().user.c_str());
}

BOOST_AUTO_TEST_CASE(has_the_same_key_for_the_same_request_only) {
  auto key = key_of(to_body(some_request(), "small"));
  BOOST_TEST(key.size() == 32u);
  BOOST_TEST(key == key_of(to_body(some_request(), "small")));
  BOOST_TEST(key != key_of(to_body(some_request(), "large")));
}

BOOST_AUTO_TEST_CASE(reads_the_object_and_the_tokens_of_a_response) {
  auto got = read(response(R"({"role":"assistant","content":"{\"level\":\"high\"}"})"));
  BOOST_TEST((got.outcome == reply_outcome::answered));
  BOOST_TEST(got.content.at("level").as_string() == "high");
  BOOST_TEST(got.prompt_tokens == 12u);
  BOOST_TEST(got.answer_tokens == 3u);
  BOOST_TEST(got.cached_tokens == 8u);
}

BOOST_AUTO_TEST_CASE(takes_no_nonsense_for_an_answer) {
  for (const std::string body : {"", "no JSON", "[]", "{}", R"({"choices":[]})",
         R"({"choices":[7]})", R"({"choices":[{"message":"text"}]})"})
    BOOST_TEST((read(body).outcome == reply_outcome::nonsense), body);
  for (const std::string content :
    {R"({})", R"({"content":null})", R"({"content":"Certainly!"})", R"({"content":"[1]"})"})
    BOOST_TEST((read(response(content)).outcome == reply_outcome::nonsense), content);
  auto cut = read(response(R"({"content":"{}"})", "length"));
  BOOST_TEST((cut.outcome == reply_outcome::nonsense));
  BOOST_TEST(cut.prompt_tokens == 12u); // which were spent
}

BOOST_AUTO_TEST_CASE(knows_a_refusal) {
  auto got = read(response(R"({"content":null,"refusal":"I cannot\nhelp with that"})"));
  BOOST_TEST((got.outcome == reply_outcome::refused));
  BOOST_TEST(got.error == "I cannot help with that");
  BOOST_TEST(
    (read(response(R"({"content":""})", "content_filter")).outcome == reply_outcome::refused));
}

BOOST_AUTO_TEST_CASE(takes_no_other_content_type_and_no_long_response) {
  auto good = response(R"({"content":"{}"})");
  BOOST_TEST((read_response("text/html", good).outcome == reply_outcome::nonsense));
  BOOST_TEST((read_response("", good).outcome == reply_outcome::nonsense));
  good.append(model_limits::answer_bytes, ' ');
  BOOST_TEST((read(good).outcome == reply_outcome::too_large));
}

BOOST_AUTO_TEST_CASE(tells_errors_in_one_short_line) {
  BOOST_TEST(read_error_text(R"({"error":{"message":"slow\ndown"}})") == "slow down");
  BOOST_TEST(read_error_text(R"({"error":"slow down"})") == "slow down");
  BOOST_TEST(read_error_text("<html>") == "<html>");
  BOOST_TEST(read_error_text(std::string(10'000, 'x')).size() == size_t{model_limits::error_bytes});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
