#include "scratchpage/runtime/api/argument_help.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/near_names.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_example_bytes = 120;

/// The schema of the values, for members that take one value or a list.
const json::object* without_choice(const json::object* schema) {
  const auto* choices = schema != nullptr ? schema->if_contains("anyOf") : nullptr;
  return choices != nullptr ? choices->get_array().back().if_object() : schema;
}

const json::object* members_of(const json::object* schema) {
  const auto* found = schema != nullptr ? schema->if_contains("properties") : nullptr;
  return found != nullptr ? found->if_object() : nullptr;
}

const json::object* member_of(const json::object* schema, std::string_view name) {
  const auto* all = members_of(schema);
  const auto* found = all != nullptr ? all->if_contains(view(name)) : nullptr;
  return found != nullptr ? found->if_object() : nullptr;
}

/// A place in the arguments: the schema and the value there. Null: there is none.
struct place {
  const json::object* schema;
  const json::value* value;

  place at(std::string_view name) const {
    const auto* object = value != nullptr ? value->if_object() : nullptr;
    return {without_choice(member_of(schema, name)),
      object != nullptr ? object->if_contains(view(name)) : nullptr};
  }

  place at(size_t index) const {
    const auto* items = schema != nullptr ? schema->if_contains("items") : nullptr;
    const auto* list = value != nullptr ? value->if_array() : nullptr;
    return {items != nullptr ? items->if_object() : nullptr,
      list != nullptr && index < list->size() ? &(*list)[index] : nullptr};
  }
};

/// The path of an error: the place around the member, and the member's name.
struct error_place {
  place around;
  std::string_view name; ///< "": an element of a list
  place there;
};

/// Follows a path such as `changes.tags[1]`. A name with other characters is found nowhere.
error_place follow(place from, std::string_view path) {
  error_place result{from, {}, from};
  while (!path.empty()) {
    result.around = result.there;
    if (path.front() == '[') {
      size_t index = 0;
      auto close = path.find(']');
      if (close == std::string_view::npos)
        break;
      std::from_chars(path.data() + 1, path.data() + close, index);
      result.there = result.around.at(index);
      result.name = {};
      path.remove_prefix(close + 1);
      continue;
    }
    if (path.front() == '.')
      path.remove_prefix(1);
    auto end = std::min(path.find_first_of(".["), path.size());
    result.name = path.substr(0, end);
    result.there = result.around.at(result.name);
    path.remove_prefix(end);
  }
  return result;
}

bool has_any_member(const json::object& value, const json::object* schema) {
  const auto* known = members_of(schema);
  return known != nullptr
         && std::ranges::any_of(value, [known](const auto& x) { return known->contains(x.key()); });
}

/// The member of `schema` that is an object with a member of that name. The source is none, since
/// the caller's identity replaces what is claimed.
std::string_view holder_of(std::string_view name, const json::object* schema) {
  const auto* all = members_of(schema);
  if (all != nullptr)
    for (const auto& [key, one] : *all)
      if (member_of(without_choice(one.if_object()), name) != nullptr && key != "source")
        return key;
  return {};
}

/// The member of the arguments that is an object and has the name, which belongs beside it.
std::string_view giver_of(std::string_view name, const place& around) {
  const auto* object = around.value != nullptr ? around.value->if_object() : nullptr;
  if (object != nullptr)
    for (const auto& [key, one] : *object)
      if (one.is_object() && one.get_object().contains(view(name))
          && member_of(around.schema, key) != nullptr)
        return key;
  return {};
}

std::string help_for_unknown(const error_place& x, const place& top) {
  std::string name{x.name};
  if (x.there.value != nullptr && x.there.value->is_object()
      && has_any_member(x.there.value->get_object(), x.around.schema))
    return "; give its members directly, without " + name + " around them";
  if (auto holder = holder_of(x.name, x.around.schema); !holder.empty())
    return "; put it into " + std::string{holder} + ": {\"" + std::string{holder} + "\": {\"" + name
           + "\": …}}";
  if (x.around.schema != top.schema && member_of(top.schema, x.name) != nullptr)
    return "; it belongs at the top level of the arguments";
  return {};
}

