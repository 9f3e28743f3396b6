#include "scratchpage/actors/page/index/window_ranking.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace scratchpage {

namespace {

/// How much the neighbours count, by their distance.
constexpr std::array neighbour_shares{0.35, 0.35 / 2, 0.35 / 3, 0.35 / 4};
static_assert(neighbour_shares.size() == window_ranking::reach);

/// The smallest member that is not below a slot.
std::optional<uint32_t> member_from(const slot_set& x, uint32_t slot) {
  if (slot > 0)
    return x.after(slot - 1);
  return x.contains(0) ? std::optional{slot} : x.after(0);
}

} // namespace

std::vector<window_ranking::candidate> window_ranking::rank(
  const std::vector<text_search::match>& best, const lookup& find, size_t count) {
  std::vector<hit> found;
  count = std::min(best.size(), count);
  found.reserve(count);
  for (size_t i = 0; i < count; ++i)
    if (const auto* x = find(best[i].slot))
      found.push_back({search_.index().threads().thread_of(*x), best[i].slot});
  gather(std::move(found));
  scores_.resize(places_.size());
  weights_.resize(places_.size());
  sums_.resize(places_.size());
  for (const auto& x : search_.terms())
    add_up(x);
  std::vector<candidate> result;
  for (size_t i = 0; i < places_.size(); ++i)
    if (const auto& x = places_[i]; x.is_candidate && scores_[i] > 0 && find(x.slot) != nullptr)
      result.push_back({x.slot, scores_[i], x.has_term});
  std::sort(result.begin(), result.end(), [](const candidate& a, const candidate& b) {
    return a.score != b.score ? a.score > b.score : a.slot > b.slot;
  });
  return result;
}

// -- the places near the hits ---------------------------------------------------------

/// Finds what is near the hits. Twice `reach`, because candidates have neighbours, too.
void window_ranking::gather(std::vector<hit> hits) {
  std::ranges::sort(hits, [](const hit& a, const hit& b) {
    return a.thread != b.thread ? std::less<>{}(a.thread, b.thread) : a.slot < b.slot;
  });
  places_.resize(reach);
  const slot_set* last = nullptr;
  for (const auto& x : hits) {
    auto at = put(x, x.thread != nullptr && x.thread == last);
    last = x.thread;
    while (x.thread != nullptr && places_.size() <= at + 2 * reach) {
      auto next = x.thread->after(places_.back().slot);
      if (!next)
        break;
      append(*next);
    }
    auto end = std::min(places_.size(), at + reach + 1);
    for (auto i = std::max(runs_.back().first, at - reach); i < end; ++i)
      places_[i].is_candidate = true;
    runs_.back().end = places_.size();
  }
  places_.resize(places_.size() + reach);
}

/// Puts a hit and what comes before it into the last run, or into a new one if it is not near that.
/// Returns its place.
size_t window_ranking::put(const hit& x, bool is_same_thread) {
  auto is_known = [&](uint32_t slot) { return is_same_thread && slot <= places_.back().slot; };
  if (is_known(x.slot)) {
    auto from = places_.begin() + static_cast<ptrdiff_t>(runs_.back().first);
    auto at = std::ranges::lower_bound(from, places_.end(), x.slot, {}, &place::slot);
    return static_cast<size_t>(at - places_.begin());
  }
  std::array<uint32_t, 2 * reach + 1> slots{x.slot}; // backwards
  size_t count = 1;
  auto next = x.thread != nullptr ? x.thread->before(x.slot) : std::nullopt;
  for (; next && !is_known(*next) && count < slots.size(); next = x.thread->before(*next))
    slots[count++] = *next;
  if (!next || !is_known(*next))
    begin_run();
  while (count > 0)
    append(slots[--count]);
  return places_.size() - 1;
}

void window_ranking::begin_run() {
  if (!runs_.empty())
    places_.resize(places_.size() + reach);
  runs_.push_back({places_.size(), places_.size()});
}

void window_ranking::append(uint32_t slot) {
  places_.emplace_back().slot = slot;
}

// -- scores ---------------------------------------------------------------------------

/// Adds what a term counts to the scores. The loops are such that compilers vectorize them.
void window_ranking::add_up(const text_search::term& x) {
  weigh(*x.postings);
  if (having_.empty())
    return;
  const auto* weights = weights_.data();
  auto* sums = sums_.data();
  auto* scores = scores_.data();
  auto end = places_.size() - reach;
  for (auto i = reach; i < end; ++i)
    sums[i] = weights[i];
  if (!x.is_usual)
    for (size_t k = 1; k <= reach; ++k)
      for (auto i = reach; i < end; ++i)
        sums[i] += neighbour_shares[k - 1] * (weights[i - k] + weights[i + k]);
  auto most = 2 * x.idf;
  for (auto i = reach; i < end; ++i)
    scores[i] += most * sums[i] / (sums[i] + 1);
  for (auto i : having_)
    weights_[i] = 0;
}

/// Finds the places that have a term, and its weights there. Most terms are in few of them, so this
/// goes from one observation that has the term to the next.
void window_ranking::weigh(const term_postings& x) {
  having_.clear();
  for (const auto& part : runs_) {
    auto at = part.first;
    while (at < part.end) {
      auto next = member_from(x.documents(), places_[at].slot);
      if (!next)
        break;
      while (at < part.end && places_[at].slot < *next)
        ++at;
      if (at == part.end || places_[at].slot != *next)
        continue;
      weights_[at] =
        search_.weights().weight(x.frequency_of_member(*next), search_.index().length(*next));
      places_[at].has_term = true;
      having_.push_back(at++);
    }
  }
}

} // namespace scratchpage
