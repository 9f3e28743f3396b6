#include "scratchpage/runtime/mcp/server/task_table.hpp"

#include <utility>

#include "scratchpage/runtime/auth/token.hpp"

namespace scratchpage::mcp {

namespace {

constexpr size_t id_bytes = 24;

} // namespace

task_table::task_table(setup x)
  : x_{std::move(x)},
    places_{x_.of_client, x_.of_all_clients} {}

std::shared_ptr<task> task_table::begin(const principal& who) {
  if (x_.has_memory && !x_.has_memory())
    return nullptr;
  auto place = places_.take(who.by, 1);
  if (!place)
    return nullptr;
  auto id = auth::random_text(id_bytes);
  auto forget_later = [weak = weak_from_this()](const std::string& which) {
    if (auto self = weak.lock())
      self->on_end(which);
  };
  auto result = std::make_shared<task>(
    task::setup{id, who, x_.on, room_, x_.timeout, std::move(forget_later), std::move(place)});
  tasks_.emplace(std::move(id), result);
  return result;
}

std::shared_ptr<task> task_table::find(const std::string& id, const principal& who) const {
  auto found = tasks_.find(id);
  return found != tasks_.end() && found->second->who().same_as(who) ? found->second : nullptr;
}

void task_table::close() {
  for (const auto& [id, x] : std::exchange(tasks_, {}))
    x->abandon();
}

void task_table::on_end(const std::string& id) {
  x_.on->after(task_limits::kept, [weak = weak_from_this(), id] {
    if (auto self = weak.lock())
      self->tasks_.erase(id);
  });
}

} // namespace scratchpage::mcp
