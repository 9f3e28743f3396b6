#include "scratchpage/persistence/memories/stored_memories.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_terms = 20'000;
constexpr size_t word_bytes = 64;   // a longer word is indexed by its beginning and compared later
constexpr size_t rows_at_once = 32; // in one transaction, so that others write in between
constexpr json_limits document_limits{256u << 20, 64, any_number_of_values};

/// About how many bytes a database needs for an indexed term beside its text.
constexpr uint64_t bytes_per_term = 64;

std::string word_term(const std::string& word) {
  return "w:" + utf8::shortened(word, word_bytes);
}

std::string tag_term(const std::string& tag) {
  return "t:" + as_key_text(tag);
}

std::vector<std::string> terms_of(const episode& x) {
  std::set<std::string> terms;
  auto add = [&](std::string term) {
    if (terms.size() < max_terms)
      terms.insert(std::move(term));
  };
  for (const auto& one : x.observations) {
    for (const auto& tag : one->tags)
      add(tag_term(tag));
    for (const auto& word : word_set_of(one->content))
      add(word_term(word));
  }
  return {terms.begin(), terms.end()};
}

document_range range_of(const query_episodes& what) {
  document_range range;
  range.key = what.turn_id;
  range.after = what.after;
  range.before = what.before;
  for (const auto& tag : what.tags)
    range.terms.push_back(tag_term(tag));
  for (const auto& word : word_set_of(what.text))
    range.terms.push_back(word_term(word));
  return range;
}

episode_size size_of(const episode& x, const document& story) {
  uint64_t bytes = story.key.size() + story.body.size();
  for (const auto& term : story.index->terms)
    bytes += 2 * term.size() + bytes_per_term;
  return {x.turn_id, to_milliseconds(x.ended_at), x.observations.size(), bytes};
}

document row_of(const episode_size& x) {
  return to_document(collection::story_sizes, x.turn_id, x);
}

constexpr auto last = "last";

/// The stored form of the number of the last lesson.
struct stored_lesson {
  uint64_t number = 0;

  static constexpr auto fields(auto all) { return all(required("number", &stored_lesson::number)); }
};

} // namespace

void episode_room::sum::take_away(const episode_size& x) {
  --episodes;
  observations -= x.observations;
  bytes -= x.bytes;
}

void episode_room::put(episode_size x) {
  forget(x.turn_id);
  place here{x.ended_at, ++puts_};
  ++taken_.episodes;
  taken_.observations += x.observations;
  taken_.bytes += x.bytes;
  by_turn_.emplace(x.turn_id, here);
  by_age_.emplace(here, std::move(x));
}

void episode_room::forget(const std::string& turn_id) {
  auto known = by_turn_.find(turn_id);
  if (known == by_turn_.end())
    return;
  auto old = by_age_.find(known->second);
  by_turn_.erase(known);
  taken_.take_away(old->second);
  by_age_.erase(old);
}

bool episode_room::fits(const sum& x) const {
  return x.episodes <= 1
         || (x.episodes <= limits_.max_episodes && x.observations <= limits_.max_observations
             && x.bytes <= limits_.max_bytes);
}

std::vector<std::string> episode_room::too_many(size_t most) const {
  std::vector<std::string> result;
  auto left = taken_;
  for (auto i = by_age_.begin(); !fits(left) && result.size() < most; ++i) {
    result.push_back(i->second.turn_id);
    left.take_away(i->second);
  }
  return result;
}

document to_story(const episode& x) {
  auto result = to_document(collection::stories, x.turn_id, x);
  result.index = document_index{to_milliseconds(x.ended_at), terms_of(x)};
  return result;
}

stored_episodes::stored_episodes(
  std::shared_ptr<store> in, const ownership& by, const episodic_config& limits)
  : store_{std::move(in)},
    by_{by},
    limits_{limits},
    room_{limits} {}

caf::expected<std::shared_ptr<stored_episodes>> stored_episodes::open(
  std::shared_ptr<store> in, const ownership& by, const episodic_config& limits) {
  std::shared_ptr<stored_episodes> result{new stored_episodes{std::move(in), by, limits}};
  auto err = result->move_first_form();
  if (!err)
    err = result->take_stock();
  if (!err)
    err = result->drop_what_has_no_room();
  if (err)
    return err;
  return result;
}

