#include "scratchpage/actors/page/source_shares.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "scratchpage/actors/base/packed_text.hpp"
#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

namespace {

// The first two shares are for sources without one of their own. The third one is `unknown`.
constexpr source_shares::share other_persons = 0;
constexpr source_shares::share other_programs = 1;

std::string key_of(const source& x) {
  if (!x.relayed_by.empty())
    return "daemon " + x.relayed_by.text();
  return std::string{name_of(x.kind)}.append(" ").append(x.name);
}

bool is_same(const source& a, const source& b) {
  return a.kind == b.kind && a.name == b.name && a.relayed_by == b.relayed_by;
}

uint32_t low(uint64_t number) {
  return static_cast<uint32_t>(number);
}

} // namespace

source_shares::source_shares()
  : all_{{.is_persons = true, .name = "further persons"},
    {.is_persons = false, .name = "further programs"},
    {.is_persons = false, .name = "somebody before the last start"}} {}

source_shares::share source_shares::of(const source& x) {
  if (is_same(x, last_))
    return last_share_;
  auto is_persons = x.kind == source_kind::user && x.relayed_by.empty();
  last_share_ = make(key_of(x), is_persons);
  last_ = x;
  return last_share_;
}

source_shares::share source_shares::make(std::string key, bool is_persons) {
  if (auto known = by_source_.find(key); known != by_source_.end())
    return known->second;
  if (all_.size() >= max_shares)
    return is_persons ? other_persons : other_programs;
  auto result = static_cast<share>(all_.size());
  all_.push_back({.is_persons = is_persons, .name = key});
  by_source_.emplace(std::move(key), result);
  return result;
}

const std::string& source_shares::name(share x) const {
  static const std::string of_claimed = [] {
    caller any;
    any.claimed = true;
    return principal_of(any);
  }();
  return all_[x].is_claimed ? of_claimed : all_[x].name;
}

void source_shares::charge(share x, int64_t observations, int64_t bytes) {
  all_[x].charged += static_cast<uint64_t>(observations);
  all_[x].charged_bytes += static_cast<uint64_t>(bytes);
}

void source_shares::guard(uint64_t number, const guarded& x) {
  if (auto before = guarded_.extract(number); !before.empty())
    count_guarded(before.mapped(), -1);
  if (!x.is_open && !x.is_evidence)
    return;
  guarded_.emplace(number, x);
  count_guarded(x, 1);
}

void source_shares::count_guarded(const guarded& x, int64_t sign) {
  auto& to = all_[x.of];
  to.open += static_cast<uint64_t>(x.is_open ? sign : 0);
  to.evidence += static_cast<uint64_t>(x.is_evidence ? sign : 0);
  to.guarded_bytes += static_cast<uint64_t>(sign * x.bytes);
}

void source_shares::claim(share x) {
  if (!std::exchange(all_[x].is_claimed, true))
    claimed_.push_back(x);
}

uint64_t source_shares::memory() const {
  constexpr uint64_t of_name = 128; // of both copies of a name, with their allocations
  constexpr uint64_t of_guarded = 64;
  return sizeof(*this) + all_.size() * (sizeof(entry) + of_name) + guarded_.size() * of_guarded;
}

void source_shares::count(share x, int64_t observations, int64_t bytes) {
  all_[x].observations += static_cast<uint64_t>(observations);
  all_[x].bytes += static_cast<uint64_t>(bytes);
}

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

std::string eviction_order::packed() const {
  std::vector<std::vector<uint64_t>> kept(lanes_.size()); // the protected ones
  for (auto n = nodes_.first(); n; n = nodes_.at_or_after(*n + 1))
    if (const auto* x = nodes_.find(*n); x->is_protected != 0)
      kept[x->lane].push_back(*n);
  packer to;
  for (const auto& [key, i] : lane_of_) {
    to.put(uint64_t{key.first});
    to.put(static_cast<uint64_t>(key.second));
    to.put(lanes_[i].size);
    auto number = lanes_[i].oldest;
    for (auto left = lanes_[i].size; left > 0; --left) {
      to.put_near(number);
      number = nodes_.widen(nodes_.find(number)->newer);
    }
    to.put(kept[i].size());
    for (auto one : kept[i])
      to.put_near(one);
  }
  return std::move(to).text();
}

void eviction_order::restore(std::string_view packed) {
  unpacker from{packed};
  while (!from.is_done()) {
    auto of = static_cast<share>(from.number());
    auto weight = static_cast<int64_t>(from.number());
    for (auto left = from.number(); left > 0; --left)
      insert(from.near_number(), weight, of);
    for (auto left = from.number(); left > 0; --left) {
      auto number = from.near_number();
      insert(number, weight, of);
      protect(number, true);
    }
  }
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
