#include "scratchpage/runtime/api/principal_rules.hpp"

#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/messages/text/escaped_text.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage {

namespace {

caf::error refusal_of_name(std::string_view name) {
  if (looks_like_component(name))
    return fail(errc::forbidden, "by.name",
      "expected a name that is none of the ensemble's, not '" + escaped(name) + "'");
  if (!is_plain_name(name))
    return fail(errc::forbidden, "by.name",
      "expected " + std::string{plain_name} + ", not '" + escaped(name) + "'");
  return {};
}

} // namespace

/// Most requests come from the caller of the request before, and the result depends on the name
/// alone, so each thread remembers the last name that it has accepted.
caf::error check_name(std::string_view name) {
  static thread_local std::string accepted;
  if (!accepted.empty() && name == accepted)
    return {};
  auto result = refusal_of_name(name);
  if (!result)
    accepted = name;
  return result;
}

caf::error check_principal(std::string_view operation, const caller& by) {
  if (auto err = check_name(by.name))
    return err;
  const auto* what = find_operation(operation);
  if (what != nullptr && by.role < what->least.value)
    return fail(errc::forbidden, "by.role",
      "expected at least the role '" + to_string(what->least.value) + "' for "
        + std::string{operation});
  return {};
}

caller as_outside(const caller& by) {
  caller result{by.role, by.kind, by.name};
  result.outside = true;
  result.claimed = by.claimed;
  return result;
}

} // namespace scratchpage
