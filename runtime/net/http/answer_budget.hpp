#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/runtime/net/http/counter.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

/// Bytes that were taken of a budget, for as long as somebody holds it; null for so few that they
/// are not counted.
using held_bytes = std::shared_ptr<const void>;

/// How long answers may be: that of one call, those of a batch, and all of a process that were
/// made and are not sent yet, counted where they are held; and how much may wait to be answered.
/// May be used from any thread.
class answer_budget : public std::enable_shared_from_this<answer_budget> {
public:
  /// Answers of fewer bytes are not counted.
  static constexpr uint64_t least_counted = 1'024;

  explicit answer_budget(const server_config& limits)
    : most_of_call_{limits.max_answer_bytes},
      most_of_batch_{limits.max_batch_bytes},
      left_{limits.max_answers_bytes},
      waiting_{limits.max_bodies_bytes} {}

  /// `overloaded` about `answer` if one call's is longer than it may be.
  caf::error check_call(uint64_t bytes) const;

  /// The same of what a batch has got so far.
  caf::error check_batch(uint64_t bytes) const;

  /// So many bytes of the process's. Nothing if there are not so many left.
  std::optional<held_bytes> take(uint64_t bytes);

  /// The same for what was asked and waits until other things are answered. It has as much room as
  /// bodies that have not come whole.
  std::optional<held_bytes> keep(uint64_t bytes);

private:
  std::optional<held_bytes> take(budget& of, uint64_t bytes);

  const uint64_t most_of_call_;
  const uint64_t most_of_batch_;
  budget left_;
  budget waiting_;
};

/// What is expected when `take` has nothing to give.
inline constexpr std::string_view fewer_answers =
  "expected fewer long answers that are not sent yet; ask for less, by a limit or a cursor";

/// The error that says so: `overloaded`, which passes.
caf::error too_many_answers();

} // namespace scratchpage::http
