#include "scratchpage/actors/page/source_shares.hpp"

#include <utility>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

namespace {

// The first two, before the one that is unknown, are for all those that have none of their own.
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
  if (all_.size() >= most)
    return is_persons ? other_persons : other_programs;
  auto result = static_cast<share>(all_.size());
  all_.push_back({.is_persons = is_persons, .name = key});
  by_source_.emplace(std::move(key), result);
  return result;
}

std::string source_shares::name(share x) const {
  if (!all_[x].is_claimed)
    return all_[x].name;
  caller any;
  any.claimed = true;
  return principal_of(any);
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

void source_shares::count(share x, int64_t observations, int64_t bytes) {
  all_[x].observations += static_cast<uint64_t>(observations);
  all_[x].bytes += static_cast<uint64_t>(bytes);
}

} // namespace scratchpage
