#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/index/observation_index.hpp"

namespace scratchpage::test {

/// The words of a text, in lower case.
inline std::vector<std::string> terms(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> result;
  for (std::string word; in >> word;) {
    for (auto& c : word)
      c = static_cast<char>(std::tolower(c));
    result.push_back(word);
  }
  return result;
}

/// The model: a map of all rows, without any index.
class naive_index {
public:
  using numbers = std::vector<uint64_t>;

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

  std::string thread_of(const observation& x) const {
    if (const auto* thread = x.context.if_contains("thread_id"))
      return "thread " + std::string{thread->as_string()};
    if (x.source.turn_id.empty())
      return "";
    auto known = threads.find(x.source.turn_id);
    return known != threads.end() ? "thread " + known->second : "turn " + x.source.turn_id;
  }

  /// The row with those before and after it in its thread.
  numbers neighbours(uint64_t number, size_t reach) const {
    auto thread = thread_of(*rows.at(number));
    if (thread.empty())
      return {number};
    numbers all;
    for (const auto& [n, x] : rows)
      if (thread_of(*x) == thread)
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

} // namespace scratchpage::test
