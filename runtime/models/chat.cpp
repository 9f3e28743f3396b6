#include "scratchpage/runtime/models/chat.hpp"

#include <algorithm>
#include <array>

#include <xxhash.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage::models {

namespace {

constexpr json_limits response_limits{
  .max_bytes = model_limits::answer_bytes, .max_depth = 32, .max_values = 50'000};

const json::object* object_in(const json::object& in, std::string_view name) {
  const auto* found = in.if_contains(view(name));
  return found == nullptr ? nullptr : found->if_object();
}

std::string_view text_in(const json::object& in, std::string_view name) {
  const auto* found = in.if_contains(view(name));
  if (found == nullptr || !found->is_string())
    return {};
  return {found->get_string().data(), found->get_string().size()};
}

uint64_t number_in(const json::object* in, std::string_view name) {
  const auto* found = in == nullptr ? nullptr : in->if_contains(view(name));
  boost::json::error_code ec;
  auto result = found != nullptr && found->is_number() ? found->to_number<uint64_t>(ec) : 0;
  return ec ? 0 : result;
}

/// The text in one line of at most `model_limits::error_bytes`, without control characters.
std::string shown(std::string_view x) {
  std::string result;
  for (auto c : x.substr(0, model_limits::error_bytes))
    result += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  while (!result.empty() && !utf8::is_valid(result))
    result.pop_back();
  return result;
}

/// The first choice of a response; null if it has none.
const json::object* first_choice(const json::object& response) {
  const auto* choices = response.if_contains("choices");
  if (choices == nullptr || !choices->is_array() || choices->get_array().empty())
    return nullptr;
  return choices->get_array().front().if_object();
}

void take_usage(chat_reply& to, const json::object& response) {
  const auto* usage = object_in(response, "usage");
  to.prompt_tokens = number_in(usage, "prompt_tokens");
  to.answer_tokens = number_in(usage, "completion_tokens");
  const auto* details = usage == nullptr ? nullptr : object_in(*usage, "prompt_tokens_details");
  to.cached_tokens = number_in(details, "cached_tokens");
}

void end_as(chat_reply& to, reply_outcome why, std::string_view text) {
  to.outcome = why;
  to.error = shown(text);
}

/// Reads the message's text, which should be the JSON object that was asked for.
void take_content(chat_reply& to, std::string_view text) {
  auto content = parse_json(text, response_limits);
  if (!content || !content->is_object())
    return end_as(to, reply_outcome::nonsense, "expected a JSON object as the message's content");
  to.outcome = reply_outcome::answered;
  to.content = std::move(content->get_object());
}

void take_choice(chat_reply& to, const json::object& choice) {
  const auto* message = object_in(choice, "message");
  if (message == nullptr)
    return end_as(to, reply_outcome::nonsense, "expected a message in the first choice");
  if (auto refusal = text_in(*message, "refusal"); !refusal.empty())
    return end_as(to, reply_outcome::refused, refusal);
  auto reason = text_in(choice, "finish_reason");
  if (reason == "content_filter")
    return end_as(to, reply_outcome::refused, "the endpoint's filter has left out the answer");
  if (reason == "length")
    return end_as(to, reply_outcome::nonsense, "the answer was longer than its tokens");
  take_content(to, text_in(*message, "content"));
}

json::object message(std::string_view role, std::string_view text) {
  return {{"role", view(role)}, {"content", view(text)}};
}

} // namespace

chat_reply failed_reply(reply_outcome why, std::string_view text) {
  chat_reply result;
  end_as(result, why, text);
  return result;
}

std::string to_body(const chat_request& x, const std::string& model) {
  json::object schema{{"name", view(x.daemon)}, {"strict", true}, {"schema", x.schema}};
  json::object format{{"type", "json_schema"}, {"json_schema", std::move(schema)}};
  json::object body{{"model", view(model)}, {"response_format", std::move(format)},
    {"max_completion_tokens", x.answer_tokens}, {"stream", false},
    {"messages", json::array{message("system", x.system), message("user", x.user)}}};
  return to_text(body);
}

std::string key_of(std::string_view body) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits(body.data(), body.size()));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (auto byte : bytes.digest) {
    result += digits[byte >> 4];
    result += digits[byte & 15];
  }
  return result;
}

chat_reply read_response(std::string_view content_type, std::string_view body) {
  if (body.size() > model_limits::answer_bytes)
    return failed_reply(reply_outcome::too_large,
      "expected at most " + std::to_string(model_limits::answer_bytes) + " bytes");
  if (content_type != "application/json")
    return failed_reply(reply_outcome::nonsense,
      "expected the content type application/json, got '" + std::string{content_type} + "'");
  auto value = parse_json(body, response_limits);
  if (!value || !value->is_object())
    return failed_reply(reply_outcome::nonsense, "expected a JSON object as the response");
  const auto& response = value->get_object();
  chat_reply result;
  take_usage(result, response);
  if (const auto* choice = first_choice(response))
    take_choice(result, *choice);
  else
    end_as(result, reply_outcome::nonsense, "expected at least one choice");
  return result;
}

std::string read_error_text(std::string_view body) {
  auto value = parse_json(body, response_limits);
  if (!value || !value->is_object())
    return shown(body);
  const auto* error = object_in(value->get_object(), "error");
  return shown(
    error == nullptr ? text_in(value->get_object(), "error") : text_in(*error, "message"));
}

uint64_t tokens_of(const chat_request& x) {
  return uint64_t{estimate_tokens(x.system)} + estimate_tokens(x.user)
         + estimate_tokens(to_text(x.schema)) + x.answer_tokens;
}

} // namespace scratchpage::models
