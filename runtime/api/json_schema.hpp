#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"

/// JSON Schema (2020-12) of what the codec reads and writes, from the same lists of
/// fields.

namespace scratchpage {

/// What becomes of members that are not named.
enum class members {
  closed, ///< they are refused, as in what is read
  open,   ///< more may come, as in what is answered
};

namespace detail {

template <class T>
struct schema_of;

template <class T>
json::object schema_for(members what) {
  return schema_of<T>::make(what);
}

template <>
struct schema_of<std::string> {
  static json::object make(members) { return {{"type", "string"}}; }
};

template <>
struct schema_of<bool> {
  static json::object make(members) { return {{"type", "boolean"}}; }
};

template <>
struct schema_of<double> {
  static json::object make(members) { return {{"type", "number"}}; }
};

template <std::integral T>
struct schema_of<T> {
  static json::object make(members what) {
    json::object result{{"type", "integer"}};
    if constexpr (std::is_unsigned_v<T>)
      result["minimum"] = 0;
    if (sizeof(T) < sizeof(int64_t) || what == members::closed)
      result["maximum"] = std::numeric_limits<T>::max();
    return result;
  }
};

template <>
struct schema_of<timestamp> {
  static json::object make(members) { return {{"type", "string"}, {"format", "date-time"}}; }
};

template <>
struct schema_of<timespan> {
  static json::object make(members) {
    return {{"type", "number"}, {"minimum", 0}, {"description", "milliseconds"}};
  }
};

template <>
struct schema_of<json::object> {
  static json::object make(members) { return {{"type", "object"}}; }
};

template <>
struct schema_of<json::value> {
  static json::object make(members) { return {}; }
};

/// Exactly one of three members has the name.
template <>
struct schema_of<source> {
  static json::object make(members what) {
    json::object name{{"type", "string"}, {"minLength", 1}};
    json::object result{{"type", "object"},
      {"properties",
        {{"tool", name}, {"daemon", name}, {"user", name}, {"turn_id", {{"type", "string"}}},
          {"timestamp", {{"type", "string"}, {"format", "date-time"}}},
          {"relayed_by", {{"type", "string"}}}}},
      {"oneOf", {{{"required", {"tool"}}}, {{"required", {"daemon"}}}, {{"required", {"user"}}}}}};
    if (what == members::closed)
      result["additionalProperties"] = false;
    return result;
  }
};

template <>
struct schema_of<observation_ptr> {
  static json::object make(members what) { return schema_for<observation>(what); }
};

template <named_enum E>
struct schema_of<E> {
  static json::object make(members) {
    json::array names;
    for (auto name : enum_names<E>)
      names.push_back(json::string_view{name.data(), name.size()});
    return {{"type", "string"}, {"enum", std::move(names)}};
  }
};

template <class T>
struct schema_of<boxed<T>> : schema_of<T> {};

template <class T>
struct schema_of<std::optional<T>> {
  static json::object make(members what) { return schema_for<T>(what); }
};

template <class T>
struct schema_of<std::vector<T>> {
  static json::object make(members what) {
    return {{"type", "array"}, {"items", schema_for<T>(what)}};
  }
};

template <class T>
struct schema_of<std::map<std::string, T>> {
  static json::object make(members what) {
    return {{"type", "object"}, {"additionalProperties", schema_for<T>(what)}};
  }
};

template <described T>
struct schema_of<T> {
  static json::object make(members what) {
    json::object properties;
    json::array needed;
    auto add = [&]<class B, class M>(const field<B, M>& x) {
      json::string_view name{x.name.data(), x.name.size()};
      properties[name] = member<M>(x.need, what);
      if (x.need == presence::required)
        needed.push_back(name);
    };
    T::fields([&](const auto&... m) { (add(m), ...); });
    json::object result{{"type", "object"}, {"properties", std::move(properties)}};
    if (!needed.empty())
      result["required"] = std::move(needed);
    if (what == members::closed)
      result["additionalProperties"] = false;
    return result;
  }

private:
  template <class M>
  static json::object member(presence need, members what) {
    auto result = schema_for<M>(what);
    if (need != presence::one_or_many || what == members::open)
      return result;
    auto one = result.at("items");
    return {{"anyOf", {std::move(one), std::move(result)}}};
  }
};

} // namespace detail

/// The schema of a `T` in JSON.
template <class T>
json::object json_schema(members what) {
  return detail::schema_for<T>(what);
}

} // namespace scratchpage
