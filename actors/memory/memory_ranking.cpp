#include "scratchpage/actors/memory/memory_ranking.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

namespace {

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

} // namespace

memory_ranking::memory_ranking(std::string_view query, shared_settings<text_config> text)
  : query_{query},
    words_{word_set_of(query)},
    phrase_{normalised_statement(query)},
    texts_{std::move(text)} {}

std::vector<std::string> memory_ranking::key_words() const {
  auto result = words_;
  std::ranges::stable_sort(
    result, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  if (result.size() > search_limits::words)
    result.resize(search_limits::words);
  return result;
}

void memory_ranking::add(memory_part in, const observation_ptr& x) {
  found_.push_back({in, texts_.add(x), x});
}

void memory_ranking::add(const fact& x) {
  found_.push_back({memory_part::facts, texts_.add(x), {}, to_hit(x)});
}

void memory_ranking::add(const episode& x) {
  if (!turns_.insert(x.turn_id).second)
    return;
  for (const auto& one : x.observations)
    found_.push_back({memory_part::episodes, texts_.add(one), one, {}, x.turn_id});
}

memory_hits memory_ranking::result(uint32_t limit) {
  score_all();
  keep_order_of_page();
  leave_out_repeated();
  auto rank = [](const candidate& x) {
    return x.what ? std::tuple{x.score, x.what->created_at, number_of(x.what->observation_id)}
                  : std::tuple{x.score, x.known.at, std::optional<uint64_t>{}};
  };
  std::ranges::stable_sort(found_, std::greater<>{}, rank);
  memory_hits result;
  result.total_count = found_.size();
  for (const auto& x : found_) {
    if (result.hits.size() == limit)
      break;
    result.hits.push_back(hit_of(x));
  }
  return result;
}

void memory_ranking::score_all() {
  auto closeness = texts_.rank(query_);
  for (auto& x : found_)
    x.score = score_of(x, closeness[x.text]);
}

double memory_ranking::score_of(const candidate& x, double closeness) const {
  const auto& whole = x.what ? x.what->content : x.known.text;
  auto text = utf8::prefix(whole, search_limits::read_bytes);
  auto has_phrase =
    !phrase_.empty() && normalised_statement(text).find(phrase_) != std::string::npos;
  return has_phrase ? (1 + closeness) / 2 : closeness * 0.9;
}

void memory_ranking::keep_order_of_page() {
  std::vector<candidate*> page;
  for (auto& x : found_)
    if (x.in == memory_part::page)
      page.push_back(&x);
  std::vector<double> scores;
  for (const auto* x : page)
    scores.push_back(x->score);
  keep_order(scores);
  for (size_t i = 0; i < page.size(); ++i)
    page[i]->score = scores[i];
}

/// Keeps the best observation of each episode, and each observation once.
void memory_ranking::leave_out_repeated() {
  std::map<std::string, const candidate*> best; // by the turn of an episode
  for (const auto& x : found_)
    if (auto [known, is_new] = best.try_emplace(x.turn, &x);
        !is_new && known->second->score < x.score)
      known->second = &x;
  std::map<size_t, const candidate*> kept; // by text
  for (const auto& x : found_)
    if (x.score > 0 && (x.turn.empty() || best[x.turn] == &x))
      if (auto [known, is_new] = kept.try_emplace(x.text, &x); !is_new && x.in < known->second->in)
        known->second = &x;
  std::vector<candidate> result;
  result.reserve(kept.size());
  for (const auto& [text, x] : kept)
    result.push_back(*x);
  found_ = std::move(result);
}

memory_hit memory_ranking::hit_of(const candidate& x) {
  auto result = x.what ? to_hit(x.in, *x.what) : x.known;
  if (!x.turn.empty())
    result.turn_id = x.turn;
  if (result.text.size() > search_limits::shown_bytes)
    result.text = utf8::shortened(result.text, search_limits::shown_bytes);
  result.score = x.score;
  return result;
}

} // namespace scratchpage
