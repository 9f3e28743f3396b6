#include "scratchpage/actors/page/index/window_ranking.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

namespace {

/// How much the neighbours count, by their distance.
constexpr std::array neighbour_shares{0.35, 0.35 / 2, 0.35 / 3, 0.35 / 4};
static_assert(neighbour_shares.size() == window_ranking::reach);

/// What the ensemble has noted about its own work, such as a decision of the Router, has to have a
/// term itself: beside what was said, it tells nothing.
bool is_worth_it(const observation& x, bool has_term) {
  return has_term || !is_of_ensemble(x.source);
}

} // namespace

std::vector<window_ranking::candidate> window_ranking::rank(
  const std::vector<text_search::match>& best, const lookup& find, size_t wanted, size_t count) {
  std::vector<hit> found;
  count = std::min(best.size(), count);
  found.reserve(count);
  for (size_t i = 0; i < count; ++i)
    if (const auto* x = find(best[i].slot))
      found.push_back({search_.index().threads().thread_of(*x), best[i].slot});
  gather(std::move(found));
  has_term_.resize(slots_.size());
  scores_.resize(slots_.size());
  weights_.resize(slots_.size());
  for (const auto& x : search_.terms())
    add_up(x);
  std::vector<candidate> result;
  for (size_t i = 0; i < slots_.size(); ++i)
    if (is_candidate_[i] != 0 && scores_[i] > 0)
      if (const auto* x = find(slots_[i]); x != nullptr && is_worth_it(*x, has_term_[i] != 0))
        result.push_back({slots_[i], scores_[i], has_term_[i] != 0});
  auto ordered = result.begin() + static_cast<ptrdiff_t>(std::min(wanted, result.size()));
  std::partial_sort(
    result.begin(), ordered, result.end(), [](const candidate& a, const candidate& b) {
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
  slots_.resize(reach);
  const slot_set* last = nullptr;
  for (const auto& x : hits) {
    auto at = put(x, x.thread != nullptr && x.thread == last);
    last = x.thread;
    if (auto end = at + 2 * reach + 1; x.thread != nullptr && slots_.size() < end)
      read_on(*x.thread, end - slots_.size());
    is_candidate_.resize(slots_.size());
    auto end = std::min(slots_.size(), at + reach + 1);
    for (auto i = std::max(runs_.back().first, at - reach); i < end; ++i)
      is_candidate_[i] = 1;
    runs_.back().end = slots_.size();
  }
  slots_.resize(slots_.size() + reach);
  is_candidate_.resize(slots_.size());
}

/// Puts a hit and what comes before it into the last run, or into a new one if it is not near that.
/// Returns its place.
size_t window_ranking::put(const hit& x, bool is_same_thread) {
  auto is_known = [&](uint32_t slot) { return is_same_thread && slot <= slots_.back(); };
  if (is_known(x.slot)) {
    auto from = slots_.begin() + static_cast<ptrdiff_t>(runs_.back().first);
    return static_cast<size_t>(std::lower_bound(from, slots_.end(), x.slot) - slots_.begin());
  }
  // One more than is taken, which tells whether the last run continues.
  std::array<uint32_t, 2 * reach + 1> before{};
  size_t count = x.thread != nullptr ? x.thread->before(x.slot, before) : 0;
  auto end = std::find_if(before.begin(), before.begin() + count, is_known);
  if (end == before.begin() + count)
    begin_run();
  auto taken = std::min<size_t>(static_cast<size_t>(end - before.begin()), 2 * reach);
  slots_.insert(slots_.end(), std::make_reverse_iterator(before.begin() + taken), before.rend());
  slots_.push_back(x.slot);
  return slots_.size() - 1;
}

/// Puts what comes next in the thread into the last run.
void window_ranking::read_on(const slot_set& thread, size_t count) {
  auto from = slots_.back();
  auto size = slots_.size();
  slots_.resize(size + count);
  slots_.resize(size + thread.after(from, std::span{slots_}.subspan(size)));
}

void window_ranking::begin_run() {
  if (!runs_.empty())
    slots_.resize(slots_.size() + reach);
  runs_.push_back({slots_.size(), slots_.size()});
}

// -- scores ---------------------------------------------------------------------------

/// Adds what a term counts to the scores of the places that have it, and of their neighbours unless
/// it is a usual term. Most terms are in few places.
void window_ranking::add_up(const text_search::term& x) {
  weigh(*x.postings);
  auto most = 2 * x.idf;
  if (x.is_usual) {
    for (auto i : having_)
      scores_[i] += most * weights_[i] / (weights_[i] + 1);
  } else {
    for (size_t i = 0; i < having_.size();) {
      auto from = having_[i] - reach;
      auto end = having_[i] + reach + 1;
      while (++i < having_.size() && having_[i] - reach <= end)
        end = having_[i] + reach + 1;
      add_up_near(most, std::max(from, reach), std::min(end, slots_.size() - reach));
    }
  }
  for (auto i : having_)
    weights_[i] = 0;
}

/// The same for the places from one to another. Compilers vectorize the outer loop.
void window_ranking::add_up_near(double most, size_t from, size_t end) {
  const auto* weights = weights_.data();
  auto* scores = scores_.data();
  for (auto i = from; i < end; ++i) {
    auto sum = weights[i];
    for (size_t k = 1; k <= reach; ++k)
      sum += neighbour_shares[k - 1] * (weights[i - k] + weights[i + k]);
    scores[i] += most * sum / (sum + 1);
  }
}

/// Finds the places that have a term, and its weights there.
void window_ranking::weigh(const term_postings& x) {
  having_.resize(slots_.size());
  size_t count = 0;
  for (const auto& part : runs_) {
    auto slots = std::span{slots_}.subspan(part.first, part.end - part.first);
    auto places = std::span{having_}.subspan(count);
    auto found = x.documents().find(slots, places);
    for (size_t i = 0; i < found; ++i)
      places[i] += static_cast<uint32_t>(part.first);
    count += found;
  }
  having_.resize(count);
  for (auto i : having_) {
    has_term_[i] = 1;
    weights_[i] =
      search_.weights().weight(x.frequency_of_member(slots_[i]), search_.index().length(slots_[i]));
  }
}

} // namespace scratchpage
