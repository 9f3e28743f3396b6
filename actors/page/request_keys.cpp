#include "scratchpage/actors/page/request_keys.hpp"

namespace scratchpage {

std::string request_keys::name_of(const request_mark& x) {
  std::string result;
  auto part = std::to_string(x.part);
  result.reserve(x.by.size() + x.key.size() + part.size() + 2);
  return result.append(x.by).append(1, '\0').append(x.key).append(1, '\0').append(part);
}

/// What an entry takes in the three containers, with its observation, which the log may have, too.
uint64_t request_keys::bytes_of(const std::string& name, const known& x) {
  constexpr uint64_t around = 160;
  auto result = around + sizeof(x) + 2 * name.size();
  for (const auto& warning : x.warnings)
    result += sizeof(std::string) + warning.size();
  return result + (x.observation ? memory_of(*x.observation) : 0);
}

const request_keys::known* request_keys::find(const request_mark& x) const {
  if (known_.empty())
    return nullptr;
  auto found = known_.find(name_of(x));
  return found == known_.end() ? nullptr : &found->second;
}

void request_keys::begin(const request_mark& x) {
  known_.try_emplace(name_of(x)).first->second.digest = x.digest;
}

void request_keys::keep(
  const request_mark& x, uint64_t sequence, const observation_ptr& observation) {
  auto name = name_of(x);
  auto& entry = known_[name];
  bytes_ -= entry.bytes; // of an earlier one, in a history that forgot it in between
  entry = {x.digest, sequence, observation, x.warnings};
  entry.bytes = bytes_of(name, entry);
  bytes_ += entry.bytes;
  order_.emplace_hint(order_.end(), sequence, std::move(name));
  while (bytes_ > max_bytes_ && order_.size() > 1)
    forget_oldest();
}

void request_keys::refuse(const request_mark& x) {
  auto found = known_.find(name_of(x));
  if (found != known_.end() && found->second.is_under_way())
    known_.erase(found);
}

void request_keys::wait(const request_mark& x, std::function<void()> f) {
  waiting_[name_of(x)].push_back(std::move(f));
}

std::vector<std::function<void()>> request_keys::take_waiting(const request_mark& x) {
  if (waiting_.empty())
    return {};
  auto found = waiting_.extract(name_of(x));
  return found ? std::move(found.mapped()) : std::vector<std::function<void()>>{};
}

void request_keys::forget_before(uint64_t sequence) {
  while (!order_.empty() && order_.begin()->first < sequence)
    forget_oldest();
}

void request_keys::forget_oldest() {
  auto oldest = order_.extract(order_.begin());
  auto found = known_.find(oldest.mapped());
  if (found != known_.end() && found->second.sequence == oldest.key()) {
    bytes_ -= found->second.bytes;
    known_.erase(found);
  }
}

} // namespace scratchpage
