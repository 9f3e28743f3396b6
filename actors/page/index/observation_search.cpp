#include <algorithm>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/actors/page/index/observation_scan.hpp"
#include "scratchpage/actors/page/index/text_search.hpp"
#include "scratchpage/actors/page/index/window_ranking.hpp"

/// Queries with a text.

namespace scratchpage {

namespace {

/// The numbers of an answer, each of them once.
class distinct_numbers {
public:
  explicit distinct_numbers(uint64_t limit)
    : limit_{limit} {}

  void add(uint64_t number) {
    if (numbers_.size() < limit_ && known_.insert(number).second)
      numbers_.push_back(number);
  }

  std::vector<uint64_t> take() { return std::move(numbers_); }

private:
  uint64_t limit_;
  std::vector<uint64_t> numbers_;
  boost::unordered_flat_set<uint64_t> known_;
};

} // namespace

bool observation_index::catch_up(size_t limit, const std::function<bool()>& out_of_time) {
  auto find = [this](uint32_t slot) {
    const auto* row = rows_.find(number_of(slot));
    return row != nullptr ? row->get() : nullptr;
  };
  return text_.catch_up(find, out_of_time, limit);
}

/// First the best matches together with their neighbours, then the other matches with a word of the
/// text, and last those that match only the filter.
index_answer observation_index::most_relevant(const index_query& q) {
  note_overdue(q.now);
  auto is_caught_up = catch_up(SIZE_MAX, q.out_of_time);
  auto selects = q.filter->empty();
  index_answer answer;
  std::vector<uint64_t> others;
  text_search search{
    text_, q.text, std::max<uint64_t>(q.limit, window_ranking::hits), q.out_of_time};
  scan rows{*this, q};
  auto wants = [&](uint16_t key) { return search.enter(key) || !selects; };
  rows.for_each_chunk(wants, [&](uint16_t key, const slot_chunk& chunk) {
    const auto& found = search.look_at(chunk);
    if (selects)
      return;
    answer.total += chunk.count();
    auto room = q.limit - std::min(q.limit, search.found());
    chunk.for_each_descending(slot_set::chunk_slots, [&](uint16_t offset) {
      if (others.size() < room && !found.contains(offset))
        others.push_back(number_of((uint32_t{key} << 16) + offset));
      return others.size() < room;
    });
  });
  auto best = search.best();
  auto near = window_ranking{search}.rank(
    best, [&](uint32_t slot) { return rows.matches(slot) ? &at(slot) : nullptr; }, q.limit);
  distinct_numbers numbers{q.limit};
  for (const auto& x : near)
    numbers.add(number_of(x.slot));
  for (const auto& x : best)
    numbers.add(number_of(x.slot));
  for (auto number : others)
    numbers.add(number);
  answer.numbers = numbers.take();
  uint64_t neighbours = 0;
  if (selects) {
    answer.total = search.found();
    neighbours =
      static_cast<uint64_t>(std::ranges::count_if(near, [](const auto& x) { return !x.has_term; }));
  }
  answer.more = answer.numbers.size() < answer.total + neighbours;
  answer.partial = !is_caught_up || search.is_partial() || rows.is_partial();
  return answer;
}

} // namespace scratchpage
