#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Facts as documents of a store: what was learnt is durable when `learn`
/// answers, and was not learnt if the store refused it.
class kept_facts : public semantic_store {
public:
  /// Reads what is there. What is more than a fact may hold, and what there is no room for, goes
  /// from the store as well. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<kept_facts>> open(
    std::shared_ptr<store> in, const ownership& by, semantic_config config);

  caf::expected<fact> learn(const fact_lesson& x, timestamp now, uint64_t lesson) override;
  uint64_t last_lesson() const override { return known_.last_lesson(); }
  caf::expected<fact_list> query(const query_facts& what) const override;
  caf::error purge(const memory_purge& what) override;

private:
  kept_facts(std::shared_ptr<store> in, const ownership& by, semantic_config config);

  void restore(fact x);
  caf::error drop_what_has_no_room();
  document row_of(const std::string& fact_id) const;
  document lesson_row() const;
  caf::error put(std::vector<document> rows);

  std::shared_ptr<store> store_;
  ownership by_;
  std::vector<std::string> dropped_; // by the lesson at hand
  std::set<std::string> shortened_;  // ids of those that are longer in the store; while it is read
  /// Ids of facts that the store may have otherwise: it refused them, which it may also do while
  /// it answers. The next writing puts them as they are.
  std::set<std::string> doubtful_;
  memory_semantic_store known_;
};

} // namespace scratchpage
