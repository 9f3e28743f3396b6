#include "scratchpage/runtime/server/rpc_service.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::server {

namespace {

caf::error check_length(std::string_view name, const std::string& id) {
  if (id.size() <= rpc_target::id_bytes)
    return {};
  return fail(errc::invalid_request, name,
    "expected at most " + std::to_string(rpc_target::id_bytes) + " bytes");
}

template <class T>
caf::expected<T> read_target(std::string_view query, const json::object& schema) {
  auto parameters = http::parse_query(query);
  if (!parameters)
    return std::move(parameters.error());
  auto arguments = arguments_of_query(*parameters, schema);
  if (!arguments)
    return std::move(arguments.error());
  auto target = from_json<T>(json::value(std::move(*arguments)));
  if (!target)
    return target;
  if (auto err = check_length("agent", target->agent))
    return err;
  if (auto err = check_length("thread", target->thread))
    return err;
  return target;
}

constexpr json_limits message_limits{4u << 20, 32};

} // namespace

const json::object& schema_of_rpc_target() {
  static const auto schema = json_schema<rpc_target>(members::closed);
  return schema;
}

caf::expected<rpc_target> read_rpc_target(std::string_view query) {
  return read_target<rpc_target>(query, schema_of_rpc_target());
}

caf::expected<mcp_target> read_mcp_target(std::string_view query) {
  static const auto schema = json_schema<mcp_target>(members::closed);
  return read_target<mcp_target>(query, schema);
}

rpc_batch::rpc_batch(json_rpc::message message, std::shared_ptr<const http::answer_budget> limits,
  maker make, on_answer then)
  : message_{std::move(message)},
    limits_{std::move(limits)},
    make_{std::move(make)},
    then_{std::move(then)},
    outcomes_(message_.entries.size()),
    ids_(message_.entries.size()),
    missing_{message_.entries.size()} {}

void rpc_batch::hold(std::optional<http::held_bytes> x) {
  if (x)
    waiting_ = std::move(*x);
  else
    undone_ =
      fail(errc::overloaded, "body", "expected fewer long batches at once; this was not done");
}

void rpc_batch::abandon() {
  std::lock_guard lock{mutex_};
  undone_ = fail(errc::overloaded, "client", "this was not done: the client has disconnected");
}

/// Only one thread runs the loop; it sees the outcomes that other threads add.
void rpc_batch::make_more() {
  std::unique_lock lock{mutex_};
  if (std::exchange(is_making_, true))
    return;
  while (next_ < outcomes_.size() && under_way_ < max_at_once) {
    auto i = next_++;
    ++under_way_;
    lock.unlock();
    make_one(i);
    lock.lock();
  }
  is_making_ = false;
  auto unused = next_ == outcomes_.size() ? std::exchange(waiting_, nullptr) : nullptr;
  auto is_last = missing_ == 0 && !std::exchange(is_told_, true);
  lock.unlock();
  if (is_last)
    tell();
}

void rpc_batch::make_one(size_t i) {
  auto& entry = message_.entries[i];
  if (!entry.call)
    return put(i, {to_text(entry.refusal), {}});
  ids_[i] = entry.call->id;
  if (auto why = why_not(i))
    return put(
      i, {ids_[i] ? std::optional{to_text(json_rpc::refuse(*ids_[i], why))} : std::nullopt, {}});
  make_(std::move(*entry.call),
    [self = shared_from_this(), i](rpc_outcome x) { self->put(i, std::move(x)); });
}

/// The error if a call must not be made. The first `max_at_once` calls need no check: the client
/// was let in just now.
caf::error rpc_batch::why_not(size_t i) {
  std::unique_lock lock{mutex_};
  if (undone_ || i < max_at_once || !check_)
    return undone_;
  lock.unlock();
  auto err = check_();
  if (!err)
    return {};
  lock.lock();
  undone_ = fail(code_of(err), field_of(err), "this was not done: the client has lost its access");
  return undone_;
}

void rpc_batch::put(size_t i, rpc_outcome x) {
  {
    std::lock_guard lock{mutex_};
    if (auto err = check_length(x)) {
      undone_ =
        fail(code_of(err), field_of(err), "this was not done: the batch's answers are too long");
      x = {ids_[i] ? std::optional{to_text(json_rpc::refuse(*ids_[i], err))} : std::nullopt, {}};
    }
    outcomes_[i] = std::move(x);
    --under_way_;
    --missing_;
  }
  make_more();
}

/// Call it with the lock held. Short answers, such as refusals, are not counted.
caf::error rpc_batch::check_length(const rpc_outcome& x) {
  auto bytes = x.answer ? x.answer->size() : 0;
  if (bytes < http::answer_budget::least_counted || !message_.is_batch)
    return {};
  auto err = limits_->check_batch(bytes_ + bytes);
  bytes_ += err ? 0 : bytes;
  return err;
}

void rpc_batch::tell() {
  std::vector<std::string> all;
  all.reserve(outcomes_.size());
  for (auto& x : outcomes_)
    if (x.answer)
      all.push_back(std::move(*x.answer));
  then_(json_rpc::join(message_, std::move(all)));
}

caf::error check_may(const principal& who, std::string_view operation) {
  if (who.may_write || !changes_something(operation))
    return {};
  return fail(errc::forbidden, "operation", "expected an operation that only reads");
}

std::optional<std::string> refuse_all(const json_rpc::message& message, const caf::error& why) {
  std::vector<std::string> answers;
  for (const auto& x : message.entries) {
    if (!x.call)
      answers.push_back(to_text(x.refusal));
    else if (x.call->id)
      answers.push_back(to_text(json_rpc::refuse(*x.call->id, why)));
  }
  return json_rpc::join(message, std::move(answers));
}

json_rpc::message rpc_service::read(std::string_view text) {
  return json_rpc::read(text, message_limits);
}

std::shared_ptr<rpc_batch> rpc_service::answer(
  json_rpc::message message, const principal& who, on_answer then) const {
  auto make_one = [this, who](json_rpc::request call, rpc_batch::on_outcome done) {
    make(std::move(call), who, std::move(done));
  };
  auto bytes = message.bytes;
  auto batch =
    std::make_shared<rpc_batch>(std::move(message), answers_, std::move(make_one), std::move(then));
  if (batch->is_long())
    batch->hold(answers_->keep(bytes));
  batch->check_with(who.check_admission);
  batch->begin();
  return batch;
}

void rpc_service::make(
  json_rpc::request call, const principal& who, rpc_batch::on_outcome then) const {
  auto id = std::move(call.id);
  if (auto err = check_may(who, call.method)) {
    then({id ? std::optional{to_text(json_rpc::refuse(*id, err))} : std::nullopt, {}});
    return;
  }
  auto name = call.method;
  calls_.perform(who, std::move(call.method), std::move(call.params),
    [id = std::move(id), name = std::move(name), answers = answers_, then = std::move(then)](
      caf::expected<std::string> result) {
      if (!id)
        return then({});
      auto held = hold_result(result, name, *answers);
      then({result ? json_rpc::answer_text(*id, *result)
                   : to_text(json_rpc::refuse(*id, result.error())),
        std::move(held)});
    });
}

} // namespace scratchpage::server
