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

/// Appends the bytes of `to_text(to_json(x))` to a text, without making JSON values. It is for what
/// is written often, such as the journal.

namespace scratchpage {

inline void append_json(text_appender& out, const std::string& x) {
  append_quoted(out, x);
}

inline void append_json(text_appender& out, bool x) {
  out.add(std::string_view{x ? "true" : "false"});
}

inline void append_json(text_appender& out, double x) {
  append_text(out, x);
}

inline void append_json(text_appender& out, timestamp x) {
  auto* to = out.room(rfc3339_size + 2);
  *to = '"';
  to = write_rfc3339(to + 1, x);
  *to = '"';
  out.move_to(to + 1);
}

inline void append_json(text_appender& out, timespan x) {
  append_text(out, in_milliseconds(x));
}

inline void append_json(text_appender& out, const json::object& x) {
  append_text(out, x);
}

inline void append_json(text_appender& out, const json::value& x) {
  append_text(out, x);
}

template <std::integral T>
void append_json(text_appender& out, T x) {
  constexpr size_t most = 24;
  auto* to = out.room(most);
  out.move_to(std::to_chars(to, to + most, x).ptr);
}

template <named_enum E>
void append_json(text_appender& out, E x) {
  out.add('"');
  out.add(name_of(x));
  out.add('"');
}

inline void append_json(text_appender& out, const seldom_text& x) {
  append_quoted(out, x);
}

inline void append_json(text_appender& out, const observation_ptr& x);
template <described T>
void append_json(text_appender& out, const T& x);

inline void append_json(text_appender& out, const source& x) {
  out.add("{\"");
  out.add(name_of(x.kind));
  out.add("\":");
  append_quoted(out, x.name);
  if (!x.turn_id.empty()) {
    out.add(",\"turn_id\":");
    append_quoted(out, x.turn_id);
  }
  if (x.at != timestamp{}) {
    out.add(",\"timestamp\":");
    append_json(out, x.at);
  }
  if (!x.relayed_by.empty()) {
    out.add(",\"relayed_by\":");
    append_quoted(out, x.relayed_by);
  }
  out.add('}');
}

template <class T>
void append_json(text_appender& out, const std::vector<T>& xs) {
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
void append_json(text_appender& out, const std::map<std::string, T>& xs) {
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

/// Appends `{"name":` or `,"name":`.
inline void append_key(text_appender& out, char before, std::string_view name) {
  auto* to = out.room(name.size() + 4);
  *to++ = before;
  *to++ = '"';
  to = std::copy(name.begin(), name.end(), to);
  *to++ = '"';
  *to++ = ':';
  out.move_to(to);
}

template <class M>
void append_member(text_appender& out, const M& x) {
  if constexpr (requires { x.has_value(); })
    append_json(out, *x);
  else
    append_json(out, x);
}

} // namespace detail

/// Writes the members in the order of their declaration. Optional members that are empty are left
/// out.
template <described T>
void append_json(text_appender& out, const T& x) {
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

inline void append_json(text_appender& out, const observation_ptr& x) {
  if (x)
    append_json(out, *x);
  else
    out.add("null");
}

template <class T>
void append_json(std::string& out, const T& x) {
  text_appender end{out};
  append_json(end, x);
}

/// The JSON text of `x`.
template <described T>
std::string to_json_text(const T& x) {
  std::string result;
  append_json(result, x);
  return result;
}

} // namespace scratchpage
