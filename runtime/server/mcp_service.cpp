#include "scratchpage/runtime/server/mcp_service.hpp"

#include <utility>

#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"

namespace scratchpage::server {

host_changes::host_changes(agent_host& host, std::shared_ptr<strand> on, perform_operation perform)
  : host_{host},
    on_{std::move(on)},
    perform_{std::move(perform)},
    polled_{std::make_shared<mcp::polled_changes>(on_, perform_)} {}

std::shared_ptr<void> host_changes::subscribe(
  const principal& who, mcp::wanted_changes what, on_change then) {
  auto open = host_.find(who.agent_id);
  if (!open)
    return polled_->subscribe(who, std::move(what), std::move(then));
  std::erase_if(by_agent_, [](const auto& x) { return x.second.expired(); });
  auto& known = by_agent_[who.agent_id];
  auto feed = known.lock();
  if (!feed || !feed->is_of(open->page)) // feeds of a page that has ended poll by themselves
    feed =
      std::make_shared<mcp::agent_changes>(host_.system(), on_, open->page, open->cortex, perform_);
  known = feed;
  return feed->subscribe(who, std::move(what), std::move(then));
}

namespace {

/// As whom an answer of a client's user counts: only a client that is a person gives a person's
/// word, unless the configuration trusts agents with it.
mcp::person_at persons_of(elicitation trusted) {
  if (trusted == elicitation::off)
    return nullptr;
  return [trusted](const principal& client, const std::string& user) -> std::optional<principal> {
    if (is_owner(client.by) || (is_person(client.by) && client.by.name == user))
      return client;
    if (trusted != elicitation::agents || client.by.role == role::tool)
      return std::nullopt;
    auto result = client;
    result.by = as_user(user);
    return result;
  };
}

} // namespace

mcp_service::mcp_service(agent_host& host, const agent_calls& calls, auth::host_check names)
  : strand_{std::make_shared<actor_strand>(host.system(), std::make_shared<wall_clock>())} {
  auto perform = mcp::on_strand(strand_, calls.performer(), host.answers());
  auto offers = std::make_shared<mcp::agent_provider>(perform,
    std::make_shared<host_changes>(host, strand_, perform),
    persons_of(host.with().consent.elicitation));
  mcp::http_endpoint_config config;
  config.names = std::move(names);
  config.max_sessions = max_sessions;
  mcp::server_config limits;
  limits.check_memory = [&host] { return host.check_memory(); };
  endpoint_ = std::make_shared<mcp::http_endpoint>(
    std::make_shared<mcp::server>(strand_, offers, std::move(limits)), std::move(config));
}

mcp_service::~mcp_service() {
  strand_->stop();
}

void mcp_service::answer(
  http::request x, principal who, const std::shared_ptr<http::exchange>& to) {
  endpoint_->handle(std::move(x), to, std::move(who));
}

} // namespace scratchpage::server
