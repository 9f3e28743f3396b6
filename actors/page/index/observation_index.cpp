#include "scratchpage/actors/page/index/observation_index.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/actors/page/index/observation_scan.hpp"
#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

// -- changes --------------------------------------------------------------------------

void observation_index::insert(uint64_t number, observation_ptr x) {
  assert(x && (rows_.empty() || number > *rows_.last()));
  if (rows_.empty()) {
    base_ = number;
    text_.clear(); // slots begin at 0 again
  } else if (number - base_ > limits_.slots) {
    reassign_slots();
  }
  assert(number - base_ <= limits_.slots);
  const auto& row = *x;
  if (row.created_at < last_created_)
    last_fall_ = number;
  last_created_ = row.created_at;
  rows_.put(number, std::move(x));
  add_to_indexes(number, row);
  text_.insert(slot_of(number));
  deadlines_.push(row.expires_at, number);
}

void observation_index::replace(uint64_t number, observation_ptr x) {
  auto* row = rows_.find(number);
  assert(x && row != nullptr);
  auto before = std::exchange(*row, std::move(x));
  const auto& after = **row;
  auto slot = slot_of(number);
  fields_.change(slot, *before, after);
  if (is_live(before->status))
    subjects_.remove(slot, *before);
  add_subject(slot, after);
  text_.change(slot, *before, after);
  auto is_due = overdue_.contains(slot);
  if (!is_due && before->expires_at == after.expires_at)
    return;
  unschedule(number);
  deadlines_.push(after.expires_at, number);
}

observation_ptr observation_index::erase(uint64_t number) {
  auto* row = rows_.find(number);
  if (row == nullptr)
    return {};
  auto x = *row;
  rows_.erase(number);
  auto slot = slot_of(number);
  fields_.remove(slot, *x);
  if (is_live(x->status))
    subjects_.remove(slot, *x);
  text_.erase(slot, *x);
  unschedule(number);
  return x;
}

observation_ptr observation_index::find(uint64_t number) const {
  const auto* row = rows_.find(number);
  return row != nullptr ? *row : observation_ptr{};
}

void observation_index::add_to_indexes(uint64_t number, const observation& x) {
  fields_.add(slot_of(number), x);
  add_subject(slot_of(number), x);
}

void observation_index::add_subject(uint32_t slot, const observation& x) {
  if (is_live(x.status))
    subjects_.add(slot, x, [this](uint32_t other) -> const observation& { return at(other); });
}

/// Gives the oldest row slot 0 and rebuilds the indexes. Takes long, but happens once in four
/// billion rows.
void observation_index::reassign_slots() {
  auto old_base = std::exchange(base_, *rows_.first());
  auto moved = [&](const slot_set& from) {
    slot_set to;
    from.for_each([&](uint32_t slot) { return to.add(slot_of(old_base + slot)), true; });
    return to;
  };
  overdue_ = moved(overdue_);
  told_ = moved(told_);
  fields_.clear();
  subjects_.clear();
  text_.clear();
  for (auto n = rows_.first(); n; n = rows_.at_or_after(*n + 1)) {
    add_to_indexes(*n, **rows_.find(*n));
    text_.insert(slot_of(*n));
  }
}

// -- deadlines ------------------------------------------------------------------------

bool observation_index::is_waiting(const deadline_queue::entry& x) const {
  const auto* row = rows_.find(x.number);
  return row != nullptr && (*row)->expires_at == x.deadline
         && !overdue_.contains(slot_of(x.number));
}

bool observation_index::is_untold(const deadline_queue::entry& x) const {
  const auto* row = rows_.find(x.number);
  return row != nullptr && (*row)->expires_at == x.deadline && overdue_.contains(slot_of(x.number))
         && !told_.contains(slot_of(x.number));
}

std::optional<deadline_queue::entry> observation_index::next_waiting() {
  return deadlines_.top([this](const auto& x) { return is_waiting(x); });
}

