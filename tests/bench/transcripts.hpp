#pragma once

#include <string>

#include <caf/expected.hpp>

namespace scratchpage::bench {

/// Plays every conversation of a file on virtual time. Returns the seconds of real time, without
/// reading the file. The error says what is wrong with the file.
caf::expected<double> play_transcripts(const std::string& file);

} // namespace scratchpage::bench
