#pragma once

#include <string>
#include <utility>

#include "scratchpage/messages/conversation.hpp"

/// Short functions that create the messages of conversations.

namespace scratchpage::test {

inline chat_message user(std::string content) {
  return {chat_role::user, std::move(content), {}, {}, {}};
}

inline chat_message assistant(std::string content) {
  return {chat_role::assistant, std::move(content), {}, {}, {}};
}

inline chat_message calling(std::string id, std::string name, std::string arguments = "{}") {
  return {
    chat_role::assistant, {}, {{std::move(id), std::move(name), std::move(arguments)}}, {}, {}};
}

inline chat_message answering(std::string id, std::string name, std::string content) {
  return {chat_role::tool, std::move(content), {}, std::move(id), std::move(name)};
}

} // namespace scratchpage::test