std::string example_in(const json::object* schema) {
  const auto* all = schema != nullptr ? schema->if_contains("examples") : nullptr;
  if (all == nullptr || all->get_array().empty())
    return {};
  auto text = to_text(all->get_array().front());
  return text.size() <= max_example_bytes ? text : std::string{};
}

/// The value of an enum that was probably meant.
std::optional<std::string> meant(const place& x) {
  const auto* schema = x.schema;
  if (schema != nullptr && !schema->contains("enum") && schema->contains("items"))
    schema = schema->at("items").if_object();
  const auto* all = schema != nullptr ? schema->if_contains("enum") : nullptr;
  if (all == nullptr || x.value == nullptr || !x.value->is_string())
    return std::nullopt;
  std::vector<std::string_view> known;
  for (const auto& one : all->get_array())
    known.emplace_back(one.get_string());
  auto near = near_value(std::string_view{x.value->get_string()}, known);
  return near ? std::optional<std::string>{*near} : std::nullopt;
}

bool is_number(const json::object* schema) {
  const auto* type = schema != nullptr ? schema->if_contains("type") : nullptr;
  return type != nullptr && (*type == "number" || *type == "integer");
}

std::string help_for_value(const error_place& x) {
  std::string result;
  if (x.there.value != nullptr && x.there.value->is_string() && is_number(x.there.schema))
    result += ", without quotation marks";
  if (auto near = meant(x.there))
    return result + "; did you mean " + *near + "?";
  if (auto example = example_in(x.there.schema); !example.empty())
    result += ", such as " + example;
  auto is_missing = x.there.value == nullptr || x.there.value->is_null();
  if (auto giver = is_missing ? giver_of(x.name, x.around) : ""; !giver.empty())
    result += "; it is in " + std::string{giver} + ", but belongs beside it";
  return result;
}

} // namespace

namespace {

/// The complete schema of an operation's arguments. Each is made once, since errors come in
/// numbers.
const json::object& schema_of(const operation& of) {
  static const auto all = [] {
    std::map<std::string_view, json::object> result;
    for (const auto& x : all_operations())
      result.emplace(x.name, x.performed.takes.schema(nullptr));
    return result;
  }();
  return all.at(of.name);
}

} // namespace

caf::error with_help(
  const caf::error& why, std::string_view operation, const json::value& arguments) {
  const auto* what = find_operation(operation);
  auto field = field_of(why);
  if (what == nullptr || field.empty())
    return why;
  const auto& schema = schema_of(*what);
  place top{&schema, &arguments};
  auto at = follow(top, field);
  auto is_unknown = !at.name.empty() && members_of(at.around.schema) != nullptr
                    && member_of(at.around.schema, at.name) == nullptr;
  auto expected = why.context().get_as<std::string>(1);
  if (is_unknown) {
    if (auto help = help_for_unknown(at, top);
        !help.empty()) // more certain than a name that is near
      expected.replace(
        std::min(expected.find("; did you mean"), expected.size()), std::string::npos, help);
  } else if (expected.find("such as") == std::string::npos)
    expected += help_for_value(at);
  return fail(code_of(why), field, expected);
}

caf::error check_tags_in_text(errc code, const json::value& arguments) {
  const auto* object = arguments.if_object();
  const auto* tags = object != nullptr ? object->if_contains("tags") : nullptr;
  if (tags == nullptr || !tags->is_string()
      || std::string_view{tags->get_string()}.find(',') == std::string_view::npos)
    return {};
  return fail(code, "tags",
    R"(expected a list, such as ["food", "travel"]; a tag that has a comma in it is given in a list)");
}

} // namespace scratchpage
