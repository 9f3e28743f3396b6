#pragma once

#include <string>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/tests/disk/kept_page.hpp"

/// The same text, a fact a line, from a model and from a store, so that a
/// difference is one between two lines.

namespace scratchpage::test {

/// Journal, snapshots, archive and documents of all agents.
std::string text_of(const kept_pages& pages);
/// What is damaged is said in place of what it should be.
caf::expected<std::string> text_of(store& pages);

/// A page as it has to come back, with at most `latest` changes.
std::string recovery_text(const kept_page& page, uint64_t latest);
std::string recovery_text(const recovered_page& page);

/// The first lines that differ; "" if none do.
std::string difference(const std::string& expected, const std::string& got);

} // namespace scratchpage::test
