#pragma once

#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"

/// An operation by its name (contract 3), as edges ask for it.

namespace scratchpage {

/// Whoever speaks for somebody outside has seen to it that `by` is who they are.
struct call_operation {
  caller by;
  std::string thread_id; ///< whose scratchbook is meant
  std::string operation;
  json::object arguments;

  static constexpr auto fields(auto all) {
    using self = call_operation;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("operation", &self::operation), optional("arguments", &self::arguments));
  }
};

/// What it answers, as edges pass it on: nobody between an actor and a client reads it.
struct operation_answer {
  std::string result = "null"; ///< JSON; null where there is nothing to tell

  static constexpr auto fields(auto all) {
    return all(optional("result", &operation_answer::result));
  }
};

} // namespace scratchpage
