#pragma once

#include <map>
#include <mutex>
#include <string>

#include "scratchpage/runtime/client/link.hpp"

namespace scratchpage::rpc {

/// The calls of a link that wait for their answers, by number. Without a transport; may
/// be used from any thread.
class pending_calls {
public:
  /// The text to send for a call; "" if the other side has said that it is about to end,
  /// or the link has ended: then it was answered, by `overloaded` about `server`.
  std::string begin(std::string method, json::object params, link::on_answer then);

  /// Takes a message that came: an answer goes to who asked, a notification to `tell`;
  /// anything else is passed over. False if the other side is about to end, and nothing
  /// is waited for any more.
  bool take(std::string_view text, const link::listener& tell);

  /// Answers all by this error, and begins no more.
  void end(const caf::error& why);

private:
  void take_notification(
    std::string_view method, json::object& message, const link::listener& tell);
  link::on_answer find(const json::object& message);

  std::mutex guard_;
  std::map<uint64_t, link::on_answer> waiting_;
  uint64_t last_ = 0;
  bool ended_ = false;
};

} // namespace scratchpage::rpc
