#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// The observation types that a page knows (contract 1).
class type_registry {
public:
  /// Ignores ill-formed names among `types`.
  explicit type_registry(const std::vector<std::string>& types);

  bool knows(std::string_view type) const;

  /// Error: `invalid_request` if the name does not have the form `[a-z][a-z0-9_]{0,63}`.
  static caf::error check(std::string_view type);

  /// Adds a type. If it is known, nothing changes. Error: as `check`.
  caf::error add(std::string_view type);

  /// The error for a type that is not known. It lists all known types.
  caf::error unknown(std::string_view type) const { return unknown(type, types_); }

  /// As above, for a caller that may add only these types. The types that were probably meant come
  /// first.
  static caf::error unknown(std::string_view type, const std::vector<std::string>& may_add);

  /// All known types, sorted.
  const std::vector<std::string>& all() const { return types_; }

  static bool is_well_formed(std::string_view type);

private:
  std::vector<std::string> types_; // sorted
};

/// The limits of an observation (contract 1).
struct draft_limits {
  static constexpr size_t drafts = 1'000; ///< of one request from outside
  static constexpr size_t content_bytes = size_t{64} * 1024;
  static constexpr size_t tags = 32;
  static constexpr size_t given_tags = 256; ///< in a draft, before duplicates are removed
  static constexpr size_t tag_characters = 64;
  static constexpr size_t owner_bytes = 128;
  static constexpr size_t context_bytes = size_t{64} * 1024; ///< as JSON, names included
  static constexpr size_t context_depth = 8;
  static constexpr size_t context_scalars = 64; ///< each is indexed; an empty list counts as one
  static constexpr size_t metadata_bytes = size_t{64} * 1024; ///< as JSON, names included
  static constexpr double max_ttl_minutes = 525'600;          ///< a year
};

/// A valid observation without an id. The caller may change `value` until the page shares it.
struct accepted_draft {
  std::shared_ptr<observation> value;
  std::vector<std::string> warnings; ///< one for each value that was corrected
};

/// Checks only the sizes, for use before personal data is masked, because masking a large text
/// takes long. `accept` and `apply` check the sizes too.
caf::error check_sizes(const observation_draft& draft);
caf::error check_sizes(const observation_changes& changes);

/// Checks a draft by contract 1 and makes an observation of it: refuses invalid members, corrects
/// values with a warning where the contract allows it, and fills in defaults. `now` is in whole
/// milliseconds.
caf::expected<accepted_draft> accept(observation_draft&& draft, const caller& by,
  const type_registry& types, double default_ttl_minutes, timestamp now);

/// Checks a change by contracts 2 and 3 and makes the next revision of `current`. An observation
/// that the change resolves notes who has resolved it. An existing answer cannot be changed, and
/// none can be added to an observation that somebody else has resolved.
caf::expected<accepted_draft> apply(const observation& current, observation_changes changes,
  const caller& by, double default_ttl_minutes, timestamp now);

/// Whether contract 2 allows this transition.
bool may_become(status from, status to);

} // namespace scratchpage
