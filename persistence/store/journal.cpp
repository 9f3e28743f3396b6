#include "scratchpage/persistence/store/journal.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

/// Bounds for events that this program did not write. Its own are smaller, because context and
/// metadata of an observation are bounded when they come in.
constexpr json_limits event_limits{16u << 20, 64, any_number_of_values};

caf::error damaged(const journal_group& group, std::string_view why) {
  return fail(errc::internal, "sequence " + std::to_string(group.first),
    "expected the events up to " + std::to_string(group.last) + " as they were written, but "
      + std::string{why});
}

/// Takes the text up to the next `end` and removes both; nothing if there is no `end`.
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

/// An event as the journal keeps it: with the request that asked for it.
struct kept_event : page_event {
  static constexpr auto fields(auto all) {
    using self = kept_event;
    return page_event::fields([&](const auto&... m) {
      return all(inherited<self>(m)..., inherited<self>(optional("request", &page_event::request)));
    });
  }
};

/// Appends the part of a line before the JSON.
void append_beginning(std::string& to, const page_event& x) {
  to += name_of(x.kind);
  to += ' ';
  append_json(to, number_of(x.observation->observation_id).value_or(0));
  to += ' ';
}

caf::error not_there(uint64_t last, uint64_t acknowledged) {
  return needs_repair(
    "the changes " + std::to_string(last + 1) + " to " + std::to_string(acknowledged)
    + " were acknowledged but are missing: the journal ends at " + std::to_string(last));
}

caf::error beyond(uint64_t last, uint64_t acknowledged) {
  return needs_repair("the journal or its snapshot goes on to " + std::to_string(last)
                      + ", but the agent's row says that " + std::to_string(acknowledged)
                      + " was the last change");
}

/// Computes the next state of a snapshot from the groups of the journal after it.
class follower {
public:
  explicit follower(snapshot_head from)
    : head_{from},
      first_{from.sequence + 1} {}

  uint64_t events() const { return head_.sequence + 1 - first_; }
  const snapshot_head& head() const { return head_; }

  caf::error take(const journal_group& group) {
    auto lines = lines_of(group);
    if (!lines)
      return lines.error();
    auto sequence = group.first;
    for (const auto& line : *lines)
      if (sequence++ > head_.sequence) // a group may begin before the snapshot
        take(line);
    head_.sequence = group.last;
    head_.at = group.at;
    return {};
  }

  std::vector<snapshot_row> rows() const {
    std::vector<snapshot_row> result;
    result.reserve(last_.size());
    for (const auto& [number, event] : last_)
      if (!event.empty() || !is_new(number))
        result.push_back({number, event, checksum_of(event)});
    return result;
  }

private:
  void take(const journal_line& line) {
    if (line.kind == event_kind::added)
      first_new_ = std::min(first_new_, line.number);
    head_.last_number = std::max(head_.last_number, line.number);
    head_.expired += line.kind == event_kind::expired ? 1 : 0;
    head_.evicted += line.kind == event_kind::evicted ? 1 : 0;
    last_[line.number] = is_end(line.kind) ? "" : std::string{line.json};
  }

  /// Whether the observation was added after the snapshot. Numbers grow, so it is not in the
  /// snapshot then.
  bool is_new(uint64_t number) const { return number >= first_new_; }

  snapshot_head head_;
  uint64_t first_;
  uint64_t first_new_ = UINT64_MAX;
  std::map<uint64_t, std::string> last_; // event of each number
};

/// How much is done in one call.
constexpr uint64_t groups_at_once = 256;
constexpr uint64_t events_at_once = 65'536;

/// The part of the journal that may be removed next.
struct part {
  uint64_t until = 0;  ///< the end of its last group; that of the snapshot if there is none
  bool behind = false; ///< more could be removed if the latest snapshot were further
};

