#include "scratchpage/tests/runtime/server/broken_requests.hpp"

#include <cstdint>
#include <functional>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/support/json_schema_check.hpp"

namespace scratchpage::test {

namespace {

json::value nested(size_t depth, bool in_objects) {
  json::value result = 1;
  for (size_t i = 0; i < depth; ++i)
    result = in_objects ? json::value(json::object{{"a", std::move(result)}})
                        : json::value(json::array{std::move(result)});
  return result;
}

/// Values that are tried at every place of a body.
json::array odd_values(const json::object& schema) {
  json::array result{nullptr, true, 7, -1, 1.5, -0.0, 0, 1e300, -1e300, 5e-324, INT64_MIN,
    INT64_MAX, UINT64_MAX, 2e19, "", "   ", "no such thing", "NaN", "1e999", "2025-13-45T99:00:00Z",
    "a\u202eb", json::array{}, json::array{nullptr}, json::array{7}, json::array{""},
    json::array{json::array{}}, json::object{}, json::object{{"a", 1}}, json::object{{"", nullptr}},
    nested(6, true), nested(20, true), nested(20, false)};
  result.emplace_back(std::string(70'000, 'x'));
  result.emplace_back(std::string(300, 'y'));
  json::array many(100, "tag");
  for (size_t i = 0; i < many.size(); ++i)
    many[i] = "tag " + std::to_string(i);
  result.emplace_back(std::move(many));
  if (const auto* least = schema.if_contains("minimum"))
    result.emplace_back(least->to_number<double>() - 1);
  if (const auto* most = schema.if_contains("maximum"))
    result.emplace_back(most->to_number<double>() * 1.01 + 1);
  return result;
}

class breaker {
public:
  breaker(schema_values& values, std::vector<odd_body>& result)
    : values_{values},
      result_{result} {}

  using placing = std::function<json::value(json::value)>;

  /// `put` returns the complete body with a value at this place.
  void walk(const json::object& schema, const std::string& at, const json::value& usual,
    const placing& put, const std::string& parent = {}) {
    for (const auto& x : odd_values(schema))
      result_.push_back({put(x), at, parent});
    if (const auto* choices = schema.if_contains("anyOf"))
      return walk_list(choices->as_array().back().as_object(), at, put);
    if (schema.contains("items"))
      return walk_list(schema, at, put);
    if (schema.contains("properties"))
      walk_members(schema, at, usual.is_object() ? usual.get_object() : json::object{}, put);
    const auto* others = schema.if_contains("additionalProperties");
    if (others != nullptr && others->is_object())
      walk(others->get_object(), join(at, "some"), nullptr, [&](json::value x) {
        return put(json::object{{"some", std::move(x)}});
      });
  }

private:
  static std::string join(const std::string& at, json::string_view name) {
    return at.empty() ? std::string{name} : at + "." + std::string{name};
  }

  void walk_list(const json::object& schema, const std::string& at, const placing& put) {
    const auto& items = schema.at("items").as_object();
    walk(items, at + "[0]", values_.least(items),
      [&](json::value x) { return put(json::array{std::move(x)}); });
  }

  void walk_members(const json::object& schema, const std::string& at, const json::object& usual,
    const placing& put) {
    auto with = [&](json::string_view name, json::value x) {
      auto copy = usual;
      copy[name] = std::move(x);
      return put(std::move(copy));
    };
    result_.push_back({with("no_such_member", 1), join(at, "no_such_member"), {}});
    if (const auto* required = schema.if_contains("required")) {
      for (const auto& name : required->as_array()) {
        auto copy = usual;
        copy.erase(name.as_string());
        result_.push_back({put(std::move(copy)), join(at, name.as_string()), {}});
      }
    }
    // If a `oneOf` has a wrong number of members, the error names the parent.
    auto parent = schema.contains("oneOf") ? at : std::string{};
    for (const auto& [name, one] : schema.at("properties").as_object()) {
      const auto* there = usual.if_contains(name);
      walk(
        one.as_object(), join(at, name),
        there != nullptr ? *there : values_.least(one.as_object(), name),
        [&, key = name](json::value x) { return with(key, std::move(x)); }, parent);
    }
  }

  schema_values& values_;
  std::vector<odd_body>& result_;
};

std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (auto c : text) {
    auto byte = static_cast<unsigned char>(c);
    result += {'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return result;
}

/// Whether the text of a parameter violates the schema. Numbers and booleans are written as in
/// JSON.
bool is_wrong(const json::object& schema, const std::string& text) {
  if (const auto* choices = schema.if_contains("anyOf"))
    return is_wrong(choices->as_array().front().as_object(), text);
  if (const auto* items = schema.if_contains("items"))
    return is_wrong(items->as_object(), text);
  const auto* type = schema.if_contains("type");
  json::value value(json::string_view{text.data(), text.size()});
  if (type != nullptr && *type != "string") {
    auto read = parse_json(text);
    if (!read)
      return true;
    value = std::move(*read);
  }
  return !json_schema_check{value}.violation(schema, value).empty();
}

} // namespace

std::vector<odd_body> odd_bodies(
  const json::object& schema, const json::value& usual, schema_values& values) {
  std::vector<odd_body> result;
  breaker{values, result}.walk(schema, "", usual, [](json::value x) { return x; });
  return result;
}

std::vector<std::string> unreadable_bodies() {
  std::string deep;
  for (auto i = 0; i < 1'000; ++i)
    deep += R"({"a":)";
  return {"{", "}", "nope", "\xff\xfe", R"({"type": "alert", "content": ")", R"({"type": 1e999})",
    R"({"type": NaN})", R"({"type": -Infinity})", "{\"type\": \"\xc3\x28\"}", R"({"a": 1,})",
    R"({'a': 1})", R"({"a": 01})", R"({"a": 1} x)", R"({"a": "\ud800"})", "{\"a\": \"\x01\"}",
    "/* a */ {}", "\xef\xbb\xbf{}", "null", "true", "7", "\"text\"", "[]", "[{}]", deep,
    std::string(100'000, '['), std::string("{\"a\0\": 1}", 9), std::string(5u << 20, ' ')};
}

std::vector<odd_query> odd_queries(const described_operation& x) {
  std::vector<odd_query> result{{"no_such_parameter=1", "no_such_parameter", true},
    {"no_such_parameter", "no_such_parameter", true}, {"type.a=1", "type.a", true},
    {"=1", "query", true}, {"%zz=1", "query", true}, {"%ff=1", "query", true}};
  std::string many;
  for (auto i = 0; i < 257; ++i)
    many += "a=1&";
  result.push_back({many, "query", true});
  for (const auto& one : x.parameters) {
    if (one.in != "query")
      continue;
    for (const auto* garbage : {"%zz", "%", "%f", "%ff", "%c3%28", "%00"})
      result.push_back({one.name + "=" + garbage, one.name, true});
    for (const auto* text : {"", " ", "x", "NaN", "1e999", "-1", "-0", "0", "1.5", "1e300", "true",
           "null", "[]", "{}", "{\"a\":{\"b\":[]}}", "[[[[", "99999999999999999999", "0-0", "now",
           "no such thing", "2025-13-45T99:00:00Z", "'\"<>&;"})
      result.push_back({one.name + "=" + escaped(text), one.name, is_wrong(one.schema, text)});
    for (auto length : {300, 70'000}) {
      std::string text(static_cast<size_t>(length), 'x');
      result.push_back({one.name + "=" + text, one.name, is_wrong(one.schema, text)});
    }
    const auto* type = one.schema.if_contains("type");
    auto is_list = one.schema.contains("anyOf") || (type != nullptr && *type == "array");
    auto is_object = type != nullptr && *type == "object";
    if (!is_list && one.name != "created_after" && one.name != "created_before")
      result.push_back(
        {std::string{one.name}.append("=1&").append(one.name).append("=1"), one.name, true});
    result.push_back({one.name + ".a=1", one.name, !is_object});
    if (is_object)
      result.push_back({std::string{one.name}.append(".a=1&").append(one.name).append(".a=2"),
        one.name + ".a", true});
  }
  return result;
}

bool names(std::string_view field, const std::string& path) {
  std::string_view rest{path};
  while (true) {
    if (rest.empty() || field == rest
        || (rest.ends_with(']') && field == rest.substr(0, rest.rfind('['))))
      return true;
    if (!rest.empty() && field.starts_with(rest)
        && (field[rest.size()] == '.' || field[rest.size()] == '['))
      return true;
    auto dot = rest.find('.');
    if (dot == std::string_view::npos)
      return false;
    rest.remove_prefix(dot + 1);
  }
}

} // namespace scratchpage::test
