#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// Random sequences of changes. After each step the index must answer as a model
/// does that looks at every row.

namespace scratchpage {

namespace {

using numbers = std::vector<uint64_t>;
using test::at_ms;

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

std::vector<std::string> terms(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> result;
  for (std::string word; in >> word;) {
    for (auto& c : word)
      c = static_cast<char>(std::tolower(c));
    result.push_back(word);
  }
  return result;
}

void draw_context(choices& pick, observation& x) {
  x.context.clear();
  if (pick.one_in(2))
    x.context["goal_id"] = pick.any_of<const char*>({"g1", "g2"});
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

/// The model: a map of all rows, without any index.
class naive_index {
public:
  std::map<uint64_t, observation_ptr> rows;
  std::set<uint64_t> told;

  numbers matching(const observation_filter& f, timestamp now) const {
    numbers result;
    for (auto i = rows.rbegin(); i != rows.rend(); ++i)
      if (i->second->expires_at > now && matches(f, *i->second))
        result.push_back(i->first);
    return result;
  }

  numbers relevant(const observation_filter& f, const std::string& text, timestamp now) const {
    std::map<uint64_t, double> scores = score(text);
    auto result = matching(f, now);
    if (f.empty())
      std::erase_if(result, [&](uint64_t n) { return !scores.contains(n); });
    std::stable_sort(
      result.begin(), result.end(), [&](uint64_t a, uint64_t b) { return scores[a] > scores[b]; });
    return result;
  }

  numbers due(timestamp now, size_t at_most) {
    numbers result;
    for (const auto& [number, x] : rows)
      if (x->expires_at <= now && !told.contains(number))
        result.push_back(number);
    std::stable_sort(result.begin(), result.end(),
      [&](uint64_t a, uint64_t b) { return rows.at(a)->expires_at < rows.at(b)->expires_at; });
    result.resize(std::min(result.size(), at_most));
    told.insert(result.begin(), result.end());
    return result;
  }

  std::optional<timestamp> next_deadline() const {
    std::optional<timestamp> result;
    for (const auto& [number, x] : rows)
      if (!told.contains(number) && (!result || x->expires_at < *result))
        result = x->expires_at;
    return result;
  }

  numbers contradicting(uint64_t number, timestamp now) const {
    numbers result;
    const auto& x = *rows.at(number);
    for (const auto& [n, other] : rows)
      if (n != number && is_there(x, now) && is_there(*other, now) && x.type == other->type
          && about_the_same(x, *other) && terms(x.content) != terms(other->content))
        result.push_back(n);
    return result;
  }

  numbers by_priority(timestamp now, const type_weights& weights) const {
    auto result = matching({}, now);
    auto rank = [&](uint64_t n) {
      const auto& x = *rows.at(n);
      return std::pair{weights.of(x.type), x.confidence};
    };
    std::stable_sort(
      result.begin(), result.end(), [&](uint64_t a, uint64_t b) { return rank(a) > rank(b); });
    return result;
  }

  numbers by_priority(timestamp now, const type_weights& weights,
    const std::vector<observation_filter>& any_of) const {
    std::set<uint64_t> wanted;
    for (const auto& one : any_of)
      for (auto number : matching(one, now))
        wanted.insert(number);
    auto result = by_priority(now, weights);
    std::erase_if(result, [&](uint64_t number) { return !wanted.contains(number); });
    return result;
  }

private:
  static bool is_there(const observation& x, timestamp now) {
    return is_live(x.status) && x.expires_at > now;
  }

  static bool about_the_same(const observation& a, const observation& b) {
    auto goal = [](const observation& x) { return x.context.if_contains("goal_id"); };
    auto key = [](const observation& x) { return x.metadata.if_contains("key"); };
    if (key(a) != nullptr && key(b) != nullptr && *key(a) == *key(b))
      return true;
    std::set<std::string> left(a.tags.begin(), a.tags.end());
    std::set<std::string> right(b.tags.begin(), b.tags.end());
    return goal(a) != nullptr && goal(b) != nullptr && *goal(a) == *goal(b) && !left.empty()
           && left == right;
  }

  static bool is_one_of(const std::vector<std::string>& wanted, const std::string& x) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), x) != wanted.end();
  }

  static bool has(const json::object& in, const std::string& path, const json::value& wanted) {
    auto equal = [&](const json::value& x) {
      return x == wanted
             || (x.is_number() && wanted.is_number()
                 && x.to_number<double>() == wanted.to_number<double>());
    };
    if (const auto* x = in.if_contains(path); x != nullptr && equal(*x))
      return true;
    auto dot = path.find('.');
    if (dot == path.npos)
      return false;
    const auto* inner = in.if_contains(path.substr(0, dot));
    return inner != nullptr && inner->is_object()
           && has(inner->get_object(), path.substr(dot + 1), wanted);
  }

