#include "scratchpage/actors/scratchbook/scratch_tools.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

namespace {

struct described_tool {
  std::string_view id;
  std::string_view description;
  std::string_view inputs; // JSON Schema
  bool idempotent;
};

constexpr std::string_view just_an_id =
  R"({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"],
      "additionalProperties": false})";

constexpr std::array tools{
  described_tool{"scratch_read",
    "Your notes, todos and tasks. after: the last id you saw, for more",
    R"({"type": "object", "properties": {"after": {"type": "string"}},
        "additionalProperties": false})",
    true},
  described_tool{"scratch_add", "Keep a note, todo or task; phase and progress (0 to 1) for tasks",
    R"({"type": "object", "properties": {
          "kind": {"type": "string", "enum": ["note", "todo", "task"]},
          "title": {"type": "string"}, "body": {"type": "string"},
          "tags": {"type": "array", "items": {"type": "string"}},
          "phase": {"type": "string"}, "progress": {"type": "number"},
          "goal_id": {"type": "string"}, "action_id": {"type": "string"},
          "observation_id": {"type": "string"}},
        "required": ["kind", "title"], "additionalProperties": false})",
    false},
  described_tool{"scratch_update", "Change fields of an item",
    R"({"type": "object", "properties": {
          "id": {"type": "string"},
          "status": {"type": "string",
                     "enum": ["open", "in_progress", "blocked", "done", "archived"]},
          "title": {"type": "string"}, "body": {"type": "string"},
          "tags": {"type": "array", "items": {"type": "string"}},
          "phase": {"type": "string"}, "progress": {"type": "number"}},
        "required": ["id"], "additionalProperties": false})",
    true},
  described_tool{"scratch_complete", "Mark an item done", just_an_id, true},
  described_tool{"scratch_pin", "Keep an item on top", just_an_id, true},
  described_tool{"scratch_unpin", "Undo scratch_pin", just_an_id, true},
};

tool_manifest manifest_of(const described_tool& x) {
  tool_manifest result;
  result.tool_id = x.id;
  result.description = x.description;
  result.inputs = json::parse(json::string_view{x.inputs.data(), x.inputs.size()}).get_object();
  result.idempotent = x.idempotent;
  result.tags = {"scratchbook"};
  return result;
}

/// The failure of a call, with advice where the error alone does not say what to do.
tool_response failed(const tool_request& call, const caf::error& err) {
  auto text = describe(err);
  switch (code_of(err)) {
  case errc::not_found:
    return failed_call(call, tool_failure::not_found, text + "; scratch_read shows the ids");
  case errc::invalid_request:
  case errc::immutable_field:
    return failed_call(call, tool_failure::invalid_input, text);
  case errc::overloaded:
  case errc::storage_unavailable:
  case errc::deadline_exceeded:
    return failed_call(call, tool_failure::transient, text + "; nothing was changed, try again");
  default:
    return failed_call(call, tool_failure::other, text);
  }
}

tool_response answer(const tool_request& call, json::value outputs) {
  tool_response result;
  result.request_id = call.request_id;
  result.outputs = std::move(outputs.get_object());
  return result;
}

std::string text_input(const tool_request& call, const char* name) {
  const auto* value = call.inputs.if_contains(name);
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

caf::expected<scratch_add> read_add(const tool_request& call, const caller& by) {
  auto item = from_json<item_draft>(json::value(call.inputs));
  if (!item)
    return item.error();
  return scratch_add{by, call.thread_id, std::move(*item)};
}

caf::expected<scratch_update> read_update(const tool_request& call, const caller& by) {
  auto inputs = call.inputs;
  inputs.erase("id");
  auto changes = from_json<item_changes>(json::value(std::move(inputs)));
  if (!changes)
    return changes.error();
  return scratch_update{by, call.thread_id, text_input(call, "id"), std::move(*changes)};
}

scratch_mark marking(const tool_request& call, const caller& by, item_mark as) {
  return {by, call.thread_id, text_input(call, "id"), as};
}

} // namespace

std::vector<tool_manifest> scratch_manifests() {
  std::vector<tool_manifest> result;
  result.reserve(tools.size());
  for (const auto& x : tools)
    result.push_back(manifest_of(x));
  return result;
}

std::vector<tool_definition> scratch_tools(const scratchbook_actor& books, const caller& as) {
  actor_tool tool{
    [books, as](caf::actor_system& sys) { return spawn<scratch_tool_state>(sys, books, as); }};
  std::vector<tool_definition> result;
  for (auto& manifest : scratch_manifests())
    result.push_back({std::move(manifest), tool});
  return result;
}

scratch_tool_state::scratch_tool_state(handle::pointer self, scratchbook_actor books, caller as)
  : self_{self},
    books_{std::move(books)},
    as_{std::move(as)} {}

scratch_tool_state::handle::behavior_type scratch_tool_state::make_behavior() {
  return {[this](const tool_request& x) { return call(x); }};
}

caf::result<tool_response> scratch_tool_state::call(const tool_request& request) {
  const auto& tool = request.tool_id;
  auto by = as_;
  by.turn_id = turn_of(request.request_id);
  if (!request.planned_by.empty())
    by.name = request.planned_by;
  if (tool == "scratch_read")
    return forward<scratch_view>(
      request, scratch_read{by, request.thread_id, text_input(request, "after")});
  if (tool == "scratch_add")
    return forward_item(request, read_add(request, by));
  if (tool == "scratch_update")
    return forward_item(request, read_update(request, by));
  auto as = tool == "scratch_complete" ? item_mark::complete
            : tool == "scratch_pin"    ? item_mark::pin
                                       : item_mark::unpin;
  return forward<scratchbook_item>(request, marking(request, by, as));
}

template <class Request>
caf::result<tool_response> scratch_tool_state::forward_item(
  const tool_request& call, caf::expected<Request> x) {
  if (!x)
    return failed(call, x.error());
  return forward<scratchbook_item>(call, std::move(*x));
}

template <class Answer, class Request>
caf::result<tool_response> scratch_tool_state::forward(const tool_request& call, Request x) {
  auto promise = self_->make_response_promise<tool_response>();
  // Without the inputs: the answer needs only the ids.
  tool_request about;
  about.request_id = call.request_id;
  about.tool_id = call.tool_id;
  ask(self_, books_, call_timeout(call, {}), std::move(x))
    .then([promise, about](
            const Answer& found) mutable { promise.deliver(answer(about, to_json(found))); },
      [promise, about](const caf::error& err) mutable { promise.deliver(failed(about, err)); });
  return promise;
}

} // namespace scratchpage
