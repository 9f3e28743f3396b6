#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/page/type_registry.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// What contract 1 allows.
struct draft_limits {
  static constexpr size_t drafts = 1'000; ///< of one request, at an edge
  static constexpr size_t content_bytes = size_t{64} * 1024;
  static constexpr size_t tags = 32;
  static constexpr size_t given_tags = 256; ///< before duplicates are dropped
  static constexpr size_t tag_characters = 64;
  static constexpr size_t owner_bytes = 128;
  static constexpr size_t context_bytes = size_t{64} * 1024; ///< as JSON, names included
  static constexpr size_t context_depth = 8;
  static constexpr size_t context_scalars = 64; ///< each is indexed; an empty list counts as one
  static constexpr size_t metadata_bytes = size_t{64} * 1024; ///< as JSON, names included
  static constexpr double max_ttl_minutes = 525'600;          ///< a year
};

/// An observation as it may be stored, without id and with what was put right;
/// made where it will stay, and the caller's own until then.
struct accepted_draft {
  std::shared_ptr<observation> value;
  std::vector<std::string> warnings;
};

/// Whether what is given is small enough to be looked at closely: `accept` and `apply`, which
/// check the sizes as well, take time with it.
caf::error check_sizes(const observation_draft& draft);
caf::error check_sizes(const observation_changes& changes);

/// Applies contract 1 to a draft: refuses what is wrong by name, puts right
/// what can be, fills in the rest. `now` is in whole milliseconds.
caf::expected<accepted_draft> accept(observation_draft draft, const caller& by,
  const type_registry& types, double default_ttl_minutes, timestamp now);

/// Applies contract 2 and 3 to a change: the next revision of `current`, or the
/// error that refuses all of it. One that is resolved by it says by whom. An answer that
/// is there stays, whoever asks, and nobody adds one to what somebody else has resolved.
caf::expected<accepted_draft> apply(const observation& current, observation_changes changes,
  const caller& by, double default_ttl_minutes, timestamp now);

/// Whether the lifecycle of contract 2 has that step.
bool may_become(status from, status to);

} // namespace scratchpage
