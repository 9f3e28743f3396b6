#pragma once

#include <memory>
#include <string>
#include <utility>

#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/client/agent_client.hpp"
#include "scratchpage/runtime/execution/work_queue.hpp"

namespace scratchpage {

/// The user of this machine, beside a program that serves an agent of theirs: calls operations as
/// the owner of the agents, over a connection that opens with the first call. May be used from any
/// thread.
class local_person {
public:
  explicit local_person(agent_options options)
    : options_{std::move(options)} {}

  /// Calls an operation. `then` is called once, on any thread, which it must not block.
  void start(std::string operation, json::object arguments, agent_client::on_answer then);

private:
  static constexpr size_t max_waiting = 64;

  void call(std::string operation, json::object arguments, agent_client::on_answer then);

  const agent_options options_;
  std::unique_ptr<agent_client> agent_; ///< used by the queue; null: not open yet
  work_queue work_{{.pieces = max_waiting}, work_queue::pace::as_others}; // ends first
};

} // namespace scratchpage
