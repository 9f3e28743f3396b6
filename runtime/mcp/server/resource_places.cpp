#include "scratchpage/runtime/mcp/server/resource_places.hpp"

#include <utility>

#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage::mcp {

namespace {

/// The key of a client. Programs whose names are not authenticated share one.
std::string key_of(const caller& by) {
  if (by.claimed)
    return {};
  return std::string{name_of(by.kind)}.append(1, '\0').append(by.name);
}

} // namespace

std::shared_ptr<const void> resource_places::take(const caller& by, size_t many) {
  auto client = key_of(by);
  auto found = taken_->by_client.find(client);
  auto has = found != taken_->by_client.end() ? found->second : 0;
  if (has + many > of_client_ || taken_->all + many > of_all_clients_)
    return nullptr;
  taken_->by_client[client] = has + many;
  taken_->all += many;
  auto leave = [all = taken_, client, many](const void*) { all->give_back(client, many); };
  return {this, std::move(leave)};
}

void resource_places::counts::give_back(const std::string& client, size_t many) {
  all -= many;
  auto of = by_client.find(client);
  if (of != by_client.end() && (of->second -= many) == 0)
    by_client.erase(of);
}

std::string resource_places::refusal(const caller& by) const {
  return "expected subscriptions to at most " + std::to_string(of_client_) + " resources of "
         + principal_of(by) + ", and to " + std::to_string(of_all_clients_) + " of all clients";
}

} // namespace scratchpage::mcp
