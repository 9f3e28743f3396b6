#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <caf/expected.hpp>
#include <caf/fwd.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::server {

struct thread_list_limits {
  static constexpr size_t threads = 100; ///< whose scratchbooks one answer describes
};

/// Threads of an agent that have a scratchbook.
struct thread_names {
  std::vector<std::string>
    ids; ///< at most `thread_list_limits::threads`, in the order of their file names
  uint64_t left_out = 0; ///< more threads, or threads whose ids are too long for file names
};

/// Finds them by the versions of the files in `folder`. Waits for the disk. Error:
/// `storage_unavailable`. An agent that is not stored has none.
caf::expected<thread_names> find_threads(
  store& in, const std::string& agent_id, const std::string& folder);

/// Asks for each scratchbook, one after another, and calls `then` with one object for each that
/// answers, the latest change first: `thread_id`, `items` (that are not archived), `open` and
/// `updated_at_ns` of the last change. Runs in the actor `self`.
void collect_threads(caf::event_based_actor* self, const scratchbook_actor& books, const caller& by,
  thread_names names, std::function<void(json::object)> then);

} // namespace scratchpage::server
