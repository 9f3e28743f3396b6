#pragma once

#include <map>
#include <mutex>
#include <string>

#include "scratchpage/runtime/rpc/link.hpp"

namespace scratchpage::rpc {

/// The calls of a link that wait for their answers, by number. Without a transport; may
/// be used from any thread.
class pending_calls {
public:
  /// The text to send for a call; "" if the link has ended, and then it was answered.
  std::string begin(std::string method, json::object params, link::on_answer then);

  /// Takes a message that came: an answer goes to who asked, a notification to `tell`;
  /// anything else is passed over.
  void take(std::string_view text, const link::listener& tell);

  /// Answers all, and from now on every call at once, by this error.
  void end(const caf::error& why);

private:
  link::on_answer find(const json::object& message);

  std::mutex guard_;
  std::map<uint64_t, link::on_answer> waiting_;
  uint64_t last_ = 0;
  caf::error ended_;
};

} // namespace scratchpage::rpc
