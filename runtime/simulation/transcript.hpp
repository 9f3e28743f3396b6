#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"

namespace scratchpage {

struct transcript_limits {
  static constexpr size_t line_bytes = 16u << 20; ///< of one conversation
  static constexpr size_t notices = 1'000;        ///< that are kept; further ones are counted
};

/// Something in an input that was left out or changed.
struct input_notice {
  std::string text;     ///< "FILE:LINE: FIELD: …", a sentence for people
  bool refused = false; ///< whether the whole line was left out
};

/// What was left out or changed while inputs were read. Of many notices the first are kept.
class input_notices {
public:
  /// Notes that a part of a line was left out or changed. `err` names the place.
  void note(const caf::error& err) { add(err, false); }

  /// Notes that a whole line was left out.
  void refuse(const caf::error& err) { add(err, true); }

  void append(const input_notices& x);

  const std::vector<input_notice>& kept() const { return kept_; }
  size_t count() const { return count_; }     ///< also of those that are not kept
  size_t refused() const { return refused_; } ///< lines that were left out
  const caf::error& first() const { return first_; }

private:
  void add(const caf::error& err, bool refused);

  std::vector<input_notice> kept_;
  size_t count_ = 0;
  size_t refused_ = 0;
  caf::error first_;
};

/// Conversations that were read, and what was left out of the files.
struct conversations_read {
  std::vector<conversation> conversations;
  input_notices notices;
};

/// Gets each conversation with its line and the JSON value that it was read from. An error refuses
/// it.
using conversation_sink = std::function<caf::error(conversation, size_t, const json::value&)>;

/// Reads chat transcripts in the OpenAI message form, one conversation per line:
///
///     {"id": "c1", "messages": [{"role": "user", "content": "…"}, …]}
///
/// A file may also be a list of such conversations, or have each of them on several lines. A list
/// of messages is a conversation, too. docs/scenarios.md lists the accepted forms.
///
/// Each user message begins a turn; earlier calls belong to the first turn. Each tool call in a
/// message of the assistant becomes a planned call of the current turn, after the calls of the
/// turn's previous message with calls. A message of a tool is the recorded answer of a call
/// (`open_calls`); that is a failure if its content begins with "Error" or is a JSON object with an
/// `error`. The text after a turn's calls is its recorded response. The tools have recorded
/// answers, by the ids of calls, and take 50 to 800 milliseconds. A call without an answer is
/// answered as `unanswered_outputs` says.
///
/// A conversation without an id gets the name of its line, and one whose id an earlier line has
/// gets "#2", "#3" and so on. A line that is no conversation is left out, and so is a message that
/// cannot be read; the notices name `file`, the line, the field and what was expected.
///
/// The error says why not even one conversation could be read.
caf::expected<conversations_read> read_transcript(std::string_view text, std::string_view file);

/// As above, for a caller that reads more of each value. Returns the notices.
caf::expected<input_notices> read_transcript(
  std::string_view text, std::string_view file, const conversation_sink& sink);

/// Whether the value is a conversation of a transcript, or a list of them.
bool is_of_transcript(const json::value& x);

} // namespace scratchpage
