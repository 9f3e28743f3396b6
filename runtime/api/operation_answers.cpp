#include "scratchpage/runtime/api/operation_answers.hpp"

#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage {

namespace {

/// Generous, since the text comes from this program.
constexpr json_limits result_limits{std::numeric_limits<size_t>::max(), 256, any_number_of_values};

caf::error unreadable(std::string_view expected) {
  return fail(errc::internal, "", expected);
}

constexpr std::array<std::string_view, 2> times_of_item{"created_at", "updated_at"};

/// "2025-11-05T10:30:00.123456789Z"
std::string to_exact_time(int64_t nanoseconds) {
  constexpr int64_t in_millisecond = 1'000'000;
  auto left = (nanoseconds % in_millisecond + in_millisecond) % in_millisecond;
  auto digits = std::to_string(in_millisecond + left).substr(1); // six of them
  auto result = to_rfc3339(timestamp{std::chrono::nanoseconds{nanoseconds - left}});
  result.pop_back(); // the Z
  return result + digits + "Z";
}

void drop_times(json::value& item) {
  if (auto* members = item.if_object())
    for (auto name : times_of_item)
      members->erase(json::string_view{name.data(), name.size()});
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

json::value with_times(const scratchbook_item& x) {
  auto result = to_json(x);
  result.get_object()["created_at"] = to_exact_time(x.created_at_ns);
  result.get_object()["updated_at"] = to_exact_time(x.updated_at_ns);
  return result;
}

json::value with_times(const scratchbook& x) {
  auto result = to_json(x);
  json::array items;
  for (const auto& one : x.items)
    items.push_back(with_times(one));
  result.get_object()["items"] = std::move(items);
  return result;
}

void append_result(std::string& out, const scratchbook_item& x) {
  append_text(out, with_times(x));
}

void append_result(std::string& out, const scratchbook& x) {
  append_text(out, with_times(x));
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

template <>
caf::expected<scratchbook_item> read_answer(json::value x) {
  drop_times(x);
  return from_json<scratchbook_item>(x);
}

template <>
caf::expected<scratchbook> read_answer(json::value x) {
  if (auto* members = x.if_object())
    if (auto* items = members->if_contains("items"); items != nullptr && items->is_array())
      for (auto& one : items->get_array())
        drop_times(one);
  return from_json<scratchbook>(x);
}

} // namespace scratchpage
