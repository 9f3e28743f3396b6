#pragma once

#include <string>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

/// Writes the answers of operations as JSON, and reads them.

namespace scratchpage {

template <class T>
void append_result(std::string& out, const T& x) {
  append_json(out, x);
}

/// The observation, with one more member for the warnings.
void append_result(std::string& out, const receipt& x);
void append_result(std::string& out, const add_outcomes& x);

/// The item as in answers: also with `created_at` and `updated_at`, which tell its times as text to
/// the nanosecond. The numbers of nanoseconds are beyond those that many programs read exactly.
json::value with_times(const scratchbook_item& x);
json::value with_times(const scratchbook& x);
void append_result(std::string& out, const scratchbook_item& x);
void append_result(std::string& out, const scratchbook& x);

/// The answer as JSON text.
template <class T>
std::string to_result(const T& x) {
  constexpr size_t usual = 640; // bytes of an observation
  std::string result;
  if constexpr (requires { x.observations.size(); })
    result.reserve(usual * (x.observations.size() + 1));
  else
    result.reserve(usual);
  append_result(result, x);
  return result;
}

/// Parses that text; an error stays an error.
caf::expected<json::value> parse_result(const caf::expected<std::string>& text);

/// Reads an answer, the reverse of `to_result`. Error: `internal` if it cannot be read.
template <class T>
caf::expected<T> read_answer(json::value x) {
  return from_json<T>(x);
}

/// JSON null gives a null pointer.
template <>
caf::expected<observation_ptr> read_answer(json::value x);

template <>
caf::expected<receipt> read_answer(json::value x);

template <>
caf::expected<add_outcomes> read_answer(json::value x);

template <>
caf::expected<scratchbook_item> read_answer(json::value x);

template <>
caf::expected<scratchbook> read_answer(json::value x);

} // namespace scratchpage
