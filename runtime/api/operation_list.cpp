#include "scratchpage/runtime/api/operation_list.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/principal.hpp"

namespace scratchpage {

namespace {

std::vector<operation> joined_topics() {
  std::vector<operation> result;
  for (auto* topic : {page_operations, turn_operations, goal_operations, memory_operations,
         fact_operations, remember_operations})
    std::ranges::move(topic(), std::back_inserter(result));
  return result;
}

std::vector<const operation*> sorted_by_name() {
  std::vector<const operation*> result;
  for (const auto& x : all_operations())
    result.push_back(&x);
  std::ranges::sort(result, {}, &operation::name);
  return result;
}

} // namespace

const std::vector<operation>& all_operations() {
  static const auto all = joined_topics();
  return all;
}

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> result;
  for (const auto& x : all_operations())
    result.push_back(x.name);
  return result;
}

const operation* find_operation(std::string_view name) {
  static const auto sorted = sorted_by_name();
  auto found = std::ranges::lower_bound(sorted, name, {}, &operation::name);
  return found == sorted.end() || (*found)->name != name ? nullptr : *found;
}

bool changes_something(std::string_view name) {
  const auto* found = find_operation(name);
  return found != nullptr && found->changes();
}

caf::error check_principal(const operation* what, const caller& by) {
  if (auto err = check_name(by.name))
    return err;
  if (what != nullptr && by.role < what->least.value)
    return fail(errc::forbidden, "by.role",
      "expected at least the role '" + to_string(what->least.value) + "' for "
        + std::string{what->name});
  return {};
}

caf::error check_principal(std::string_view operation, const caller& by) {
  return check_principal(find_operation(operation), by);
}

caller as_outside(const caller& by) {
  caller result{by.role, by.kind, by.name};
  result.outside = true;
  result.claimed = by.claimed;
  return result;
}

} // namespace scratchpage