std::optional<deadline_queue::entry> observation_index::next_untold() {
  return untold_.top([this](const auto& x) { return is_untold(x); });
}

/// The deadline of the observation is not valid any more: its entry becomes stale in its queue.
void observation_index::unschedule(uint64_t number) {
  auto slot = slot_of(number);
  auto was_overdue = overdue_.remove(slot);
  if (!was_overdue)
    deadlines_.forget([this](const auto& x) { return is_waiting(x); });
  else if (!told_.remove(slot))
    untold_.forget([this](const auto& x) { return is_untold(x); });
}

/// If the clock was set back, observations that are not overdue any more, and that `due` has not
/// returned, wait for their deadline again.
void observation_index::follow_clock(timestamp now) {
  auto was_set_back = to_milliseconds(now) < to_milliseconds(looked_at_);
  looked_at_ = now;
  if (!was_set_back)
    return;
  std::vector<uint64_t> early;
  overdue_.for_each([&](uint32_t slot) {
    if (!told_.contains(slot) && at(slot).expires_at > now)
      early.push_back(number_of(slot));
    return true;
  });
  for (auto number : early) {
    unschedule(number);
    deadlines_.push((*rows_.find(number))->expires_at, number);
  }
}

/// Moves overdue observations to `overdue_`, so that queries leave them out as a set. The number is
/// limited: if more are overdue, queries check the deadline of each match.
void observation_index::note_overdue(timestamp now) {
  follow_clock(now);
  constexpr size_t at_most = 64; // each goes through two heaps: 256 took most of a millisecond
  for (size_t i = 0; i < at_most; ++i) {
    auto next = next_waiting();
    if (!next || next->deadline > now)
      return;
    deadlines_.pop();
    overdue_.add(slot_of(next->number));
    untold_.push(next->deadline, next->number);
  }
}

std::optional<timestamp> observation_index::next_deadline() {
  auto waiting = next_waiting();
  auto untold = next_untold();
  if (!waiting || !untold)
    return waiting ? std::optional{waiting->deadline}
                   : (untold ? std::optional{untold->deadline} : std::nullopt);
  return std::min(waiting->deadline, untold->deadline);
}

std::vector<uint64_t> observation_index::due(timestamp now, size_t limit) {
  follow_clock(now);
  std::vector<uint64_t> result;
  while (result.size() < limit) {
    auto waiting = next_waiting();
    auto untold = next_untold();
    auto is_noted =
      untold
      && (!waiting || untold->deadline < waiting->deadline
          || (untold->deadline == waiting->deadline && untold->number < waiting->number));
    auto next = is_noted ? untold : waiting;
    if (!next || next->deadline > now)
      break;
    (is_noted ? untold_ : deadlines_).pop();
    overdue_.add(slot_of(next->number));
    told_.add(slot_of(next->number));
    result.push_back(next->number);
  }
  return result;
}

// -- queries --------------------------------------------------------------------------

index_answer observation_index::query(const index_query& q) {
  return q.text.empty() ? newest(q) : most_relevant(q);
}

index_answer observation_index::newest(const index_query& q) {
  index_answer answer;
  note_overdue(q.now);
  auto before = q.before != 0 ? q.before : UINT64_MAX;
  scan matches{*this, q};
  matches.for_each_chunk([&](uint64_t base, const slot_chunk& chunk) {
    answer.total += chunk.count();
    if (answer.more || base >= before)
      return;
    auto below = static_cast<uint32_t>(std::min<uint64_t>(before - base, slot_set::chunk_slots));
    chunk.for_each_descending(below, [&](uint16_t offset) {
      answer.more = answer.numbers.size() >= q.limit;
      if (!answer.more)
        answer.numbers.push_back(base + offset);
      return !answer.more;
    });
  });
  answer.partial = matches.is_partial();
  return answer;
}

