#include <variant>

#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/server.hpp"

/// The SERVER's part that serves tasks: the extension `io.modelcontextprotocol/tasks`.

namespace scratchpage::mcp {

/// The task that a request is about. Null if the request was refused: a client learns nothing about
/// tasks of others.
std::shared_ptr<task> server::task_of(const call_ptr& by) const {
  if (!by->declares_tasks()) {
    by->refuse(missing_tasks_extension());
    return nullptr;
  }
  auto id = text_in(by->params(), "taskId");
  auto found = id ? parts_->tasks->find(*id, by->who()) : nullptr;
  if (!found)
    by->refuse(invalid_params(
      "taskId: expected the id of a task of this client; one that has ended is forgotten after "
      + std::to_string(std::chrono::duration_cast<std::chrono::minutes>(task_limits::kept).count())
      + " minutes, and all are when the server ends"));
  return found;
}

void server::get_task(const call_ptr& by) {
  if (auto found = task_of(by))
    by->give_members(found->detailed());
}

void server::update_task(const call_ptr& by) {
  auto found = task_of(by);
  if (!found)
    return;
  if (object_in(by->params(), "inputResponses") == nullptr)
    return by->refuse(invalid_params("inputResponses: expected an object"));
  auto given = answers_in(by->params());
  if (const auto* wrong = std::get_if<error>(&given))
    return by->refuse(*wrong);
  if (auto wrong = found->update(std::get<answers>(given)))
    return by->refuse(*wrong);
  by->give({});
}

void server::cancel_task(const call_ptr& by) {
  auto found = task_of(by);
  if (!found)
    return;
  found->ask_to_cancel();
  by->give({});
}

} // namespace scratchpage::mcp
