#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/runtime/mcp/server/provider.hpp"
#include "scratchpage/runtime/mcp/server/resource_places.hpp"

namespace scratchpage::mcp {

/// What capabilities say: which lists can change, and whether clients can subscribe to resources.
wanted_changes changes_of_lists(const json::object& capabilities);
bool can_subscribe(const json::object& capabilities);

class task;
class task_table;

/// Serves `subscriptions/listen`: calls that stay open and report changes.
class listening {
public:
  listening(std::shared_ptr<provider> offers, std::shared_ptr<resource_places> places, size_t most,
    size_t max_uris)
    : offers_{std::move(offers)},
      places_{std::move(places)},
      most_{most},
      max_uris_{max_uris} {}

  /// Clients may also listen to tasks, of this table. Without one, they hear of none.
  void use(std::shared_ptr<task_table> tasks) { tasks_ = std::move(tasks); }

  /// Refuses the call if its filter names something that is no resource, or that the client may not
  /// read.
  void begin(const std::shared_ptr<call>& by);

private:
  using call_ptr = std::shared_ptr<call>;
  using tasks = std::vector<std::shared_ptr<task>>;

  wanted_changes wanted_by(const json::object& filter, std::set<std::string> uris) const;
  bool are_readable(const call_ptr& by, const std::set<std::string>& uris) const;
  std::optional<tasks> tasks_in(const json::object& filter, const call_ptr& by) const;
  void follow(const call_ptr& by, wanted_changes what, const tasks& which,
    std::shared_ptr<const void> places);

  std::shared_ptr<provider> offers_;
  std::shared_ptr<resource_places> places_;
  std::shared_ptr<task_table> tasks_;
  size_t most_;
  size_t max_uris_;
  std::shared_ptr<size_t> open_ = std::make_shared<size_t>(0);
};

} // namespace scratchpage::mcp