part_of_matches observation_index::matches_from(uint64_t from, const observation_filter& filter,
  timestamp now, size_t limit, const std::function<bool()>& out_of_time) {
  note_overdue(now);
  index_query q;
  q.filter = &filter;
  q.now = now;
  q.out_of_time = out_of_time;
  part_of_matches result{{}, from};
  if (limit > 0)
    result.next = scan{*this, q}.for_each_from(from, [&](uint64_t number) {
      result.numbers.push_back(number);
      return result.numbers.size() < limit;
    });
  return result;
}

uint64_t observation_index::first_created(timestamp at, bool after) const {
  auto low = *rows_.first();
  auto high = *rows_.last() + 1;
  while (low < high) {
    auto middle = low + (high - low) / 2;
    auto row = rows_.at_or_after(middle); // never empty, because `high` is at most the last + 1
    auto created = (*rows_.find(*row))->created_at;
    if (after ? created > at : created >= at)
      high = middle;
    else
      low = *row + 1;
  }
  return low;
}

// -- priority and contradictions --------------------------------------------------------

namespace {

struct prioritised {
  int64_t weight;
  double confidence;
  uint64_t number;
};

bool is_more_important(const prioritised& a, const prioritised& b) {
  if (a.weight != b.weight)
    return a.weight > b.weight;
  return a.confidence != b.confidence ? a.confidence > b.confidence : a.number > b.number;
}

std::vector<uint64_t> numbers_of(const std::vector<prioritised>& xs) {
  std::vector<uint64_t> result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(x.number);
  return result;
}

} // namespace

std::vector<uint64_t> observation_index::by_priority(
  timestamp now, const type_weights& weights, const std::function<bool()>& out_of_time) const {
  std::vector<prioritised> all;
  fields_.types().for_each([&](const auto& of_type) {
    auto weight = weights.of(of_type.first);
    of_type.second.for_each([&](uint32_t slot) {
      const auto* row = rows_.find(number_of(slot));
      if (is_live((*row)->status) && (*row)->expires_at > now)
        all.push_back({weight, (*row)->confidence, number_of(slot)});
      return true;
    });
  });
  auto is_over = [&] { return out_of_time && out_of_time(); };
  gradual_sort(all.begin(), all.end(), max_query_limit, is_more_important, is_over);
  return numbers_of(all);
}

std::vector<uint64_t> observation_index::by_priority(
  timestamp now, const type_weights& weights, std::span<const observation_filter> any_of) {
  std::vector<uint64_t> found;
  for (const auto& one : any_of) {
    index_query wanted{.filter = &one, .limit = UINT32_MAX, .now = now};
    auto some = query(wanted).numbers;
    found.insert(found.end(), some.begin(), some.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<prioritised> all;
  for (auto number : found)
    if (const auto& x = **rows_.find(number); is_live(x.status))
      all.push_back({weights.of(x.type), x.confidence, number});
  std::sort(all.begin(), all.end(), is_more_important);
  return numbers_of(all);
}

uint64_t observation_index::count_active(timestamp now) {
  const observation_filter any;
  index_query q;
  q.filter = &any;
  q.limit = 0;
  q.now = now;
  return query(q).total;
}

std::vector<uint64_t> observation_index::contradicting(uint64_t number, timestamp now) const {
  auto search = search_contradictions(now, nullptr);
  return contradicting(number, now, search);
}

contradiction_search observation_index::search_contradictions(
  timestamp now, deadline_poll* poll) const {
  auto look_up = [this](uint32_t slot) -> const observation& { return at(slot); };
  return {subjects_, look_up, now, poll};
}

std::vector<uint64_t> observation_index::contradicting(
  uint64_t number, timestamp now, contradiction_search& search) const {
  std::vector<uint64_t> result;
  const auto* row = rows_.find(number);
  if (row == nullptr || !is_live((*row)->status) || (*row)->expires_at <= now)
    return result;
  for (auto slot : search.of(slot_of(number)))
    result.push_back(number_of(slot));
  return result;
}

std::string observation_index::subject_of(uint64_t number) const {
  const auto* row = rows_.find(number);
  return row != nullptr ? readable_subject(**row) : std::string{};
}

} // namespace scratchpage
