#include "scratchpage/runtime/mcp/server/subscriptions.hpp"

#include <array>
#include <optional>
#include <utility>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

/// The key of a client. Programs whose names are not authenticated share one.
std::string key_of(const caller& by) {
  if (by.claimed)
    return {};
  return std::string{name_of(by.kind)}.append(1, '\0').append(by.name);
}

struct list_name {
  change_kind kind;
  std::string_view capability;
  std::string_view in_filter;
};

constexpr std::array lists{
  list_name{change_kind::tools, "tools", "toolsListChanged"},
  list_name{change_kind::prompts, "prompts", "promptsListChanged"},
  list_name{change_kind::resources, "resources", "resourcesListChanged"},
};

constexpr std::string_view uris_in_filter = "resourceSubscriptions";

bool is_true(const json::object* in, std::string_view name) {
  const auto* x = in != nullptr ? member(*in, name) : nullptr;
  return x != nullptr && x->is_bool() && x->get_bool();
}

/// The resources that a filter names; nothing if it is malformed.
std::optional<std::set<std::string>> uris_of(const json::object& filter, size_t most) {
  std::set<std::string> result;
  const auto* given = member(filter, uris_in_filter);
  if (given == nullptr)
    return result;
  if (!given->is_array() || given->get_array().size() > most)
    return std::nullopt;
  for (const auto& x : given->get_array()) {
    if (!x.is_string() || x.get_string().size() > subscription_limits::uri_bytes)
      return std::nullopt;
    result.insert(text_of(x));
  }
  return result;
}

/// The changes that are reported, in the form of a filter.
json::object filter_of(const wanted_changes& what) {
  json::object result;
  for (const auto& x : lists)
    if (what.lists.contains(x.kind))
      result[view(x.in_filter)] = true;
  if (!what.uris.empty()) {
    auto& uris = result[view(uris_in_filter)].emplace_array();
    for (const auto& x : what.uris)
      uris.emplace_back(x);
  }
  return result;
}

json::object tagged(const json::value& id, json::object params) {
  params["_meta"] = json::object{{view(meta::subscription_id), id}};
  return params;
}

/// Sends a change on a call that listens.
void tell(call& to, const change& x) {
  auto message = notification_of(x);
  const auto* params = object_in(message, "params");
  to.notify(
    *text_in(message, "method"), tagged(to.id(), params != nullptr ? *params : json::object{}));
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

wanted_changes changes_of_lists(const json::object& capabilities) {
  wanted_changes result;
  for (const auto& x : lists)
    if (is_true(object_in(capabilities, x.capability), "listChanged"))
      result.lists.insert(x.kind);
  return result;
}

bool can_subscribe(const json::object& capabilities) {
  return is_true(object_in(capabilities, "resources"), "subscribe");
}

/// The part of a filter that this server can report.
wanted_changes listening::wanted_by(const json::object& filter, std::set<std::string> uris) const {
  wanted_changes result;
  if (offers_->changes() == nullptr)
    return result;
  auto capabilities = offers_->capabilities();
  for (auto kind : changes_of_lists(capabilities).lists)
    for (const auto& x : lists)
      if (x.kind == kind && is_true(&filter, x.in_filter))
        result.lists.insert(kind);
  if (can_subscribe(capabilities))
    result.uris = std::move(uris);
  return result;
}

/// Whether all are resources that the client may read. Refuses the call because of the first that
/// is not.
bool listening::are_readable(const call_ptr& by, const std::set<std::string>& uris) const {
  for (const auto& x : uris) {
    if (!offers_->is_resource(x)) {
      by->refuse_resource(x);
      return false;
    }
    if (auto why = offers_->check_reader(by->who(), x)) {
      by->refuse(*why);
      return false;
    }
  }
  return true;
}

void listening::begin(const std::shared_ptr<call>& by) {
  const auto* filter = object_in(by->params(), "notifications");
  if (filter == nullptr)
    return by->refuse(invalid_params("notifications: expected an object"));
  auto uris = uris_of(*filter, max_uris_);
  if (!uris)
    return by->refuse(invalid_params("notifications.resourceSubscriptions: expected a list of "
                                     "at most "
                                     + std::to_string(max_uris_) + " addresses, each of at most "
                                     + std::to_string(subscription_limits::uri_bytes) + " bytes"));
  auto what = wanted_by(*filter, std::move(*uris));
  if (!are_readable(by, what.uris))
    return;
  if (!what.empty() && *open_ >= most_)
    return by->refuse(internal_error("there are too many subscriptions/listen"));
  auto places = places_->take(by->who().by, what.uris.size());
  if (!places)
    return by->refuse(internal_error(places_->refusal(by->who().by)));
  if (!what.empty())
    by->stay_open();
  by->notify("notifications/subscriptions/acknowledged",
    tagged(by->id(), {{"notifications", filter_of(what)}}));
  if (what.empty())
    return by->give({{"_meta", {{view(meta::subscription_id), by->id()}}}});
  follow(by, std::move(what), std::move(places));
}

/// The call owns its subscription and its places until the client cancels it.
void listening::follow(
  const call_ptr& by, wanted_changes what, std::shared_ptr<const void> places) {
  ++*open_;
  auto then = [weak = std::weak_ptr{by}](const change& x) {
    if (auto to = weak.lock())
      tell(*to, x);
  };
  auto subscription = offers_->changes()->subscribe(by->who(), std::move(what), std::move(then));
  by->on_cancel([by, open = open_, subscription, places = std::move(places)]() mutable {
    subscription.reset();
    places.reset();
    --*open;
  });
}

} // namespace scratchpage::mcp
