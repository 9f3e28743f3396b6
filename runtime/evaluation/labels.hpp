#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/transcript.hpp"

namespace scratchpage {

/// The names that count as right, "" for nothing. An empty list is no label: nothing is counted.
using accepted_names = std::vector<std::string>;

/// What should be decided about one user message and the assistant's answer to it. A member that
/// is absent or empty is not counted. The names are those of the enums in the comments.
struct turn_label {
  accepted_names urgency;                            ///< of `urgency`
  accepted_names assessment;                         ///< of `evaluation_outcome`
  std::optional<uint32_t> goals_opened;              ///< how many
  std::optional<uint32_t> goals_completed;           ///< how many
  std::optional<uint32_t> goals_abandoned;           ///< how many
  accepted_names waiting;                            ///< of `waiting_kind`: what the answer asks
  accepted_names answered;                           ///< of `answer_kind`, to the last question
  std::optional<bool> asks_user;                     ///< whether the Clarifier asks
  std::map<std::string, accepted_names> error_class; ///< of `error_class`, by call id
  std::map<std::string, accepted_names> recovery_action; ///< of `recovery_action`, by call id
};

/// A conversation with a label for each of its turns.
struct labelled_conversation {
  conversation played;
  std::vector<turn_label> labels;
};

/// The turn of a conversation that was read from a transcript; `number` counts from 0.
const replay_turn& turn_of(const conversation& x, size_t number);

/// Reads the `labels` of a conversation on that line of `file`: a list with one object for each
/// user message. Unknown members are errors. An error names the field and what was expected.
caf::expected<std::vector<turn_label>> read_labels(
  const json::object& line_value, const conversation& of, std::string_view file, size_t line);

/// Labelled conversations that were read, and what was left out of the files.
struct labelled_read {
  std::vector<labelled_conversation> conversations;
  input_notices notices;
};

/// Reads a transcript (`read_transcript`) whose lines have `labels`. A line whose labels cannot be
/// read is left out.
caf::expected<labelled_read> read_labelled(std::string_view text, std::string_view file);

/// Reads several files, in order. If `is_strict`, the first notice is an error.
caf::expected<labelled_read> read_labelled_files(
  const std::vector<std::filesystem::path>& paths, bool is_strict = false);

} // namespace scratchpage
