#include "scratchpage/runtime/net/http/answer_budget.hpp"

#include <string>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::http {

namespace {

caf::error too_long(std::string_view what, uint64_t max) {
  return fail(errc::overloaded, "answer",
    "expected " + std::string{what} + " of at most " + std::to_string(max) + " bytes"
      + "; ask for less, by a limit or a cursor");
}

} // namespace

caf::error answer_budget::check_call(uint64_t bytes) const {
  return bytes > max_of_call_ ? too_long("an answer", max_of_call_) : caf::error{};
}

caf::error answer_budget::check_batch(uint64_t bytes) const {
  return bytes > max_of_batch_ ? too_long("a batch's answers", max_of_batch_) : caf::error{};
}

std::optional<held_bytes> answer_budget::take(uint64_t bytes) {
  return take(left_, bytes);
}

std::optional<held_bytes> answer_budget::keep(uint64_t bytes) {
  return take(waiting_, bytes);
}

std::optional<held_bytes> answer_budget::take(budget& of, uint64_t bytes) {
  if (bytes < least_counted)
    return held_bytes{};
  if (!of.take(bytes))
    return std::nullopt;
  return held_bytes{this, [self = shared_from_this(), &of, bytes](const void*) { of.give(bytes); }};
}

caf::error too_many_answers() {
  return fail(errc::overloaded, "", fewer_answers);
}

} // namespace scratchpage::http
