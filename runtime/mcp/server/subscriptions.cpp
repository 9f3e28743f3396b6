#include "scratchpage/runtime/mcp/server/subscriptions.hpp"

#include <array>
#include <optional>
#include <utility>

#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/runtime/mcp/server/task_table.hpp"

namespace scratchpage::mcp {

namespace {

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
constexpr std::string_view tasks_in_filter = "taskIds";

bool is_true(const json::object* in, std::string_view name) {
  const auto* x = in != nullptr ? member(*in, name) : nullptr;
  return x != nullptr && x->is_bool() && x->get_bool();
}

/// The texts in a list of a filter; nothing if it is malformed.
std::optional<std::set<std::string>> texts_of(
  const json::object& filter, std::string_view list, size_t most) {
  std::set<std::string> result;
  const auto* given = member(filter, list);
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

error too_many_in(std::string_view list, std::string_view what, size_t most) {
  return invalid_params("notifications." + std::string{list} + ": expected a list of at most "
                        + std::to_string(most) + " " + std::string{what} + ", each of at most "
                        + std::to_string(subscription_limits::uri_bytes) + " bytes");
}

/// The changes that are reported, in the form of a filter.
json::object filter_of(
  const wanted_changes& what, const std::vector<std::shared_ptr<task>>& tasks) {
  json::object result;
  if (!tasks.empty()) {
    auto& ids = result[view(tasks_in_filter)].emplace_array();
    for (const auto& x : tasks)
      ids.emplace_back(x->id());
  }
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

/// Sends the state of a task on a call that listens.
void tell_state(call& to, const task& x) {
  auto state = parse_result("{" + x.detailed() + "}"); // a result is deeper than a request
  if (state)
    to.notify("notifications/tasks", tagged(to.id(), std::move(state->get_object())));
}

/// Sends a change on a call that listens.
void tell(call& to, const change& x) {
  auto message = notification_of(x);
  const auto* params = object_in(message, "params");
  to.notify(
    *text_in(message, "method"), tagged(to.id(), params != nullptr ? *params : json::object{}));
}

} // namespace

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

/// The tasks of the client that a filter names; others are left out as if there were none. Nothing
/// if the call was refused.
std::optional<listening::tasks> listening::tasks_in(
  const json::object& filter, const call_ptr& by) const {
  tasks result;
  if (member(filter, tasks_in_filter) == nullptr)
    return result;
  auto refuse = [&](const error& why) {
    by->refuse(why);
    return std::nullopt;
  };
  if (!by->declares_tasks())
    return refuse(missing_tasks_extension());
  auto ids = texts_of(filter, tasks_in_filter, max_uris_);
  if (!ids)
    return refuse(too_many_in(tasks_in_filter, "ids", max_uris_));
  for (const auto& id : *ids)
    if (auto found = tasks_ ? tasks_->find(id, by->who()) : nullptr)
      result.push_back(std::move(found));
  return result;
}

void listening::begin(const std::shared_ptr<call>& by) {
  const auto* filter = object_in(by->params(), "notifications");
  if (filter == nullptr)
    return by->refuse(invalid_params("notifications: expected an object"));
  auto uris = texts_of(*filter, uris_in_filter, max_uris_);
  if (!uris)
    return by->refuse(too_many_in(uris_in_filter, "addresses", max_uris_));
  auto what = wanted_by(*filter, std::move(*uris));
  if (!are_readable(by, what.uris))
    return;
  auto which = tasks_in(*filter, by);
  if (!which)
    return;
  auto is_empty = what.empty() && which->empty();
  if (!is_empty && *open_ >= most_)
    return by->refuse(internal_error("there are too many subscriptions/listen"));
  auto places = places_->take(by->who().by, what.uris.size() + which->size());
  if (!places)
    return by->refuse(internal_error(places_->refusal(by->who().by)));
  if (!is_empty)
    by->stay_open();
  by->notify("notifications/subscriptions/acknowledged",
    tagged(by->id(), {{"notifications", filter_of(what, *which)}}));
  if (is_empty)
    return by->give({{"_meta", {{view(meta::subscription_id), by->id()}}}});
  follow(by, std::move(what), *which, std::move(places));
}

/// The call owns its subscriptions and its places until the client cancels it. A task may have
/// changed since the client saw it, so its state is told at once.
void listening::follow(
  const call_ptr& by, wanted_changes what, const tasks& which, std::shared_ptr<const void> places) {
  ++*open_;
  auto weak = std::weak_ptr{by};
  std::vector<std::shared_ptr<void>> subscriptions;
  if (!what.empty())
    subscriptions.push_back(
      offers_->changes()->subscribe(by->who(), std::move(what), [weak](const change& x) {
        if (auto to = weak.lock())
          tell(*to, x);
      }));
  for (const auto& one : which) {
    tell_state(*by, *one);
    subscriptions.push_back(one->watch([weak](const task& x) {
      if (auto to = weak.lock())
        tell_state(*to, x);
    }));
  }
  by->on_cancel([by, open = open_, subscriptions = std::move(subscriptions),
                  places = std::move(places)]() mutable {
    subscriptions.clear();
    places.reset();
    --*open;
  });
}

} // namespace scratchpage::mcp
