#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <caf/expected.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"

namespace scratchpage {

/// Limits on reading pages of the past.
struct history_limits {
  static constexpr uint64_t at_once = 4;      ///< reads of all agents of a process
  static constexpr uint64_t waiting = 4;      ///< reads of one agent, the one that runs included
  static constexpr uint64_t read_ms = 25'000; ///< of one read
};

/// What the HISTORY READER of an agent needs.
struct history_access {
  uint64_t agent = 0; ///< the key of the agent in the store
  /// Opens a store that reads from the state of now.
  std::function<caf::expected<std::shared_ptr<store>>()> open;
  std::shared_ptr<http::counter> running; ///< reads of all agents
  std::shared_ptr<const scratchpage::clock> clock;
};

/// The HISTORY READER: reads pages of the past for the OPERATIONS of an agent, from one state of
/// the storage, so that the page goes on meanwhile. It waits for a disk or a server, so it has to
/// be spawned detached.
class history_reader_state {
public:
  using handle = operations_actor;
  static constexpr const char* name = "history_reader";

  history_reader_state(handle::pointer, history_access access)
    : access_{std::move(access)} {}

  handle::behavior_type make_behavior();

private:
  caf::result<operation_answer> read(call_operation& x);

  history_access access_;
};

} // namespace scratchpage
