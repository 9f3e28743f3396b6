#include "scratchpage/persistence/store/journal_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage {

namespace {

/// An event holds an observation, whose context and metadata are bounded where
/// they come in; these bounds are about what was not written here.
constexpr json_limits event_limits{16u << 20, 64, any_number_of_values};

caf::error damaged(const journal_group& group, std::string_view why) {
  return fail(errc::internal, "sequence " + std::to_string(group.first),
    "expected the events up to " + std::to_string(group.last) + " as they were written, but "
      + std::string{why});
}

/// Takes the text up to the next `end`, and that too; nothing if there is none.
std::optional<std::string_view> take_until(std::string_view& text, char end) {
  auto size = text.find(end);
  if (size == std::string_view::npos)
    return std::nullopt;
  auto result = text.substr(0, size);
  text.remove_prefix(size + 1);
  return result;
}

std::optional<journal_line> take_line(std::string_view& text) {
  journal_line line;
  auto kind = take_until(text, ' ');
  auto number = take_until(text, ' ');
  auto json = take_until(text, '\n');
  if (!kind || !number || !json || !from_string(*kind, line.kind))
    return std::nullopt;
  auto [end, ec] = std::from_chars(number->data(), number->data() + number->size(), line.number);
  if (ec != std::errc{} || end != number->data() + number->size())
    return std::nullopt;
  line.json = *json;
  return line;
}

/// What stands before the JSON.
void append_beginning(std::string& to, const page_event& x) {
  to += name_of(x.kind);
  to += ' ';
  append_json(to, number_of(x.observation->observation_id).value_or(0));
  to += ' ';
}

} // namespace

journal_group to_group(const event_list& events) {
  constexpr size_t usual_bytes = 512;
  journal_group group;
  const auto& last = events[events.size() - 1];
  group.first = events[0].sequence;
  group.last = last.sequence;
  group.at = to_milliseconds(last.at);
  group.events.reserve(events.size() * usual_bytes);
  for (const auto& event : events) {
    append_beginning(group.events, event);
    append_json(group.events, event);
    group.events += '\n';
  }
  group.checksum = checksum_of(group.events);
  return group;
}

void append_line(std::string& to, const page_event& x, std::string_view json) {
  append_beginning(to, x);
  to.append(json).append("\n");
}

archive_row to_archive_row(
  uint64_t sequence, timestamp left_at, const observation& x, std::string body) {
  archive_row row{sequence, as_key_text(x.observation_id), as_key_text(x.type), to_string(x.status),
    as_key_text(x.source.name), as_key_text(x.owner), as_key_text(x.source.turn_id), x.created_at,
    left_at, std::move(body)};
  row.checksum = checksum_of(row.body);
  return row;
}

std::vector<archive_row> to_archive(const event_list& events) {
  std::vector<archive_row> rows;
  for (const auto& event : events) {
    if (!is_end(event.kind))
      continue;
    const auto& x = *event.observation;
    rows.push_back(to_archive_row(event.sequence, event.at, x, to_json_text(x)));
  }
  return rows;
}

caf::expected<std::vector<journal_line>> lines_of(const journal_group& group) {
  if (checksum_of(group.events) != group.checksum)
    return damaged(group, "the checksum does not fit");
  std::vector<journal_line> lines;
  // What the row says of itself may be damaged; a line has more bytes than that.
  lines.reserve(std::min<uint64_t>(group.last - group.first + 1, group.events.size() / 64));
  for (std::string_view rest{group.events}; !rest.empty();) {
    auto line = take_line(rest);
    if (!line)
      return damaged(group, "line " + std::to_string(lines.size() + 1) + " is malformed");
    lines.push_back(*line);
  }
  if (lines.size() != group.last - group.first + 1)
    return damaged(group, "there are " + std::to_string(lines.size()));
  return lines;
}

caf::expected<std::vector<page_event>> events_of(const journal_group& group) {
  auto lines = lines_of(group);
  if (!lines)
    return lines.error();
  std::vector<page_event> events;
  events.reserve(lines->size());
  for (const auto& line : *lines) {
    auto event = event_of(line.json);
    if (!event)
      return damaged(group, describe(event.error()));
    if (event->sequence != group.first + events.size() || !event->observation)
      return damaged(group, "event " + std::to_string(event->sequence) + " stands there");
    events.push_back(std::move(*event));
  }
  return events;
}

caf::expected<page_event> event_of(std::string_view json) {
  return from_json_text<page_event>(json, event_limits);
}

} // namespace scratchpage
