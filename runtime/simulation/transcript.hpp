#pragma once

#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/simulation/conversation.hpp"

namespace scratchpage {

/// Longest line of a transcript, in bytes.
inline constexpr size_t max_transcript_line = 16u << 20;

/// Reads chat transcripts in the OpenAI message form, one conversation a line:
///
///     {"id": "c1", "messages": [{"role": "user", "content": "…"}, …]}
///
/// Each user message begins a turn; calls before the first one belong to it.
/// Each tool call of an assistant's message is a planned call of the current
/// turn, after the calls of that turn's previous message with calls; the tool
/// message that names it is its recorded answer, a failure if its content begins
/// with "Error" or is a JSON object with an `error`. The text that follows a
/// turn's calls is its recorded response.
///
/// The tools are recorded ones that answer each call by its id, within 50 to 800
/// milliseconds; a call without an answer is none of their responses.
///
/// A call's id that occurs again gets "#2", "#3" and so on; a slash in it becomes
/// "_". A tool message belongs to the latest unanswered call of its id. Arguments that are no JSON
/// object become `{"raw": text}`. Members that are not of this form are ignored.
/// Every conversation is an agent of its own, named by its id.
///
/// Blank lines, line ends with a carriage return and a byte order mark are fine.
/// An error names `file`, the line, the field and what was expected.
caf::expected<std::vector<conversation>> read_transcript(
  std::string_view text, std::string_view file);

} // namespace scratchpage
