#include "scratchpage/actors/page/filter_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scratchpage/messages/query.hpp"

namespace scratchpage {

namespace {

bool are_equal(const observation_filter& a, const observation_filter& b) {
  return observation_filter::fields(
    [&](const auto&... x) { return ((a.*x.member == b.*x.member) && ...); });
}

std::vector<std::string> without_repetition(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

size_t memory_of(const std::vector<std::string>& texts) {
  auto result = texts.size() * sizeof(std::string);
  for (const auto& x : texts)
    result += x.size();
  return result;
}

size_t memory_of(const observation_filter& x) {
  constexpr size_t node = 64; // about, of a node of the map with its value
  auto result = sizeof(observation_filter) + x.status.size() + memory_of(x.type)
                + memory_of(x.source) + memory_of(x.owner) + memory_of(x.tags)
                + (x.turn_id ? x.turn_id->size() : 0);
  for (const auto& [path, value] : x.context)
    result += node + path.size() + (value.is_string() ? value.get_string().size() : 0);
  return result;
}

} // namespace

size_t memory_of(const std::vector<observation_filter>& filters) {
  return std::accumulate(filters.begin(), filters.end(), size_t{0},
    [](size_t sum, const auto& x) { return sum + memory_of(x); });
}

bool filter_group::wants(const page_event& x) const {
  return is_wanted(x, filters);
}

filter_group& filter_groups::join(std::vector<observation_filter> filters, uint64_t next) {
  auto [kind, values] = place_of(filters.front());
  auto& first = buckets_[kind][values.front()];
  auto is_same = [&](const auto& x) {
    return std::equal(
      x->filters.begin(), x->filters.end(), filters.begin(), filters.end(), are_equal);
  };
  if (auto found = std::find_if(first.begin(), first.end(), is_same); found != first.end()) {
    ++(*found)->shared_by;
    return **found;
  }
  auto made = std::make_shared<filter_group>(filter_group{.filters = std::move(filters),
    .wanted = sequence_marks{log_capacity_},
    .since = next,
    .shared_by = 1,
    .waiting = {}});
  for (const auto& one : made->filters) {
    auto place = place_of(one);
    for (const auto& value : place.values)
      buckets_[place.kind][value].push_back(made);
  }
  ++size_;
  return *made;
}

void filter_groups::leave(filter_group& x) {
  if (--x.shared_by > 0)
    return;
  auto filters = std::move(x.filters); // `x` is destroyed with its last place
  for (const auto& one : filters) {
    auto place = place_of(one);
    for (const auto& value : place.values)
      remove(x, buckets_[place.kind], value);
  }
  --size_;
}

void filter_groups::remove(const filter_group& x, buckets& from, const std::string& value) {
  auto at = from.find(value);
  auto& list = at->second;
  auto is_it = [&](const auto& other) { return other.get() == &x; };
  list.erase(std::find_if(list.begin(), list.end(), is_it));
  if (list.empty())
    from.erase(at);
}

std::span<filter_group* const> filter_groups::matching(const page_event& x) {
  const auto& about = *x.observation;
  found_.clear();
  look_up(rest, {}, x);
  look_up(type, about.type, x);
  look_up(source, about.source.name, x);
  look_up(turn, about.source.turn_id, x);
  if (!buckets_[tag].empty())
    for (const auto& name : about.tags)
      look_up(tag, name, x);
  for (size_t i = 0; i < context_members.size(); ++i)
    if (!buckets_[context + i].empty())
      if (const auto* value =
            about.context.if_contains({context_members[i].data(), context_members[i].size()});
          value != nullptr && value->is_string())
        look_up(context + i, std::string_view{value->get_string()}, x);
  return found_;
}

/// Few values are compared one by one, which is faster than a hash of the text.
const filter_groups::list* filter_groups::find(const buckets& in, std::string_view value) {
  constexpr size_t few = 4;
  auto at = in.size() <= few
              ? std::find_if(in.begin(), in.end(), [&](const auto& x) { return x.first == value; })
              : in.find(value);
  return at != in.end() ? &at->second : nullptr;
}

void filter_groups::look_up(size_t kind, std::string_view value, const page_event& x) {
  if (buckets_[kind].empty())
    return;
  const auto* found = find(buckets_[kind], value);
  if (found == nullptr)
    return;
  for (const auto& one : *found) {
    // A group with several filters lies in several buckets.
    auto is_new = one->filters.size() == 1
                  || std::find(found_.begin(), found_.end(), one.get()) == found_.end();
    if (is_new && one->wants(x))
      found_.push_back(one.get());
  }
}

filter_groups::place filter_groups::place_of(const observation_filter& x) {
  if (x.turn_id)
    return {turn, {*x.turn_id}};
  for (size_t i = 0; i < context_members.size(); ++i)
    if (auto wanted = x.context.find(std::string{context_members[i]});
        wanted != x.context.end() && wanted->second.is_string())
      return {context + i, {std::string{std::string_view{wanted->second.get_string()}}}};
  if (!x.tags.empty())
    return {tag, {x.tags.front()}};
  if (!x.source.empty())
    return {source, without_repetition(x.source)};
  if (!x.type.empty())
    return {type, without_repetition(x.type)};
  return {rest, {std::string{}}};
}

} // namespace scratchpage
