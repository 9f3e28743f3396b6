#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/telemetry/operation_metrics.hpp"

namespace scratchpage {

/// Answers that an actor owes, each with a limit that is looked at once a second: a
/// timer for each would wake the system's clock twice for every request.
class open_answers {
public:
  using promise = caf::typed_response_promise<operation_answer>;

  static constexpr timespan step = std::chrono::seconds{1};

  /// Counts the calls that it answers; null: nobody does.
  explicit open_answers(std::shared_ptr<telemetry::operation_metrics> metrics = nullptr)
    : metrics_{std::move(metrics)} {}

  /// Its number. It is given up after `patience`, and at most a step later.
  uint64_t begin(promise x, timespan patience, telemetry::begun_call what = {});

  /// Whether somebody waits for it still: no answer is made up for nobody.
  bool is_open(uint64_t number) const { return open_.contains(number); }

  /// Answers it, unless it was given up.
  void deliver(uint64_t number, operation_answer x);
  void refuse(uint64_t number, const caf::error& why);

  /// A step has passed: what has waited too long is answered `deadline_exceeded`.
  void advance();

  bool empty() const { return open_.empty(); }

private:
  struct entry {
    promise to;
    uint64_t until; ///< in steps
    telemetry::begun_call what;
  };

  std::optional<promise> take(uint64_t number, errc how);
  void count(const telemetry::begun_call& x, errc how);

  std::shared_ptr<telemetry::operation_metrics> metrics_;

  std::map<uint64_t, entry> open_;
  uint64_t last_ = 0;
  uint64_t steps_ = 0;
};

} // namespace scratchpage
