#pragma once

#include <string>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/tests/disk/kept_page.hpp"

/// Writes a model and a store as text in the same form, one fact a line, so that the first
/// different lines show what is wrong.

namespace scratchpage::test {

/// The journal, snapshots, archive and documents of all agents.
std::string text_of(const kept_pages& pages);
/// The same of a store. A damaged value is replaced by a description of the damage.
caf::expected<std::string> text_of(store& pages);

/// The page that a recovery has to return, with at most `latest` changes.
std::string recovery_text(const kept_page& page, uint64_t latest);
std::string recovery_text(const recovered_page& page);

/// The first lines that differ; "" if the texts are equal.
std::string difference(const std::string& expected, const std::string& got);

} // namespace scratchpage::test
