#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::http {

/// A request and how it was answered, for whoever keeps a log. Its query is not told: there
/// may be secrets in it.
struct answered_request {
  std::string method;
  std::string path;
  std::string peer;
  uint32_t status = 0;
  timespan took{}; ///< until its answer, or the beginning of a stream
};

/// Called on a server's thread, which it must not block.
using on_answered = std::function<void(const answered_request&)>;

} // namespace scratchpage::http
