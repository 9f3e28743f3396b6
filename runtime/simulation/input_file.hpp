#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/simulation/conversation.hpp"

namespace scratchpage {

/// Reads a whole file. The error names it.
caf::expected<std::string> read_text_file(const std::filesystem::path& path);

/// The kind of a text: a scenario (one object), or a transcript (an object with `messages` on each
/// line). If the text does not show its kind, the name of its file decides.
enum class input_kind : uint8_t { scenario, transcript };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<input_kind>{"scenario", "transcript"};

input_kind kind_of_input(std::string_view text, std::string_view file);

/// Reads the conversations of one input file, at least one.
caf::expected<std::vector<conversation>> read_input(const std::filesystem::path& path);

/// Reads the conversations of several files, in order. An id that occurs in an earlier file gets
/// "#2", "#3" and so on.
caf::expected<std::vector<conversation>> read_inputs(
  const std::vector<std::filesystem::path>& paths);

/// Reads a configuration file: one JSON object, comments allowed.
caf::expected<json::object> read_config_file(const std::filesystem::path& path);

/// The greatest length of a transcript's line, in bytes.
inline constexpr size_t max_transcript_line = 16u << 20;

/// Reads chat transcripts in the OpenAI message form, one conversation per line:
///
///     {"id": "c1", "messages": [{"role": "user", "content": "…"}, …]}
///
/// Each user message begins a turn; earlier calls belong to the first turn. Each tool call in a
/// message of the assistant becomes a planned call of the current turn, after the calls of the
/// turn's previous message with calls. The tool message with its id is its recorded answer; that is
/// a failure if its content begins with "Error" or is a JSON object with an `error`. The text after
/// a turn's calls is its recorded response.
///
/// The tools have recorded answers, by the ids of calls, and take 50 to 800 milliseconds. A call
/// without a tool message has no recorded answer.
///
/// If the id of a call occurs again, it gets "#2", "#3" and so on; a slash in it becomes "_". A
/// tool message belongs to the latest unanswered call with its id. Arguments that are no JSON
/// object become `{"raw": text}`. Unknown members are ignored. Every conversation has its own agent
/// with its id.
///
/// Blank lines, line ends with a carriage return and a byte order mark are allowed. An error names
/// `file`, the line, the field and what was expected.
caf::expected<std::vector<conversation>> read_transcript(
  std::string_view text, std::string_view file);

} // namespace scratchpage
