#include "scratchpage/actors/page/eviction_order.hpp"

namespace scratchpage {

namespace {

uint32_t low(uint64_t number) {
  return static_cast<uint32_t>(number);
}

} // namespace

void eviction_order::insert(uint64_t number, int64_t weight) {
  erase(number);
  auto [i, is_new] = lane_of_.try_emplace(weight, static_cast<uint16_t>(lanes_.size()));
  if (is_new)
    lanes_.emplace_back();
  auto& x = nodes_.put(number, {});
  x.lane = i->second;
  link(number, x);
}

void eviction_order::touch(uint64_t number) {
  auto* x = nodes_.find(number);
  if (x == nullptr || x->is_protected)
    return;
  unlink(number, *x);
  link(number, *x);
}

void eviction_order::erase(uint64_t number) {
  auto* x = nodes_.find(number);
  if (x == nullptr)
    return;
  if (!x->is_protected)
    unlink(number, *x);
  nodes_.erase(number);
}

void eviction_order::protect(uint64_t number, bool on) {
  auto* x = nodes_.find(number);
  if (x == nullptr || x->is_protected == on)
    return;
  if (on)
    unlink(number, *x);
  else
    link(number, *x);
  x->is_protected = on;
}

std::optional<uint64_t> eviction_order::victim(
  const std::function<bool(uint64_t)>& is_spared) const {
  for (const auto& [weight, i] : lane_of_) {
    auto number = lanes_[i].oldest;
    for (auto left = lanes_[i].size; left > 0; --left) {
      if (!is_spared(number))
        return number;
      number = nodes_.widen(nodes_.find(number)->newer);
    }
  }
  return std::nullopt;
}

void eviction_order::link(uint64_t number, node& x) {
  auto& to = lanes_[x.lane];
  x.newer = x.older = low(number);
  if (to.size++ == 0) {
    to.oldest = number;
  } else {
    x.older = low(to.newest);
    nodes_.find(to.newest)->newer = low(number);
  }
  to.newest = number;
}

void eviction_order::unlink(uint64_t number, const node& x) {
  auto& from = lanes_[x.lane];
  auto older = nodes_.widen(x.older);
  auto newer = nodes_.widen(x.newer);
  --from.size;
  if (older != number)
    nodes_.find(older)->newer = newer != number ? x.newer : x.older;
  else
    from.oldest = newer;
  if (newer != number)
    nodes_.find(newer)->older = older != number ? x.older : x.newer;
  else
    from.newest = older;
}

} // namespace scratchpage
