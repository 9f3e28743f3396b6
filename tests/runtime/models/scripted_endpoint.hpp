#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/models/endpoint.hpp"

namespace scratchpage::test {

/// A reply that has an answer, after 300 ms.
inline models::chat_reply answer_of(json::object content, uint64_t latency_ms = 300) {
  models::chat_reply result;
  result.outcome = models::reply_outcome::answered;
  result.content = std::move(content);
  result.prompt_tokens = 100;
  result.answer_tokens = 10;
  result.latency_ms = latency_ms;
  return result;
}

/// A request that an endpoint got.
struct asked_request {
  std::string daemon;
  std::string system;
  json::object facts; ///< the user message
  std::string body;
  std::string traceparent;
};

/// Answers each daemon as the test says; a daemon without an answer gets `nonsense`.
class scripted_endpoint : public models::endpoint {
public:
  std::map<std::string, std::function<models::chat_reply(const json::object& facts)>> answers;
  std::vector<asked_request> asked;

  models::chat_reply ask(
    const std::string& body, const std::string& traceparent, timespan) override {
    asked.push_back(read(body, traceparent));
    const auto& x = asked.back();
    auto found = answers.find(x.daemon);
    return found == answers.end()
             ? models::failed_reply(models::reply_outcome::nonsense, "no answer in the script")
             : found->second(x.facts);
  }

  size_t count(const std::string& daemon) const {
    size_t result = 0;
    for (const auto& x : asked)
      result += x.daemon == daemon ? 1 : 0;
    return result;
  }

private:
  static asked_request read(const std::string& body, const std::string& traceparent) {
    auto parsed = parse_json(body);
    BOOST_REQUIRE(parsed);
    const auto& all = parsed->as_object();
    auto text = [](const json::value& x) { return std::string{x.as_string()}; };
    const auto& messages = all.at("messages").as_array();
    auto facts = parse_json(text(messages.at(1).at("content")));
    BOOST_REQUIRE(facts);
    return {text(all.at("response_format").at("json_schema").at("name")),
      text(messages.at(0).at("content")), facts->as_object(), body, traceparent};
  }
};

} // namespace scratchpage::test
