#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <caf/default_enum_inspect.hpp>

namespace scratchpage {

/// The names of an enum whose values count up from 0; specialised beside each
/// enum. Names are what JSON, the trace and the command line show.
template <class E>
inline constexpr std::array<std::string_view, 0> enum_names{};

/// A name that a value had in an earlier version. It is still read, and never written.
template <class E>
struct former_name {
  std::string_view name;
  E value;
};

/// The former names of an enum; specialised beside an enum that has any.
template <class E>
inline constexpr std::array<former_name<E>, 0> former_names{};

/// An enum with names.
template <class E>
concept named_enum = std::is_enum_v<E> &&(enum_names<E>.size() > 0);

template <named_enum E>
std::string_view name_of(E x) {
  auto i = static_cast<size_t>(x);
  return i < enum_names<E>.size() ? enum_names<E>[i] : std::string_view{"unknown"};
}

template <named_enum E>
std::string to_string(E x) {
  return std::string{name_of(x)};
}

/// `Text` is any string view: CAF 0.18 has one of its own.
template <class Text, named_enum E>
bool from_string(const Text& text, E& x) {
  std::string_view name{text.data(), text.size()};
  for (size_t i = 0; i < enum_names<E>.size(); ++i) {
    if (enum_names<E>[i] == name) {
      x = static_cast<E>(i);
      return true;
    }
  }
  for (const auto& former : former_names<E>) {
    if (former.name == name) {
      x = former.value;
      return true;
    }
  }
  return false;
}

template <named_enum E>
bool from_integer(std::underlying_type_t<E> value, E& x) {
  if (static_cast<size_t>(value) >= enum_names<E>.size())
    return false;
  x = static_cast<E>(value);
  return true;
}

template <class Inspector, named_enum E>
bool inspect(Inspector& f, E& x) {
  return caf::default_enum_inspect(f, x);
}

/// "a, b, c": for errors that tell what was expected.
template <named_enum E>
std::string all_names() {
  std::string result;
  for (auto name : enum_names<E>)
    result.append(result.empty() ? "" : ", ").append(name);
  return result;
}

} // namespace scratchpage