/// Converts episodes of the first version, which have no index.
caf::error stored_episodes::move_first_form() {
  auto found = read_all<episode>(*store_, by_.agent, collection::episodes);
  if (!found)
    return found.error();
  for (const auto& x : *found) {
    std::array rows{to_story(x), make_document(collection::episodes, x.turn_id, "")};
    if (auto err = store_->put(by_, rows))
      return err;
  }
  return {};
}

/// Reads the sizes of the episodes. An episode without a stored size, from an export or an older
/// version, is measured; a size without its episode is removed.
caf::error stored_episodes::take_stock() {
  room_ = episode_room{limits_};
  std::map<std::string, episode_size> sizes;
  auto remember = [&sizes](episode_size&& x) { sizes.insert_or_assign(x.turn_id, std::move(x)); };
  if (auto err = read_each<episode_size>(*store_, by_.agent, collection::story_sizes, remember))
    return err;
  std::vector<std::string> turns;
  document_range all;
  all.without_bodies = true;
  auto take = [&turns](document&& x) {
    turns.push_back(std::move(x.key));
    return true;
  };
  if (auto err = store_->find_documents(by_.agent, std::string{collection::stories}, all, take))
    return err;
  std::reverse(turns.begin(), turns.end()); // the oldest first
  std::vector<std::string> unknown;
  for (const auto& turn : turns)
    if (auto known = sizes.extract(turn))
      room_.put(std::move(known.mapped()));
    else
      unknown.push_back(turn);
  std::vector<document> rows;
  for (const auto& x : sizes)
    rows.push_back(make_document(collection::story_sizes, x.first, ""));
  if (auto err = put_in_parts(rows))
    return err;
  return measure(unknown);
}

/// Leaves damaged episodes as they are: whoever reads one gets an error.
caf::error stored_episodes::measure(const std::vector<std::string>& turns) {
  std::vector<document> rows;
  for (const auto& turn : turns) {
    document_range range;
    range.key = turn;
    auto take = [&](document&& story) {
      if (auto x = from_document<episode>(story, document_limits)) {
        auto size = size_of(*x, to_story(*x));
        rows.push_back(row_of(size));
        room_.put(std::move(size));
      }
      return false; // there is one at most
    };
    if (auto err = store_->find_documents(by_.agent, std::string{collection::stories}, range, take))
      return err;
  }
  return put_in_parts(rows);
}

/// Works in parts, because there may be many.
caf::error stored_episodes::drop_what_has_no_room() {
  for (auto turns = room_.too_many(rows_at_once / 2); !turns.empty();
       turns = room_.too_many(rows_at_once / 2)) {
    std::vector<document> rows;
    for (const auto& turn : turns) {
      rows.push_back(make_document(collection::stories, turn, ""));
      rows.push_back(make_document(collection::story_sizes, turn, ""));
    }
    if (auto err = store_->put(by_, rows))
      return err;
    for (const auto& turn : turns)
      room_.forget(turn);
  }
  return {};
}

caf::error stored_episodes::put_in_parts(const std::vector<document>& rows) {
  for (size_t i = 0; i < rows.size(); i += rows_at_once) {
    auto part = std::span{rows}.subspan(i, std::min(rows_at_once, rows.size() - i));
    if (auto err = store_->put(by_, part))
      return err;
  }
  return {};
}

/// A store that fails may have written the episode all the same. For this reason the sizes are read
/// again before the next one is recorded.
caf::error stored_episodes::record(episode x) {
  if (auto err = check_episode(x))
    return err;
  keep_latest(x, limits_.max_observations);
  if (is_in_doubt_)
    if (auto err = take_stock())
      return err;
  auto story = to_story(x);
  auto size = size_of(x, story);
  ended_.insert(x.turn_id);
  is_in_doubt_ = true;
  if (auto err = put_with_ended({std::move(story), row_of(size)}))
    return err;
  room_.put(std::move(size));
  is_in_doubt_ = static_cast<bool>(drop_what_has_no_room()); // if it fails, the next record retries
  return {};
}

