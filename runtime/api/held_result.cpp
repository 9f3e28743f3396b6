#include "scratchpage/runtime/api/held_result.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage {

namespace {

caf::error said_what_was_done(const caf::error& why, std::string_view operation) {
  if (!changes_something(operation))
    return why;
  return fail(
    code_of(why), field_of(why), why.context().get_as<std::string>(1) + "; what was asked is done");
}

} // namespace

http::held_bytes hold_result(
  caf::expected<std::string>& result, std::string_view operation, http::answer_budget& of) {
  if (!result)
    return {};
  auto err = of.check_call(result->size());
  auto held = err ? std::nullopt : of.take(result->size());
  if (held)
    return std::move(*held);
  result = said_what_was_done(err ? err : http::too_many_answers(), operation);
  return {};
}

} // namespace scratchpage
