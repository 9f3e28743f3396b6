#include "scratchpage/runtime/api/json_schema.hpp"

#include <algorithm>
#include <utility>

namespace scratchpage {

json::object named_schemas::refer(
  std::string_view name, const std::function<json::object()>& make) {
  auto [found, is_new] = all_.try_emplace(std::string{name});
  if (is_new)
    found->second = make(); // `make` may add schemas; a map keeps its elements where they are
  return {{"$ref", "#/components/schemas/" + std::string{name}}};
}

namespace detail {

void add_note(json::object& schema, const note& x) {
  schema["description"] = view(x.description);
  if (!x.example.empty())
    schema["examples"] = json::array(1, parsed_example(x.example));
  if (x.limits == nullptr)
    return;
  for (auto& [word, value] : x.limits()) {
    auto* there = schema.if_contains(word);
    if (word == "items" && there != nullptr)
      for (auto& [inner, bound] : value.get_object())
        there->get_object()[inner] = std::move(bound);
    else
      schema[word] = std::move(value);
  }
}

json::value parsed_example(std::string_view text) {
  return json::parse(view(text));
}

bool is_for_models(const note& x, std::string_view inside) {
  if (inside.empty())
    return x.told == telling::models;
  while (!inside.empty()) {
    auto end = std::min(inside.find(' '), inside.size());
    if (inside.substr(0, end) == x.member)
      return true;
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  return false;
}

namespace {

json::object explained(json::object schema, std::string_view description, json::value example) {
  schema["description"] = view(description);
  schema["examples"] = json::array(1, std::move(example));
  return schema;
}

json::object whole_source(members what) {
  json::object name{{"type", "string"}, {"minLength", 1}}, text{{"type", "string"}};
  json::object time{{"type", "string"}, {"format", "date-time"}};
  json::object result{{"type", "object"},
    {"properties",
      {{"tool", explained(name, "The name of the tool that observed it", "weather_api")},
        {"daemon", explained(name, "The name of the daemon that observed it", "router")},
        {"user", explained(name, "The name of the user who observed it", "ann")},
        {"turn_id", explained(text, "The turn in which it was observed", "turn_20251105_001")},
        {"timestamp", explained(time, "When it was observed", "2025-11-05T10:30:00Z")},
        {"relayed_by",
          explained(text, "Who passed on the words of the user; absent if they came directly",
            "assistant")}}},
    {"oneOf", {{{"required", {"tool"}}}, {{"required", {"daemon"}}}, {{"required", {"user"}}}}}};
  if (what == members::closed)
    result["additionalProperties"] = false;
  return result;
}

} // namespace

json::object schema_of<source>::make(const schema_form& form) {
  if (form.names == nullptr)
    return whole_source(form.what);
  return form.names->refer(form.what == members::closed ? "claimed_source" : "source",
    [&] { return whole_source(form.what); });
}

} // namespace detail

} // namespace scratchpage
