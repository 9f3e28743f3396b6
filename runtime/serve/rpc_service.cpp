#include "scratchpage/runtime/serve/rpc_service.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_text.hpp"
#include "scratchpage/runtime/operations/operation_list.hpp"
#include "scratchpage/runtime/operations/trace_parent.hpp"

namespace scratchpage::serve {

namespace {

constexpr json_limits message_limits{4u << 20, 32};

/// Collects the answers to one message, in the order in which they were asked for.
class answers_to {
public:
  answers_to(rpc::message message, rpc_service::on_answer then)
    : message_{std::move(message)},
      answers_(message_.entries.size()),
      missing_{message_.entries.size()},
      then_{std::move(then)} {}

  rpc::message& message() { return message_; }

  void put(size_t i, std::optional<std::string> answer) {
    {
      std::lock_guard lock{mutex_};
      answers_[i] = std::move(answer);
      if (--missing_ > 0)
        return;
    }
    std::vector<std::string> all;
    all.reserve(answers_.size());
    for (auto& x : answers_)
      if (x)
        all.push_back(std::move(*x));
    then_(rpc::join(message_, std::move(all)));
  }

private:
  rpc::message message_;
  std::mutex mutex_; // answers come from actors' threads
  std::vector<std::optional<std::string>> answers_;
  size_t missing_;
  rpc_service::on_answer then_;
};

} // namespace

caf::error check_may(const visitor& who, std::string_view operation) {
  if (who.may_write || !changes_something(operation))
    return {};
  return fail(errc::forbidden, "operation", "expected one that only reads");
}

std::optional<std::string> refuse_all(const rpc::message& message, const caf::error& why) {
  std::vector<std::string> answers;
  for (const auto& x : message.entries) {
    if (!x.call)
      answers.push_back(to_text(x.refusal));
    else if (x.call->id)
      answers.push_back(to_text(rpc::refuse(*x.call->id, why)));
  }
  return rpc::join(message, std::move(answers));
}

rpc::message rpc_service::read(std::string_view text) {
  return rpc::read(text, message_limits);
}

void rpc_service::answer(std::string_view text, const rpc_client& client, on_answer then) const {
  answer(read(text), client, std::move(then));
}

void rpc_service::answer(rpc::message message, const rpc_client& client, on_answer then) const {
  auto all = std::make_shared<answers_to>(std::move(message), std::move(then));
  auto& entries = all->message().entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    auto& entry = entries[i];
    if (entry.call)
      make(std::move(*entry.call), client,
        [all, i](std::optional<std::string> x) { all->put(i, std::move(x)); });
    else
      all->put(i, to_text(entry.refusal));
  }
}

void rpc_service::make(rpc::request call, const rpc_client& client, on_answer then) const {
  auto id = std::move(call.id);
  if (auto err = check_may(client.who, call.method)) {
    then(id ? std::optional{to_text(rpc::refuse(*id, err))} : std::nullopt);
    return;
  }
  call_operation request{
    client.who.by, client.thread_id, std::move(call.method), std::move(call.params)};
  continue_trace(request, client.who.traceparent);
  calls_.call(client.agent_id, std::move(request), client.begins,
    [id = std::move(id), then = std::move(then)](const caf::expected<std::string>& result) {
      if (!id)
        then(std::nullopt);
      else
        then(result ? rpc::answer_text(*id, *result) : to_text(rpc::refuse(*id, result.error())));
    });
}

} // namespace scratchpage::serve