caf::error stored_episodes::keep_open(const kept_turn& x) {
  return put_with_ended({to_document(collection::open_turns, x.turn_id, x)});
}

caf::error stored_episodes::drop_open(const std::string& turn_id) {
  ended_.insert(turn_id);
  return put_with_ended({});
}

/// Writes the documents, and removes turns that have ended. If the store refuses that, the next
/// write removes them: they must not go on in the next process.
caf::error stored_episodes::put_with_ended(std::vector<document> rows) {
  for (const auto& turn : ended_)
    rows.push_back(make_document(collection::open_turns, turn, ""));
  auto err = store_->put(by_, rows);
  if (!err)
    ended_.clear();
  return err;
}

caf::expected<std::vector<kept_turn>> stored_episodes::open_turns() const {
  auto result = read_all<kept_turn>(*store_, by_.agent, collection::open_turns);
  if (result)
    std::sort(result->begin(), result->end(), [](const kept_turn& a, const kept_turn& b) {
      return std::tie(a.started_at, a.turn_id) < std::tie(b.started_at, b.turn_id);
    });
  return result;
}

caf::error stored_episodes::drop(const std::string& turn_id) {
  std::array rows{make_document(collection::stories, turn_id, ""),
    make_document(collection::story_sizes, turn_id, "")};
  if (auto err = store_->put(by_, rows))
    return err;
  room_.forget(turn_id);
  return {};
}

caf::error stored_episodes::visit(const query_episodes& what, const visitor& f) const {
  caf::error damage;
  auto take = [&](document&& x) {
    auto found = from_document<episode>(x, document_limits);
    std::string{}.swap(x.body); // it may be large
    if (!found) {
      damage = found.error();
      return false;
    }
    return !matches(*found, what) || f(std::move(*found)); // tags and words in one observation
  };
  auto err =
    store_->find_documents(by_.agent, std::string{collection::stories}, range_of(what), take);
  return err ? err : damage;
}

stored_facts::stored_facts(std::shared_ptr<store> in, const ownership& by, semantic_config config)
  : store_{std::move(in)},
    by_{by},
    known_{config, [this](const std::string& fact_id) { dropped_.push_back(fact_id); }} {}

caf::expected<std::shared_ptr<stored_facts>> stored_facts::open(
  std::shared_ptr<store> in, const ownership& by, semantic_config config) {
  std::shared_ptr<stored_facts> result{new stored_facts{in, by, config}};
  auto restore = [&result](fact&& x) { result->restore(std::move(x)); };
  if (auto err = read_each<fact>(*in, by.agent, collection::facts, restore))
    return err;
  auto lessons = read_all<stored_lesson>(*in, by.agent, collection::lessons);
  if (!lessons)
    return lessons.error();
  for (const auto& x : *lessons)
    result->known_.restore_last_lesson(x.number);
  auto counters = read_all<stored_number>(*in, by.agent, collection::counters);
  if (!counters)
    return counters.error();
  result->last_removed_ = reserved_in(*counters, counter_name::facts);
  result->known_.go_on_after(result->last_removed_);
  if (auto err = result->drop_what_has_no_room())
    return err;
  return result;
}

void stored_facts::restore(fact x) {
  auto id = x.fact_id;
  auto bytes = x.statement.size();
  known_.restore(std::move(x));
  if (const auto* kept = known_.find_id(id); kept != nullptr && kept->statement.size() < bytes)
    shortened_.insert(std::move(id));
}

/// Works in parts, because there may be many.
caf::error stored_facts::drop_what_has_no_room() {
  constexpr size_t at_once = 256;
  auto ids = std::exchange(dropped_, {});
  auto shortened = std::exchange(shortened_, {});
  ids.insert(ids.end(), shortened.begin(), shortened.end());
  std::vector<document> rows;
  for (const auto& id : ids) {
    rows.push_back(row_of(id));
    if (rows.size() < at_once && &id != &ids.back())
      continue;
    if (auto err = write(std::exchange(rows, {})))
      return err;
  }
  return {};
}

