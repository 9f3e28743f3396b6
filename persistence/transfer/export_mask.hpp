#pragma once

#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/persistence/privacy/pii_masker.hpp"

/// What is stored, without personal data; ids stay. What holds none stays as it
/// is, byte for byte, so that to mask twice is to mask once. Errors:
/// `invalid_request`, if the text is not what it should be.

namespace scratchpage {

/// A change, as the journal and snapshots have it.
caf::expected<std::string> masked_event(const pii_masker& with, std::string_view json);

/// An observation, as the archive has it.
caf::expected<std::string> masked_observation(const pii_masker& with, std::string_view json);

/// A document's body. What is freely written in goals, facts and episodes is
/// known; types, counters and subscribers' positions have nothing of the kind; in
/// other collections it may be anywhere.
caf::expected<std::string> masked_document(
  const pii_masker& with, std::string_view collection, std::string_view json);

} // namespace scratchpage
