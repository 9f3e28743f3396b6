#include "scratchpage/actors/page/interests.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scratchpage/messages/filter_match.hpp"

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
  constexpr size_t node = 64; // of a map, about, and of a value
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

bool interest::wants(const page_event& x) const {
  return is_wanted(x, filters);
}

interest& interests::join(std::vector<observation_filter> filters, uint64_t next) {
  auto [in, names] = place_of(filters.front());
  auto& first = drawers_[in][names.front()];
  auto is_same = [&](const auto& x) {
    return std::equal(
      x->filters.begin(), x->filters.end(), filters.begin(), filters.end(), are_equal);
  };
  if (auto found = std::find_if(first.begin(), first.end(), is_same); found != first.end()) {
    ++(*found)->shared_by;
    return **found;
  }
  auto made = std::make_shared<interest>(interest{.filters = std::move(filters),
    .wanted = sequence_marks{log_capacity_},
    .since = next,
    .shared_by = 1,
    .waiting = {}});
  for (const auto& one : made->filters) {
    auto place = place_of(one);
    for (const auto& name : place.names)
      drawers_[place.in][name].push_back(made);
  }
  ++size_;
  return *made;
}

void interests::leave(interest& x) {
  if (--x.shared_by > 0)
    return;
  auto filters = std::move(x.filters); // `x` ends with its last place
  for (const auto& one : filters) {
    auto place = place_of(one);
    for (const auto& name : place.names)
      take_out(x, drawers_[place.in], name);
  }
  --size_;
}

void interests::take_out(const interest& x, drawer& from, const std::string& name) {
  auto at = from.find(name);
  auto& list = at->second;
  auto is_it = [&](const auto& other) { return other.get() == &x; };
  list.erase(std::find_if(list.begin(), list.end(), is_it));
  if (list.empty())
    from.erase(at);
}

std::span<interest* const> interests::wanting(const page_event& x) {
  const auto& about = *x.observation;
  found_.clear();
  look_up(rest, {}, x);
  look_up(type, about.type, x);
  look_up(source, about.source.name, x);
  look_up(turn, about.source.turn_id, x);
  if (!drawers_[tag].empty())
    for (const auto& name : about.tags)
      look_up(tag, name, x);
  for (size_t i = 0; i < context_members.size(); ++i)
    if (!drawers_[context + i].empty())
      if (const auto* value =
            about.context.if_contains({context_members[i].data(), context_members[i].size()});
          value != nullptr && value->is_string())
        look_up(context + i, std::string_view{value->get_string()}, x);
  return found_;
}

void interests::look_up(size_t in, std::string_view name, const page_event& x) {
  if (drawers_[in].empty())
    return;
  auto found = drawers_[in].find(name);
  if (found == drawers_[in].end())
    return;
  for (const auto& one : found->second) {
    // One of several filters lies in several drawers.
    auto is_new = one->filters.size() == 1
                  || std::find(found_.begin(), found_.end(), one.get()) == found_.end();
    if (is_new && one->wants(x))
      found_.push_back(one.get());
  }
}

interests::place interests::place_of(const observation_filter& x) {
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
