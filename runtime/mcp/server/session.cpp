#include "scratchpage/runtime/mcp/server/session.hpp"

#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/call.hpp"

namespace scratchpage::mcp {

namespace {

std::string_view method_of(change_kind x) {
  switch (x) {
  case change_kind::tools:
    return "notifications/tools/list_changed";
  case change_kind::prompts:
    return "notifications/prompts/list_changed";
  case change_kind::resources:
    return "notifications/resources/list_changed";
  default:
    return "notifications/resources/updated";
  }
}

/// The error for a question that the client refuses, in the client's words.
error refusal_in(const json::object& message) {
  const auto* why = object_in(message, "error");
  return internal_error(
    "the client refused: " + (why != nullptr ? text_in(*why, "message").value_or("") : ""));
}

} // namespace

json::object notification_of(const change& x) {
  json::object result{{"jsonrpc", "2.0"}, {"method", view(method_of(x.kind))}};
  if (x.kind == change_kind::resource)
    result["params"] = json::object{{"uri", x.uri}};
  return result;
}

void session::announce(const change& x) {
  if (auto to = unasked.lock())
    to->send(notification_of(x));
}

bool session::enter(const json::value& id, const std::shared_ptr<call>& x) {
  return calls_.size() < max_in_session && calls_.emplace(to_text(id), x).second;
}

void session::leave(const json::value& id) {
  calls_.erase(to_text(id));
}

void session::cancel(const json::value& id) {
  auto found = calls_.find(to_text(id));
  if (found == calls_.end())
    return;
  auto one = found->second.lock();
  calls_.erase(found);
  if (one)
    one->cancel();
}

uint64_t session::ask(std::string_view method, const json::object& params, response_channel& by,
  timespan timeout, on_reply then) {
  auto number = ++last_question_;
  if (questions_.size() >= max_in_session) {
    then(internal_error("too many questions wait for the client"));
    return number;
  }
  questions_.emplace(number, std::move(then));
  on_->after(timeout, [weak = weak_from_this(), number] {
    if (auto self = weak.lock())
      self->settle(number, internal_error("the client did not answer in time"));
  });
  by.send({{"jsonrpc", "2.0"}, {"id", number}, {"method", view(method)}, {"params", params}});
  return number;
}

void session::take(const json::object& message) {
  const auto* id = member(message, "id");
  json::error_code no_number;
  auto number = id != nullptr && id->is_number() ? id->to_number<uint64_t>(no_number) : 0;
  if (no_number || !questions_.contains(number))
    return;
  if (const auto* result = member(message, "result"); result != nullptr)
    settle(number, *result);
  else
    settle(number, refusal_in(message));
}

void session::settle(uint64_t question, const std::variant<json::value, error>& reply) {
  auto found = questions_.find(question);
  if (found == questions_.end())
    return;
  auto then = std::move(found->second);
  questions_.erase(found);
  then(reply);
}

void session::unsubscribe() {
  subscription.reset();
  wanted = {};
  places.clear();
}

void session::hang_up() {
  unsubscribe();
  cancel_calls(false);
  while (!questions_.empty())
    settle(questions_.begin()->first, internal_error("the client has gone"));
}

void session::close() {
  unsubscribe();
  cancel_calls(true);
  questions_.clear();
}

/// Cancels all calls, or only those that stay open.
void session::cancel_calls(bool all) {
  auto under_way = calls_; // a copy, since cancelling removes them
  for (const auto& [id, x] : under_way)
    if (auto one = x.lock(); one && (all || one->stays_open()))
      one->cancel();
}

} // namespace scratchpage::mcp
