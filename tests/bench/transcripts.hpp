#pragma once

#include <string>

#include <caf/expected.hpp>

namespace scratchpage::bench {

/// Seconds of wall time to play every conversation of a file, once read, on
/// virtual time. The error says what is wrong with the file.
caf::expected<double> play_transcripts(const std::string& file);

} // namespace scratchpage::bench
