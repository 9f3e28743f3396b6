#pragma once

#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"

/// Operations that edges ask for by name (contract 3).

namespace scratchpage {

/// Asks for an operation. Whoever sends it for a caller from outside has authenticated that caller,
/// so `by` is trusted.
struct call_operation {
  caller by;
  std::string thread_id; ///< the thread whose scratchbook the operation works on
  std::string operation;
  json::object arguments;

  static constexpr auto fields(auto all) {
    using self = call_operation;
    return all(required("by", &self::by), optional("thread_id", &self::thread_id),
      required("operation", &self::operation), optional("arguments", &self::arguments));
  }
};

/// The answer of an operation, as text: nobody between the actor and the client has to parse it.
struct operation_answer {
  std::string result = "null"; ///< JSON; null if the operation has no result

  static constexpr auto fields(auto all) {
    return all(optional("result", &operation_answer::result));
  }
};

} // namespace scratchpage
