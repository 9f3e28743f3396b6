#include "scratchpage/messages/codec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/near_names.hpp"

namespace scratchpage {

namespace {

/// Makes values as Boost.JSON's own parser does, but reads numbers exactly. The parser of Boost
/// 1.81 may be off in the last digit, so a number that is read and written often would drift.
struct exact_handler {
  static constexpr auto max_object_size = json::object::max_size();
  static constexpr auto max_array_size = json::array::max_size();
  static constexpr auto max_key_size = json::string::max_size();
  static constexpr auto max_string_size = json::string::max_size();
  using text = json::string_view;
  using code = boost::json::error_code;

  bool on_document_begin(code&) { return true; }
  bool on_document_end(code&) { return true; }
  bool on_object_begin(code&) { return true; }
  bool on_array_begin(code&) { return true; }
  bool on_number_part(text, code&) { return true; }
  bool on_comment_part(text, code&) { return true; }
  bool on_comment(text, code&) { return true; }

  bool on_object_end(size_t n, code& error) {
    if (n > max_members) {
      has_too_many_members = true;
      error = json::error::object_too_large; // any error, as below
      return false;
    }
    return values.push_object(n), may_go_on(error);
  }
  bool on_array_end(size_t n, code& error) { return values.push_array(n), may_go_on(error); }
  bool on_key_part(text s, size_t, code&) { return values.push_chars(s), true; }
  bool on_key(text s, size_t, code&) { return values.push_key(s), true; }
  bool on_string_part(text s, size_t, code&) { return values.push_chars(s), true; }
  bool on_string(text s, size_t, code& error) { return values.push_string(s), may_go_on(error); }
  bool on_int64(int64_t x, text, code& error) { return values.push_int64(x), may_go_on(error); }
  bool on_uint64(uint64_t x, text, code& error) { return values.push_uint64(x), may_go_on(error); }
  bool on_bool(bool x, code& error) { return values.push_bool(x), may_go_on(error); }
  bool on_null(code& error) { return values.push_null(), may_go_on(error); }

  bool on_double(double rough, text digits, code& error) {
    double exact = 0;
    auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
    auto is_read = ec == std::errc{} && end == digits.data() + digits.size();
    auto x = is_read ? exact : rough; // `rough` if it is too small or too large for a double
    if (!std::isfinite(x)) {
      error = json::error::exponent_overflow; // JSON cannot write infinity
      return false;
    }
    return values.push_double(x), may_go_on(error);
  }

  bool may_go_on(code& error) {
    if (left > 0) {
      --left;
      return true;
    }
    has_too_many = true;
    error = json::error::array_too_large; // any error: parse_json has its own text for it
    return false;
  }

  json::value_stack values;
  size_t left = any_number_of_values; ///< values that may still come
  bool has_too_many = false;
  size_t max_members = 0; ///< of an object
  bool has_too_many_members = false;
};

/// The error for a text that is too large. It comes before parsing; Boost.JSON checks the depth.
caf::error too_big(const json_limits& limits) {
  return fail(errc::invalid_request, "",
    "a JSON text of at most " + std::to_string(limits.max_bytes) + " bytes");
}

} // namespace

// -- reading ------------------------------------------------------------------------

std::string json_reader::path() const {
  std::string result;
  for (const auto& x : path_)
    if (x.index)
      result.append("[").append(std::to_string(*x.index)).append("]");
    else // an empty name is shown as "", else the error would name nothing
      result.append(result.empty() ? "" : ".").append(x.member.empty() ? R"("")" : x.member);
  return result;
}

bool json_reader::refuse(const std::string& expected) {
  if (!error_)
    error_ = fail(code_, path(), "expected " + expected);
  return false;
}

bool json_reader::find_members(const json::object& in,
  std::initializer_list<std::string_view> known, std::span<const json::value*> values, errc code) {
  const auto* next = known.begin();
  for (const auto& [key, value] : in) {
    std::string_view name{key};
    const auto* at = std::find(next, known.end(), name);
    if (at == known.end()) {
      at = std::find(known.begin(), next, name);
      if (at == next)
        return refuse_unknown(name, known, code);
    }
    values[static_cast<size_t>(at - known.begin())] = &value;
    next = at + 1;
  }
  return true;
}

bool json_reader::refuse_unknown(
  std::string_view name, std::initializer_list<std::string_view> known, errc code) {
  std::string expected = "unknown field; known are";
  for (auto one : known)
    expected.append(one == *known.begin() ? " " : ", ").append(one);
  if (auto near = near_member(name, {known.begin(), known.size()}))
    expected.append("; did you mean ").append(*near).append("?");
  // The name may be long, and may have characters that change what a reader sees.
  auto shown = shown_name(name);
  scope here{*this, std::string_view{shown}};
  error_ = fail(code, path(), expected);
  return false;
}

bool json_reader::read(const json::value& in, std::string& out) {
  if (!in.is_string())
    return refuse("a text");
  out.assign(in.get_string().data(), in.get_string().size());
  return true;
}

bool json_reader::read(const json::value& in, bool& out) {
  if (!in.is_bool())
    return refuse("true or false");
  out = in.get_bool();
  return true;
}

bool json_reader::read(const json::value& in, double& out) {
  if (!in.is_number())
    return refuse("a number");
  out = in.to_number<double>() + 0.0; // -0.0 becomes 0.0
  return std::isfinite(out) || refuse("a finite number");
}

bool json_reader::read(const json::value& in, timestamp& out) {
  auto at = in.is_string() ? from_rfc3339(std::string_view{in.get_string()}) : std::nullopt;
  if (!at)
    return refuse("a date and time after RFC 3339, such as 2025-11-05T10:30:00Z");
  out = *at;
  return true;
}

bool json_reader::read(const json::value& in, timespan& out) {
  double milliseconds = 0;
  if (!read(in, milliseconds))
    return false;
  constexpr double century = 100.0 * 365 * 24 * 3600 * 1000;
  if (milliseconds < 0)
    return refuse("milliseconds, not negative");
  if (milliseconds > century)
    return refuse("milliseconds, at most a century (3153600000000)");
  out = from_milliseconds(milliseconds);
  return true;
}

bool json_reader::read(const json::value& in, json::object& out) {
  if (!in.is_object())
    return refuse("an object");
  out = in.get_object();
  return true;
}

bool json_reader::read(const json::value& in, json::value& out) {
  out = in;
  return true;
}

bool json_reader::read(const json::value& in, seldom_text& out) {
  std::string value;
  if (!read(in, value))
    return false;
  out = std::move(value);
  return true;
}

bool json_reader::read(const json::value& in, source& out) {
  if (!in.is_object())
    return refuse("an object");
  constexpr auto& kinds = enum_names<source_kind>;
  std::array<const json::value*, kinds.size() + 3> values{};
  if (!find_members(in.get_object(),
        {kinds[0], kinds[1], kinds[2], "turn_id", "timestamp", "relayed_by"}, values, code_))
    return false;
  size_t named = 0;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (values[i] == nullptr || values[i]->is_null())
      continue;
    scope here{*this, kinds[i]};
    ++named;
    out.kind = static_cast<source_kind>(i);
    if (!read(*values[i], out.name) || (out.name.empty() && !refuse("a name that is not empty")))
      return false;
  }
  if (named != 1)
    return refuse("exactly one of tool, daemon, user");
  const auto* next = &values[kinds.size()];
  return read_member(*next++, optional("turn_id", &source::turn_id), out)
         && read_member(*next++, optional("timestamp", &source::at), out)
         && read_member(*next, optional("relayed_by", &source::relayed_by), out);
}

