#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/text_end.hpp"

/// What `to_text(to_json(x))` gives, byte for byte, without the JSON values in
/// between: for what is written often, such as the journal. Everything is added
/// at the end of a text.

namespace scratchpage {

inline void append_json(text_end& out, const std::string& x) {
  append_quoted(out, x);
}

inline void append_json(text_end& out, bool x) {
  out.add(std::string_view{x ? "true" : "false"});
}

inline void append_json(text_end& out, double x) {
  append_text(out, x);
}

inline void append_json(text_end& out, timestamp x) {
  auto* to = out.room(rfc3339_size + 2);
  *to = '"';
  to = write_rfc3339(to + 1, x);
  *to = '"';
  out.move_to(to + 1);
}

inline void append_json(text_end& out, timespan x) {
  append_text(out, in_milliseconds(x));
}

inline void append_json(text_end& out, const json::object& x) {
  append_text(out, x);
}

inline void append_json(text_end& out, const json::value& x) {
  append_text(out, x);
}

template <std::integral T>
void append_json(text_end& out, T x) {
  constexpr size_t most = 24;
  auto* to = out.room(most);
  out.move_to(std::to_chars(to, to + most, x).ptr);
}

template <named_enum E>
void append_json(text_end& out, E x) {
  out.add('"');
  out.add(name_of(x));
  out.add('"');
}

void append_json(text_end& out, const source& x);
void append_json(text_end& out, const observation_ptr& x);
template <described T>
void append_json(text_end& out, const T& x);

template <class T>
void append_json(text_end& out, const std::vector<T>& xs) {
  out.add('[');
  auto first = true;
  for (const auto& x : xs) {
    if (!std::exchange(first, false))
      out.add(',');
    append_json(out, x);
  }
  out.add(']');
}

template <class T>
void append_json(text_end& out, const std::map<std::string, T>& xs) {
  out.add('{');
  auto first = true;
  for (const auto& [key, x] : xs) {
    if (!std::exchange(first, false))
      out.add(',');
    append_quoted(out, key);
    out.add(':');
    append_json(out, x);
  }
  out.add('}');
}

namespace detail {

/// `{"name":` or `,"name":`.
inline void append_key(text_end& out, char before, std::string_view name) {
  auto* to = out.room(name.size() + 4);
  *to++ = before;
  *to++ = '"';
  to = std::copy(name.begin(), name.end(), to);
  *to++ = '"';
  *to++ = ':';
  out.move_to(to);
}

template <class M>
void append_member(text_end& out, const M& x) {
  if constexpr (requires { x.has_value(); })
    append_json(out, *x);
  else
    append_json(out, x);
}

} // namespace detail

/// Members in their declared order; optional ones that are empty are left out.
template <described T>
void append_json(text_end& out, const T& x) {
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
    out.add('{');
  out.add('}');
}

template <class T>
void append_json(std::string& out, const T& x) {
  text_end end{out};
  append_json(end, x);
}

/// The text by itself.
template <described T>
std::string to_json_text(const T& x) {
  std::string result;
  append_json(result, x);
  return result;
}

} // namespace scratchpage
