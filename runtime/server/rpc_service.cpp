#include "scratchpage/runtime/server/rpc_service.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/api/held_result.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/trace_parent.hpp"

namespace scratchpage::serve {

namespace {

constexpr json_limits message_limits{4u << 20, 32};

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

std::shared_ptr<rpc_batch> rpc_service::answer(
  rpc::message message, const rpc_client& client, on_answer then) const {
  auto make_one = [this, client](rpc::request call, rpc_batch::on_outcome done) {
    make(std::move(call), client, std::move(done));
  };
  auto bytes = message.bytes;
  auto batch =
    std::make_shared<rpc_batch>(std::move(message), answers_, std::move(make_one), std::move(then));
  if (batch->is_long())
    batch->hold(answers_->keep(bytes));
  batch->check_with(client.who.check_admission);
  batch->begin();
  return batch;
}

void rpc_service::make(
  rpc::request call, const rpc_client& client, rpc_batch::on_outcome then) const {
  auto id = std::move(call.id);
  if (auto err = check_may(client.who, call.method)) {
    then({id ? std::optional{to_text(rpc::refuse(*id, err))} : std::nullopt, {}});
    return;
  }
  auto name = call.method;
  call_operation request{
    client.who.by, client.thread_id, std::move(call.method), std::move(call.params)};
  continue_trace(request, client.who.traceparent);
  calls_.call(client.agent_id, std::move(request), client.begins,
    [id = std::move(id), name = std::move(name), answers = answers_, then = std::move(then)](
      caf::expected<std::string> result) {
      if (!id)
        return then({});
      auto held = hold_result(result, name, *answers);
      then({result ? rpc::answer_text(*id, *result) : to_text(rpc::refuse(*id, result.error())),
        std::move(held)});
    });
}

} // namespace scratchpage::serve
