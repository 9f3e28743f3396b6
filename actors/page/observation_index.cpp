#include "scratchpage/actors/page/observation_index.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace scratchpage {

// -- evaluation of a filter -----------------------------------------------------------

/// Works a filter out chunk by chunk of 2^16 rows, the newest first.
class observation_index::scan {
public:
  scan(observation_index& index, const index_query& q)
    : index_{index},
      q_{q} {
    can_match_ = !index.rows_.empty() && index.fields_.plan(*q.filter, plan_);
    if (!can_match_)
      return;
    auto first = *index.rows_.first();
    auto last = *index.rows_.last() + 1;
    clips_ = q.filter->created_after || q.filter->created_before;
    if (q.filter->created_after)
      first = std::max(first, index.first_created(*q.filter->created_after, true));
    if (q.filter->created_before)
      last = std::min(last, index.first_created(*q.filter->created_before, false));
    can_match_ = first < last;
    first_ = index.slot_of(first);
    last_ = index.slot_of(last - 1);
    if (!index.overdue_.empty())
      plan_.none_of.push_back(&index.overdue_);
    // A backlog that note_overdue left over.
    auto next = index.next_waiting();
    plan_.check_deadlines = next && next->deadline <= q.now;
  }

  bool is_partial() const { return is_partial_; }

  /// Calls `f(base, chunk)` with the matches in each chunk, `base` being the
  /// number of its first slot.
  template <class F>
  void for_each_chunk(F&& f) {
    if (!can_match_)
      return;
    // Asks for the time after a chunk, so that there always is an answer.
    for (auto key = last_ >> 16;; --key) {
      if (load(static_cast<uint16_t>(key)))
        f(index_.number_of(key << 16), work_);
      if (key == first_ >> 16 || out_of_time())
        return;
    }
  }

private:
  bool out_of_time() {
    is_partial_ = is_partial_ || (q_.out_of_time && q_.out_of_time());
    return is_partial_;
  }

  bool load(uint16_t key) {
    bool is_first = true;
    for (const auto& clause : plan_.all_of) {
      auto rows = rows_of(clause, key);
      if (rows.count == 0)
        return false;
      if (is_first)
        work_.assign(rows);
      else
        work_.intersect(rows);
      is_first = false;
      if (work_.count() == 0)
        return false;
    }
    for (const auto* set : plan_.none_of)
      work_.subtract(set->chunk(key, room_));
    auto base = uint32_t{key} << 16;
    if (clips_)
      work_.clip(
        first_ > base ? first_ - base : 0, std::min(last_ - base + 1, slot_set::chunk_slots));
    if (plan_.has_checks())
      check(index_.number_of(base));
    return work_.count() > 0;
  }

  slot_chunk::view rows_of(const query_plan::clause& clause, uint16_t key) {
    if (clause.any_of.size() == 1)
      return clause.any_of.front()->chunk(key, room_);
    union_.assign({});
    for (const auto* set : clause.any_of)
      union_.unite(set->chunk(key, room_));
    return union_.as_view();
  }

  void check(uint64_t base) {
    size_t steps = 0;
    work_.keep_if([&](uint16_t offset) {
      if (is_partial_ || (++steps % 1024 == 0 && out_of_time()))
        return false;
      return passes(**index_.rows_.find(base + offset));
    });
  }

  bool passes(const observation& x) {
    return (!plan_.check_deadlines || x.expires_at > q_.now)
           && (!plan_.min_confidence || x.confidence >= *plan_.min_confidence)
           && std::all_of(plan_.context.begin(), plan_.context.end(),
             [&](const auto& wanted) { return has(x.context, wanted.first, wanted.second); });
  }

  bool has(const json::object& context, std::string_view path, std::string_view spelling) {
    return !scalars_.for_each(context, [&](std::string_view p, std::string_view s) {
      return p != path || s != spelling; // goes on until found
    });
  }

