#include "scratchpage/actors/memory/joint_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "scratchpage/actors/page/index/window_ranking.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// An observation with the beginning of its text.
observation_ptr as_compared(const observation_ptr& x) {
  if (x->content.size() <= search_limits::read_bytes)
    return x;
  auto result = *x;
  result.content = utf8::prefix(x->content, search_limits::read_bytes);
  return observation_ptr{std::move(result)};
}

/// Where an observation comes in its thread.
std::pair<uint64_t, timestamp> place_in_thread(const observation& x) {
  return {number_of(x.observation_id).value_or(0), x.created_at};
}

/// Searches in all texts of the index.
void look_at_all(text_search& search, const text_index& index) {
  slot_set::scratch room;
  slot_chunk rows;
  for (auto key = index.size() / slot_set::chunk_slots + 1; key-- > 0;) {
    auto at = static_cast<uint16_t>(key);
    rows.assign(index.indexed().chunk(at, room));
    if (search.enter(at))
      search.look_at(rows);
  }
}

} // namespace

size_t joint_ranking::add(const observation_ptr& x) {
  auto [known, is_new] = numbers_.try_emplace(x->observation_id, texts_.size());
  if (is_new)
    texts_.push_back(as_compared(x));
  return known->second;
}

size_t joint_ranking::add(const fact& x) {
  return add(x.statement, x.tags, x.last_seen);
}

size_t joint_ranking::add(const goal& x) {
  return add(x.title + " " + x.description, {}, x.created_at);
}

/// Adds a text that has no thread.
size_t joint_ranking::add(std::string text, const std::vector<std::string>& tags, timestamp at) {
  observation x;
  x.content = std::move(text);
  x.tags = tags;
  x.created_at = at;
  texts_.push_back(as_compared(observation_ptr{std::move(x)}));
  return texts_.size() - 1;
}

std::vector<double> joint_ranking::rank(std::string_view query) const {
  std::vector<size_t> order(texts_.size()); // of slots
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [this](size_t i) { return place_in_thread(*texts_[i]); });
  auto find = [&](uint32_t slot) -> const observation* { return &*texts_[order[slot]]; };
  text_index index{config_};
  for (size_t i = 0; i < order.size(); ++i)
    index.insert(static_cast<uint32_t>(i));
  index.catch_up(find, {});
  text_search search{index, query, texts_.size()};
  look_at_all(search, index);
  double most = 0;
  for (const auto& x : search.terms())
    most += 2 * x.idf;
  std::vector<double> result(texts_.size());
  auto best = search.best();
  for (const auto& x : window_ranking{search}.rank(best, find, 0, best.size()))
    result[order[x.slot]] = x.score / most;
  return result;
}

void keep_order(std::vector<double>& ranks) {
  for (auto i = ranks.size(); i-- > 1;)
    ranks[i - 1] =
      std::max(ranks[i - 1], std::nextafter(ranks[i], std::numeric_limits<double>::infinity()));
}

} // namespace scratchpage