document stored_facts::row_of(const std::string& fact_id) const {
  const auto* known = known_.find_id(fact_id);
  return known == nullptr ? make_document(collection::facts, fact_id, "")
                          : to_document(collection::facts, fact_id, *known);
}

document stored_facts::lesson_row() const {
  auto number = known_.last_lesson();
  return number == 0 ? make_document(collection::lessons, last, "")
                     : to_document(collection::lessons, last, stored_lesson{number});
}

/// Adds the row of the highest number of a removed fact, so that no id is given again. Returns that
/// number.
uint64_t stored_facts::add_counter(std::vector<document>& to) const {
  auto last = last_removed_;
  for (const auto& row : to)
    if (row.collection == collection::facts && row.body.empty())
      last = std::max(last, number_of(row.key).value_or(0));
  std::string name{counter_name::facts};
  if (last > last_removed_)
    to.push_back(to_document(collection::counters, name, stored_number{name, last}));
  return last;
}

/// Writes doubtful facts first, so that the new rows count.
caf::error stored_facts::write(std::vector<document> rows) {
  std::vector<document> all;
  for (const auto& id : doubtful_)
    all.push_back(row_of(id));
  if (!doubtful_.empty())
    all.push_back(lesson_row());
  all.insert(all.end(), rows.begin(), rows.end());
  auto last_removed = add_counter(all);
  if (auto err = store_->put(by_, all)) {
    for (auto& row : rows)
      if (row.collection == collection::facts)
        doubtful_.insert(std::move(row.key));
    return err;
  }
  doubtful_.clear();
  last_removed_ = last_removed;
  return {};
}

caf::expected<fact> stored_facts::learn(const fact_lesson& x, timestamp now, uint64_t lesson) {
  dropped_.clear();
  auto lesson_before = known_.last_lesson();
  auto before = known_.find(x.statement);
  auto learnt = known_.learn(x, now, lesson);
  if (!learnt)
    return learnt;
  std::vector<document> rows{to_document(collection::facts, learnt->fact_id, *learnt)};
  for (const auto& one : known_.ended())
    if (const auto* now_ended = known_.find_id(one.fact_id))
      rows.push_back(to_document(collection::facts, one.fact_id, *now_ended));
  auto ended = known_.ended();
  for (const auto& id : dropped_)
    rows.push_back(make_document(collection::facts, id, ""));
  if (known_.last_lesson() != lesson_before)
    rows.push_back(lesson_row());
  if (auto err = write(std::move(rows))) {
    known_.restore_last_lesson(lesson_before);
    known_.forget(learnt->fact_id);
    known_.replace(ended);
    if (before)
      known_.restore(std::move(*before));
    return err;
  }
  return learnt;
}

caf::expected<fact_list> stored_facts::query(const query_facts& what) const {
  return known_.query(what);
}

caf::error stored_facts::put(const fact& x) {
  if (auto err = known_.check_put(x))
    return err;
  dropped_.clear();
  if (auto err = write({to_document(collection::facts, x.fact_id, x)}))
    return err;
  known_.replace({x});
  if (!dropped_.empty()) { // a longer fact may leave others no room
    doubtful_.insert(dropped_.begin(), dropped_.end());
    std::ignore = write({}); // if that fails, the next write removes them
  }
  return {};
}

caf::error stored_facts::drop(const std::string& fact_id) {
  if (known_.find_id(fact_id) == nullptr)
    return {};
  if (auto err = write({make_document(collection::facts, fact_id, "")}))
    return err;
  known_.forget(fact_id);
  return {};
}

caf::error stored_facts::purge(const memory_purge& what) {
  auto facts = known_.purged(what);
  if (facts.empty())
    return {};
  std::vector<document> rows;
  rows.reserve(facts.size());
  for (const auto& x : facts)
    rows.push_back(x.statement.empty() ? make_document(collection::facts, x.fact_id, "")
                                       : to_document(collection::facts, x.fact_id, x));
  if (auto err = write(std::move(rows)))
    return err;
  known_.replace(facts);
  return {};
}

} // namespace scratchpage
