#include "scratchpage/actors/page/index/window_ranking.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

namespace scratchpage {

std::vector<window_ranking::candidate> window_ranking::rank(
  const std::vector<text_search::match>& best, const lookup& find) {
  std::vector<candidate> result;
  boost::unordered_flat_set<uint32_t> seen;
  auto count = std::min(best.size(), hits);
  for (size_t i = 0; i < count; ++i) {
    const auto* hit = find(best[i].slot);
    if (hit == nullptr)
      continue;
    auto near = around(best[i].slot, search_.index().threads().thread_of(*hit));
    weigh(near);
    auto last = std::min(near.last, width - 1 + reach);
    for (auto at = std::max(near.first, width - 1 - reach); at <= last; ++at)
      if (seen.insert(near.slots[at]).second && find(near.slots[at]) != nullptr)
        if (auto x = score(near, at); x.score > 0)
          result.push_back(x);
  }
  std::sort(result.begin(), result.end(), [](const candidate& a, const candidate& b) {
    return a.score != b.score ? a.score > b.score : a.slot > b.slot;
  });
  return result;
}

window_ranking::strip window_ranking::around(uint32_t slot, const slot_set* thread) {
  strip result;
  result.slots[width - 1] = slot;
  if (thread == nullptr)
    return result;
  while (result.first > 0) {
    auto next = thread->before(result.slots[result.first]);
    if (!next)
      break;
    result.slots[--result.first] = *next;
  }
  while (result.last + 1 < result.slots.size()) {
    auto next = thread->after(result.slots[result.last]);
    if (!next)
      break;
    result.slots[++result.last] = *next;
  }
  return result;
}

/// Finds the weights of all terms in the observations of the strip.
void window_ranking::weigh(const strip& x) {
  std::array<double*, 2 * width - 1> fresh{};
  auto begin = weights_.size();
  weights_.resize(begin + (x.last - x.first + 1) * terms_);
  for (auto at = x.first; at <= x.last; ++at)
    if (rows_.try_emplace(x.slots[at], begin).second) {
      fresh[at] = &weights_[begin];
      begin += terms_;
    }
  for (size_t i = 0; i < terms_; ++i) {
    const auto& postings = *search_.terms()[i].postings;
    // Most terms are in none of them.
    auto from = x.slots[x.first];
    auto next =
      postings.documents().contains(from) ? std::optional{from} : postings.documents().after(from);
    if (!next || *next > x.slots[x.last])
      continue;
    for (auto at = x.first; at <= x.last; ++at)
      if (auto frequency = fresh[at] != nullptr ? postings.frequency(x.slots[at]) : 0)
        fresh[at][i] = search_.weights().weight(frequency, search_.index().length(x.slots[at]));
  }
  weights_.resize(begin);
}

window_ranking::candidate window_ranking::score(const strip& x, size_t at) const {
  auto first = std::max(x.first, at - reach);
  auto last = std::min(x.last, at + reach);
  std::array<const double*, width> rows{}; // with the observation in the middle
  for (auto i = first; i <= last; ++i)
    rows[i + reach - at] = weights_of(x.slots[i]);
  candidate result{x.slots[at], 0, false};
  for (size_t i = 0; i < terms_; ++i) {
    const auto& term = search_.terms()[i];
    auto weight = [&](size_t row) { return rows[row] != nullptr ? rows[row][i] : 0.0; };
    auto sum = weight(reach);
    result.has_term = result.has_term || sum > 0;
    if (!term.is_usual)
      for (size_t k = 1; k <= reach; ++k)
        sum += 0.35 / static_cast<double>(k) * (weight(reach - k) + weight(reach + k));
    result.score += term.idf * 2 * sum / (sum + 1);
  }
  return result;
}

} // namespace scratchpage
