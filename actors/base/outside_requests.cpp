#include "scratchpage/actors/base/outside_requests.hpp"

#include <utility>

namespace scratchpage {

std::string principal_key(const caller& by) {
  if (by.claimed)
    return {};
  return std::string{name_of(by.kind)}.append(" ").append(by.name);
}

bool fair_queue::has_room_for(const caller& by) const {
  auto found = waiting_.find(principal_key(by));
  return found == waiting_.end() ? max_waiting_ > 0 : found->second.size() < max_waiting_;
}

void fair_queue::add(const caller& by, work x) {
  auto key = principal_key(by);
  auto& theirs = waiting_[key];
  if (theirs.empty())
    order_.push_back(std::move(key));
  theirs.push_back(std::move(x));
}

fair_queue::work fair_queue::take() {
  auto found = waiting_.find(order_.front());
  auto result = std::move(found->second.front());
  found->second.pop_front();
  if (found->second.empty())
    waiting_.erase(found);
  else
    order_.push_back(order_.front());
  order_.pop_front();
  return result;
}

} // namespace scratchpage
