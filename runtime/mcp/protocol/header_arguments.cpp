#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>

#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view annotation = "x-mcp-header";
constexpr std::string_view encoded_begin = "=?base64?";
constexpr std::string_view encoded_end = "?=";
constexpr size_t deepest = 8;

std::string in_lower_case(std::string_view x) {
  std::string result{x};
  std::transform(result.begin(), result.end(), result.begin(),
    [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

void collect(const json::object& schema, const std::vector<std::string>& path,
  std::vector<header_argument>& into) {
  const auto* properties = object_in(schema, "properties");
  if (properties == nullptr || path.size() >= deepest)
    return;
  for (const auto& [name, x] : *properties) {
    const auto* property = x.if_object();
    if (property == nullptr)
      continue;
    auto deeper = path;
    deeper.emplace_back(name.data(), name.size());
    if (auto header = text_in(*property, annotation))
      into.push_back({deeper, "mcp-param-" + in_lower_case(*header)});
    collect(*property, deeper, into);
  }
}

/// RFC 9110, section 5.6.2.
bool is_token(std::string_view x) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !x.empty() && std::all_of(x.begin(), x.end(), [&](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || marks.find(static_cast<char>(c)) != marks.npos);
  });
}

/// Checks the headers of a schema, one after the other.
class header_check {
public:
  void look(const json::object& schema, bool is_reachable, size_t depth) {
    if (const auto* said = member(schema, annotation))
      judge(schema, *said, is_reachable && depth > 0 && depth <= deepest);
    for (const auto& [name, x] : schema) {
      const auto* inner = x.if_object();
      if (name == "properties" && inner != nullptr)
        for (const auto& [property, of] : *inner)
          look_into(of, is_reachable, depth + 1);
      else if (name != "default" && name != "const" && name != "enum" && name != "examples")
        look_into(x, false, depth + 1);
    }
  }

  std::optional<std::string> wrong;

private:
  void look_into(const json::value& x, bool is_reachable, size_t depth) {
    if (const auto* object = x.if_object())
      look(*object, is_reachable, depth);
    else if (const auto* array = x.if_array())
      for (const auto& one : *array)
        look_into(one, false, depth);
  }

  void judge(const json::object& property, const json::value& said, bool is_reachable) {
    constexpr std::array<std::string_view, 4> plain{"string", "integer", "boolean", "number"};
    auto type = text_in(property, "type");
    if (!is_reachable)
      wrong = "expected only on arguments that are reached through 'properties' alone";
    else if (!said.is_string() || !is_token(text_of(said)))
      wrong = "expected a token";
    else if (!type || std::find(plain.begin(), plain.end(), *type) == plain.end())
      wrong = "expected only on a string, an integer, a number or a boolean";
    else if (!seen_.insert(in_lower_case(text_of(said))).second)
      wrong = "expected each name once, and '" + text_of(said) + "' is there twice";
  }

  std::set<std::string> seen_;
};

/// The value as a header has it; nothing if no header can.
std::optional<std::string> header_text(const json::value& x) {
  if (x.is_string())
    return encoded(text_of(x));
  if (x.is_bool())
    return x.get_bool() ? "true" : "false";
  if (!x.is_number())
    return std::nullopt;
  std::array<char, 32> digits{};
  auto* begin = digits.data();
  auto* end = begin + digits.size();
  auto written = x.is_double()  ? std::to_chars(begin, end, x.get_double())
                 : x.is_int64() ? std::to_chars(begin, end, x.get_int64())
                                : std::to_chars(begin, end, x.get_uint64());
  return std::string{begin, written.ptr};
}

} // namespace

header_arguments arguments_in_headers(const json::array& tools) {
  header_arguments result;
  for (const auto& x : tools) {
    const auto* tool = x.if_object();
    const auto* schema = tool != nullptr ? object_in(*tool, "inputSchema") : nullptr;
    std::vector<header_argument> found;
    if (schema != nullptr)
      collect(*schema, {}, found);
    if (!found.empty())
      result[text_in(*tool, "name").value_or("")] = std::move(found);
  }
  return result;
}

std::optional<std::string> wrong_header(const json::object& schema) {
  header_check check;
  check.look(schema, true, 0);
  return check.wrong;
}

const json::value* argument_at(
  const json::object* arguments, const std::vector<std::string>& path) {
  const json::value* found = nullptr;
  for (const auto& step : path) {
    found = arguments != nullptr ? member(*arguments, step) : nullptr;
    arguments = found != nullptr ? found->if_object() : nullptr;
  }
  return found != nullptr && !found->is_null() ? found : nullptr;
}

std::vector<std::pair<std::string, std::string>> headers_of(
  const std::vector<header_argument>& which, const json::object* arguments) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& x : which) {
    const auto* given = argument_at(arguments, x.path);
    if (auto text = given != nullptr ? header_text(*given) : std::nullopt)
      result.emplace_back(x.header, std::move(*text));
  }
  return result;
}

std::optional<std::string> decoded(std::string_view value) {
  if (!value.starts_with(encoded_begin) || !value.ends_with(encoded_end)
      || value.size() < encoded_begin.size() + encoded_end.size())
    return std::string{value};
  value.remove_prefix(encoded_begin.size());
  value.remove_suffix(encoded_end.size());
  return from_base64(value);
}

std::string encoded(std::string text) {
  auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  auto has_blank_ends = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!has_blank_ends && std::all_of(text.begin(), text.end(), is_plain)
      && !text.starts_with(encoded_begin))
    return text;
  return std::string{encoded_begin} + to_base64(text) + std::string{encoded_end};
}

} // namespace scratchpage::mcp
