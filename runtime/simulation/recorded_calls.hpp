#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// A call of a transcript.
struct recorded_call {
  std::string recorded_id; ///< as the transcript has it; "" if it has none
  std::string call_id;     ///< unique in the conversation
  std::string tool_id;
};

/// The calls of a conversation that have no answer yet. Finds the one that an answer belongs to.
class open_calls {
public:
  /// The calls that follow belong to a message. Messages that follow each other directly count as
  /// one: some programs write a message for each of several calls.
  void begin_message(bool follows_directly) { message_ += follows_directly ? 0 : 1; }

  void add(recorded_call x) { open_.push_back({std::move(x), message_}); }

  /// Takes the call that an answer with this id and this name of a tool belongs to; each may be "".
  /// Answers come in the order of their calls. So of several calls that fit it is the first in the
  /// latest message that has one, and of those one with the name if there is one. An answer
  /// without an id needs the same name, if it has one.
  std::optional<recorded_call> take(std::string_view recorded_id, std::string_view tool_id);

  /// Those that nothing has answered.
  std::vector<recorded_call> take_all();

private:
  struct entry {
    recorded_call call;
    size_t message = 0;
  };

  std::vector<entry> open_; ///< in their order
  size_t message_ = 0;
};

} // namespace scratchpage
