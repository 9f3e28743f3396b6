#include "scratchpage/persistence/memories/kept_archive.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/messages/answer_room.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/messages/filter_match.hpp"
#include "scratchpage/messages/query_limit.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage {

namespace {

constexpr json_limits body_limits{16u << 20, 64, any_number_of_values};

std::vector<std::string> as_key_texts(const std::vector<std::string>& xs) {
  std::vector<std::string> result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(as_key_text(x));
  return result;
}

/// What the store can look for by itself.
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

/// A cursor is the sequence of the last event that was listed.
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
      "expected it in the archive as it was written; `scratchpage repair` saves what is whole");
  return x;
}

/// Whether the rows of `range_of` are exactly those that match, so that they can be counted
/// without their bodies.
bool is_found_by_rows(const observation_filter& x) {
  auto is_kept_as_it_is = [](const std::vector<std::string>& texts) {
    return std::all_of(
      texts.begin(), texts.end(), [](const std::string& one) { return is_key_text(one); });
  };
  return x.tags.empty() && !x.min_confidence && x.context.empty() && !x.created_before
         && is_kept_as_it_is(x.type) && is_kept_as_it_is(x.source) && is_kept_as_it_is(x.owner)
         && (!x.turn_id || (!x.turn_id->empty() && is_key_text(*x.turn_id)));
}

/// What one listing may still look at. The first row is always looked at, so that who pages
/// gets on.
class look {
public:
  explicit look(const scratchpage::clock& clock)
    : clock_{clock},
      end_{clock.steady() + from_milliseconds(kept_archive::most_ms)} {}

  bool takes(const archive_row& x) {
    if (rows_ > 0
        && (rows_ >= kept_archive::most_looked_at || bytes_ >= kept_archive::most_bytes
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

/// One listing: first the page of the answer, then how many match in all.
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
  /// Reads what is below the cursor: until the page is full if the rows alone tell how many there
  /// are, else to the end.
  caf::error fill(uint64_t cursor) {
    auto range = range_of(filter_);
    range.before = cursor;
    uint64_t last = 0; // that was looked at
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

  /// Unless the page is full; then the next one begins below `last`.
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

  /// Calls `take` with each row and its observation, until that gives false.
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

caf::expected<query_result> kept_archive::list(
  const observation_filter& filter, uint32_t limit, std::string_view cursor) const {
  auto before = from_cursor(cursor);
  if (auto err = check_limit(limit))
    return err;
  if (!before)
    return before.error();
  return listing{*store_, agent_, filter, limit, *clock_}.from(*before);
}

} // namespace scratchpage
