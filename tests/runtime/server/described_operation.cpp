#include "scratchpage/tests/runtime/server/described_operation.hpp"

#include <algorithm>

namespace scratchpage::test {

namespace {

std::string text(const json::value& x) {
  return std::string{x.as_string()};
}

std::string capitals(std::string x) {
  std::ranges::transform(x, x.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return x;
}

std::vector<std::string> pieces(const std::string& path) {
  std::vector<std::string> result{""};
  for (auto c : path) {
    if (c == '/')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

json::value written_out(const json::value& x, const json::value& document);

/// Adds the keywords that are beside a reference. `properties` are merged.
void add_beside(json::object& to, const json::object& more, const json::value& document) {
  for (const auto& [word, value] : more) {
    auto whole = written_out(value, document);
    if (word == "properties" && to.contains(word))
      for (auto& [name, one] : whole.as_object())
        to.at(word).as_object()[name] = one;
    else if (word != "$ref")
      to[word] = std::move(whole);
  }
}

/// The schema with all references replaced by their targets.
json::value written_out(const json::value& x, const json::value& document) {
  if (const auto* list = x.if_array()) {
    json::array result;
    for (const auto& one : *list)
      result.push_back(written_out(one, document));
    return result;
  }
  const auto* object = x.if_object();
  if (object == nullptr)
    return x;
  json::object result;
  if (const auto* elsewhere = object->if_contains("$ref"))
    result = written_out(document.at_pointer(text(*elsewhere).substr(1)), document).as_object();
  add_beside(result, *object, document);
  return result;
}

described_operation read(const std::string& path, const std::string& method, const json::object& x,
  const json::value& document) {
  described_operation result;
  result.id = text(x.at("operationId"));
  result.method = capitals(method);
  result.path = path;
  for (const auto& one : x.at("parameters").as_array())
    result.parameters.push_back(
      {text(one.at("name")), text(one.at("in")), one.at("schema").as_object(),
        one.as_object().contains("required") && one.at("required").as_bool()});
  if (const auto* body = x.if_contains("requestBody"))
    result.body =
      written_out(body->at("content").at("application/json").at("schema"), document).as_object();
  result.responses = x.at("responses").as_object();
  return result;
}

} // namespace

std::vector<described_operation> operations_of(const json::value& document) {
  std::vector<described_operation> result;
  for (const auto& [path, item] : document.at("paths").as_object())
    for (const auto& [method, operation] : item.as_object())
      result.push_back(
        read(std::string{path}, std::string{method}, operation.as_object(), document));
  return result;
}

bool fits(const std::string& path_template, const std::string& path) {
  auto names = pieces(path_template);
  auto given = pieces(path);
  return names.size() == given.size()
         && std::ranges::equal(names, given, [](const std::string& name, const std::string& x) {
              return name.starts_with('{') || name == x;
            });
}

} // namespace scratchpage::test
