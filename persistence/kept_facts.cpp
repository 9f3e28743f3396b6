#include "scratchpage/persistence/kept_facts.hpp"

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
  : writer_{std::move(in), by},
    known_{config, [this](const std::string& fact_id) { dropped_.push_back(fact_id); }} {}

caf::expected<std::shared_ptr<kept_facts>> kept_facts::open(
  std::shared_ptr<store> in, const ownership& by, semantic_config config) {
  auto found = read_all<fact>(*in, by.agent, collection::facts);
  if (!found)
    return found.error();
  auto lessons = read_all<kept_lesson>(*in, by.agent, collection::lessons);
  if (!lessons)
    return lessons.error();
  std::shared_ptr<kept_facts> result{new kept_facts{std::move(in), by, config}};
  for (auto& x : *found) {
    result->writer_.remember(to_document(collection::facts, x.fact_id, x));
    result->known_.restore(std::move(x));
  }
  for (const auto& x : *lessons) {
    result->writer_.remember(to_document(collection::lessons, last, x));
    result->known_.restore_last_lesson(x.number);
  }
  return result;
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
    rows.push_back(to_document(collection::lessons, last, kept_lesson{known_.last_lesson()}));
  if (auto err = writer_.put(std::move(rows))) {
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

caf::error kept_facts::purge(const purger& what) {
  auto facts = known_.purged(what);
  if (facts.empty())
    return {};
  std::vector<document> rows;
  rows.reserve(facts.size());
  for (const auto& x : facts)
    rows.push_back(x.statement.empty() ? make_document(collection::facts, x.fact_id, "")
                                       : to_document(collection::facts, x.fact_id, x));
  if (auto err = writer_.put(std::move(rows)))
    return err;
  known_.replace(facts);
  return {};
}

} // namespace scratchpage
