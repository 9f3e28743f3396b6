#include "scratchpage/persistence/memories/archive.hpp"

#include <charconv>
#include <iterator>

#include "scratchpage/messages/answer_room.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/messages/filter_match.hpp"
#include "scratchpage/messages/observation_size.hpp"
#include "scratchpage/messages/query_limit.hpp"

namespace scratchpage {

namespace {

/// Reads the whole of `text` as one number.
template <class T>
bool read_number(std::string_view text, T& out) {
  const auto* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, out);
  return failure == std::errc{} && rest == end;
}

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
  by_id_.erase(at->second->observation_id); // its key is in what goes next
  entries_.erase(at);
}

caf::expected<query_result> archive::list(
  const observation_filter& filter, uint32_t limit, std::string_view cursor) const {
  if (auto err = check_limit(limit))
    return err;
  // The first page starts after the end of time, where nothing can be.
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

} // namespace scratchpage
