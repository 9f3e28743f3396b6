#include "scratchpage/runtime/api/operation_list.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/request_key.hpp"
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

constexpr const char* example_key = "8e03978e-40d5-43dd-bc93-6894a57f9324";

/// Takes the key out of the arguments; null means the same as none.
caf::expected<std::string> take_key(json::object& arguments) {
  auto* found = arguments.find(argument_type::request_key);
  if (found == arguments.end())
    return std::string{};
  auto value = std::move(found->value());
  arguments.erase(found);
  if (value.is_null())
    return std::string{};
  std::string result{value.is_string() ? std::string_view{value.get_string()} : std::string_view{}};
  if (auto err = check_request_key(result))
    return err;
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

json::object argument_type::schema(named_schemas* names) const {
  auto result = own_schema(names);
  if (has_request_key)
    result["properties"].as_object()[request_key] = {{"type", "string"}, {"minLength", 1},
      {"maxLength", request_key_limits::characters},
      {"description",
        "Names this request among those of the caller, in visible ASCII characters. "
        "A repetition with the same key is answered as before, and not carried out again"},
      {"examples", {example_key}}};
  return result;
}

json::object argument_type::example() const {
  auto result = own_example();
  if (has_request_key)
    result[request_key] = example_key;
  return result;
}

caf::error argument_type::check(json::value x) const {
  if (has_request_key && x.is_object())
    if (auto key = take_key(x.get_object()); !key)
      return key.error();
  return own_check(x);
}

caf::expected<std::string> take_request_key(const operation& what, json::object& arguments) {
  if (!arguments.contains(argument_type::request_key))
    return std::string{};
  if (what.performed.takes.has_request_key)
    return take_key(arguments);
  if (!what.changes())
    return fail(errc::invalid_request, argument_type::request_key,
      "expected none, since " + std::string{what.name} + " changes nothing");
  return fail(errc::invalid_request, argument_type::request_key,
    "expected none, since " + std::string{what.name}
      + " does not keep keys: a repetition would be carried out again");
}

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
