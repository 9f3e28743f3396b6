#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scratchpage/persistence/memories/episode_room.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// Episodes as documents of a store, where they are found by turn, time, tags and
/// words; none is held in memory. A text finds an episode by its first
/// 20 000 different words and tags. When there is no room for one, the oldest go. How much each
/// takes is a document beside it, so that an agent starts without reading them.
class kept_episodes : public episodic_store {
public:
  /// Drops what there is no room for. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<kept_episodes>> open(
    std::shared_ptr<store> in, const ownership& by, const episodic_config& limits = {});

  caf::error record(episode x) override;
  caf::error visit(const query_episodes& what, const visitor& f) const override;
  /// Nothing is in memory; the documents are the housekeeping's to write.
  void purge(const memory_purge&) override {}

private:
  kept_episodes(std::shared_ptr<store> in, const ownership& by, const episodic_config& limits);

  caf::error move_first_form();
  caf::error take_stock();
  caf::error measure(const std::vector<std::string>& turns);
  caf::error drop_what_has_no_room();
  caf::error put_in_parts(const std::vector<document>& rows);

  std::shared_ptr<store> store_;
  ownership by_;
  episodic_config limits_;
  episode_room room_;
  bool is_in_doubt_ = false; ///< whether the store may have other episodes than `room_`
};

/// An episode as it is kept, with all that it is found by.
document to_story(const episode& x);

} // namespace scratchpage
