#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/scratchbook.hpp"

/// A conversation as a model sees it.

namespace scratchpage {

enum class chat_role : uint8_t { user, assistant, tool };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<chat_role>{"user", "assistant", "tool"};

/// A call of a tool in a message of the assistant.
struct chat_call {
  std::string id;
  std::string name;
  std::string arguments; ///< JSON, as the model wrote it

  static constexpr auto fields(auto all) {
    using self = chat_call;
    return all(required("id", &self::id), required("name", &self::name),
      optional("arguments", &self::arguments));
  }

  bool operator==(const chat_call&) const = default;
};

struct chat_message {
  chat_role role = chat_role::user;
  std::string content;
  std::vector<chat_call> calls; ///< only in a message of the assistant
  std::string call_id;          ///< only in a message of a tool: the call that it answers
  std::string name;             ///< only in a message of a tool: the tool's name

  static constexpr auto fields(auto all) {
    using self = chat_message;
    return all(required("role", &self::role), optional("content", &self::content),
      optional("calls", &self::calls), optional("call_id", &self::call_id),
      optional("name", &self::name));
  }

  bool operator==(const chat_message&) const = default;
};

} // namespace scratchpage

/// Requests about a conversation that has to fit into a model's context window (contract 11,
/// Offload).

namespace scratchpage {

/// Adds messages at the end of a conversation. The answer comes after the messages that no longer
/// fit have been offloaded.
struct append_messages {
  caller by;
  std::string thread_id;
  std::vector<chat_message> messages;

  static constexpr auto fields(auto all) {
    using self = append_messages;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("messages", &self::messages));
  }
};

/// Figures about a conversation. Totals count from when the conversation was opened.
struct conversation_stats {
  uint64_t messages = 0;         ///< that the model sees
  uint64_t tokens = 0;           ///< of these messages
  uint64_t evicted = 0;          ///< total of texts that were too long and were moved to files
  uint64_t compactions = 0;      ///< total
  uint64_t offloaded = 0;        ///< total of messages that were offloaded
  uint64_t offloaded_tokens = 0; ///< total of their tokens
  uint64_t kept_tokens = 0;      ///< total of tokens that the scratchbook got in their place
  std::string failure;           ///< why the last storing or compacting failed; "" if it did not

  static constexpr auto fields(auto all) {
    using self = conversation_stats;
    return all(required("messages", &self::messages), required("tokens", &self::tokens),
      required("evicted", &self::evicted), required("compactions", &self::compactions),
      required("offloaded", &self::offloaded),
      required("offloaded_tokens", &self::offloaded_tokens),
      required("kept_tokens", &self::kept_tokens), optional("failure", &self::failure));
  }
};

/// Asks for the next prompt of a thread.
struct make_prompt {
  caller by;
  std::string thread_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &make_prompt::by), optional("thread_id", &make_prompt::thread_id));
  }
};

struct model_prompt {
  std::string system;
  std::vector<chat_message> messages;
  uint64_t tokens = 0; ///< of both; at most the window minus the room for the reply
  uint64_t hidden = 0; ///< messages that do not fit and wait to be offloaded

  static constexpr auto fields(auto all) {
    return all(required("system", &model_prompt::system),
      required("messages", &model_prompt::messages), required("tokens", &model_prompt::tokens),
      optional("hidden", &model_prompt::hidden));
  }
};

/// Asks the COMPACTOR what to keep of a part of a conversation that the model no longer sees.
struct compact_messages {
  caller by;
  std::string thread_id;
  std::string path;                    ///< of the file that the part was written to
  std::vector<chat_message> offloaded; ///< the part
  std::vector<chat_message> kept;      ///< the messages after it, which the model still sees
  scratchpage::scratchbook scratchbook;
  std::vector<goal> goals;              ///< the agent's
  std::vector<observation_ptr> pending; ///< confirmations that nobody has answered

  static constexpr auto fields(auto all) {
    using self = compact_messages;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("path", &self::path), required("offloaded", &self::offloaded),
      optional("kept", &self::kept), required("scratchbook", &self::scratchbook),
      optional("goals", &self::goals), optional("pending", &self::pending));
  }
};

/// What to write into the scratchbook, so that the conversation can go on without the part.
struct compaction_plan {
  std::string summary_id;               ///< the summary note that exists; "" if there is none
  item_draft summary;                   ///< the new content of the summary note
  std::vector<item_draft> next_actions; ///< only those that the scratchbook does not have yet
  std::vector<uint32_t> pins;           ///< indexes of the `next_actions` to pin

  static constexpr auto fields(auto all) {
    using self = compaction_plan;
    return all(optional("summary_id", &self::summary_id), required("summary", &self::summary),
      optional("next_actions", &self::next_actions), optional("pins", &self::pins));
  }
};

} // namespace scratchpage
