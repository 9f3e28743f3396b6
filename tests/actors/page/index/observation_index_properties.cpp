#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
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

  /// A ranking, and how many rows match. With an empty filter, neighbours of the best rows may
  /// stand in it that do not match.
  struct ranking {
    numbers order;
    size_t total = 0;
  };

  ranking relevant(const observation_filter& f, const std::string& text, timestamp now) const {
    auto asked = search{*this, text};
    auto all = matching(f, now);
    auto found = all;
    std::erase_if(found, [&](uint64_t n) { return !asked.scores.contains(n); });
    std::stable_sort(found.begin(), found.end(),
      [&](uint64_t a, uint64_t b) { return asked.scores.at(a) > asked.scores.at(b); });
    ranking result;
    result.total = f.empty() ? found.size() : all.size();
    auto best = found;
    best.resize(std::min<size_t>(best.size(), 50));
    std::map<uint64_t, double> near; // of all candidates
    for (auto hit : best)
      for (auto n : neighbours(hit, 4))
        if (std::find(all.begin(), all.end(), n) != all.end())
          if (auto score = asked.window_score(n); score > 0)
            near[n] = score;
    for (const auto& [n, score] : near)
      result.order.push_back(n);
    std::sort(result.order.begin(), result.order.end(),
      [&](uint64_t a, uint64_t b) { return near[a] != near[b] ? near[a] > near[b] : a > b; });
    auto append = [&](const numbers& more) {
      for (auto n : more)
        if (std::find(result.order.begin(), result.order.end(), n) == result.order.end())
          result.order.push_back(n);
    };
    append(found);
    if (!f.empty())
      append(all);
    return result;
  }

  /// Notes a row that comes, and one that goes: the first thread that is named in a turn is that of
  /// its other rows.
  void join(const observation& x) {
    if (const auto* thread = x.context.if_contains("thread_id"))
      threads.try_emplace(x.source.turn_id, thread->as_string());
  }

  /// A revision that neither changes the words nor the thread leaves the row in its thread.
  void replace(uint64_t number, const observation_ptr& x) {
    auto before = std::exchange(rows[number], x);
    auto thread = [](const observation& of) { return of.context.if_contains("thread_id"); };
    auto is_same_thread = (thread(*before) == nullptr) == (thread(*x) == nullptr)
                          && (thread(*x) == nullptr || *thread(*before) == *thread(*x));
    if (before->content == x->content && before->tags == x->tags && is_same_thread)
      return;
    leave(*x, number);
    join(*x);
  }

  void leave(const observation& x, uint64_t number) {
    auto is_of_turn = [&](const auto& row) {
      return row.first != number && row.second->source.turn_id == x.source.turn_id;
    };
    if (std::none_of(rows.begin(), rows.end(), is_of_turn))
      threads.erase(x.source.turn_id);
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

  std::string thread_of(const observation& x) const {
    if (const auto* thread = x.context.if_contains("thread_id"))
      return "thread " + std::string{thread->as_string()};
    if (x.source.turn_id.empty())
      return "source " + x.source.name;
    auto known = threads.find(x.source.turn_id);
    return known != threads.end() ? "thread " + known->second : "turn " + x.source.turn_id;
  }

  /// The row with those before and after it in its thread.
  numbers neighbours(uint64_t number, size_t reach) const {
    numbers all;
    for (const auto& [n, x] : rows)
      if (thread_of(*x) == thread_of(*rows.at(number)))
        all.push_back(n);
    auto at = static_cast<size_t>(std::find(all.begin(), all.end(), number) - all.begin());
    auto first = at > reach ? at - reach : 0;
    auto end = std::min(all.size(), at + reach + 1);
    return {all.begin() + static_cast<ptrdiff_t>(first), all.begin() + static_cast<ptrdiff_t>(end)};
  }

  /// What a text finds, by the formulas of docs/search.md.
  struct search {
    struct term {
      double idf = 0;
      bool is_usual = false;
      std::map<uint64_t, double> weights;
    };

    const naive_index& in;
    std::vector<term> asked;
    std::map<uint64_t, double> scores;

    static double count(const std::vector<std::string>& words, const std::string& word) {
      return static_cast<double>(std::count(words.begin(), words.end(), word));
    }

    search(const naive_index& all, const std::string& text)
      : in{all} {
      std::map<uint64_t, std::vector<std::string>> documents;
      double total = 0;
      for (const auto& [number, x] : in.rows) {
        auto& words = documents[number] = terms(x->content);
        words.insert(words.end(), x->tags.begin(), x->tags.end());
        words.insert(words.end(), {"1", "january", "1970"}); // the day
        total += static_cast<double>(words.size());
      }
      auto n = static_cast<double>(in.rows.size());
      auto average = std::max(total / n, 1.0);
      std::vector<std::string> words; // each once
      auto query = terms(text);
      for (const auto& word : query)
        if (std::find(words.begin(), words.end(), word) == words.end())
          words.push_back(word);
      for (const auto& word : words) {
        term x;
        auto df = static_cast<double>(std::count_if(documents.begin(), documents.end(),
          [&](const auto& row) { return count(row.second, word) > 0; }));
        x.idf = count(query, word) * std::log(1 + (n - df + 0.5) / (df + 0.5));
        x.is_usual = df * 4 > n;
        for (const auto& [number, all_words] : documents) {
          auto length = static_cast<double>(all_words.size());
          auto tf = count(all_words, word);
          if (tf == 0)
            continue;
          auto part = [&](double idf) {
            return idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / average));
          };
          x.weights[number] = part(1);
          scores[number] += part(x.idf);
        }
        asked.push_back(std::move(x));
      }
    }

    double window_score(uint64_t number) const {
      auto thread = in.neighbours(number, SIZE_MAX / 2);
      auto at = std::find(thread.begin(), thread.end(), number) - thread.begin();
      double result = 0;
      for (const auto& x : asked) {
        auto weight = [&](ptrdiff_t i) {
          if (i < 0 || i >= static_cast<ptrdiff_t>(thread.size()))
            return 0.0;
          auto known = x.weights.find(thread[static_cast<size_t>(i)]);
          return known != x.weights.end() ? known->second : 0.0;
        };
        auto sum = weight(at);
        for (int k = 1; k <= 4 && !x.is_usual; ++k)
          sum += 0.35 / k * (weight(at - k) + weight(at + k));
        result += x.idf * 2 * sum / (sum + 1);
      }
      return result;
    }
  };

  std::map<std::string, std::string> threads; // of turns
};

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
