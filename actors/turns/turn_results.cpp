#include "scratchpage/actors/turns/turn_results.hpp"

#include <algorithm>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/compression.hpp"

namespace scratchpage {

namespace {

constexpr json_limits packed_limits{256u << 20, 64, any_number_of_values};
constexpr int packed_level = 3;

} // namespace

void turn_results::add(const turn_result& x) {
  auto bytes = memory_of(x);
  ended_.push_back({x.turn_id, bytes, x});
  bytes_ += bytes;
  while (ended_.size() > max_results_ || (bytes_ > max_bytes_ && ended_.size() > 1)) {
    bytes_ -= ended_.front().bytes;
    ended_.pop_front();
  }
}

std::optional<turn_result> turn_results::find(std::string_view turn_id) const {
  auto is_meant = [&](const entry& x) { return x.turn_id == turn_id; };
  auto found = std::find_if(ended_.begin(), ended_.end(), is_meant);
  if (found == ended_.end())
    return std::nullopt;
  if (found->result)
    return found->result;
  auto text = decompress(found->packed);
  if (!text)
    return std::nullopt;
  auto result = from_json_text<turn_result>(*text, packed_limits);
  return result ? std::optional{std::move(*result)} : std::nullopt;
}

/// A result that could not be read back stays as it is.
void turn_results::pack() {
  for (auto& x : ended_) {
    if (!x.result)
      continue;
    auto text = to_json_text(*x.result);
    if (!from_json_text<turn_result>(text, packed_limits))
      continue;
    x.packed = compress(text, packed_level);
    x.result.reset();
  }
}

uint64_t turn_results::bytes() const {
  uint64_t result = 0;
  for (const auto& x : ended_)
    result += sizeof(x) + x.turn_id.size() + (x.result ? x.bytes : x.packed.capacity());
  return result;
}

} // namespace scratchpage
