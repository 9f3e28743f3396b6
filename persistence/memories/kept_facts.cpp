#include "scratchpage/persistence/memories/kept_facts.hpp"

#include <utility>

#include "scratchpage/persistence/store/documents.hpp"

namespace scratchpage {

namespace {

constexpr auto last = "last";

/// How the last lesson is written down.
struct kept_lesson {
  uint64_t number = 0;

  static constexpr auto fields(auto all) { return all(required("number", &kept_lesson::number)); }
};

} // namespace

kept_facts::kept_facts(std::shared_ptr<store> in, const ownership& by, semantic_config config)
  : store_{std::move(in)},
    by_{by},
    known_{config, [this](const std::string& fact_id) { dropped_.push_back(fact_id); }} {}

caf::expected<std::shared_ptr<kept_facts>> kept_facts::open(
  std::shared_ptr<store> in, const ownership& by, semantic_config config) {
  std::shared_ptr<kept_facts> result{new kept_facts{in, by, config}};
  auto restore = [&result](fact&& x) { result->restore(std::move(x)); };
  if (auto err = read_each<fact>(*in, by.agent, collection::facts, restore))
    return err;
  auto lessons = read_all<kept_lesson>(*in, by.agent, collection::lessons);
  if (!lessons)
    return lessons.error();
  for (const auto& x : *lessons)
    result->known_.restore_last_lesson(x.number);
  if (auto err = result->drop_what_has_no_room())
    return err;
  return result;
}

void kept_facts::restore(fact x) {
  auto id = x.fact_id;
  auto bytes = x.statement.size();
  known_.restore(std::move(x));
  if (const auto* kept = known_.find_id(id); kept != nullptr && kept->statement.size() < bytes)
    shortened_.insert(std::move(id));
}

/// In parts, since there may be many.
caf::error kept_facts::drop_what_has_no_room() {
  constexpr size_t at_once = 256;
  auto ids = std::exchange(dropped_, {});
  auto shortened = std::exchange(shortened_, {});
  ids.insert(ids.end(), shortened.begin(), shortened.end());
  std::vector<document> rows;
  for (const auto& id : ids) {
    rows.push_back(row_of(id));
    if (rows.size() < at_once && &id != &ids.back())
      continue;
    if (auto err = store_->put(by_, std::exchange(rows, {})))
      return err;
  }
  return {};
}

document kept_facts::row_of(const std::string& fact_id) const {
  const auto* known = known_.find_id(fact_id);
  return known == nullptr ? make_document(collection::facts, fact_id, "")
                          : to_document(collection::facts, fact_id, *known);
}

document kept_facts::lesson_row() const {
  auto number = known_.last_lesson();
  return number == 0 ? make_document(collection::lessons, last, "")
                     : to_document(collection::lessons, last, kept_lesson{number});
}

/// What is doubtful first, so that what is new counts.
caf::error kept_facts::put(std::vector<document> rows) {
  std::vector<document> all;
  for (const auto& id : doubtful_)
    all.push_back(row_of(id));
  if (!doubtful_.empty())
    all.push_back(lesson_row());
  all.insert(all.end(), rows.begin(), rows.end());
  if (auto err = store_->put(by_, all)) {
    for (auto& row : rows)
      if (row.collection == collection::facts)
        doubtful_.insert(std::move(row.key));
    return err;
  }
  doubtful_.clear();
  return {};
}

caf::expected<fact> kept_facts::learn(const fact_lesson& x, timestamp now, uint64_t lesson) {
  dropped_.clear();
  auto lesson_before = known_.last_lesson();
  auto before = known_.find(x.statement);
  auto learnt = known_.learn(x, now, lesson);
  if (!learnt)
    return learnt;
  std::vector<document> rows{to_document(collection::facts, learnt->fact_id, *learnt)};
  for (const auto& id : dropped_)
    rows.push_back(make_document(collection::facts, id, ""));
  if (known_.last_lesson() != lesson_before)
    rows.push_back(lesson_row());
  if (auto err = put(std::move(rows))) {
    known_.restore_last_lesson(lesson_before);
    known_.forget(learnt->fact_id);
    if (before)
      known_.restore(std::move(*before));
    return err;
  }
  return learnt;
}

caf::expected<fact_list> kept_facts::query(const query_facts& what) const {
  return known_.query(what);
}

caf::error kept_facts::purge(const memory_purge& what) {
  auto facts = known_.purged(what);
  if (facts.empty())
    return {};
  std::vector<document> rows;
  rows.reserve(facts.size());
  for (const auto& x : facts)
    rows.push_back(x.statement.empty() ? make_document(collection::facts, x.fact_id, "")
                                       : to_document(collection::facts, x.fact_id, x));
  if (auto err = put(std::move(rows)))
    return err;
  known_.replace(facts);
  return {};
}

} // namespace scratchpage
