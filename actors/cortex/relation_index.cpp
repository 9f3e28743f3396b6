#include "scratchpage/actors/cortex/relation_index.hpp"

#include <algorithm>
#include <utility>

namespace scratchpage {

namespace {

/// The lower of two numbers; nothing if both are missing.
std::optional<uint64_t> older(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (!a || !b)
    return a ? a : b;
  return std::min(*a, *b);
}

} // namespace

void relation_index::put(uint64_t number, relation_marks x) {
  erase(number);
  auto& in = x.is_named ? named_ : unnamed_;
  put(names_, x.names, number);
  put(in.groups, x.groups, number);
  put(in.tags, x.tags, number);
  all_.emplace(number, std::move(x));
}

void relation_index::erase(uint64_t number) {
  auto node = all_.extract(number);
  if (node.empty())
    return;
  const auto& x = node.mapped();
  auto& in = x.is_named ? named_ : unnamed_;
  erase(names_, x.names, number);
  erase(in.groups, x.groups, number);
  erase(in.tags, x.tags, number);
}

void relation_index::put(table& to, const std::vector<std::string>& keys, uint64_t number) {
  for (const auto& key : keys)
    to[key].insert(number);
}

void relation_index::erase(table& from, const std::vector<std::string>& keys, uint64_t number) {
  for (const auto& key : keys)
    if (auto i = from.find(key); i != from.end()) {
      i->second.erase(number);
      if (i->second.empty())
        from.erase(i);
    }
}

std::optional<uint64_t> relation_index::oldest_related(const relation_marks& x) const {
  auto result = first_of(names_, x.names);
  result = older(result, first_of(unnamed_.groups, x.groups));
  result = older(result, first_with_tags(unnamed_, x.tags));
  if (x.is_named)
    return result;
  result = older(result, first_of(named_.groups, x.groups));
  return older(result, first_with_tags(named_, x.tags));
}

std::optional<uint64_t> relation_index::first_of(
  const table& in, const std::vector<std::string>& keys) {
  std::optional<uint64_t> result;
  for (const auto& key : keys)
    if (auto i = in.find(key); i != in.end())
      result = older(result, *i->second.begin());
  return result;
}

/// Merges the sorted lists of all tags, and stops at the first number that is on enough of them.
std::optional<uint64_t> relation_index::first_with_tags(
  const part& in, const std::vector<std::string>& tags) const {
  using place = std::pair<numbers::const_iterator, numbers::const_iterator>;
  auto is_later = [](const place& a, const place& b) { return *a.first > *b.first; };
  std::vector<place> lists;
  for (const auto& tag : tags)
    if (auto i = in.tags.find(tag); i != in.tags.end())
      lists.emplace_back(i->second.begin(), i->second.end());
  std::make_heap(lists.begin(), lists.end(), is_later);
  uint64_t last = 0;
  size_t shared = 0;
  while (!lists.empty()) {
    ++looked_at_;
    std::pop_heap(lists.begin(), lists.end(), is_later);
    auto& next = lists.back();
    shared = shared > 0 && *next.first == last ? shared + 1 : 1;
    last = *next.first;
    if (shared >= shared_tags_)
      return last;
    if (++next.first == next.second)
      lists.pop_back();
    else
      std::push_heap(lists.begin(), lists.end(), is_later);
  }
  return std::nullopt;
}

} // namespace scratchpage
