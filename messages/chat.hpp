#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

/// A conversation as a model sees it.

namespace scratchpage {

enum class chat_role : uint8_t { user, assistant, tool };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<chat_role>{"user", "assistant", "tool"};

/// A tool that an assistant's message calls.
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
  std::vector<chat_call> calls; ///< an assistant's
  std::string call_id;          ///< which of them a tool's message answers
  std::string name;             ///< of that tool

  static constexpr auto fields(auto all) {
    using self = chat_message;
    return all(required("role", &self::role), optional("content", &self::content),
      optional("calls", &self::calls), optional("call_id", &self::call_id),
      optional("name", &self::name));
  }

  bool operator==(const chat_message&) const = default;
};

} // namespace scratchpage
