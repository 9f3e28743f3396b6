#include "scratchpage/persistence/memories/archive.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage {

namespace {

/// Reads the whole of `text` as one number.
template <class T>
bool read_number(std::string_view text, T& out) {
  const auto* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, out);
  return failure == std::errc{} && rest == end;
}

constexpr json_limits body_limits{16u << 20, 64, any_number_of_values};

std::vector<std::string> as_key_texts(const std::vector<std::string>& xs) {
  std::vector<std::string> result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(as_key_text(x));
  return result;
}

/// The part of the filter that the store can evaluate itself.
archive_range range_of(const observation_filter& filter) {
  archive_range range;
  range.type = as_key_texts(filter.type);
  for (auto x : filter.status)
    range.status.push_back(to_string(x));
  range.source = as_key_texts(filter.source);
  range.owner = as_key_texts(filter.owner);
  range.turn_id = as_key_text(filter.turn_id.value_or(""));
  range.created_after = filter.created_after;
  range.created_before = filter.created_before;
  return range;
}

/// Reads a cursor: the sequence of the last event that was listed.
caf::expected<uint64_t> from_cursor(std::string_view cursor) {
  if (cursor.empty())
    return UINT64_MAX;
  uint64_t before = 0;
  auto [end, ec] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), before);
  if (ec != std::errc{} || end != cursor.data() + cursor.size())
    return fail(errc::invalid_request, "cursor", "expected the next_cursor of an earlier answer");
  return before;
}

caf::expected<observation> observation_of(const archive_row& row) {
  auto x = from_json_text<observation>(row.body, body_limits);
  if (!x || checksum_of(row.body) != row.checksum)
    return fail(errc::internal, row.observation_id,
      "expected it in the archive as it was written; `scratchpage repair` recovers intact data");
  return x;
}

/// Whether the rows of `range_of` are exactly the ones that match, so that rows can be counted
/// without reading their bodies.
bool is_found_by_rows(const observation_filter& x) {
  auto is_kept_as_it_is = [](const std::vector<std::string>& texts) {
    return std::all_of(
      texts.begin(), texts.end(), [](const std::string& one) { return is_key_text(one); });
  };
  return x.tags.empty() && !x.min_confidence && x.context.empty() && !x.created_before
         && is_kept_as_it_is(x.type) && is_kept_as_it_is(x.source) && is_kept_as_it_is(x.owner)
         && (!x.turn_id || (!x.turn_id->empty() && is_key_text(*x.turn_id)));
}

/// How much one listing may still examine. The first row is always examined, so that a client that
/// pages makes progress.
class look {
public:
  explicit look(const scratchpage::clock& clock)
    : clock_{clock},
      end_{clock.steady() + from_milliseconds(stored_archive::max_ms)} {}

  bool takes(const archive_row& x) {
    if (rows_ > 0
        && (rows_ >= stored_archive::max_looked_at || bytes_ >= stored_archive::max_bytes
            || clock_.steady() > end_))
      return false;
    ++rows_;
    bytes_ += x.body.size();
    return true;
  }

private:
  const scratchpage::clock& clock_;
  timespan end_;
  uint64_t rows_ = 0;
  uint64_t bytes_ = 0;
};

/// One listing: first the observations of the answer, then the number of all matches.
class listing {
public:
  listing(store& in, uint64_t agent, const observation_filter& filter, uint32_t limit,
    const scratchpage::clock& clock)
    : store_{in},
      agent_{agent},
      filter_{filter},
      limit_{limit},
      look_{clock} {}

  caf::expected<query_result> from(uint64_t cursor) {
    auto err = fill(cursor);
    if (!err && !result_.partial && rows_tell_)
      err = count_rows();
    else if (!err && !result_.partial && cursor != UINT64_MAX)
      err = count_above(cursor);
    if (err)
      return err;
    return std::move(result_);
  }

private:
  /// Reads the rows below the cursor: until the answer is full if rows can be counted without
  /// bodies, else to the end.
  caf::error fill(uint64_t cursor) {
    auto range = range_of(filter_);
    range.before = cursor;
    uint64_t last = 0; // sequence of the last row that was examined
    auto take = [&](const archive_row& row, observation&& x) {
      if (matches(filter_, x)) {
        ++result_.total_count;
        add(std::move(x), last);
      }
      last = row.sequence;
      return !(rows_tell_ && is_full());
    };
    auto err = read(range, take);
    if (result_.partial && !is_full())
      result_.next_cursor = std::to_string(last);
    return err;
  }

  /// Adds to the answer. If it is full, the next answer begins below `last`.
  void add(observation&& x, uint64_t last) {
    if (is_full())
      return;
    if (result_.observations.size() < limit_ && room_.takes(x))
      result_.observations.emplace_back(std::move(x));
    else
      result_.next_cursor = std::to_string(last);
  }

