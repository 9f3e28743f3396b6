#include "scratchpage/actors/page/promotion_queue.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// In most cases the number is higher than all others, and then no search is needed.
bool promotion_queue::has(const entries& in, uint64_t number) {
  return !in.empty() && number <= in.rbegin()->first && in.contains(number);
}

observation_ptr promotion_queue::offer(uint64_t number, uint64_t sequence, promotion_candidate x) {
  observation_ptr left_out;
  if (!has_place_for(number)) {
    left_out = make_room_for(x.counts_for);
    if (!left_out)
      return x.observation;
  } else if (!is_new(number)) {
    take_back(number);
  }
  auto kept = waiting_.emplace_hint(waiting_.end(), number, entry{sequence, std::move(x)});
  count(kept->second);
  open_.insert(open_.end(), sequence);
  return left_out;
}

/// The program that has the most candidates, if it has more than `program`; otherwise the end.
promotion_queue::counts::const_iterator promotion_queue::program_with_more(
  const std::string& program) const {
  auto has = [](const auto& x) { return x.first.empty() ? size_t{0} : x.second; };
  auto most = std::max_element(of_program_.begin(), of_program_.end(),
    [&](const auto& a, const auto& b) { return has(a) < has(b); });
  auto own = of_program_.find(program);
  auto is_more =
    most != of_program_.end() && has(*most) > (own != of_program_.end() ? has(*own) : 0);
  return is_more ? most : of_program_.end();
}

/// Removes the latest candidate of the program that has the most, if it has more than `program`.
/// Returns its observation, or null if no candidate was removed.
observation_ptr promotion_queue::make_room_for(const std::string& program) {
  auto most = program_with_more(program);
  if (most == of_program_.end())
    return {};
  auto is_meant = [&](const auto& x) { return x.second.candidate.counts_for == most->first; };
  for (auto* part : {&waiting_, &put_back_}) {
    auto latest = std::find_if(part->rbegin(), part->rend(), is_meant);
    if (latest == part->rend())
      continue;
    auto result = latest->second.candidate.observation;
    erase(latest->first);
    return result;
  }
  return {};
}

void promotion_queue::discount(const entry& x) {
  auto i = of_program_.find(x.candidate.counts_for);
  if (--i->second == 0)
    of_program_.erase(i);
}

bool promotion_queue::must_hold(uint64_t last_given, uint64_t last_applied, bool is_any_staged) {
  if (!forward_after_)
    forward_after_ = last_given;
  if (is_any_staged && last_applied < *forward_after_)
    return true;
  forward_after_.reset();
  return false;
}

std::vector<promotion_candidate> promotion_queue::take(size_t limit) {
  std::vector<promotion_candidate> result;
  if (!taken_.empty())
    return result;
  while (!waiting_.empty() && result.size() < limit) {
    auto node = waiting_.extract(waiting_.begin());
    discount(node.mapped());
    result.push_back(node.mapped().candidate);
    taken_.insert(std::move(node));
  }
  return result;
}

void promotion_queue::done(const std::vector<std::string>& again) {
  std::unordered_set<std::string_view, keyed_text_hash, std::equal_to<>> ids{
    again.begin(), again.end()};
  for (auto& [number, x] : taken_) {
    open_.erase(x.sequence);
    if (ids.contains(x.candidate.observation->observation_id))
      put_back(number, x);
  }
  taken_.clear();
}

void promotion_queue::failed() {
  for (auto& [number, x] : taken_) {
    open_.erase(x.sequence);
    put_back(number, x);
  }
  taken_.clear();
}

/// Puts a candidate back, unless a newer revision waits already.
void promotion_queue::put_back(uint64_t number, entry& x) {
  if (waiting_.contains(number))
    return;
  count(x);
  ++x.tries;
  put_back_.insert_or_assign(number, std::move(x));
}

size_t promotion_queue::retry(size_t limit) {
  std::vector<std::tuple<bool, uint64_t, uint64_t>> order; // the number comes last
  order.reserve(put_back_.size());
  for (const auto& [number, x] : put_back_)
    order.emplace_back(!x.candidate.counts_for.empty(), x.tries, number);
  auto count = std::min(limit, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end());
  for (size_t i = 0; i < count; ++i) {
    auto node = put_back_.extract(std::get<2>(order[i]));
    open_.insert(node.mapped().sequence);
    waiting_.insert(std::move(node));
  }
  return count;
}

std::vector<promotion_queue::remembered> promotion_queue::put_back() const {
  std::vector<remembered> result;
  result.reserve(put_back_.size());
  for (const auto& [number, x] : put_back_)
    result.push_back({number, x.sequence, x.tries, x.candidate});
  return result;
}

void promotion_queue::restore(remembered x) {
  auto [i, is_new] =
    put_back_.insert_or_assign(x.number, entry{x.sequence, std::move(x.candidate), x.tries});
  count(i->second);
}

/// Removes a candidate that waits or was put back.
void promotion_queue::take_back(uint64_t number) {
  for (auto* part : {&waiting_, &put_back_})
    if (auto node = part->extract(number); !node.empty()) {
      discount(node.mapped());
      open_.erase(node.mapped().sequence);
    }
}

void promotion_queue::erase(uint64_t number) {
  take_back(number);
  if (auto node = taken_.extract(number); !node.empty())
    open_.erase(node.mapped().sequence);
}

} // namespace scratchpage
