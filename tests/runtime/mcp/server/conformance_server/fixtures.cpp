#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"

namespace scratchpage::test {

namespace {

constexpr std::string_view template_begin = "test://template/";
constexpr std::string_view template_end = "/data";

/// The `{id}` of `test://template/{id}/data`; "" if the address is another one.
std::string id_in(std::string_view uri) {
  if (!uri.starts_with(template_begin) || !uri.ends_with(template_end)
      || uri.size() <= template_begin.size() + template_end.size())
    return {};
  uri.remove_prefix(template_begin.size());
  uri.remove_suffix(template_end.size());
  return std::string{uri};
}

json::object resource(std::string_view uri, std::string_view name, std::string_view type) {
  return {{"uri", view(uri)}, {"name", view(name)}, {"mimeType", view(type)},
    {"description", view(name)}};
}

json::object contents(
  std::string_view uri, std::string_view type, std::string_view kind, std::string_view content) {
  json::object one{{"uri", view(uri)}, {"mimeType", view(type)}};
  one[view(kind)] = view(content);
  return {{"contents", {std::move(one)}}};
}

template <class List>
const auto& named(const List& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.name == name; });
}

} // namespace

fixtures::fixtures()
  : resources_{resource("test://static-text", "Static text", "text/plain"),
    resource("test://static-binary", "Static image", "image/png"),
    resource("test://watched-resource", "Watched text", "text/plain")},
    templates_{{{"uriTemplate", "test://template/{id}/data"}, {"name", "Template"},
      {"description", "Data by its id"}, {"mimeType", "application/json"}}} {
  for (auto& group : {content_tools(), telling_tools(), changing_tools(feed_), asking_tools(),
         input_required_tools(), task_tools(), schema_tools()})
    tool_fixtures_.insert(tool_fixtures_.end(), group.begin(), group.end());
  for (const auto& x : tool_fixtures_)
    tools_.push_back(
      {{"name", x.name}, {"description", x.description}, {"inputSchema", x.input_schema}});
  for (const auto& x : prompt_fixtures_) {
    json::array arguments;
    for (const auto& name : x.arguments)
      arguments.push_back({{"name", name}, {"required", true}});
    prompts_.push_back(
      {{"name", x.name}, {"description", x.description}, {"arguments", std::move(arguments)}});
  }
}

json::object fixtures::server_info() const {
  return {{"name", "scratchpage-conformance"}, {"version", "1"}};
}

json::object fixtures::capabilities() const {
  json::object changes{{"listChanged", true}};
  return {{"tools", changes}, {"prompts", changes},
    {"resources", {{"listChanged", true}, {"subscribe", true}}}, {"completions", json::object{}},
    {"logging", json::object{}}};
}

void fixtures::call_tool(
  const std::string& name, const json::object& arguments, const call_ptr& by) {
  named(tool_fixtures_, name).call(arguments, by);
}

bool fixtures::is_resource(const std::string& uri) const {
  auto is_it = [&](const json::value& x) { return x.at("uri").as_string() == view(uri); };
  return !id_in(uri).empty() || std::any_of(resources_.begin(), resources_.end(), is_it);
}

void fixtures::read_resource(const std::string& uri, const call_ptr& by) {
  if (uri == "test://static-text")
    return by->give(
      contents(uri, "text/plain", "text", "This is the content of the static text resource."));
  if (uri == "test://static-binary")
    return by->give(contents(uri, "image/png", "blob", small_png));
  if (uri == "test://watched-resource")
    return by->give(contents(uri, "text/plain", "text", "Watched resource content"));
  auto id = id_in(uri);
  if (id.empty())
    return by->refuse_resource(uri);
  json::object data{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
  by->give(contents(uri, "application/json", "text", to_text(json::value(data))));
}

void fixtures::get_prompt(
  const std::string& name, const json::object& arguments, const call_ptr& by) {
  named(prompt_fixtures_, name).get(arguments, by);
}

void fixtures::complete(const json::object& params, const call_ptr& by) {
  auto begun = argument(params.at("argument").get_object(), "value");
  json::array values;
  for (const std::string word : {"paris", "park", "party"})
    if (word.starts_with(begun))
      values.emplace_back(word);
  by->give({{"completion", {{"values", std::move(values)}, {"hasMore", false}}}});
}

} // namespace scratchpage::test