caf::expected<part> next_part(
  store& in, uint64_t agent, uint64_t after, uint64_t latest, timestamp horizon) {
  uint64_t groups = 0;
  part result{after};
  auto err = in.read_journal(agent, after, [&](journal_group&& group) {
    if (group.at >= horizon)
      return false;
    result.behind = group.last > latest;
    if (result.behind)
      return false;
    result.until = group.last;
    return ++groups < groups_at_once;
  });
  if (err)
    return err;
  return result;
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
    append_event(group.events, event);
    group.events += '\n';
  }
  group.checksum = checksum_of(group.events);
  return group;
}

void append_event(std::string& to, const page_event& x) {
  append_json(to, x);
  if (!x.request)
    return;
  to.back() = ','; // one more member follows
  to += R"("request":)";
  append_json(to, *x.request);
  to += '}';
}

/// Looks for the whole beginning at once, since a long text without it is the usual case.
bool may_have_request(std::string_view json) {
  constexpr std::string_view beginning = R"(,"request":{"key":)";
  static const std::boyer_moore_horspool_searcher searcher{beginning.begin(), beginning.end()};
  return std::search(json.begin(), json.end(), searcher) != json.end();
}

caf::expected<std::string> without_request(std::string_view json) {
  if (!may_have_request(json))
    return std::string{json};
  auto event = event_of(json);
  if (!event)
    return event.error();
  return to_json_text(*event);
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
  // The sequences in the row may be damaged; a line has more than 64 bytes.
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
  auto read = from_json_text<kept_event>(json, event_limits);
  if (!read)
    return read.error();
  return static_cast<page_event&&>(*read);
}

caf::error check_end(store& in, const ownership& by, uint64_t last, uint64_t acknowledged) {
  if (last == acknowledged)
    return {};
  auto is_owner = in.holds(by);
  if (!is_owner)
    return is_owner.error();
  if (!*is_owner) // the new owner may have appended to it meanwhile
    return not_the_owner(by.epoch);
  return last < acknowledged ? not_there(last, acknowledged) : beyond(last, acknowledged);
}

caf::error check_reach(store& in, uint64_t agent, uint64_t last, uint64_t acknowledged) {
  if (last >= acknowledged)
    return {};
  auto now = in.end_of_journal(agent);
  if (!now)
    return now.error();
  auto wanted = std::min(*now, acknowledged);
  return last < wanted ? not_there(last, wanted) : caf::error{};
}

caf::expected<snapshot_head> advance_snapshot(
  store& in, const ownership& by, snapshot_kind kind, uint64_t until, uint64_t most) {
  auto from = in.find_snapshot(by.agent, kind);
  if (!from)
    return from;
  follower next{*from};
  caf::error damage;
  auto err = in.read_journal(by.agent, from->sequence, [&](journal_group&& group) {
    if (group.last > until)
      return false;
    damage = next.take(group);
    return !damage && next.events() < most;
  });
  if (!err)
    err = damage;
  if (err)
    return err;
  if (next.events() == 0)
    return from;
  if (auto failed = in.move_snapshot(by, kind, next.head(), next.rows()))
    return failed;
  return next.head();
}

caf::expected<truncation> truncate_journal(store& in, const ownership& by, timestamp horizon) {
  auto latest = in.find_snapshot(by.agent, snapshot_kind::latest);
  if (!latest)
    return latest.error();
  auto oldest = in.find_snapshot(by.agent, snapshot_kind::oldest);
  if (!oldest)
    return oldest.error();
  auto next = next_part(in, by.agent, oldest->sequence, latest->sequence, horizon);
  if (!next)
    return next.error();
  if (next->until == oldest->sequence)
    return next->behind ? truncation::behind : truncation::done;
  auto moved = advance_snapshot(in, by, snapshot_kind::oldest, next->until, events_at_once);
  if (!moved)
    return moved.error();
  if (auto err = in.forget_journal(by, moved->sequence))
    return err;
  return truncation::more;
}

} // namespace scratchpage