  bool is_full() const { return !result_.next_cursor.empty(); }

  caf::error count_rows() {
    auto range = range_of(filter_);
    range.without_bodies = true;
    result_.total_count = 0;
    return store_.read_archive(agent_, range, [this](archive_row&& row) {
      if (!may_look_at(row))
        return false;
      ++result_.total_count;
      return true;
    });
  }

  caf::error count_above(uint64_t cursor) {
    auto range = range_of(filter_);
    range.after = cursor - 1;
    return read(range, [this](const archive_row&, const observation& x) {
      result_.total_count += matches(filter_, x) ? 1 : 0;
      return true;
    });
  }

  /// Calls `take` with each row and its observation, until it returns false.
  template <class Take>
  caf::error read(const archive_range& range, Take take) {
    caf::error damage;
    auto err = store_.read_archive(agent_, range, [&](archive_row&& row) {
      if (!may_look_at(row))
        return false;
      auto x = observation_of(row);
      if (!x)
        damage = x.error();
      return !damage && take(row, std::move(*x));
    });
    return err ? err : damage;
  }

  bool may_look_at(const archive_row& row) {
    result_.partial = !look_.takes(row);
    return !result_.partial;
  }

  store& store_;
  uint64_t agent_;
  const observation_filter& filter_;
  uint32_t limit_;
  look look_;
  answer_room room_{answer_limits::bytes};
  bool rows_tell_ = is_found_by_rows(filter_);
  query_result result_;
};

} // namespace

void archive::put(uint64_t number, observation_ptr x, timestamp left_at) {
  if (!x)
    return;
  forget(x->observation_id);
  place here{left_at, number};
  if (auto taken = entries_.find(here); taken != entries_.end())
    drop(taken);
  auto added = entries_.emplace(here, std::move(x)).first;
  by_id_.emplace(added->second->observation_id, here);
  bytes_ += memory_of(*added->second);
  while (entries_.size() > config_.max_observations || bytes_ > config_.max_bytes) {
    drop(entries_.begin());
    ++dropped_;
  }
}

void archive::drop(std::map<place, observation_ptr>::iterator at) {
  bytes_ -= memory_of(*at->second);
  by_id_.erase(at->second->observation_id); // first, because its key points into the entry
  entries_.erase(at);
}

caf::expected<query_result> archive::list(
  const observation_filter& filter, uint32_t limit, std::string_view cursor) const {
  if (auto err = check_limit(limit))
    return err;
  // The first answer begins at the greatest place that there can be.
  place from{timestamp::max(), UINT64_MAX};
  if (!cursor.empty()) {
    auto place = from_cursor(cursor);
    if (!place)
      return place.error();
    from = *place;
  }
  query_result result;
  answer_room room{answer_limits::bytes};
  place last;
  for (auto i = entries_.rbegin(); i != entries_.rend(); ++i) {
    const auto& [here, x] = *i;
    if (!matches(filter, *x))
      continue;
    ++result.total_count;
    if (here >= from)
      continue;
    if (result.next_cursor.empty() && result.observations.size() < limit && room.takes(*x)) {
      result.observations.push_back(x);
      last = here;
    } else if (result.next_cursor.empty()) {
      result.next_cursor = to_cursor(last);
    }
  }
  return result;
}

observation_ptr archive::find(std::string_view observation_id) const {
  auto known = by_id_.find(observation_id);
  return known == by_id_.end() ? observation_ptr{} : entries_.at(known->second);
}

void archive::forget(std::string_view observation_id) {
  if (auto known = by_id_.find(observation_id); known != by_id_.end())
    drop(entries_.find(known->second));
}

/// "<nanoseconds since 1970>.<number>"
std::string archive::to_cursor(const place& x) {
  return std::to_string(x.left_at.time_since_epoch().count()) + "." + std::to_string(x.number);
}

caf::expected<archive::place> archive::from_cursor(std::string_view cursor) {
  auto dot = cursor.find('.');
  int64_t nanoseconds = 0;
  uint64_t number = 0;
  if (dot == cursor.npos || !read_number(cursor.substr(0, dot), nanoseconds)
      || !read_number(cursor.substr(dot + 1), number))
    return fail(errc::invalid_request, "cursor", "the next_cursor of an earlier answer");
  return place{timestamp{timespan{nanoseconds}}, number};
}

caf::expected<query_result> stored_archive::list(
  const observation_filter& filter, uint32_t limit, std::string_view cursor) const {
  auto before = from_cursor(cursor);
  if (auto err = check_limit(limit))
    return err;
  if (!before)
    return before.error();
  return listing{*store_, agent_, filter, limit, *clock_}.from(*before);
}

} // namespace scratchpage
