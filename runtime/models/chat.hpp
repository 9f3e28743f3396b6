#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"

/// What a model is asked and what it answers, in the form of OpenAI's chat completions.

namespace scratchpage {

namespace models {

/// Limits on what an endpoint sends.
struct model_limits {
  static constexpr size_t answer_bytes = 2u << 20; ///< of the body of a response
  static constexpr size_t error_bytes = 300;       ///< of what it tells about an error
  static constexpr size_t text_bytes = 4'096;      ///< of one text in a question
  static constexpr size_t texts = 24;              ///< observations or calls in a question
  static constexpr size_t prompt_bytes = 65'536;   ///< of a file with a prompt
  static constexpr size_t list_entries = 32;       ///< reasons, questions or lessons of an answer
  static constexpr size_t questions = 2;           ///< of one answer of the Clarifier's model
  static constexpr size_t quote_bytes = 8;         ///< the least of a quotation in a lesson
  static constexpr size_t turns = 1'024;           ///< whose tokens are counted
};

/// What became of a request.
enum class reply_outcome : uint8_t {
  answered,     ///< there is an object, which need not fit the schema
  refused,      ///< the model does not want to answer
  nonsense,     ///< the response has another form than was asked for
  too_large,    ///< the response has more than `model_limits::answer_bytes`
  late,         ///< no complete answer before the deadline
  unavailable,  ///< no connection, a broken stream, 429 or 5xx, until the last attempt
  rejected,     ///< the endpoint did not accept the request (4xx)
  over_budget,  ///< the turn has no tokens left
  overloaded,   ///< too many requests wait
  not_recorded, ///< replies are replayed, and there is none for this request
};

} // namespace models

template <>
inline constexpr std::array<std::string_view, 10> enum_names<models::reply_outcome>{"answered",
  "refused", "nonsense", "too_large", "late", "unavailable", "rejected", "over_budget",
  "overloaded", "not_recorded"};

namespace models {

/// One question to a model. `system` has only texts of prompts; everything that users, tools and
/// pages say is in `user`.
struct chat_request {
  std::string daemon; ///< who asks; also the name of the schema
  std::string system;
  std::string user;
  json::object schema; ///< of the answer (JSON Schema)
  uint32_t answer_tokens = 1'000;
};

/// What came back. All of it is kept with recorded replies.
struct chat_reply {
  reply_outcome outcome = reply_outcome::unavailable;
  json::object content; ///< if it is `answered`
  std::string error;    ///< why it is not; for people
  uint64_t prompt_tokens = 0;
  uint64_t answer_tokens = 0;
  uint64_t cached_tokens = 0; ///< those of the prompt that the provider had in its cache
  uint64_t latency_ms = 0;    ///< of all attempts together

  static constexpr auto fields(auto all) {
    using self = chat_reply;
    return all(required("outcome", &self::outcome), optional("content", &self::content),
      optional("error", &self::error), optional("prompt_tokens", &self::prompt_tokens),
      optional("answer_tokens", &self::answer_tokens),
      optional("cached_tokens", &self::cached_tokens), optional("latency_ms", &self::latency_ms));
  }
};

chat_reply failed_reply(reply_outcome why, std::string_view text);

/// The body of the HTTP request. The same question gives the same bytes, and the bytes of the
/// system prompt and of the schema come first, so that prompt caches of providers hit.
std::string to_body(const chat_request& x, const std::string& model);

/// The hash of a body (XXH3, 128 bits), in hexadecimal digits.
std::string key_of(std::string_view body);

/// Reads the response of an endpoint with a status of 2xx. It never fails: a response that is no
/// answer becomes a reply that says why.
chat_reply read_response(std::string_view content_type, std::string_view body);

/// What an endpoint tells about an error, in one line; "" if it tells nothing.
std::string read_error_text(std::string_view body);

/// About how many tokens the request takes, with the longest answer.
uint64_t tokens_of(const chat_request& x);

} // namespace models

} // namespace scratchpage
