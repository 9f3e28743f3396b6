#include "scratchpage/persistence/memories/kept_episodes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/text/word_set.hpp"
#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_terms = 20'000;
constexpr size_t word_bytes = 64;   // longer ones are found by their beginning, and looked at
constexpr size_t rows_at_once = 32; // in one transaction, so that others write in between
constexpr json_limits body_limits{256u << 20, 64, any_number_of_values};

/// About what a database needs beside each text that something is found by.
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
    if (terms.size() < most_terms)
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

} // namespace

document to_story(const episode& x) {
  auto result = to_document(collection::stories, x.turn_id, x);
  result.index = document_index{to_milliseconds(x.ended_at), terms_of(x)};
  return result;
}

kept_episodes::kept_episodes(
  std::shared_ptr<store> in, const ownership& by, const episodic_config& limits)
  : store_{std::move(in)},
    by_{by},
    limits_{limits},
    room_{limits} {}

caf::expected<std::shared_ptr<kept_episodes>> kept_episodes::open(
  std::shared_ptr<store> in, const ownership& by, const episodic_config& limits) {
  std::shared_ptr<kept_episodes> result{new kept_episodes{std::move(in), by, limits}};
  auto err = result->move_first_form();
  if (!err)
    err = result->take_stock();
  if (!err)
    err = result->drop_what_has_no_room();
  if (err)
    return err;
  return result;
}

/// What was kept without anything to find it by.
caf::error kept_episodes::move_first_form() {
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

/// Reads how much each takes. What has no such document, since it comes from an export or an older
/// program, is measured; a document without its episode goes.
caf::error kept_episodes::take_stock() {
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

/// What is damaged is left as it is: whoever reads it is told.
caf::error kept_episodes::measure(const std::vector<std::string>& turns) {
  std::vector<document> rows;
  for (const auto& turn : turns) {
    document_range range;
    range.key = turn;
    auto take = [&](document&& story) {
      if (auto x = from_document<episode>(story, body_limits)) {
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

/// In parts, since there may be many.
caf::error kept_episodes::drop_what_has_no_room() {
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

caf::error kept_episodes::put_in_parts(const std::vector<document>& rows) {
  for (size_t i = 0; i < rows.size(); i += rows_at_once) {
    auto part = std::span{rows}.subspan(i, std::min(rows_at_once, rows.size() - i));
    if (auto err = store_->put(by_, part))
      return err;
  }
  return {};
}

/// What the store refused it may have written all the same, if it failed while it answered: then
/// it is looked at again before there is another one.
caf::error kept_episodes::record(episode x) {
  if (auto err = check_episode(x))
    return err;
  keep_latest(x, limits_.max_observations);
  if (is_in_doubt_)
    if (auto err = take_stock())
      return err;
  auto story = to_story(x);
  auto size = size_of(x, story);
  std::array rows{std::move(story), row_of(size)};
  is_in_doubt_ = true;
  if (auto err = store_->put(by_, rows))
    return err;
  room_.put(std::move(size));
  is_in_doubt_ = static_cast<bool>(drop_what_has_no_room()); // if so, with the next one
  return {};
}

caf::error kept_episodes::visit(const query_episodes& what, const visitor& f) const {
  caf::error damage;
  auto take = [&](document&& x) {
    auto found = from_document<episode>(x, body_limits);
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

} // namespace scratchpage
