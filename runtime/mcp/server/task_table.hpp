#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/resource_places.hpp"
#include "scratchpage/runtime/mcp/server/task.hpp"

namespace scratchpage::mcp {

/// The tasks of a server, by random ids. Their number and the bytes of their results are bounded. A
/// task is kept for a while after its end, and lost with the process. Used on the strand.
class task_table : public std::enable_shared_from_this<task_table> {
public:
  struct setup {
    std::shared_ptr<strand> on;
    timespan timeout; ///< of questions
    size_t of_client = task_limits::of_client;
    size_t of_all_clients = task_limits::of_all_clients;
    std::function<bool()> has_memory = nullptr; ///< null: always
  };

  explicit task_table(setup x);

  /// A new task of that client; null if there is no room.
  std::shared_ptr<task> begin(const principal& who);

  /// The task with that id; null if that client has none. Others cannot learn that it exists.
  std::shared_ptr<task> find(const std::string& id, const principal& who) const;

  /// The server ends. Call it, since what waits for a task may own the table.
  void close();

  size_t size() const { return tasks_.size(); }

private:
  void on_end(const std::string& id);

  setup x_;
  resource_places places_; // the same counts as for subscriptions
  std::shared_ptr<resource_places> room_ = std::make_shared<resource_places>(
    task_limits::client_result_bytes, task_limits::all_result_bytes);
  std::map<std::string, std::shared_ptr<task>, std::less<>> tasks_;
};

} // namespace scratchpage::mcp
