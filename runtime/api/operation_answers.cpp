#include "scratchpage/runtime/api/operation_answers.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage {

namespace {

/// Generous, since the text comes from this program.
constexpr json_limits result_limits{std::numeric_limits<size_t>::max(), 256, any_number_of_values};

caf::error unreadable(std::string_view expected) {
  return fail(errc::internal, "", expected);
}

} // namespace

void append_result(std::string& out, const receipt& x) {
  append_json(out, x.observation);
  if (x.warnings.empty() || !x.observation)
    return;
  out.back() = ','; // one more member of the observation
  out += "\"warnings\":";
  append_json(out, x.warnings);
  out += '}';
}

void append_result(std::string& out, const add_outcomes& x) {
  out += "{\"results\":[";
  auto first = true;
  for (const auto& one : x.outcomes) {
    if (!std::exchange(first, false))
      out += ',';
    if (one.error)
      append_text(out, json::value{{"error", to_json(one.error)}});
    else
      append_result(out, one.stored);
  }
  out += "]}";
}

caf::expected<json::value> parse_result(const caf::expected<std::string>& text) {
  if (!text)
    return text.error();
  return parse_json(*text, result_limits);
}

template <>
caf::expected<observation_ptr> read_answer(json::value x) { // NOLINT: as the others take it
  return x.is_null() ? caf::expected<observation_ptr>{observation_ptr{}}
                     : from_json<observation_ptr>(x);
}

template <>
caf::expected<receipt> read_answer(json::value x) {
  if (!x.is_object())
    return unreadable("expected an observation");
  receipt result;
  auto& members = x.get_object();
  if (const auto* warnings = members.if_contains("warnings")) {
    auto read = from_json<std::vector<std::string>>(*warnings);
    if (!read)
      return read.error();
    result.warnings = std::move(*read);
    members.erase("warnings");
  }
  auto stored = from_json<observation_ptr>(x);
  if (!stored)
    return stored.error();
  result.observation = std::move(*stored);
  return result;
}

template <>
caf::expected<add_outcomes> read_answer(json::value x) {
  const auto* object = x.if_object();
  const auto* results = object != nullptr ? object->if_contains("results") : nullptr;
  if (results == nullptr || !results->is_array())
    return unreadable("expected results");
  add_outcomes all;
  for (const auto& one : results->get_array()) {
    auto& outcome = all.outcomes.emplace_back();
    const auto* members = one.if_object();
    if (const auto* error = members != nullptr ? members->if_contains("error") : nullptr) {
      outcome.error = read_error(*error);
      continue;
    }
    auto stored = read_answer<receipt>(one);
    if (!stored)
      return stored.error();
    outcome.stored = std::move(*stored);
  }
  return all;
}

} // namespace scratchpage
