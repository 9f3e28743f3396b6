#include "scratchpage/actors/page/promotion_queue.hpp"

#include <algorithm>
#include <utility>

namespace scratchpage {

bool promotion_queue::offer(uint64_t number, uint64_t sequence, promotion_candidate x) {
  put_back_.erase(number);
  auto known = waiting_.find(number);
  if (known != waiting_.end())
    open_.erase(known->second.sequence);
  else if (waiting_.size() + put_back_.size() >= capacity_)
    return false;
  waiting_.insert_or_assign(number, entry{sequence, std::move(x)});
  open_.insert(sequence);
  return true;
}

std::vector<promotion_candidate> promotion_queue::take() {
  std::vector<promotion_candidate> result;
  if (!taken_.empty())
    return result;
  taken_.swap(waiting_);
  result.reserve(taken_.size());
  for (const auto& [number, x] : taken_)
    result.push_back(x.candidate);
  return result;
}

void promotion_queue::done(const std::vector<std::string>& again) {
  for (auto& [number, x] : taken_) {
    open_.erase(x.sequence);
    const auto& id = x.candidate.observation->observation_id;
    if (std::find(again.begin(), again.end(), id) != again.end() && !waiting_.contains(number))
      put_back_.insert_or_assign(number, std::move(x));
  }
  taken_.clear();
}

void promotion_queue::failed() {
  for (auto& [number, x] : taken_) {
    open_.erase(x.sequence);
    if (!waiting_.contains(number))
      put_back_.insert_or_assign(number, std::move(x));
  }
  taken_.clear();
}

size_t promotion_queue::retry() {
  auto count = put_back_.size();
  for (const auto& [number, x] : put_back_)
    open_.insert(x.sequence);
  waiting_.merge(put_back_);
  put_back_.clear();
  return count;
}

void promotion_queue::erase(uint64_t number) {
  for (auto* part : {&waiting_, &taken_})
    if (auto i = part->find(number); i != part->end()) {
      open_.erase(i->second.sequence);
      part->erase(i);
    }
  put_back_.erase(number);
}

} // namespace scratchpage