bool json_reader::read(const json::value& in, observation_ptr& out) {
  observation value;
  if (!read(in, value))
    return false;
  out = observation_ptr{std::move(value)};
  return true;
}

// -- writing ------------------------------------------------------------------------

json::value to_json(const std::string& x) {
  return json::value(view(x));
}

json::value to_json(const seldom_text& x) {
  return to_json(x.text());
}

json::value to_json(bool x) {
  return json::value(x);
}

json::value to_json(double x) {
  return json::value(x);
}

json::value to_json(timestamp x) {
  return to_json(to_rfc3339(x));
}

json::value to_json(timespan x) {
  return json::value(in_milliseconds(x));
}

json::value to_json(const json::object& x) {
  return json::value(x);
}

json::value to_json(const json::value& x) {
  return x;
}

json::value to_json(const source& x) {
  json::object result;
  result[view(name_of(x.kind))] = x.name;
  if (!x.turn_id.empty())
    result["turn_id"] = x.turn_id;
  if (x.at != timestamp{})
    result["timestamp"] = to_rfc3339(x.at);
  if (!x.relayed_by.empty())
    result["relayed_by"] = x.relayed_by.text();
  return result;
}

json::value to_json(const observation_ptr& x) {
  return x ? to_json(*x) : json::value(nullptr);
}

json::value to_json(const caf::error& x) {
  if (!x)
    return nullptr;
  json::object result;
  result["code"] = to_string(code_of(x));
  result["message"] = describe(x);
  if (auto field = field_of(x); !field.empty())
    result["field"] = field;
  return result;
}

caf::expected<json::value> parse_json(
  std::string_view text, const json_limits& limits, json::storage_ptr memory) {
  if (text.size() > limits.max_bytes)
    return too_big(limits);
  json::parse_options options;
  options.max_depth = limits.max_depth;
  json::basic_parser<exact_handler> parser{options};
  parser.handler().values.reset(std::move(memory));
  parser.handler().left = limits.max_values;
  auto is_own = limits.max_values == any_number_of_values;
  parser.handler().max_members = is_own ? any_number_of_values : limits.max_members;
  boost::json::error_code ec;
  auto used = parser.write_some(false, text.data(), text.size(), ec);
  if (!ec && parser.done()) {
    auto rest = text.substr(used);
    auto end = rest.find_first_not_of(" \t\r\n");
    if (end == std::string_view::npos)
      return parser.handler().values.release();
    return fail(errc::invalid_request, "",
      "one JSON value, but more follows at byte " + std::to_string(used + end + 1));
  }
  if (parser.handler().has_too_many)
    return fail(errc::invalid_request, "",
      "a JSON text of at most " + std::to_string(limits.max_values) + " values");
  if (parser.handler().has_too_many_members)
    return fail(errc::invalid_request, "",
      "a JSON text whose objects have at most " + std::to_string(limits.max_members) + " members");
  return fail(errc::invalid_request, "",
    "valid JSON, at most " + std::to_string(limits.max_depth) + " levels deep, but at byte "
      + std::to_string(used + 1) + ": " + ec.message());
}

} // namespace scratchpage
