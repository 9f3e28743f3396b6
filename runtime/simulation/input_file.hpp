#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/transcript.hpp"

namespace scratchpage {

/// Reads a whole file of text. The error names it. A file that is compressed, or in UTF-16, is
/// refused.
caf::expected<std::string> read_text_file(const std::filesystem::path& path);

/// The kind of a text: a scenario (one object), or a transcript (objects with `messages`). If the
/// text does not show its kind, the name of its file decides.
enum class input_kind : uint8_t { scenario, transcript };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<input_kind>{"scenario", "transcript"};

input_kind kind_of_input(std::string_view text, std::string_view file);

/// Reads the conversations of one input file, at least one.
caf::expected<conversations_read> read_input(const std::filesystem::path& path);

/// Reads the conversations of several files, in order. An id that occurs in an earlier file gets
/// "#2", "#3" and so on. If `is_strict`, the first notice is an error.
caf::expected<conversations_read> read_inputs(
  const std::vector<std::filesystem::path>& paths, bool is_strict = false);

/// Reads a configuration file: one JSON object, comments allowed.
caf::expected<json::object> read_config_file(const std::filesystem::path& path);

} // namespace scratchpage
