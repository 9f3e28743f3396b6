#include "scratchpage/persistence/memories/semantic_store.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/memories/fact_ranking.hpp"

namespace scratchpage {

namespace {

bool is_space(char x) {
  return x == ' ' || (x >= '\t' && x <= '\r');
}

/// ASCII punctuation that ends a sentence or closes a quotation.
bool is_ending(char x) {
  return std::string_view{".,;:!?\"')"}.find(x) != std::string_view::npos;
}

/// The part of a text that becomes the statement of a fact.
std::string_view statement_of(std::string_view text) {
  return trimmed(utf8::prefix(trimmed(text), fact_limits::statement_bytes));
}

/// Keeps the last `most` values. Returns whether there were more.
bool keep_last(std::vector<std::string>& xs, uint64_t most) {
  if (xs.size() <= most)
    return false;
  xs.erase(xs.begin(), xs.end() - static_cast<int64_t>(most));
  return true;
}

/// Appends the values of `more`, moves known ones to the end, and keeps the last `most`. Returns
/// whether one was left out.
bool append_latest(
  std::vector<std::string>& to, const std::vector<std::string>& more, uint64_t most) {
  auto result = false;
  for (const auto& x : more) {
    std::erase(to, x);
    to.push_back(x);
    result |= keep_last(to, most);
  }
  return result;
}

void leave_out_long(std::vector<std::string>& xs) {
  std::erase_if(xs, [](const std::string& x) { return x.size() > fact_limits::text_bytes; });
}

void shorten(std::vector<std::string>& xs) {
  for (auto& x : xs)
    if (x.size() > fact_limits::text_bytes)
      x = utf8::shortened(x, fact_limits::text_bytes);
}

/// Cuts the texts of a lesson or a fact to their limits.
template <class T>
void keep_text_limits(T& x) {
  if (auto said = statement_of(x.statement); said.size() != x.statement.size())
    x.statement = std::string{said}; // a new text, because the old one may have a large capacity
  if (x.attribute.size() > fact_limits::text_bytes)
    x.attribute = utf8::shortened(x.attribute, fact_limits::text_bytes);
  leave_out_long(x.tags);
  leave_out_long(x.observation_ids);
  shorten(x.sources);
}

uint64_t memory_of(const std::vector<std::string>& xs) {
  uint64_t result = 0;
  for (const auto& x : xs)
    result += sizeof(std::string) + x.capacity();
  return result;
}

/// Appends the new values of `more`, up to `most` values in all.
void append_new(std::vector<std::string>& to, const std::vector<std::string>& more, uint64_t most) {
  for (const auto& x : more)
    if (to.size() < most && std::find(to.begin(), to.end(), x) == to.end())
      to.push_back(x);
}

caf::error check_unit(const char* field, double x) {
  if (x >= 0 && x <= 1)
    return {};
  return fail(errc::invalid_request, field, "a number from 0 to 1");
}

} // namespace

caf::error validate(const semantic_config& config) {
  auto err = check_unit("initial_confidence", config.initial_confidence);
  if (!err)
    err = check_unit("success_rate", config.success_rate);
  if (!err)
    err = check_unit("failure_rate", config.failure_rate);
  if (!err)
    err = check_unit("contradiction_rate", config.contradiction_rate);
  return err;
}

std::string normalised_statement(std::string_view text) {
  text = trimmed(text);
  while (!text.empty() && (is_ending(text.back()) || is_space(text.back())))
    text.remove_suffix(1);
  std::string result;
  for (auto x : text) {
    if (is_space(x)) {
      if (!result.empty() && result.back() != ' ')
        result += ' ';
    } else {
      result += x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x;
    }
  }
  return result;
}

void keep_limits(fact_lesson& x) {
  keep_text_limits(x);
  if (x.tags.size() > fact_limits::values)
    x.tags.resize(fact_limits::values);
  keep_last(x.observation_ids, fact_limits::values);
  keep_last(x.sources, fact_limits::values);
}

caf::expected<fact> memory_semantic_store::learn(
  const fact_lesson& told, timestamp now, uint64_t lesson) {
  auto x = told;
  keep_limits(x);
  if (normalised_statement(x.statement).empty())
    return fail(errc::invalid_request, "statement", "a text that is not blank");
  auto last = last_number_;
  auto number = find_or_add(x, now);
  auto& found = facts_.at(number);
  by_weight_.erase(weight_of(number, found)); // so that only other facts are dropped
  bytes_ -= bytes_of(found);
  apply(x, now, found.known);
  // A source of a failure or contradiction did not say it, unless the fact is new.
  if ((x.outcome == fact_outcome::success || number > last)
      && append_latest(found.known.sources, x.sources, config_.max_sources))
    found.known.has_more_sources = true;
  ended_.clear();
  if (x.outcome == fact_outcome::success && !x.attribute.empty()) {
    if (found.known.valid_from == timestamp{} || found.known.valid_until)
      found.known.valid_from = now;
    found.known.valid_until.reset();
    found.known.attribute = x.attribute;
    end_others(number, x.attribute, now);
  }
  make_room_for(found);
  bytes_ += bytes_of(found);
  by_weight_.insert(weight_of(number, found));
  last_lesson_ = std::max(last_lesson_, lesson);
  return found.known;
}

/// Lowers the other facts with that attribute, and dates their end.
void memory_semantic_store::end_others(
  uint64_t number, const std::string& attribute, timestamp now) {
  for (auto& [other, x] : facts_) {
    if (other == number || x.known.valid_until || x.known.attribute != attribute)
      continue;
    ended_.push_back(x.known);
    ++x.known.contradicted;
    x.known.confidence -= x.known.confidence * config_.contradiction_rate;
    x.known.valid_until = now;
  }
}

/// About how many bytes a fact takes, with its nodes in the tables.
uint64_t memory_semantic_store::bytes_of(const entry& x) {
  constexpr uint64_t nodes = 256;
  const auto& known = x.known;
  return sizeof(entry) + nodes + 2 * known.statement.size() + known.fact_id.size()
         + known.attribute.size() + x.words.size() * sizeof(uint64_t) + memory_of(known.tags)
         + memory_of(known.observation_ids) + memory_of(known.sources);
}

void memory_semantic_store::make_room_for(const entry& x) {
  while (!by_weight_.empty() && bytes_ + bytes_of(x) > config_.max_bytes)
    drop_lightest();
}

uint64_t memory_semantic_store::find_or_add(const fact_lesson& x, timestamp now) {
  auto key = normalised_statement(x.statement);
  if (auto known = by_statement_.find(key); known != by_statement_.end())
    return known->second;
  fact added;
  auto number = last_number_ + 1;
  added.fact_id = "fact_" + std::to_string(number);
  added.statement = x.statement;
  added.confidence = config_.initial_confidence;
  added.first_seen = added.last_seen = now;
  // Room is made first, else the new fact, which has no support yet, would be dropped at once.
  while (!facts_.empty() && facts_.size() >= config_.max_facts)
    drop_lightest();
  insert(number, std::move(key), std::move(added));
  return number;
}

void memory_semantic_store::insert(uint64_t number, std::string key, fact x) {
  auto words = word_hashes_of(x.statement);
  entry added{std::move(x), std::move(words)};
  bytes_ += bytes_of(added);
  by_weight_.insert(weight_of(number, added));
  by_statement_.emplace(std::move(key), number);
  facts_.emplace(number, std::move(added));
  last_number_ = std::max(last_number_, number);
}

void memory_semantic_store::erase(uint64_t number) {
  auto i = facts_.find(number);
  bytes_ -= bytes_of(i->second);
  by_weight_.erase(weight_of(number, i->second));
  by_statement_.erase(normalised_statement(i->second.known.statement));
  facts_.erase(i);
}

void memory_semantic_store::drop_lightest() {
  auto number = std::get<2>(*by_weight_.begin());
  if (on_drop_)
    on_drop_(facts_.at(number).known.fact_id);
  erase(number);
  ++dropped_;
}

std::optional<fact> memory_semantic_store::find(std::string_view statement) const {
  auto i = by_statement_.find(normalised_statement(statement_of(statement)));
  if (i == by_statement_.end())
    return std::nullopt;
  return facts_.at(i->second).known;
}

const fact* memory_semantic_store::find_id(const std::string& fact_id) const {
  auto number = number_of(fact_id);
  auto i = number ? facts_.find(*number) : facts_.end();
  return i == facts_.end() || i->second.known.fact_id != fact_id ? nullptr : &i->second.known;
}

void memory_semantic_store::restore(fact x) {
  auto number = number_of(x.fact_id).value_or(last_number_ + 1);
  keep_text_limits(x);
  auto key = normalised_statement(x.statement);
  if (by_statement_.contains(key)) { // they differed only in a part that was cut
    if (on_drop_)
      on_drop_(x.fact_id);
    return;
  }
  insert(number, std::move(key), std::move(x));
  while (facts_.size() > config_.max_facts || (bytes_ > config_.max_bytes && facts_.size() > 1))
    drop_lightest();
}

void memory_semantic_store::forget(const std::string& fact_id) {
  if (auto number = number_of(fact_id); number && facts_.contains(*number))
    erase(*number);
}

caf::error memory_semantic_store::purge(const memory_purge& what) {
  replace(purged(what));
  return {};
}

std::vector<fact> memory_semantic_store::purged(const memory_purge& what) const {
  std::vector<fact> result;
  std::set<std::string> said;
  for (const auto& [number, x] : facts_) {
    auto next = x.known;
    if (!what.purge(next))
      continue;
    auto key = normalised_statement(statement_of(next.statement));
    auto known = by_statement_.find(key);
    if ((known != by_statement_.end() && known->second != number) || !said.insert(key).second)
      next.statement.clear();
    result.push_back(std::move(next));
  }
  return result;
}

void memory_semantic_store::replace(const std::vector<fact>& facts) {
  for (const auto& x : facts)
    forget(x.fact_id);
  for (const auto& x : facts)
    if (!x.statement.empty())
      restore(x);
}

void memory_semantic_store::apply(const fact_lesson& x, timestamp now, fact& known) const {
  switch (x.outcome) {
  case fact_outcome::success:
    ++known.support;
    known.confidence += (1 - known.confidence) * config_.success_rate;
    break;
  case fact_outcome::failure:
    known.confidence -= known.confidence * config_.failure_rate;
    break;
  case fact_outcome::contradiction:
    ++known.contradicted;
    known.confidence -= known.confidence * config_.contradiction_rate;
    break;
  }
  known.confidence = std::clamp(known.confidence, 0.0, 1.0);
  known.last_seen = std::max(known.last_seen, now);
  append_new(known.tags, x.tags, config_.max_tags);
  append_latest(known.observation_ids, x.observation_ids, config_.max_observation_ids);
}

caf::expected<fact_list> memory_semantic_store::query(const query_facts& what) const {
  fact_ranking ranking{what};
  for (const auto& [number, x] : facts_)
    ranking.look_at(number, x.known, x.words);
  return ranking.result();
}

caf::error memory_semantic_store::put(const fact& x) {
  if (auto err = check_put(x))
    return err;
  replace({x});
  return {};
}

caf::error memory_semantic_store::check_put(const fact& x) const {
  if (find_id(x.fact_id) == nullptr)
    return fail(errc::not_found, "fact_id", "there is no fact '" + x.fact_id + "'");
  auto other = find(x.statement);
  if (other && other->fact_id != x.fact_id)
    return fail(errc::conflict, "statement", "the fact " + other->fact_id + " says so already");
  return {};
}

caf::error memory_semantic_store::drop(const std::string& fact_id) {
  forget(fact_id);
  return {};
}

} // namespace scratchpage
