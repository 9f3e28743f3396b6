#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/simulation/conversation.hpp"

namespace scratchpage {

/// A whole file; the error names it.
caf::expected<std::string> read_text_file(const std::filesystem::path& path);

/// What a text holds: a scenario (one object), or a transcript (an object with
/// `messages` a line). Only a text that tells neither is judged by its name.
enum class input_kind : uint8_t { scenario, transcript };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<input_kind>{"scenario", "transcript"};

input_kind kind_of_input(std::string_view text, std::string_view file);

/// The conversations of one input file, at least one.
caf::expected<std::vector<conversation>> read_input(const std::filesystem::path& path);

/// Those of several, in their order. An id that occurs in an earlier file gets
/// "#2", "#3" and so on.
caf::expected<std::vector<conversation>> read_inputs(
  const std::vector<std::filesystem::path>& paths);

/// A configuration file: one JSON object, comments allowed.
caf::expected<json::object> read_config_file(const std::filesystem::path& path);

} // namespace scratchpage