  observation_index& index_;
  const index_query& q_;
  query_plan plan_;
  bool can_match_ = false;
  bool is_partial_ = false;
  bool clips_ = false;
  uint32_t first_ = 0; // slots, both included
  uint32_t last_ = 0;
  slot_chunk work_;
  slot_chunk union_;
  slot_set::scratch room_;
  context_scalars scalars_;
};

// -- changes --------------------------------------------------------------------------

void observation_index::insert(uint64_t number, observation_ptr x) {
  assert(x && (rows_.empty() || number > *rows_.last()));
  if (rows_.empty())
    base_ = number;
  else if (number - base_ > limits_.slots)
    number_anew();
  assert(number - base_ <= limits_.slots);
  const auto& row = *x;
  rows_.put(number, std::move(x));
  add_to_indexes(number, row);
  text_.insert(number);
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
  if (before->content != after.content || before->tags != after.tags)
    text_.insert(number);
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
  text_.erase(number);
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

/// Gives the oldest row slot 0. Takes a while, once in four billion rows.
void observation_index::number_anew() {
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
  for (auto n = rows_.first(); n; n = rows_.at_or_after(*n + 1))
    add_to_indexes(*n, **rows_.find(*n));
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

/// Its entry, wherever it is, no longer holds.
void observation_index::unschedule(uint64_t number) {
  auto slot = slot_of(number);
  auto was_overdue = overdue_.remove(slot);
  if (!was_overdue)
    deadlines_.forget([this](const auto& x) { return is_waiting(x); });
  else if (!told_.remove(slot))
    untold_.forget([this](const auto& x) { return is_untold(x); });
}

/// Moves what is overdue to where queries can leave it out at once. Bounded:
/// with a longer backlog they look at each match's deadline.
void observation_index::note_overdue(timestamp now) {
  constexpr size_t at_most = 256;
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

std::vector<uint64_t> observation_index::due(timestamp now, size_t at_most) {
  std::vector<uint64_t> result;
  while (result.size() < at_most) {
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

struct observation_index::ranking {
  std::vector<text_index::match> matches; ///< of filter and text, not sorted
  std::vector<uint64_t> others;           ///< of the filter only, newest first
  uint64_t total = 0;
  bool partial = false;

  static bool is_better(const text_index::match& a, const text_index::match& b) {
    return a.score != b.score ? a.score > b.score : a.number > b.number;
  }
};

index_answer observation_index::query(const index_query& q) {
  index_answer answer;
  if (!q.text.empty()) {
    auto result = rank(q, q.limit);
    auto& best = result.matches;
    auto shown = std::min<size_t>(q.limit, best.size());
    std::partial_sort(
      best.begin(), best.begin() + static_cast<ptrdiff_t>(shown), best.end(), ranking::is_better);
    for (size_t i = 0; i < shown; ++i)
      answer.numbers.push_back(best[i].number);
    for (size_t i = 0; i < result.others.size() && answer.numbers.size() < q.limit; ++i)
      answer.numbers.push_back(result.others[i]);
    answer.total = result.total;
    answer.partial = result.partial;
    answer.more = answer.numbers.size() < answer.total;
    return answer;
  }
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

std::vector<uint64_t> observation_index::ranked(
  const index_query& q, bool& partial, uint64_t& total) {
  auto result = rank(q, SIZE_MAX);
  std::sort(result.matches.begin(), result.matches.end(), ranking::is_better);
  std::vector<uint64_t> numbers;
  numbers.reserve(result.matches.size() + result.others.size());
  for (const auto& x : result.matches)
    numbers.push_back(x.number);
  numbers.insert(numbers.end(), result.others.begin(), result.others.end());
  partial = result.partial;
  total = result.total;
  return numbers;
}

/// Text against filter; keeps up to `fill` of those that match the filter only.
observation_index::ranking observation_index::rank(const index_query& q, size_t fill) {
  note_overdue(q.now);
  ranking result;
  auto find = [this](uint64_t number) {
    const auto* row = rows_.find(number);
    return row != nullptr ? row->get() : nullptr;
  };
  result.partial = !text_.catch_up(find, q.out_of_time);
  auto relevant = text_.search(q.text, q.out_of_time, result.partial);
  auto selects = q.filter->empty();
  auto next = relevant.rbegin();
  scan matches{*this, q};
  matches.for_each_chunk([&](uint64_t base, const slot_chunk& chunk) {
    while (next != relevant.rend() && next->number >= base + slot_set::chunk_slots)
      ++next;
    auto first = next;
    auto found = result.matches.size();
    for (; next != relevant.rend() && next->number >= base; ++next)
      if (chunk.contains(static_cast<uint16_t>(next->number - base)))
        result.matches.push_back(*next);
    result.total += selects ? result.matches.size() - found : chunk.count();
    if (selects || result.others.size() >= fill)
      return;
    chunk.for_each_descending(slot_set::chunk_slots, [&](uint16_t offset) {
      auto number = base + offset;
      while (first != next && first->number > number)
        ++first;
      if (first == next || first->number != number)
        result.others.push_back(number);
      return result.others.size() < fill;
    });
  });
  result.partial = result.partial || matches.is_partial();
  return result;
}

bool observation_index::catch_up(size_t at_most) {
  auto find = [this](uint64_t number) {
    const auto* row = rows_.find(number);
    return row != nullptr ? row->get() : nullptr;
  };
  return text_.catch_up(find, {}, at_most);
}

uint64_t observation_index::first_created(timestamp at, bool after) const {
  auto low = *rows_.first();
  auto high = *rows_.last() + 1;
  while (low < high) {
    auto middle = low + (high - low) / 2;
    auto row = rows_.at_or_after(middle); // always there, since high is at most the last + 1
    auto created = (*rows_.find(*row))->created_at;
    if (after ? created > at : created >= at)
      high = middle;
    else
      low = *row + 1;
  }
  return low;
}

// -- priority and contradictions --------------------------------------------------------

std::vector<observation_ptr> observation_index::by_priority(
  timestamp now, const type_weights& weights) const {
  struct entry {
    int64_t weight;
    double confidence;
    uint64_t number;
    const observation_ptr* row;
  };
  std::vector<entry> all;
  fields_.types().for_each([&](const auto& of_type) {
    auto weight = weights.of(of_type.first);
    of_type.second.for_each([&](uint32_t slot) {
      const auto* row = rows_.find(number_of(slot));
      if (is_live((*row)->status) && (*row)->expires_at > now)
        all.push_back({weight, (*row)->confidence, number_of(slot), row});
      return true;
    });
  });
  std::sort(all.begin(), all.end(), [](const entry& a, const entry& b) {
    if (a.weight != b.weight)
      return a.weight > b.weight;
    return a.confidence != b.confidence ? a.confidence > b.confidence : a.number > b.number;
  });
  std::vector<observation_ptr> result;
  result.reserve(all.size());
  for (const auto& x : all)
    result.push_back(*x.row);
  return result;
}

std::vector<uint64_t> observation_index::contradicting(uint64_t number, timestamp now) const {
  std::vector<uint64_t> result;
  const auto* row = rows_.find(number);
  if (row == nullptr || !is_live((*row)->status) || (*row)->expires_at <= now)
    return result;
  const auto& x = **row;
  subjects_.for_each_candidate(x, [&](uint32_t slot) {
    const auto& other = at(slot);
    if (number_of(slot) != number && other.expires_at > now && same_subject(x, other)
        && !say_the_same(x.content, other.content))
      result.push_back(number_of(slot));
    return true;
  });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string observation_index::subject_of(uint64_t number) const {
  const auto* row = rows_.find(number);
  return row != nullptr ? readable_subject(**row) : std::string{};
}

} // namespace scratchpage
