#include "scratchpage/messages/codec.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

json::string_view view(std::string_view x) {
  return {x.data(), x.size()};
}

} // namespace

// -- reading ------------------------------------------------------------------------

json_reader::scope::scope(json_reader& reader, std::string_view member)
  : reader_{reader},
    length_{reader.path_.size()} {
  // One without a name would make an error that names nothing.
  reader.path_.append(length_ == 0 ? "" : ".").append(member.empty() ? R"("")" : member);
}

json_reader::scope::scope(json_reader& reader, size_t index)
  : reader_{reader},
    length_{reader.path_.size()} {
  reader.path_.append("[").append(std::to_string(index)).append("]");
}

bool json_reader::refuse(const std::string& expected) {
  if (!error_)
    error_ = fail(code_, path_, "expected " + expected);
  return false;
}

bool json_reader::refuse_unknown(
  const json::object& in, std::initializer_list<std::string_view> known, errc code) {
  for (const auto& [key, value] : in) {
    std::string_view name{key};
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    std::string expected = "unknown field; known are";
    for (auto one : known)
      expected.append(one == *known.begin() ? " " : ", ").append(one);
    scope here{*this, name};
    error_ = fail(code, path_, expected);
    return false;
  }
  return true;
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
  out = in.to_number<double>() + 0.0; // of the two zeros the one without a sign
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
  const auto& object = in.get_object();
  if (!refuse_unknown(
        object, {"tool", "daemon", "user", "turn_id", "timestamp", "relayed_by"}, code_))
    return false;
  size_t named = 0;
  for (size_t i = 0; i < enum_names<source_kind>.size(); ++i) {
    const auto* name = object.if_contains(view(enum_names<source_kind>[i]));
    if (name == nullptr || name->is_null())
      continue;
    scope here{*this, enum_names<source_kind>[i]};
    ++named;
    out.kind = static_cast<source_kind>(i);
    if (!read(*name, out.name) || (out.name.empty() && !refuse("a name that is not empty")))
      return false;
  }
  if (named != 1)
    return refuse("exactly one of tool, daemon, user");
  return read_member(object, optional("turn_id", &source::turn_id), out)
         && read_member(object, optional("timestamp", &source::at), out)
         && read_member(object, optional("relayed_by", &source::relayed_by), out);
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

} // namespace scratchpage
