#include "scratchpage/actors/memory/memory_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "scratchpage/actors/language/irregular_verbs.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/page/index/date_words.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

namespace {

std::set<std::string> stems_of(std::string_view text) {
  std::set<std::string> result;
  for (const auto& word : word_set_of(text))
    result.insert(stem(std::string{infinitive_of(word)}));
  return result;
}

} // namespace

memory_hit to_hit(memory_part in, const observation& x) {
  memory_hit result;
  result.in = in;
  result.text = x.content;
  result.source = said_by(x.source);
  result.at = x.created_at;
  result.observation_id = x.observation_id;
  result.turn_id = x.source.turn_id;
  return result;
}

memory_hit to_hit(const fact& x) {
  memory_hit result;
  result.in = memory_part::facts;
  result.text = x.statement;
  if (x.valid_until)
    result.text += " (until " + to_rfc3339(*x.valid_until).substr(0, 10) + ")";
  result.source = x.sources.empty() ? "" : x.sources.back();
  result.at = x.last_seen;
  result.fact_id = x.fact_id;
  return result;
}

memory_ranking::memory_ranking(std::string_view query)
  : words_{word_set_of(query)},
    stems_{stems_of(query)},
    phrase_{normalised_statement(query)} {}

std::vector<std::string> memory_ranking::key_words() const {
  auto result = words_;
  std::ranges::stable_sort(
    result, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  if (result.size() > search_limits::words)
    result.resize(search_limits::words);
  return result;
}

memory_ranking::candidate memory_ranking::look_at(
  memory_hit x, const std::vector<std::string>& tags) const {
  candidate result{std::move(x), {}, false};
  auto text = utf8::prefix(result.hit.text, search_limits::read_bytes);
  auto add = [&](std::string_view more) {
    for (const auto& one : stems_of(more))
      if (stems_.contains(one))
        result.shared.insert(one);
  };
  add(text);
  for (const auto& tag : tags)
    add(tag);
  add(date_words{result.hit.at}.text());
  result.has_phrase =
    !phrase_.empty() && normalised_statement(text).find(phrase_) != std::string::npos;
  return result;
}

void memory_ranking::keep(candidate x) {
  auto is_close = !x.shared.empty() || x.has_phrase;
  const auto& id = x.hit.observation_id;
  if (!is_close || (!id.empty() && !known_.insert(id).second))
    return;
  if (x.hit.text.size() > search_limits::shown_bytes)
    x.hit.text = utf8::shortened(x.hit.text, search_limits::shown_bytes);
  found_.push_back(std::move(x));
}

void memory_ranking::add(memory_hit x, const std::vector<std::string>& tags) {
  keep(look_at(std::move(x), tags));
}

void memory_ranking::add(const episode& x) {
  std::optional<candidate> best;
  for (const auto& one : x.observations) {
    auto next = look_at(to_hit(memory_part::episodes, *one), one->tags);
    if (!best
        || std::pair{next.has_phrase, next.shared.size()}
             > std::pair{best->has_phrase, best->shared.size()})
      best = std::move(next);
  }
  if (!best)
    return;
  best->hit.turn_id = x.turn_id;
  keep(std::move(*best));
}

memory_hits memory_ranking::result(uint32_t limit) {
  std::map<std::string, double> weights; // of the query's stems: the rarer the heavier
  for (const auto& one : stems_) {
    auto having =
      std::ranges::count_if(found_, [&](const candidate& x) { return x.shared.contains(one); });
    weights[one] =
      std::log(1.0 + static_cast<double>(found_.size() + 1) / static_cast<double>(having + 1));
  }
  double whole = 0;
  for (const auto& [one, weight] : weights)
    whole += weight;
  for (auto& x : found_) {
    double sum = 0;
    for (const auto& one : x.shared)
      sum += weights.at(one);
    auto share = whole > 0 ? sum / whole : 0;
    x.hit.score = x.has_phrase ? (1 + share) / 2 : share * 0.9;
  }
  auto order = [](const candidate& a, const candidate& b) {
    return std::tie(a.hit.score, a.hit.at) > std::tie(b.hit.score, b.hit.at);
  };
  std::ranges::stable_sort(found_, order);
  memory_hits result;
  result.total_count = found_.size();
  for (auto& x : found_) {
    if (result.hits.size() == limit)
      break;
    result.hits.push_back(std::move(x.hit));
  }
  return result;
}

} // namespace scratchpage
