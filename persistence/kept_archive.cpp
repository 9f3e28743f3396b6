#include "scratchpage/persistence/kept_archive.hpp"

#include <charconv>
#include <optional>
#include <string>

#include "scratchpage/messages/answer_room.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/persistence/filter_match.hpp"
#include "scratchpage/persistence/query_limit.hpp"
#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage {

namespace {

constexpr json_limits body_limits{16u << 20, 64, any_number_of_values};

/// What the store can look for by itself.
archive_range range_of(const observation_filter& filter) {
  archive_range range;
  range.type = filter.type;
  for (auto x : filter.status)
    range.status.push_back(to_string(x));
  range.source = filter.source;
  range.owner = filter.owner;
  range.turn_id = filter.turn_id.value_or("");
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

} // namespace

caf::expected<query_result> kept_archive::list(
  const observation_filter& filter, uint32_t limit, std::string_view cursor) const {
  auto before = from_cursor(cursor);
  if (auto err = check_limit(limit))
    return err;
  if (!before)
    return before.error();
  query_result result;
  answer_room room{answer_limits::bytes};
  caf::error damage;
  uint64_t looked_at = 0;
  uint64_t last = 0;
  auto look_at = [&](archive_row&& row) {
    if (++looked_at > most_looked_at) {
      result.partial = true;
      return false;
    }
    auto x = observation_of(row);
    if (!x) {
      damage = x.error();
      return false;
    }
    if (!matches(filter, *x))
      return true;
    ++result.total_count;
    if (row.sequence >= *before)
      return true;
    if (result.next_cursor.empty() && result.observations.size() < limit && room.takes(*x)) {
      result.observations.emplace_back(std::move(*x));
      last = row.sequence;
    } else {
      result.next_cursor = std::to_string(last);
    }
    return true;
  };
  auto err = store_->read_archive(agent_, range_of(filter), look_at);
  if (!err)
    err = damage;
  if (err)
    return err;
  return result;
}

} // namespace scratchpage