  static bool matches(const observation_filter& f, const observation& x) {
    auto has_tag = [&](const std::string& tag) {
      return std::find(x.tags.begin(), x.tags.end(), tag) != x.tags.end();
    };
    auto has_status = f.status.empty()
                        ? is_live(x.status)
                        : std::find(f.status.begin(), f.status.end(), x.status) != f.status.end();
    return is_one_of(f.type, x.type) && has_status && is_one_of(f.source, x.source.name)
           && is_one_of(f.owner, x.owner) && std::all_of(f.tags.begin(), f.tags.end(), has_tag)
           && (!f.min_confidence || x.confidence >= *f.min_confidence)
           && std::all_of(f.context.begin(), f.context.end(),
             [&](const auto& c) { return has(x.context, c.first, c.second); })
           && (!f.turn_id || x.source.turn_id == *f.turn_id)
           && (!f.created_after || x.created_at > *f.created_after)
           && (!f.created_before || x.created_at < *f.created_before);
  }

  std::map<uint64_t, double> score(const std::string& text) const {
    std::map<uint64_t, std::vector<std::string>> documents;
    double total = 0;
    for (const auto& [number, x] : rows) {
      auto& all = documents[number] = terms(x->content);
      all.insert(all.end(), x->tags.begin(), x->tags.end());
      total += static_cast<double>(all.size());
    }
    auto n = static_cast<double>(rows.size());
    auto average = std::max(total / n, 1.0);
    std::map<uint64_t, double> scores;
    for (const auto& term : terms(text)) {
      auto frequency = [&](const auto& all) {
        return static_cast<double>(std::count(all.begin(), all.end(), term));
      };
      double df = 0;
      for (const auto& [number, all] : documents)
        df += frequency(all) > 0 ? 1 : 0;
      auto idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
      for (const auto& [number, all] : documents)
        if (auto tf = frequency(all); tf > 0)
          scores[number] +=
            idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * static_cast<double>(all.size()) / average));
    }
    return scores;
  }
};

/// An index and a model that get the same changes.
struct history {
  observation_index index{{}, {.slots = 200'000}};
  naive_index model;
  uint64_t last = 0;
  timestamp now = at_ms(1000);

  uint64_t pick_row(choices& pick) {
    auto i = model.rows.begin();
    std::advance(i, static_cast<long>(pick.below(model.rows.size())));
    return i->first;
  }

  timestamp draw_deadline(choices& pick) {
    return now + std::chrono::milliseconds{pick.one_in(3) ? 100'000 : pick.below(40)};
  }

  void insert(choices& pick) {
    last += 1 + (pick.one_in(4) ? pick.below(30'000) : 0);
    observation x = test::plain_observation(last);
    x.type = pick.any_of<const char*>({"alert", "learning", "reminder"});
    x.source.name = pick.any_of<const char*>({"s0", "s1", "s2"});
    x.source.turn_id = pick.any_of<const char*>({"t0", "t1", "t2"});
    draw_fields(pick, x);
    x.created_at = now;
    x.expires_at = draw_deadline(pick);
    while (!model.rows.empty() && last - model.rows.begin()->first > 190'000)
      erase(model.rows.begin()->first);
    observation_ptr row{std::move(x)};
    model.rows[last] = row;
    index.insert(last, row);
  }

  void replace(choices& pick) {
    auto number = pick_row(pick);
    auto x = *model.rows[number];
    if (pick.one_in(2))
      draw_fields(pick, x);
    if (pick.one_in(2))
      x.expires_at = draw_deadline(pick);
    observation_ptr row{std::move(x)};
    // `due` reports a replaced row again at its deadline.
    model.told.erase(number);
    model.rows[number] = row;
    index.replace(number, row);
  }

  void erase(uint64_t number) {
    RC_ASSERT(index.erase(number).get() == model.rows[number].get());
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
    q.limit = limit;
    q.now = now;
    bool partial = false;
    uint64_t total = 0;
    RC_ASSERT(index.ranked(q, partial, total) == expected);
    RC_ASSERT(total == expected.size());
    auto head = index.query(q);
    RC_ASSERT(head.total == expected.size());
    expected.resize(std::min<size_t>(expected.size(), limit));
    RC_ASSERT(head.numbers == expected);
  }
};

} // namespace

RC_BOOST_PROP(the_index_answers_like_a_look_at_every_row, ()) {
  auto seeds = *rc::gen::resize(
    250, rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 1u << 30)));
  history h;
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
  history h;
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
