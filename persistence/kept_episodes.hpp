#pragma once

#include <memory>

#include "scratchpage/persistence/episodic_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Episodes as documents of a store, where they are found by turn, time, tags and
/// words for good; none is held in memory. A text finds an episode by its first
/// 20 000 different words and tags.
class kept_episodes : public episodic_store {
public:
  /// Errors: as `read_all`.
  static caf::expected<std::shared_ptr<kept_episodes>> open(
    std::shared_ptr<store> in, const ownership& by);

  caf::error record(episode x) override;
  caf::error visit(const query_episodes& what, const visitor& f) const override;
  /// Nothing is in memory; the documents are the housekeeping's to write.
  void purge(const purger&) override {}

private:
  kept_episodes(std::shared_ptr<store> in, const ownership& by);

  caf::error move_first_form();

  std::shared_ptr<store> store_;
  ownership by_;
};

/// An episode as it is kept, with all that it is found by.
document to_story(const episode& x);

} // namespace scratchpage
