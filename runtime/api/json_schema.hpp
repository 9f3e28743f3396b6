#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/runtime/api/notes.hpp"

/// Makes JSON Schema (2020-12) of the JSON that the codec reads and writes, from the same lists of
/// fields and from their notes.

namespace scratchpage {

/// Whether an object may have unknown members.
enum class members {
  closed, ///< no, as in arguments
  open,   ///< yes, as in answers
};

/// The schemas that a document has once and refers to by name.
class named_schemas {
public:
  /// A reference to the schema of that name. If there is none yet, `make` makes it.
  json::object refer(std::string_view name, const std::function<json::object()>& make);

  /// All schemas by name.
  const std::map<std::string, json::object, std::less<>>& all() const { return all_; }

private:
  std::map<std::string, json::object, std::less<>> all_;
};

/// The form of a schema.
struct schema_form {
  members what = members::closed;
  named_schemas* names = nullptr; ///< nested structs are references there; null: written out
};

namespace detail {

/// Adds the note of a member to the member's schema.
void add_note(json::object& schema, const note& x);

/// Parses an example. It is a constant of this program, so invalid JSON is a defect.
json::value parsed_example(std::string_view text);

template <class T>
struct schema_of;

template <class T>
json::object schema_for(const schema_form& form) {
  return schema_of<T>::make(form);
}

template <>
struct schema_of<std::string> {
  static json::object make(const schema_form&) { return {{"type", "string"}}; }
};

template <>
struct schema_of<seldom_text> : schema_of<std::string> {};

template <>
struct schema_of<bool> {
  static json::object make(const schema_form&) { return {{"type", "boolean"}}; }
};

template <>
struct schema_of<double> {
  static json::object make(const schema_form&) { return {{"type", "number"}}; }
};

template <std::integral T>
struct schema_of<T> {
  static json::object make(const schema_form& form) {
    json::object result{{"type", "integer"}};
    if constexpr (std::is_unsigned_v<T>)
      result["minimum"] = 0;
    if (sizeof(T) < sizeof(int64_t) || form.what == members::closed)
      result["maximum"] = std::numeric_limits<T>::max();
    return result;
  }
};

template <>
struct schema_of<timestamp> {
  static json::object make(const schema_form&) {
    return {{"type", "string"}, {"format", "date-time"}};
  }
};

template <>
struct schema_of<timespan> {
  static json::object make(const schema_form&) {
    return {{"type", "number"}, {"minimum", 0}, {"description", "milliseconds"}};
  }
};

template <>
struct schema_of<json::object> {
  static json::object make(const schema_form&) { return {{"type", "object"}}; }
};

template <>
struct schema_of<json::value> {
  static json::object make(const schema_form&) { return {}; }
};

/// A source has its name in exactly one of three members.
template <>
struct schema_of<source> {
  static json::object make(const schema_form& form);
};

/// Defined in operation_schemas.cpp, where the notes of observations are known.
template <>
struct schema_of<observation_ptr> {
  static json::object make(const schema_form& form);
};

template <named_enum E>
struct schema_of<E> {
  static json::object make(const schema_form&) {
    json::array names;
    for (auto name : enum_names<E>)
      names.push_back(view(name));
    return {{"type", "string"}, {"enum", std::move(names)}};
  }
};

template <class T>
struct schema_of<boxed<T>> : schema_of<T> {};

template <class T>
struct schema_of<std::optional<T>> : schema_of<T> {};

template <class T>
struct schema_of<std::vector<T>> {
  static json::object make(const schema_form& form) {
    return {{"type", "array"}, {"items", schema_for<T>(form)}};
  }
};

template <class T>
struct schema_of<std::map<std::string, T>> {
  static json::object make(const schema_form& form) {
    return {{"type", "object"}, {"additionalProperties", schema_for<T>(form)}};
  }
};

/// The default of an optional member that is a number, a boolean or an enum.
template <class T, class M>
std::optional<json::value> default_of(const field<T, M>& x) {
  if constexpr (std::is_arithmetic_v<M> || named_enum<M>)
    if (x.need == presence::optional)
      return to_json(T{}.*(x.member));
  return std::nullopt;
}

template <described T>
struct schema_of<T> {
  /// A reference if the struct has a name and the document has references.
  static json::object make(const schema_form& form) {
    if constexpr (noted<T>)
      if (form.names != nullptr)
        return form.names->refer(notes<T>::name, [&] { return whole(form); });
    return whole(form);
  }

  /// The schema written out; nested structs may be references.
  static json::object whole(const schema_form& form) {
    json::object properties;
    json::array needed;
    auto add = [&]<class M>(const field<T, M>& x) {
      if (is_for_nobody(x.name))
        return;
      properties[view(x.name)] = member(x, form);
      if (x.need == presence::required)
        needed.push_back(view(x.name));
    };
    T::fields([&](const auto&... m) { (add(m), ...); });
    if constexpr (requires { notes<T>::times; })
      if (form.what == members::open)
        for (const auto& x : notes<T>::times) {
          auto schema = schema_for<timestamp>(form);
          add_note(schema, x);
          properties[view(x.member)] = std::move(schema);
          needed.push_back(view(x.member));
        }
    json::object result{{"type", "object"}, {"properties", std::move(properties)}};
    if (!needed.empty())
      result["required"] = std::move(needed);
    if (form.what == members::closed)
      result["additionalProperties"] = false;
    return result;
  }

private:
  static constexpr bool is_for_nobody(std::string_view name) {
    if constexpr (noted<T>) {
      static_assert(covers_each_member<T>(), "each member has one note, and a note has a member");
      return note_of<T>(name)->told == telling::nobody;
    }
    return false;
  }

