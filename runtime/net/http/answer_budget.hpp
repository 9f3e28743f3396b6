#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <caf/error.hpp>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

/// Counts something up to a limit.
class counter {
public:
  explicit counter(uint64_t max)
    : max_{max} {}

  /// False if the limit is reached.
  bool enter() {
    std::lock_guard lock{mutex_};
    if (count_ >= max_)
      return false;
    ++count_;
    return true;
  }

  void leave() {
    std::lock_guard lock{mutex_};
    if (--count_ == 0)
      empty_.notify_all();
  }

  uint64_t count() const {
    std::lock_guard lock{mutex_};
    return count_;
  }

  /// False if `within` was not enough.
  bool wait_until_empty(timespan within) {
    std::unique_lock lock{mutex_};
    return empty_.wait_for(lock, within, [this] { return count_ == 0; });
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  uint64_t count_ = 0;
  uint64_t max_;
};

/// An amount from which several threads take and to which they give back.
class budget {
public:
  explicit budget(uint64_t amount)
    : left_{amount} {}

  /// False if not so much is left.
  bool take(uint64_t amount) {
    auto left = left_.load();
    while (left >= amount)
      if (left_.compare_exchange_weak(left, left - amount))
        return true;
    return false;
  }

  void give(uint64_t amount) { left_ += amount; }

private:
  std::atomic<uint64_t> left_;
};

/// Counts one in a `counter` as long as it lives; empty if the limit was reached.
class permit {
public:
  permit() = default;
  explicit permit(counter& of)
    : of_{of.enter() ? &of : nullptr} {}
  permit(permit&& x) noexcept
    : of_{std::exchange(x.of_, nullptr)} {}
  permit& operator=(permit&& x) noexcept {
    std::swap(of_, x.of_);
    return *this;
  }
  ~permit() { release(); }

  explicit operator bool() const { return of_ != nullptr; }

  void release() {
    if (auto* of = std::exchange(of_, nullptr))
      of->leave();
  }

private:
  counter* of_ = nullptr;
};

/// Bytes taken from a budget, which gets them back when the last copy is destroyed. Null for
/// amounts that are too small to be counted.
using held_bytes = std::shared_ptr<const void>;

/// The limits on bytes of answers: of one call, of a batch, and of all answers of the process that
/// are made and not sent yet. Also the limit on requests that wait for others. May be used from any
/// thread.
class answer_budget : public std::enable_shared_from_this<answer_budget> {
public:
  /// Answers with fewer bytes are not counted.
  static constexpr uint64_t least_counted = 1'024;

  explicit answer_budget(const server_config& limits)
    : max_of_call_{limits.max_answer_bytes},
      max_of_batch_{limits.max_batch_bytes},
      left_{limits.max_answers_bytes},
      waiting_{limits.max_bodies_bytes} {}

  /// `overloaded` about `answer` if the answer of one call is too long.
  caf::error check_call(uint64_t bytes) const;

  /// The same for the answers of a batch so far.
  caf::error check_batch(uint64_t bytes) const;

  /// Takes bytes from the process's budget for answers. Nothing if not so many are left.
  std::optional<held_bytes> take(uint64_t bytes);

  /// The same for calls that wait until others are answered. Their budget is as large as the one
  /// for bodies that have not arrived completely.
  std::optional<held_bytes> keep(uint64_t bytes);

private:
  std::optional<held_bytes> take(budget& of, uint64_t bytes);

  const uint64_t max_of_call_;
  const uint64_t max_of_batch_;
  budget left_;
  budget waiting_;
};

/// The text of the error when `take` gives nothing.
inline constexpr std::string_view fewer_answers =
  "expected fewer long answers that are not sent yet; ask for less, by a limit or a cursor";

/// The `overloaded` error with that text.
caf::error too_many_answers();

} // namespace scratchpage::http
