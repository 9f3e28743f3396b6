#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/tests/actors/page/index/naive_index.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Random sequences of changes. After each step the index must answer as a model
/// does that looks at every row.

namespace scratchpage {

namespace {

using test::at_ms;
using test::naive_index;
using numbers = naive_index::numbers;

/// The random choices of one step.
class choices {
public:
  explicit choices(uint64_t seed)
    : random_{seed} {}

  uint64_t below(uint64_t n) { return random_() % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }

  template <class T>
  T any_of(std::initializer_list<T> xs) {
    return xs.begin()[below(xs.size())];
  }

private:
  std::mt19937_64 random_;
};

// Words that are their own stems.
std::string words(choices& pick) {
  std::string result;
  for (auto n = 1 + pick.below(4); n > 0; --n)
    result += pick.any_of<const char*>({"wine", "tea", "mail", "storm", "WINE ", " goal"})
              + std::string{" "};
  return result;
}

void draw_context(choices& pick, observation& x) {
  x.context.clear();
  if (pick.one_in(2))
    x.context["goal_id"] = pick.any_of<const char*>({"g1", "g2"});
  if (pick.one_in(8))
    x.context["thread_id"] = pick.any_of<const char*>({"one", "two"});
  if (pick.one_in(3))
    x.context["deep"] = json::object{{"n", pick.below(2) == 0 ? json::value(1) : json::value(1.0)}};
  if (pick.one_in(3))
    x.context["deep.n"] = pick.below(3);
  if (pick.one_in(4))
    x.context["text"] = std::string(126 + pick.below(4), 'x');
  if (pick.one_in(20))
    for (int i = 0; i < 70; ++i)
      x.context["f" + std::to_string(i)] = i;
}

void draw_fields(choices& pick, observation& x) {
  x.content = words(pick);
  x.confidence = static_cast<double>(pick.below(41)) / 40;
  x.tags.clear();
  for (const auto* tag : {"red", "green", "blue"})
    if (pick.one_in(2))
      x.tags.insert(pick.one_in(2) ? x.tags.begin() : x.tags.end(), tag);
  x.owner = pick.any_of<const char*>({"agent", "user"});
  x.status =
    pick.any_of({status::active, status::active, status::pending_review, status::resolved});
  x.metadata.clear();
  if (pick.one_in(3))
    x.metadata["key"] = pick.below(2);
  draw_context(pick, x);
}

observation_filter draw_filter(choices& pick, timestamp now) {
  observation_filter f;
  if (pick.one_in(4))
    f.type = {pick.any_of<const char*>({"alert", "learning"}), "alert"};
  if (pick.one_in(4))
    f.status = {pick.any_of({status::active, status::resolved}), status::pending_review};
  if (pick.one_in(5))
    f.source = {pick.any_of<const char*>({"s0", "s1"})};
  if (pick.one_in(5))
    f.owner = {"user"};
  if (pick.one_in(2))
    f.tags = {pick.any_of<const char*>({"red", "green"}), "blue"};
  else if (pick.one_in(2))
    f.tags = {"red"};
  if (pick.one_in(4))
    f.min_confidence = static_cast<double>(pick.below(60)) / 50;
  if (pick.one_in(6))
    f.context["goal_id"] = "g1";
  if (pick.one_in(6))
    f.context["deep.n"] = 1;
  if (pick.one_in(8))
    f.context["text"] = std::string(126 + pick.below(4), 'x');
  if (pick.one_in(8))
    f.context["f69"] = 69;
  if (pick.one_in(6))
    f.turn_id = pick.any_of<const char*>({"t0", "t1"});
  if (pick.one_in(6))
    f.created_after = now - std::chrono::milliseconds{pick.below(30)};
  if (pick.one_in(6))
    f.created_before = now - std::chrono::milliseconds{pick.below(30)};
  return f;
}

/// An index and a model that get the same changes.
struct history {
  /// With few slots, rows get new ones now and then. Threads that no row names any more are
  /// forgotten then.
  explicit history(bool has_few_slots)
    : has_threads{!has_few_slots},
      index{{}, {.slots = has_few_slots ? 200'000u : UINT32_MAX - 1024}} {}

  bool has_threads;
  observation_index index;
  naive_index model;
  uint64_t last = 0;
  timestamp now = at_ms(1000);

  uint64_t pick_row(choices& pick) {
    auto i = model.rows.begin();
    std::advance(i, static_cast<long>(pick.below(model.rows.size())));
    return i->first;
  }

  void draw(choices& pick, observation& x) const {
    draw_fields(pick, x);
    if (!has_threads)
      x.context.erase("thread_id");
  }

  timestamp draw_deadline(choices& pick) {
    return now + std::chrono::milliseconds{pick.one_in(3) ? 100'000 : pick.below(40)};
  }

  void insert(choices& pick) {
    last += 1 + (pick.one_in(4) ? pick.below(30'000) : 0);
    observation x = test::plain_observation(last);
    x.type = pick.any_of<const char*>({"alert", "learning", "reminder"});
    x.source.name = pick.any_of<const char*>({"s0", "s1", "s2"});
    x.source.turn_id = pick.any_of<const char*>({"t0", "t1", "t2", ""});
    draw(pick, x);
    x.created_at = now;
    x.expires_at = draw_deadline(pick);
    while (!model.rows.empty() && last - model.rows.begin()->first > 190'000)
      erase(model.rows.begin()->first);
    observation_ptr row{std::move(x)};
    model.rows[last] = row;
    model.join(*row);
    index.insert(last, row);
  }

  void replace(choices& pick) {
    auto number = pick_row(pick);
    auto x = *model.rows[number];
    if (pick.one_in(2))
      draw(pick, x);
    if (pick.one_in(2))
      x.expires_at = draw_deadline(pick);
    observation_ptr row{std::move(x)};
    // `due` reports a replaced row again at its deadline.
    model.told.erase(number);
    model.replace(number, row);
    index.replace(number, row);
  }

  void erase(uint64_t number) {
    RC_ASSERT(index.erase(number).get() == model.rows[number].get());
    model.leave(*model.rows[number], number);
    model.rows.erase(number);
    model.told.erase(number);
  }

  void expire(choices& pick) {
    auto at_most = pick.below(6);
    auto told = index.due(now, at_most);
    RC_ASSERT(told == model.due(now, at_most));
    if (pick.one_in(2))
      for (auto number : told)
        erase(number);
  }

  void check(choices& pick) {
    RC_ASSERT(index.size() == model.rows.size());
    RC_ASSERT(index.next_deadline() == model.next_deadline());
    auto filter = pick.one_in(6) ? observation_filter{} : draw_filter(pick, now);
    check_pages(filter, static_cast<uint32_t>(1 + pick.below(7)));
    check_parts(filter, 1 + pick.below(7));
    check_text(filter, words(pick), static_cast<uint32_t>(1 + pick.below(7)));
    if (!model.rows.empty()) {
      auto number = pick_row(pick);
      RC_ASSERT(index.contradicting(number, now) == model.contradicting(number, now));
    }
    type_weights weights;
    RC_ASSERT(index.by_priority(now, weights) == model.by_priority(now, weights));
    std::vector any_of{filter, draw_filter(pick, now)};
    RC_ASSERT(index.by_priority(now, weights, any_of) == model.by_priority(now, weights, any_of));
  }

  void check_pages(const observation_filter& filter, uint32_t limit) {
    auto expected = model.matching(filter, now);
    numbers seen;
    index_query q;
    q.filter = &filter;
    q.limit = limit;
    q.now = now;
    for (bool more = true; more;) {
      auto answer = index.query(q);
      RC_ASSERT(answer.total == expected.size());
      RC_ASSERT(answer.numbers.size() <= limit);
      RC_ASSERT(!answer.partial);
      seen.insert(seen.end(), answer.numbers.begin(), answer.numbers.end());
      more = answer.more;
      RC_ASSERT(!more || answer.numbers.size() == limit);
      q.before = more ? answer.numbers.back() : 0;
    }
    RC_ASSERT(seen == expected);
  }

  void check_parts(const observation_filter& filter, size_t limit) {
    auto expected = model.matching(filter, now);
    std::reverse(expected.begin(), expected.end());
    numbers seen;
    for (bool more = true; more;) {
      auto part =
        index.matches_from(seen.empty() ? 0 : seen.back() + 1, filter, now, limit).numbers;
      RC_ASSERT(part.size() <= limit);
      seen.insert(seen.end(), part.begin(), part.end());
      more = part.size() == limit;
    }
    RC_ASSERT(seen == expected);
  }

  void check_text(const observation_filter& filter, const std::string& text, uint32_t limit) {
    auto expected = model.relevant(filter, text, now);
    index_query q;
    q.filter = &filter;
    q.text = text;
    q.limit = 1'000'000;
    q.now = now;
    auto all = index.query(q);
    RC_ASSERT(all.numbers == expected.order);
    RC_ASSERT(all.total == expected.total);
    RC_ASSERT(!all.more);
    q.limit = limit;
    auto head = index.query(q);
    RC_ASSERT(head.total == expected.total);
    RC_ASSERT(head.more == (expected.order.size() > limit));
    expected.order.resize(std::min<size_t>(expected.order.size(), limit));
    RC_ASSERT(head.numbers == expected.order);
  }
};

} // namespace

RC_BOOST_PROP(the_index_answers_like_a_look_at_every_row, ()) {
  auto seeds = *rc::gen::resize(
    250, rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 1u << 30)));
  history h{*rc::gen::arbitrary<bool>()};
  for (auto seed : seeds) {
    choices pick{seed};
    switch (pick.below(8)) {
    case 0:
      if (!h.model.rows.empty())
        h.replace(pick);
      break;
    case 1:
      if (!h.model.rows.empty())
        h.erase(h.pick_row(pick));
      break;
    case 2:
      h.now += std::chrono::milliseconds{pick.below(20)};
      break;
    case 3:
      h.expire(pick);
      break;
    default:
      h.insert(pick);
    }
    h.check(pick);
  }
}

/// Reads a listing page by page while others write: it has every row that was there all the time,
/// and none twice.
RC_BOOST_PROP(paging_neither_loses_nor_repeats_while_others_write, ()) {
  auto seed = *rc::gen::inRange<uint64_t>(0, 1u << 30);
  choices pick{seed};
  history h{true};
  for (auto n = 20 + pick.below(100); n > 0; --n)
    h.insert(pick);
  observation_filter filter;
  auto before = h.model.matching(filter, h.now);
  numbers seen;
  index_query q;
  q.filter = &filter;
  q.limit = static_cast<uint32_t>(1 + pick.below(9));
  q.now = h.now;
  for (bool more = true; more;) {
    auto answer = h.index.query(q);
    seen.insert(seen.end(), answer.numbers.begin(), answer.numbers.end());
    more = answer.more;
    q.before = more ? answer.numbers.back() : 0;
    h.insert(pick);
    if (auto victim = h.pick_row(pick); pick.one_in(2))
      h.erase(victim);
  }
  RC_ASSERT(std::is_sorted(seen.rbegin(), seen.rend()));
  RC_ASSERT(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  for (auto number : before)
    RC_ASSERT(
      !h.model.rows.contains(number) || std::find(seen.begin(), seen.end(), number) != seen.end());
}

} // namespace scratchpage