  template <class M>
  static json::object member(const field<T, M>& x, const schema_form& form) {
    auto result = schema_for<M>(form);
    if (x.need == presence::one_or_many && form.what == members::closed) {
      auto one = result.at("items");
      result = {{"anyOf", {std::move(one), std::move(result)}}};
    }
    if (form.what == members::closed)
      if (auto unsaid = default_of(x))
        result["default"] = std::move(*unsaid);
    if constexpr (noted<T>)
      add_note(result, *note_of<T>(x.name));
    return result;
  }
};

// -- examples ----------------------------------------------------------------------------

/// An object with an example for each member.
template <class T>
json::object example_object();

/// The example of a struct, or of a list of structs, whose note has none.
template <class M>
struct nested_example;

template <class M>
concept nests = requires {
  nested_example<M>::make();
};

template <noted M>
struct nested_example<M> {
  static json::value make() { return example_object<M>(); }
};

template <>
struct nested_example<source> {
  static json::value make() { return parsed_example(R"({"tool": "weather_api"})"); }
};

template <>
struct nested_example<observation_ptr> {
  static json::value make(); // defined in operation_schemas.cpp
};

template <nests T>
struct nested_example<std::optional<T>> : nested_example<T> {};

template <nests T>
struct nested_example<boxed<T>> : nested_example<T> {};

template <nests T>
struct nested_example<std::vector<T>> {
  static json::value make() { return json::array(1, nested_example<T>::make()); }
};

template <class T>
json::object example_object() {
  json::object result;
  auto add = [&]<class M>(const field<T, M>& x) {
    const auto& known = *note_of<T>(x.name);
    if (known.told == telling::nobody)
      return;
    if constexpr (nests<M>)
      result[view(x.name)] =
        known.example.empty() ? nested_example<M>::make() : parsed_example(known.example);
    else
      result[view(x.name)] = parsed_example(known.example);
  };
  T::fields([&](const auto&... m) { (add(m), ...); });
  return result;
}

// -- schemas for models -------------------------------------------------------------------

/// The schema of a member's type, without limits.
template <class M>
struct short_schema {
  static json::object make(bool) { return {{"type", "object"}}; }
};

template <class M>
requires(std::is_arithmetic_v<
           M> || named_enum<M> || std::is_same_v<M, std::string>) struct short_schema<M> {
  static json::object make(bool) {
    auto result = schema_for<M>({});
    result.erase("minimum");
    result.erase("maximum");
    return result;
  }
};

template <>
struct short_schema<timestamp> : short_schema<std::string> {};

template <>
struct short_schema<timespan> : short_schema<double> {};

template <class T>
struct short_schema<std::optional<T>> : short_schema<T> {};

template <class T>
struct short_schema<std::vector<T>> {
  /// `one`: the schema of a single value, which stands for a list of one.
  static json::object make(bool one) {
    if constexpr (named_enum<T>)
      if (one)
        return short_schema<T>::make(false);
    if (one)
      return {{"type", "string"}};
    return {{"type", "array"}, {"items", short_schema<T>::make(false)}};
  }
};

/// Whether models see a member: by its note, or if `inside` is not empty, by its name in `inside`.
bool is_for_models(const note& x, std::string_view inside);

template <class T>
json::object schema_for_models(std::string_view inside);

template <class T, class M>
json::object member_for_models(const field<T, M>& x, const note& known) {
  json::object result;
  if constexpr (noted<M>)
    result =
      known.inside.empty() ? short_schema<M>::make(false) : schema_for_models<M>(known.inside);
  else
    result = short_schema<M>::make(x.need == presence::one_or_many && !known.several);
  result["description"] = view(known.for_models.empty() ? known.description : known.for_models);
  return result;
}

template <class T>
json::object schema_for_models(std::string_view inside) {
  json::object properties;
  json::array needed;
  auto add = [&]<class M>(const field<T, M>& x) {
    const auto& known = *note_of<T>(x.name);
    if (!is_for_models(known, inside))
      return;
    properties[view(x.name)] = member_for_models(x, known);
    if (x.need == presence::required)
      needed.push_back(view(x.name));
  };
  T::fields([&](const auto&... m) { (add(m), ...); });
  json::object result{{"type", "object"}};
  if (!properties.empty())
    result["properties"] = std::move(properties);
  if (!needed.empty())
    result["required"] = std::move(needed);
  return result;
}

} // namespace detail

/// The schema of a `T` in JSON, without references.
template <class T>
json::object json_schema(members what) {
  return detail::schema_for<T>({what, nullptr});
}

} // namespace scratchpage
