#pragma once

#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/persistence/privacy/pii_masker.hpp"

/// Masks personal data in stored texts; ids stay. A text without personal data keeps every byte, so
/// masking twice gives the same as masking once. Errors: `invalid_request` if a text has the wrong
/// form.

namespace scratchpage {

/// Masks a change of the journal or a snapshot.
caf::expected<std::string> masked_event(const pii_masker& with, std::string_view json);

/// Masks an archived observation.
caf::expected<std::string> masked_observation(const pii_masker& with, std::string_view json);

/// Masks the body of a document. In goals, facts and episodes the members that people write freely
/// are masked. Types, counters and positions of subscribers have no such members. In other
/// collections every text is masked.
caf::expected<std::string> masked_document(
  const pii_masker& with, std::string_view collection, std::string_view json);

/// Masks the content of a file. In a scratchbook the freely written members of items are masked, so
/// that it stays a scratchbook. Any other file is masked as a text, except the bytes that are not
/// UTF-8.
std::string masked_file(const pii_masker& with, std::string_view bytes);

} // namespace scratchpage
