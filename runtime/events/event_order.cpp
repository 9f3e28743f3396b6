#include "scratchpage/runtime/events/event_order.hpp"

#include <charconv>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::events {

namespace {

constexpr uint64_t max_per_second = 1'000'000;

bool read_number(std::string_view text, uint64_t& out) {
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  return ec == std::errc{} && end == text.data() + text.size();
}

/// Removes `from` from the arguments.
caf::expected<std::string> take_from(json::object& arguments) {
  auto* given = arguments.if_contains("from");
  if (given == nullptr)
    return std::string{};
  if (!given->is_string())
    return fail(errc::invalid_request, "from", "expected a text");
  std::string result{given->get_string()};
  arguments.erase("from");
  return result;
}

caf::expected<subscribe_from> read_position(std::string_view text, std::string_view field) {
  if (text.empty() || text == "now")
    return subscribe_from{};
  auto position = read_event_id(text);
  if (!position)
    return fail(
      errc::invalid_request, field, "expected the id of an event, EPOCH-SEQUENCE, or now");
  return *position;
}

/// Removes `per_second` from the arguments.
caf::expected<uint64_t> take_rate(json::object& arguments) {
  auto* given = arguments.if_contains("per_second");
  if (given == nullptr)
    return uint64_t{0};
  boost::system::error_code ec;
  auto rate = given->to_number<uint64_t>(ec);
  if (ec || rate < 1 || rate > max_per_second)
    return fail(errc::invalid_request, "per_second", "expected an integer from 1 to 1000000");
  arguments.erase("per_second");
  return rate;
}

caf::expected<event_order> make_order(
  json::object arguments, caf::expected<subscribe_from> from, const caller& by) {
  auto rate = take_rate(arguments);
  if (!rate)
    return rate.error();
  auto filter = from_json<observation_filter>(json::value(std::move(arguments)));
  if (!filter)
    return filter.error();
  if (auto err = check_filter(*filter, {}))
    return err;
  if (!from)
    return from.error();
  return event_order{as_outside(by), std::move(*filter), *from, *rate};
}

} // namespace

const json::object& schema_of_event_order() {
  static const auto schema = [] {
    auto result = json_schema<observation_filter>(members::closed);
    auto& members = result["properties"].get_object();
    members["from"] = {{"type", "string"}, {"pattern", "^(now|[0-9]+-[0-9]+)?$"},
      {"description", "The id of the last event that you saw, EPOCH-SEQUENCE; absent: now"}};
    members["per_second"] = {{"type", "integer"}, {"minimum", 1}, {"maximum", max_per_second},
      {"description", "How many events a second are enough on average; absent: no limit"}};
    return result;
  }();
  return schema;
}

caf::expected<event_order> read_event_order(const http::request& x, const caller& by) {
  auto query = http::parse_query(x.query);
  if (!query)
    return query.error();
  auto arguments = arguments_of_query(*query, schema_of_event_order());
  if (!arguments)
    return arguments.error();
  auto from = take_from(*arguments);
  if (!from)
    return from.error();
  const auto* seen = x.header("last-event-id");
  return make_order(std::move(*arguments),
    seen != nullptr ? read_position(*seen, "last-event-id") : read_position(*from, "from"), by);
}

caf::expected<event_order> read_event_order(json::object arguments, const caller& by) {
  auto from = take_from(arguments);
  if (!from)
    return from.error();
  return make_order(std::move(arguments), read_position(*from, "from"), by);
}

bool is_of_state(event_kind x) {
  return x == event_kind::lagged || x == event_kind::current;
}

std::string event_id(uint64_t epoch, uint64_t sequence) {
  return std::to_string(epoch) + "-" + std::to_string(sequence);
}

std::optional<subscribe_from> read_event_id(std::string_view text) {
  auto dash = text.find('-');
  uint64_t epoch = 0, sequence = 0;
  if (dash == std::string_view::npos || !read_number(text.substr(0, dash), epoch)
      || !read_number(text.substr(dash + 1), sequence))
    return std::nullopt;
  return subscribe_from{sequence, epoch};
}

} // namespace scratchpage::events
