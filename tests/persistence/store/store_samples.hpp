#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// Short functions that create values for a store. Their texts need no meaning.

namespace scratchpage::test {

inline timestamp at_millisecond(int64_t x) {
  return timestamp{std::chrono::milliseconds{x}};
}

inline journal_group group(uint64_t first, uint64_t last, std::string events = "some events\n") {
  constexpr uint64_t most = 1'000'000'000; // the greatest sequence is no time
  auto at = at_millisecond(1'762'000'000'000 + static_cast<int64_t>(std::min(last, most)));
  journal_group x{first, last, at, std::move(events)};
  x.checksum = checksum_of(x.events);
  return x;
}

inline archive_row archived(
  uint64_t sequence, std::string id = "obs_1", std::string type = "note") {
  archive_row x;
  x.sequence = sequence;
  x.observation_id = std::move(id);
  x.type = std::move(type);
  x.status = "archived";
  x.source = "router";
  x.owner = "agent";
  x.turn_id = "turn_1";
  x.created_at = at_millisecond(1'000 + static_cast<int64_t>(sequence));
  x.left_at = at_millisecond(2'000 + static_cast<int64_t>(sequence));
  x.body = R"({"n":)" + std::to_string(sequence) + "}";
  x.checksum = checksum_of(x.body);
  return x;
}

inline journal_append next(ownership by, uint64_t after, uint64_t count = 1,
  std::vector<archive_row> rows = {}, std::string events = "some events\n") {
  return {by, after, group(after + 1, after + count, std::move(events)), std::move(rows)};
}

inline snapshot_row row(uint64_t number, std::string event) {
  auto checksum = checksum_of(event);
  return {number, std::move(event), checksum};
}

inline document doc(std::string collection, std::string key, std::string body) {
  auto checksum = checksum_of(body);
  return {std::move(collection), std::move(key), std::move(body), checksum};
}

inline caf::error append(store& to, const journal_append& x) {
  return to.append_one(x);
}

inline caf::error put(store& to, const ownership& by, const document& x) {
  return to.put(by, {&x, 1});
}

} // namespace scratchpage::test
