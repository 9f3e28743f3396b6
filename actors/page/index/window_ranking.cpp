#include "scratchpage/actors/page/index/window_ranking.hpp"

#include <algorithm>
#include <utility>

namespace scratchpage {

namespace {

/// How much the neighbours count, by their distance.
constexpr std::array neighbour_shares{0.35, 0.35 / 2, 0.35 / 3, 0.35 / 4};
static_assert(neighbour_shares.size() == window_ranking::reach);

} // namespace

std::vector<window_ranking::candidate> window_ranking::rank(
  const std::vector<text_search::match>& best, const lookup& find) {
  std::vector<candidate> result;
  auto count = std::min(best.size(), hits);
  known_.reserve(count * (2 * width - 1));
  weights_.reserve((count * (2 * width - 1) + 1) * terms_);
  weights_.assign(terms_, 0); // of a neighbour that does not exist
  result.reserve(count * width);
  for (size_t i = 0; i < count; ++i) {
    const auto* hit = find(best[i].slot);
    if (hit == nullptr)
      continue;
    auto near = around(best[i].slot, search_.index().threads().thread_of(*hit));
    weigh(near);
    auto last = std::min(near.last, width - 1 + reach);
    for (auto at = std::max(near.first, width - 1 - reach); at <= last; ++at)
      if (!std::exchange(known_.find(near.slots[at])->second.is_ranked, true))
        if (auto x = score(near, at); x.score > 0 && find(near.slots[at]) != nullptr)
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
void window_ranking::weigh(strip& x) {
  std::array<bool, 2 * width - 1> is_new{};
  for (auto at = x.first; at <= x.last; ++at) {
    auto [known, added] = known_.try_emplace(x.slots[at], neighbour{weights_.size()});
    is_new[at] = added;
    x.weights[at] = known->second.weights;
    if (added)
      weights_.resize(weights_.size() + terms_);
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
      if (auto frequency = is_new[at] ? postings.frequency(x.slots[at]) : 0)
        weights_[x.weights[at] + i] =
          search_.weights().weight(frequency, search_.index().length(x.slots[at]));
  }
}

window_ranking::candidate window_ranking::score(const strip& x, size_t at) const {
  auto first = std::max(x.first, at - reach);
  auto last = std::min(x.last, at + reach);
  std::array<const double*, width> rows; // with the observation in the middle
  rows.fill(weights_.data());
  for (auto i = first; i <= last; ++i)
    rows[i + reach - at] = &weights_[x.weights[i]];
  candidate result{x.slots[at], 0, false};
  for (size_t i = 0; i < terms_; ++i) {
    const auto& term = search_.terms()[i];
    auto sum = rows[reach][i];
    result.has_term = result.has_term || sum > 0;
    if (!term.is_usual)
      for (size_t k = 1; k <= reach; ++k)
        sum += neighbour_shares[k - 1] * (rows[reach - k][i] + rows[reach + k][i]);
    result.score += term.idf * 2 * sum / (sum + 1);
  }
  return result;
}

} // namespace scratchpage
