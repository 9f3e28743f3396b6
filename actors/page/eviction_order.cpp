#include "scratchpage/actors/page/eviction_order.hpp"

#include <algorithm>
#include <functional>

namespace scratchpage {

namespace {

uint32_t low(uint64_t number) {
  return static_cast<uint32_t>(number);
}

} // namespace

void eviction_order::insert(uint64_t number, int64_t weight, share of) {
  erase(number);
  auto [i, is_new] =
    lane_of_.try_emplace(std::pair{of, weight}, static_cast<uint32_t>(lanes_.size()));
  if (is_new)
    lanes_.push_back({of});
  if (of >= evictable_.size())
    evictable_.resize(size_t{of} + 1);
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
  if (x->is_protected == 0)
    unlink(number, *x);
  nodes_.erase(number);
}

void eviction_order::protect(uint64_t number, bool on) {
  auto* x = nodes_.find(number);
  if (x == nullptr || (x->is_protected != 0) == on)
    return;
  if (on)
    unlink(number, *x);
  else
    link(number, *x);
  x->is_protected = on ? 1 : 0;
}

std::optional<uint64_t> eviction_order::victim(const spares& is_spared, const claim& claims) const {
  std::vector<std::pair<double, share>> order;
  for (size_t i = 0; i < evictable_.size(); ++i)
    if (evictable_[i] > 0)
      order.emplace_back(-claims(static_cast<share>(i)), static_cast<share>(i));
  std::make_heap(order.begin(), order.end(), std::greater{});
  for (; !order.empty(); order.pop_back()) {
    std::pop_heap(order.begin(), order.end(), std::greater{});
    if (auto found = victim_of(order.back().second, is_spared))
      return found;
  }
  return std::nullopt;
}

std::optional<uint64_t> eviction_order::victim_of(share x, const spares& is_spared) const {
  auto i = lane_of_.lower_bound({x, INT64_MIN});
  for (; i != lane_of_.end() && i->first.first == x; ++i) {
    const auto& of = lanes_[i->second];
    auto number = of.oldest;
    for (auto left = of.size; left > 0; --left) {
      if (!is_spared(number))
        return number;
      number = nodes_.widen(nodes_.find(number)->newer);
    }
  }
  return std::nullopt;
}

void eviction_order::link(uint64_t number, node& x) {
  auto& to = lanes_[x.lane];
  ++evictable_[to.of];
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
  --evictable_[from.of];
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
