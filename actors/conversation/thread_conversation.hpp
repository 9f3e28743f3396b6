#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/text/tokens.hpp"

namespace scratchpage {

/// The tokens of a message in a prompt: those of its texts, and some for its role and separators.
uint32_t tokens_of(const chat_message& x, const token_counter& count);

/// The messages of a conversation that its model still sees, and their tokens.
class conversation_history {
public:
  explicit conversation_history(token_counter count = estimate_tokens)
    : count_{std::move(count)} {}

  void add(chat_message x);

  uint64_t tokens() const { return tokens_; }
  const std::deque<chat_message>& messages() const { return messages_; }

  /// Removes and returns the oldest messages, so that the rest has at most `max_tokens`. A call and
  /// its answers are removed together, since a model's interface refuses one without the other.
  std::vector<chat_message> take_oldest(uint64_t max_tokens);

  /// The number of messages that `take_oldest` would remove.
  size_t oldest_beyond(uint64_t max_tokens) const;

  /// Puts removed messages back before the others.
  void put_back(std::vector<chat_message> xs);

private:
  token_counter count_;
  std::deque<chat_message> messages_;
  std::deque<uint32_t> costs_;
  uint64_t tokens_ = 0;
};

/// Messages as Markdown, for people and models. Each message has a heading, and its text is quoted,
/// so that no text can look like a heading.
std::string to_markdown(const std::vector<chat_message>& xs);

// -- files of a conversation ------------------------------------------------------------------

/// The file with the messages that the model sees.
std::string log_path(std::string_view thread_id);

/// The file with the messages that were offloaded.
std::string history_path(std::string_view thread_id);

/// The file for a text that is too long. Equal texts have the same path.
std::string result_path(std::string_view thread_id, std::string_view text);

/// Whether `path` is a file with offloaded messages or texts of that thread.
bool is_of_conversation(std::string_view path, std::string_view thread_id);

/// A line of the log. The log is JSON, one message per line, so that a message is appended at the
/// end.
std::string to_line(const chat_message& x);

struct read_log {
  std::vector<chat_message> messages;
  bool is_torn = false; ///< the last line was incomplete, and was left out
};

/// Parses a log. Error: `internal`, which names the line.
caf::expected<read_log> from_lines(std::string_view text);

/// The conversation of one thread: the messages that its model sees, whether they are stored, and
/// counts of what was offloaded. It uses no actors: its owner reads and writes the files, and
/// reports the outcome.
class thread_conversation {
public:
  explicit thread_conversation(const token_counter& count)
    : count_{count},
      history_{count} {}

  // -- what is stored -------------------------------------------------------------------

  /// Begins with the stored messages; a new thread has none.
  void open(read_log stored);
  bool is_open() const { return is_open_; }

  /// Whether the log differs from the messages, so that it has to be written again as a whole.
  bool is_stale() const { return is_stale_; }
  /// The log of all messages.
  std::string lines() const;
  void note_stored() { is_stale_ = false; }
  void note_not_stored(const caf::error& why);

  // -- what is said ---------------------------------------------------------------------

  /// Adds the messages. Returns their lines for the log.
  std::string add(std::vector<chat_message> xs);
  const std::deque<chat_message>& messages() const { return history_.messages(); }
  uint64_t tokens() const { return history_.tokens(); }

  /// The latest message of a user, or "".
  std::string last_words() const;

  /// The prompt, with as many of the latest messages as fit into `room` tokens.
  model_prompt prompt(system_prompt system, uint64_t room) const;

  // -- what is offloaded ----------------------------------------------------------------

  /// As `conversation_history::take_oldest`.
  std::vector<chat_message> take_oldest(uint64_t max_tokens) {
    return history_.take_oldest(max_tokens);
  }
  /// The messages that were taken are in a file.
  void note_offloaded(const std::vector<chat_message>& xs);
  /// They could not be offloaded. They come back, and prompts leave them out.
  void put_back(std::vector<chat_message> xs, const caf::error& why);

  // -- statistics -----------------------------------------------------------------------

  conversation_stats stats() const;
  /// Resets the failure of the previous request.
  void begin_request() { stats_.failure.clear(); }
  void note_failure(const caf::error& why);
  /// A text was too long and was moved to a file.
  void note_evicted() { ++stats_.evicted; }
  /// The scratchbook got an item of so many tokens.
  void note_kept(uint32_t tokens) { stats_.kept_tokens += tokens; }

private:
  token_counter count_;
  conversation_history history_;
  conversation_stats stats_; // without the size of the history
  bool is_open_ = false;     // whether its log was read
  bool is_stale_ = false;
};

} // namespace scratchpage
