#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/chat.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/scratchbook.hpp"

/// A conversation within a model's window, and what becomes of it when it has no
/// room (contract 11, offload).

namespace scratchpage {

/// Adds what was said, in order. Answered when what had to leave has left.
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

/// How a conversation is doing; what is counted "so far" is since it was opened.
struct conversation_stats {
  uint64_t messages = 0;         ///< in sight of the model
  uint64_t tokens = 0;           ///< of them
  uint64_t evicted = 0;          ///< texts that were too long and are in files, so far
  uint64_t compactions = 0;      ///< so far
  uint64_t offloaded = 0;        ///< messages that left, so far
  uint64_t offloaded_tokens = 0; ///< and what they had cost
  uint64_t kept_tokens = 0;      ///< what the scratchbook got for them costs
  std::string failure;           ///< what could not be stored or compacted just now; "": nothing

  static constexpr auto fields(auto all) {
    using self = conversation_stats;
    return all(required("messages", &self::messages), required("tokens", &self::tokens),
      required("evicted", &self::evicted), required("compactions", &self::compactions),
      required("offloaded", &self::offloaded),
      required("offloaded_tokens", &self::offloaded_tokens),
      required("kept_tokens", &self::kept_tokens), optional("failure", &self::failure));
  }
};

/// The next prompt of a thread.
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
  uint64_t tokens = 0; ///< of both; never more than the window without the reply
  uint64_t hidden = 0; ///< messages that wait to be offloaded and have no room

  static constexpr auto fields(auto all) {
    return all(required("system", &model_prompt::system),
      required("messages", &model_prompt::messages), required("tokens", &model_prompt::tokens),
      optional("hidden", &model_prompt::hidden));
  }
};

/// What is known when a part of a conversation leaves the model's sight.
struct compact_messages {
  caller by;
  std::string thread_id;
  std::string path;                    ///< of the file that the part has gone to
  std::vector<chat_message> offloaded; ///< the part
  std::vector<chat_message> kept;      ///< what follows it
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

/// What the scratchbook gets, so that the conversation can go on without it.
struct compaction_plan {
  std::string summary_id;               ///< the summary note that is there; "": none
  item_draft summary;                   ///< what it says from now on
  std::vector<item_draft> next_actions; ///< none that is there already
  std::vector<uint32_t> pins;           ///< which of them to pin, from 0 on

  static constexpr auto fields(auto all) {
    using self = compaction_plan;
    return all(optional("summary_id", &self::summary_id), required("summary", &self::summary),
      optional("next_actions", &self::next_actions), optional("pins", &self::pins));
  }
};

} // namespace scratchpage
