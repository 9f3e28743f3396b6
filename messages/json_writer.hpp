#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"

/// What `to_text(to_json(x))` gives, byte for byte, without the JSON values in
/// between: for what is written often, such as the journal. Everything is added
/// at the end of a text.

namespace scratchpage {

inline void append_json(std::string& out, const std::string& x) {
  append_quoted(out, x);
}

inline void append_json(std::string& out, bool x) {
  out += x ? "true" : "false";
}

inline void append_json(std::string& out, double x) {
  append_text(out, x);
}

inline void append_json(std::string& out, timestamp x) {
  out += '"';
  append_rfc3339(out, x);
  out += '"';
}

inline void append_json(std::string& out, timespan x) {
  append_text(out, in_milliseconds(x));
}

inline void append_json(std::string& out, const json::object& x) {
  append_text(out, x);
}

inline void append_json(std::string& out, const json::value& x) {
  append_text(out, x);
}

template <std::integral T>
void append_json(std::string& out, T x) {
  std::array<char, 24> digits;
  auto result = std::to_chars(digits.data(), digits.data() + digits.size(), x);
  out.append(digits.data(), result.ptr);
}

template <named_enum E>
void append_json(std::string& out, E x) {
  out += '"';
  out += name_of(x);
  out += '"';
}

void append_json(std::string& out, const source& x);
void append_json(std::string& out, const observation_ptr& x);
template <described T>
void append_json(std::string& out, const T& x);

template <class T>
void append_json(std::string& out, const std::vector<T>& xs) {
  out += '[';
  auto first = true;
  for (const auto& x : xs) {
    if (!std::exchange(first, false))
      out += ',';
    append_json(out, x);
  }
  out += ']';
}

template <class T>
void append_json(std::string& out, const std::map<std::string, T>& xs) {
  out += '{';
  auto first = true;
  for (const auto& [key, x] : xs) {
    if (!std::exchange(first, false))
      out += ',';
    append_quoted(out, key);
    out += ':';
    append_json(out, x);
  }
  out += '}';
}

namespace detail {

/// `{"name":` or `,"name":` at once: members are many, and each addition to a text looks
/// whether there is room.
inline void append_key(std::string& out, char before, std::string_view name) {
  std::array<char, 64> key;
  if (name.size() + 4 > key.size()) {
    out.append(1, before).append(1, '"').append(name).append("\":");
    return;
  }
  auto* end = key.data();
  *end++ = before;
  *end++ = '"';
  end = std::copy(name.begin(), name.end(), end);
  *end++ = '"';
  *end++ = ':';
  out.append(key.data(), end);
}

template <class M>
void append_member(std::string& out, const M& x) {
  if constexpr (requires { x.has_value(); })
    append_json(out, *x);
  else
    append_json(out, x);
}

} // namespace detail

/// Members in their declared order; optional ones that are empty are left out.
template <described T>
void append_json(std::string& out, const T& x) {
  auto next = '{';
  auto write = [&](const auto& m) {
    const auto& value = x.*(m.member);
    if (m.need != presence::required && detail::is_absent(value))
      return;
    detail::append_key(out, std::exchange(next, ','), m.name);
    detail::append_member(out, value);
  };
  T::fields([&](const auto&... m) { (write(m), ...); });
  if (next == '{')
    out += '{';
  out += '}';
}

/// The text by itself.
template <described T>
std::string to_json_text(const T& x) {
  std::string result;
  append_json(result, x);
  return result;
}

} // namespace scratchpage
