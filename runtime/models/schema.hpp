#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"

/// The JSON Schema of an answer, from the struct that it is read into, so that the two cannot
/// differ. It has the form that strict structured output needs: every member is required, and there
/// are no others.

namespace scratchpage::models {

namespace detail {

template <class T>
struct schema_part;

template <>
struct schema_part<std::string> {
  static json::object make() { return {{"type", "string"}}; }
};

template <std::floating_point T>
struct schema_part<T> {
  static json::object make() { return {{"type", "number"}}; }
};

template <named_enum E>
struct schema_part<E> {
  static json::object make() {
    json::array names;
    for (auto name : enum_names<E>)
      names.emplace_back(view(name));
    return {{"type", "string"}, {"enum", std::move(names)}};
  }
};

template <class T>
struct schema_part<std::vector<T>> {
  static json::object make() { return {{"type", "array"}, {"items", schema_part<T>::make()}}; }
};

template <described T>
struct schema_part<T> {
  static json::object make() {
    json::object properties;
    json::array names;
    T::fields([&](const auto&... m) { (add(m, properties, names), ...); });
    return {{"type", "object"}, {"properties", std::move(properties)},
      {"required", std::move(names)}, {"additionalProperties", false}};
  }

private:
  template <class M>
  static void add(const field<T, M>& x, json::object& properties, json::array& names) {
    properties[view(x.name)] = schema_part<M>::make();
    names.emplace_back(view(x.name));
  }
};

} // namespace detail

template <described T>
json::object schema_of() {
  return detail::schema_part<T>::make();
}

} // namespace scratchpage::models
