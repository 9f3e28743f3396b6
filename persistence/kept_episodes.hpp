#pragma once

#include <memory>

#include "scratchpage/persistence/episodic_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Episodes as documents of a store, durable when they are recorded; the latest
/// of them, as far as the bounds go, are found by query.
class kept_episodes : public episodic_store {
public:
  /// Reads what is there. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<kept_episodes>> open(
    std::shared_ptr<store> in, const ownership& by, episodic_config config);

  caf::error record(episode x) override;
  caf::expected<episode_list> query(const query_episodes& what) const override;
  /// The documents, of which there are more than are found, are the
  /// housekeeping's to write.
  void purge(const purger& what) override { latest_.purge(what); }

private:
  kept_episodes(std::shared_ptr<store> in, const ownership& by, episodic_config config);

  std::shared_ptr<store> store_;
  ownership by_;
  memory_episodic_store latest_;
};

} // namespace scratchpage
