#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/message_content.hpp"
#include "scratchpage/runtime/simulation/recorded_calls.hpp"
#include "scratchpage/runtime/simulation/transcript.hpp"

namespace scratchpage {

/// Reads one conversation of a transcript. What cannot be read of it is left out and noted.
class conversation_reader {
public:
  /// `line` is where the conversation begins in `file`.
  conversation_reader(std::string_view file, size_t line, input_notices& notices)
    : file_{file},
      line_{line},
      notices_{notices} {}

  /// Reads the messages into the steps, tools and instructions of `out`. Turns get the agent
  /// `out.id`. The error says why it is no conversation.
  caf::error read(const json::value& in, conversation& out);

private:
  caf::error read_messages(const json::array& in, const std::string& path);
  void read_message(const json::value& in, const std::string& path);
  void read_user(const json::object& in, const std::string& path);
  void read_assistant(const json::object& in, const std::string& path);
  void read_tool(const json::object& in, const std::string& path, bool is_function);
  void begin_turn_with(std::string content);
  void close_messages();
  void read_calls(const json::object& in, const std::string& path, const message_content& content);
  void read_call(const json::value& in, const std::string& path);
  void add_call(std::string_view id, const json::object& named, std::string_view arguments,
    const std::string& path);
  void add_answer(std::string_view id, std::string_view name, const std::string& content,
    const std::string& path);
  void note_unknown(const message_content& content, const std::string& path);
  recorded_tool& tool(const std::string& tool_id);
  std::string unique_id(std::string id);
  std::vector<planned_call>& plan();
  void answer_open_calls();
  void finish(conversation& out);
  void note(std::string_view field, const std::string& expected);

  std::string_view file_;
  size_t line_;
  input_notices& notices_;
  std::vector<replay_turn> turns_;
  std::vector<chat_message> messages_; ///< belong to no turn yet
  std::string instructions_;
  std::vector<planned_call> early_plan_;    ///< of calls before the first user message
  std::vector<std::string> previous_calls_; ///< of the turn's latest message with calls
  std::vector<std::string> new_calls_;      ///< of the message that is read
  open_calls unanswered_;
  bool after_assistant_ = false;      ///< whether the message before was the assistant's
  std::map<std::string, size_t> ids_; ///< how often each id was asked for
  std::vector<tool_definition> tools_;
  std::map<std::string, size_t> tool_index_;
};

} // namespace scratchpage
