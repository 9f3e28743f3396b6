#include "scratchpage/runtime/operations/principal_rules.hpp"

#include <string>

#include "scratchpage/messages/component_names.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/operations/operation_list.hpp"

namespace scratchpage {

caf::error check_principal(std::string_view operation, const caller& by) {
  if (by.kind == source_kind::daemon && is_component(by.name))
    return fail(errc::forbidden, "by.name",
      "expected a name that is none of the ensemble's, not '" + by.name + "'");
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
