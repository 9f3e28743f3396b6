#include <algorithm>
#include <utility>

#include <caf/event_based_actor.hpp>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"
#include "scratchpage/runtime/net/http/target.hpp"
#include "scratchpage/runtime/server/agent_list.hpp"
#include "scratchpage/runtime/server/agent_overview.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/runtime/server/thread_list.hpp"

/// The lists that are no operation of an agent: the agents of the host, and the threads of one.

namespace scratchpage::server {

namespace {

caf::error check_access(const principal& who, const std::string& agent_id) {
  return who.check_agent ? who.check_agent(agent_id) : caf::error{};
}

http::response too_many_wait() {
  return http::error_response(fail(errc::overloaded, "", "expected fewer requests that wait"));
}

caf::error expect_no_query(std::string_view query) {
  auto given = http::parse_query(query);
  if (!given)
    return given.error();
  return given->empty() ? caf::error{} : unknown_parameter(given->front().first);
}

} // namespace

void service::list_agents(const http::request& x, const principal& who, const exchange_ptr& to) {
  auto which = read_list_order(x.query);
  if (!which)
    return to->respond(http::error_response(which.error()));
  auto list = [this, who, to, which = std::move(*which)] {
    auto part = list_some(host_.histories(), which, who.check_agent);
    if (!part)
      return to->respond(http::error_response(part.error()));
    tell_agents(std::move(*part), which.in_detail, who, to);
  };
  if (!agents_.later(std::move(list)))
    to->respond(too_many_wait());
}

/// Details are those of open agents: reading opens none.
void service::tell_agents(
  agent_list part, bool in_detail, const principal& who, const exchange_ptr& to) {
  json::object result;
  auto& list = result["agents"].emplace_array();
  for (const auto& id : part.ids)
    list.push_back(json::string_view{id.data(), id.size()});
  if (!part.next_cursor.empty())
    result["next_cursor"] = part.next_cursor;
  if (!in_detail)
    return to->respond(http::json_response(200, result));
  overview_order order{host_.agents(), as_outside(who.by), who.by.role != role::tool};
  std::erase_if(order.agents,
    [&](const hosted_agent_ptr& one) { return !std::ranges::binary_search(part.ids, one->id); });
  operations_.run([order = std::move(order), result = std::move(result), to](
                    caf::event_based_actor* self) mutable {
    collect_overview(
      self, std::move(order), [to, result = std::move(result)](json::array details) mutable {
        result["details"] = std::move(details);
        to->respond(http::json_response(200, result));
      });
  });
}

/// `GET /v1/agents/{agent}/threads`: which threads have a scratchbook.
void service::list_threads(const http::request& x, const std::string& agent_id,
  const principal& who, const exchange_ptr& to) {
  if (auto err = expect_no_query(x.query))
    return to->respond(http::error_response(err));
  if (auto refused = refuse_body(x))
    return to->respond(std::move(*refused));
  if (auto err = check_access(who, agent_id))
    return to->respond(http::error_response(err));
  if (who.by.role == role::tool)
    return to->respond(
      http::error_response(fail(errc::forbidden, "by.role", "a tool has no scratchbook")));
  auto list = [this, by = as_outside(who.by), to](caf::expected<hosted_agent_ptr> agent) {
    if (!agent)
      return to->respond(http::error_response(agent.error()));
    auto read = [this, by, to, agent = std::move(*agent)] {
      auto folder = scratchbook_path(host_.with().scratchbook, {});
      folder.resize(folder.rfind('/') + 1);
      auto names = find_threads(host_.histories(), agent->id, folder);
      if (!names)
        return to->respond(http::error_response(names.error()));
      operations_.run(
        [agent, by, to, names = std::move(*names)](caf::event_based_actor* self) mutable {
          collect_threads(self, agent->scratchbooks, by, std::move(names),
            [to](const json::object& found) { to->respond(http::json_response(200, found)); });
        });
    };
    if (!agents_.later(std::move(read)))
      to->respond(too_many_wait());
  };
  agents_.with(agent_id, open_mode::existing, who.by, std::move(list));
}

} // namespace scratchpage::server
