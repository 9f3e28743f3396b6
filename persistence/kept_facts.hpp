#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scratchpage/persistence/semantic_store.hpp"
#include "scratchpage/persistence/store/document_writer.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Facts as documents of a store: what was learnt is durable when `learn`
/// answers, and was not learnt if the store refused it.
class kept_facts : public semantic_store {
public:
  /// Reads what is there. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<kept_facts>> open(
    std::shared_ptr<store> in, const ownership& by, semantic_config config);

  caf::expected<fact> learn(const fact_lesson& x, timestamp now, uint64_t lesson) override;
  uint64_t last_lesson() const override { return known_.last_lesson(); }
  caf::expected<fact_list> query(const query_facts& what) const override;
  caf::error purge(const purger& what) override;

private:
  kept_facts(std::shared_ptr<store> in, const ownership& by, semantic_config config);

  document_writer writer_;
  std::vector<std::string> dropped_; // by the lesson at hand
  memory_semantic_store known_;
};

} // namespace scratchpage
