#include "scratchpage/runtime/client/pending_calls.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage::rpc {

namespace {

constexpr json_limits message_limits{16u << 20, 64, any_number_of_values};

/// What an answer says.
caf::expected<json::value> outcome_of(json::object& message) {
  auto* error = message.if_contains("error");
  if (error == nullptr) {
    auto* result = message.if_contains("result");
    return result == nullptr ? json::value{} : std::move(*result);
  }
  const auto* data = error->is_object() ? error->get_object().if_contains("data") : nullptr;
  return read_error(data == nullptr ? *error : *data);
}

} // namespace

std::string pending_calls::begin(std::string method, json::object params, link::on_answer then) {
  uint64_t number = 0;
  {
    std::lock_guard lock{guard_};
    if (!ended_)
      waiting_.emplace(number = ++last_, std::move(then));
  }
  if (number == 0) {
    then(fail(errc::overloaded, "server", "the server is about to end; this was not done"));
    return {};
  }
  return to_text(json::value{{"jsonrpc", "2.0"}, {"id", number}, {"method", std::move(method)},
    {"params", std::move(params)}});
}

bool pending_calls::take(std::string_view text, const link::listener& tell) {
  auto value = parse_json(text, message_limits);
  if (!value || !value->is_object())
    return true;
  auto& message = value->get_object();
  if (const auto* method = message.if_contains("method"); method != nullptr && method->is_string())
    take_notification(std::string{method->get_string()}, message, tell);
  else if (auto then = find(message))
    then(outcome_of(message));
  std::lock_guard lock{guard_};
  return !ended_ || !waiting_.empty();
}

void pending_calls::take_notification(
  std::string_view method, json::object& message, const link::listener& tell) {
  if (method == "end") {
    std::lock_guard lock{guard_};
    ended_ = true;
    return;
  }
  auto* params = message.if_contains("params");
  if (tell.on_notification && params != nullptr && params->is_object())
    tell.on_notification(std::string{method}, std::move(params->get_object()));
}

link::on_answer pending_calls::find(const json::object& message) {
  boost::json::error_code ec;
  const auto* id = message.if_contains("id");
  auto number = id != nullptr && id->is_number() ? id->to_number<uint64_t>(ec) : 0;
  std::lock_guard lock{guard_};
  auto found = waiting_.find(ec ? 0 : number);
  if (found == waiting_.end())
    return {};
  auto result = std::move(found->second);
  waiting_.erase(found);
  return result;
}

void pending_calls::end(const caf::error& why) {
  std::map<uint64_t, link::on_answer> all;
  {
    std::lock_guard lock{guard_};
    ended_ = true;
    all.swap(waiting_);
  }
  for (auto& [number, then] : all)
    then(why);
}

} // namespace scratchpage::rpc
