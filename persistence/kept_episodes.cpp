#include "scratchpage/persistence/kept_episodes.hpp"

#include <array>
#include <set>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/key_text.hpp"
#include "scratchpage/messages/utf8.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/word_set.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_terms = 20'000;
constexpr size_t word_bytes = 64; // longer ones are found by their beginning, and looked at
constexpr json_limits body_limits{256u << 20, 64, any_number_of_values};

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

} // namespace

document to_story(const episode& x) {
  auto result = to_document(collection::stories, x.turn_id, x);
  result.index = document_index{to_milliseconds(x.ended_at), terms_of(x)};
  return result;
}

kept_episodes::kept_episodes(std::shared_ptr<store> in, const ownership& by)
  : store_{std::move(in)},
    by_{by} {}

caf::expected<std::shared_ptr<kept_episodes>> kept_episodes::open(
  std::shared_ptr<store> in, const ownership& by) {
  std::shared_ptr<kept_episodes> result{new kept_episodes{std::move(in), by}};
  if (auto err = result->move_first_form())
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

caf::error kept_episodes::record(episode x) {
  if (auto err = check_episode(x))
    return err;
  auto row = to_story(x);
  return store_->put(by_, {&row, 1});
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
