#include "scratchpage/runtime/server/rpc_batch.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage::serve {

rpc_batch::rpc_batch(rpc::message message, std::shared_ptr<const http::answer_budget> limits,
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
  undone_ = fail(errc::overloaded, "client", "this was not done: nobody waits for the answers");
}

/// One thread at a time: the others' outcomes it sees as it goes on.
void rpc_batch::make_more() {
  std::unique_lock lock{mutex_};
  if (std::exchange(is_making_, true))
    return;
  while (next_ < outcomes_.size() && under_way_ < most_at_once) {
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
      i, {ids_[i] ? std::optional{to_text(rpc::refuse(*ids_[i], why))} : std::nullopt, {}});
  make_(std::move(*entry.call),
    [self = shared_from_this(), i](rpc_outcome x) { self->put(i, std::move(x)); });
}

/// Why a call is not made. The first ones begin as soon as whoever has asked was let in.
caf::error rpc_batch::why_not(size_t i) {
  std::unique_lock lock{mutex_};
  if (undone_ || i < most_at_once || !check_)
    return undone_;
  lock.unlock();
  auto err = check_();
  if (!err)
    return {};
  lock.lock();
  undone_ = fail(code_of(err), field_of(err),
    "this was not done: whoever has asked would not be let in any more");
  return undone_;
}

void rpc_batch::put(size_t i, rpc_outcome x) {
  {
    std::lock_guard lock{mutex_};
    if (auto err = check_length(x)) {
      undone_ =
        fail(code_of(err), field_of(err), "this was not done: the batch's answers are too long");
      x = {ids_[i] ? std::optional{to_text(rpc::refuse(*ids_[i], err))} : std::nullopt, {}};
    }
    outcomes_[i] = std::move(x);
    --under_way_;
    --missing_;
  }
  make_more();
}

/// Under the lock. Refusals are short, and there are not many of them.
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
  then_(rpc::join(message_, std::move(all)));
}

} // namespace scratchpage::serve
