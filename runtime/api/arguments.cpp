#include "scratchpage/runtime/api/arguments.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/memory/forget_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/near_names.hpp"
#include "scratchpage/runtime/api/argument_help.hpp"

namespace scratchpage {

draft_batch read_drafts(const std::vector<json::value>& drafts) {
  draft_batch result;
  result.outcomes.resize(drafts.size());
  for (size_t i = 0; i < drafts.size(); ++i) {
    if (!drafts[i].is_object()) {
      result.outcomes[i].error = fail(errc::invalid_observation, "draft",
        R"(expected an object, such as {"type": "alert", "content": "Smoke"})");
      continue;
    }
    auto draft = read_arguments<observation_draft>("add_observation", drafts[i]);
    auto err = draft ? check_mark(*draft) : draft.error();
    if (err)
      result.outcomes[i].error = std::move(err);
    else
      result.readable.push_back(std::move(*draft));
  }
  return result;
}

add_outcomes outcomes_of(draft_batch all, const add_outcomes& stored) {
  auto next = stored.outcomes.begin();
  for (auto& x : all.outcomes)
    if (!x.error && next != stored.outcomes.end())
      x = *next++;
  return {std::move(all.outcomes)};
}

} // namespace scratchpage

namespace scratchpage {

namespace {

caf::error refuse(std::string_view name, const std::string& expected) {
  return fail(errc::invalid_request, name, "expected " + expected);
}

/// The schema of the list, for members that take one value or a list.
const json::object& plain(const json::object& schema) {
  const auto* choice = schema.if_contains("anyOf");
  return choice == nullptr ? schema : choice->get_array().back().get_object();
}

std::string_view type_of(const json::object& schema) {
  const auto* type = schema.if_contains("type");
  return type == nullptr ? std::string_view{} : std::string_view{type->get_string()};
}

/// Reads a number or a boolean, which is written as in JSON.
caf::expected<json::value> as_literal(
  std::string_view name, const std::string& text, std::string_view type) {
  constexpr json_limits short_text{256, 1};
  auto value = parse_json(text, short_text);
  auto fits = value && (type == "boolean" ? value->is_bool() : value->is_number());
  if (!fits)
    return refuse(name, type == "boolean" ? "true or false" : "a number");
  return std::move(*value);
}

/// Reads a value inside an object: a JSON literal if it is one, else a text.
json::value as_scalar(const std::string& text) {
  constexpr json_limits short_text{4'096, 1};
  auto value = parse_json(text, short_text);
  return value && !value->is_structured() ? std::move(*value) : json::value(view(text));
}

caf::expected<json::value> as_value(
  std::string_view name, const std::string& text, const json::object& schema) {
  auto type = type_of(schema);
  if (type == "boolean" || type == "number" || type == "integer")
    return as_literal(name, text, type);
  if (type == "object") {
    auto value = parse_json(text);
    if (!value || !value->is_object())
      return refuse(name, "a JSON object, or members as " + std::string{name} + ".NAME=VALUE");
    return std::move(*value);
  }
  return json::value(view(text));
}

class reader {
public:
  explicit reader(const json::object& schema)
    : properties_{schema.at("properties").get_object()} {}

  caf::error take(const std::string& name, const std::string& text) {
    if (const auto* schema = find(name))
      return take_whole(name, text, plain(*schema));
    auto dot = name.find('.');
    const auto* schema = dot == std::string::npos ? nullptr : find(name.substr(0, dot));
    if (schema == nullptr || type_of(*schema) != "object")
      return unknown(name);
    return take_member(name.substr(0, dot), name.substr(dot + 1), text);
  }

  json::object result;

private:
  /// The error for an unknown parameter, with those that there are.
  caf::error unknown(const std::string& name) const {
    std::vector<std::string_view> known;
    for (const auto& [one, schema] : properties_)
      known.emplace_back(one);
    std::string expected = "there is no such parameter; known are";
    for (auto one : known)
      expected.append(one == known.front() ? " " : ", ").append(one);
    if (auto near = near_member(name, known))
      expected.append("; did you mean ").append(*near).append("?");
    return fail(errc::invalid_request, name.empty() ? "query" : shown_name(name), expected);
  }

  const json::object* find(const std::string& name) const {
    const auto* found = properties_.if_contains(view(name));
    return found == nullptr ? nullptr : &found->get_object();
  }

  caf::error take_whole(
    const std::string& name, const std::string& text, const json::object& schema) {
    if (type_of(schema) == "array") {
      auto item = as_value(name, text, schema.at("items").get_object());
      if (!item)
        return item.error();
      auto& list = result[view(name)];
      if (list.is_null())
        list = json::array{};
      list.get_array().push_back(std::move(*item));
      return {};
    }
    auto value = as_value(name, text, schema);
    if (!value)
      return value.error();
    if (!result.emplace(view(name), std::move(*value)).second)
      return refuse(name, "it once");
    return {};
  }

  caf::error take_member(
    const std::string& name, const std::string& member, const std::string& text) {
    auto& whole = result[view(name)];
    if (whole.is_null())
      whole = json::object{};
    if (!whole.get_object().emplace(view(member), as_scalar(text)).second)
      return refuse(name + "." + member, "it once");
    return {};
  }

  const json::object& properties_;
};

} // namespace

caf::error unknown_parameter(std::string_view name) {
  return fail(
    errc::invalid_request, name.empty() ? "query" : shown_name(name), "there is no such parameter");
}

caf::expected<json::object> arguments_of_query(
  const http::query_parameters& query, const json::object& schema) {
  reader read{schema};
  for (const auto& [name, text] : query)
    if (auto err = read.take(name, text))
      return err;
  return std::move(read.result);
}

} // namespace scratchpage
