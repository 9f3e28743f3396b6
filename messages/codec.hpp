#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"

/// The JSON form of the vocabulary, for every edge: files, lines, HTTP, MCP.
/// Reading is strict: unknown fields are refused by name, a wrong type is an
/// error that names the path and what was expected, and an optional field that is
/// absent and one that is null mean the same. Timestamps are RFC 3339, spans milliseconds.

namespace scratchpage {

/// No limit; only for texts that this program has written itself.
inline constexpr size_t any_number_of_values = std::numeric_limits<size_t>::max();

/// Bounds on a JSON text that is read.
struct json_limits {
  size_t max_bytes = 1u << 20;
  size_t max_depth = 32;       ///< levels of objects and arrays within each other
  size_t max_values = 250'000; ///< a value takes more memory than its text
  /// Members of one object; unlimited if `max_values` is `any_number_of_values`. Boost.JSON's hash
  /// of names is predictable, so an attacker could make the time to read an object grow with the
  /// square of its members.
  size_t max_members = 500;
  static constexpr size_t members_of_results = 10'000; ///< the same, for the answers of tools
};

/// Parses one JSON text. The value's memory comes from `memory`. The error says at which byte the
/// text is malformed.
caf::expected<json::value> parse_json(
  std::string_view text, const json_limits& limits = {}, json::storage_ptr memory = {});

/// The error codes for a malformed T and for an unknown field of a T.
template <class T>
struct refusal {
  static constexpr errc malformed = errc::invalid_request;
  static constexpr errc unknown_field = errc::invalid_request;
};

template <>
struct refusal<observation_draft> {
  static constexpr errc malformed = errc::invalid_observation;
  static constexpr errc unknown_field = errc::invalid_observation;
};

template <>
struct refusal<observation_changes> {
  static constexpr errc malformed = errc::invalid_observation;
  static constexpr errc unknown_field = errc::immutable_field;
};

/// Reads values out of a JSON document. It knows the path of the current value and keeps the first
/// error.
class json_reader {
public:
  explicit json_reader(errc code)
    : code_{code} {}

  bool read(const json::value& in, std::string& out);
  bool read(const json::value& in, bool& out);
  bool read(const json::value& in, double& out);
  bool read(const json::value& in, timestamp& out);
  bool read(const json::value& in, timespan& out);
  bool read(const json::value& in, json::object& out);
  bool read(const json::value& in, json::value& out);
  bool read(const json::value& in, source& out);
  bool read(const json::value& in, observation_ptr& out);

  template <std::integral T>
  bool read(const json::value& in, T& out) {
    boost::json::error_code ec;
    auto value = in.is_number() ? in.to_number<T>(ec) : T{};
    if (!in.is_number() || ec)
      return refuse("a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to "
                    + std::to_string(std::numeric_limits<T>::max()));
    out = value;
    return true;
  }

  template <named_enum E>
  bool read(const json::value& in, E& out) {
    return (in.is_string() && from_string(in.get_string(), out))
           || refuse("one of " + all_names<E>());
  }

  template <class T>
  bool read(const json::value& in, std::optional<T>& out) {
    return read(in, out.emplace());
  }

  bool read(const json::value& in, seldom_text& out);

  template <class T>
  bool read(const json::value& in, boxed<T>& out) {
    T value{};
    if (!read(in, value))
      return false;
    out = std::move(value);
    return true;
  }

  template <class T>
  bool read(const json::value& in, std::vector<T>& out) {
    if (!in.is_array())
      return refuse("a list");
    const auto& list = in.get_array();
    out.clear();
    out.reserve(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      scope here{*this, i};
      if (!read(list[i], out.emplace_back()))
        return false;
    }
    return true;
  }

  template <class T>
  bool read(const json::value& in, std::map<std::string, T>& out) {
    if (!in.is_object())
      return refuse("an object");
    for (const auto& [key, value] : in.get_object()) {
      scope here{*this, std::string_view{key}};
      if (!read(value, out[std::string{key}]))
        return false;
    }
    return true;
  }

  template <described T>
  bool read(const json::value& in, T& out) {
    if (!in.is_object())
      return refuse("an object");
    const auto& object = in.get_object();
    return T::fields([&](const auto&... m) {
      std::array<const json::value*, sizeof...(m)> values{};
      [[maybe_unused]] const auto* next = values.data(); // unused if there are no members
      return find_members(object, {m.name...}, values, refusal<T>::unknown_field)
             && (... && read_member(*next++, m, out));
    });
  }

  /// Records an error for the current path, unless there is one already. Always returns false.
  bool refuse(const std::string& expected);
  const caf::error& error() const { return error_; }

private:
  /// The name of a member, or the place in a list.
  struct step {
    std::string_view member;
    std::optional<size_t> index = {};
  };

  /// Adds a step to the path to the current value; the destructor removes it. `member` must stay
  /// valid until then.
  class scope {
  public:
    scope(json_reader& reader, std::string_view member)
      : reader_{reader} {
      reader.path_.push_back({member});
    }
    scope(json_reader& reader, size_t index)
      : reader_{reader} {
      reader.path_.push_back({{}, index});
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { reader_.path_.pop_back(); }

  private:
    json_reader& reader_;
  };

  /// Finds the value of each known member, null for one that is absent, and refuses any other
  /// member. What this program has written has its members in the order of `known`, and is read
  /// without a search.
  bool find_members(const json::object& in, std::initializer_list<std::string_view> known,
    std::span<const json::value*> values, errc code);

  bool refuse_unknown(
    std::string_view name, std::initializer_list<std::string_view> known, errc code);

  /// The path as an error shows it.
  std::string path() const;

  template <class T, class M>
  bool read_member(const json::value* value, const field<T, M>& m, T& out) {
    scope here{*this, m.name};
    if (value == nullptr || value->is_null())
      return m.need != presence::required || refuse("a value; it is required");
    if constexpr (requires { typename M::value_type; }) {
      if (m.need == presence::one_or_many && !value->is_array()) {
        json::array one{*value};
        return read(json::value(std::move(one)), out.*(m.member));
      }
    }
    return read(*value, out.*(m.member));
  }

  errc code_;
  boost::container::small_vector<step, 8> path_;
  caf::error error_;
};

/// Reads a T.
template <class T>
caf::expected<T> from_json(const json::value& in) {
  json_reader reader{refusal<T>::malformed};
  T result{};
  if (!reader.read(in, result))
    return reader.error();
  return result;
}

/// Parses and reads a T.
template <class T>
caf::expected<T> from_json_text(std::string_view text, const json_limits& limits = {}) {
  std::array<unsigned char, 8192> first; // NOLINT: the document is built there, and then read
  json::monotonic_resource memory{first.data(), first.size()};
  auto value = parse_json(text, limits, &memory);
  if (!value)
    return value.error();
  return from_json<T>(*value);
}

// -- writing ------------------------------------------------------------------------

json::value to_json(const std::string& x);
json::value to_json(const seldom_text& x);
json::value to_json(bool x);
json::value to_json(double x);
json::value to_json(timestamp x);
json::value to_json(timespan x);
json::value to_json(const json::object& x);
json::value to_json(const json::value& x);
json::value to_json(const source& x);
json::value to_json(const observation_ptr& x);
/// `{code, message, field}`; null if there is no error.
json::value to_json(const caf::error& x);

template <std::integral T>
json::value to_json(T x) {
  if constexpr (std::is_signed_v<T>)
    return json::value(static_cast<int64_t>(x));
  else
    return json::value(static_cast<uint64_t>(x));
}

template <named_enum E>
json::value to_json(E x) {
  return json::value(json::string_view{name_of(x).data(), name_of(x).size()});
}

template <described T>
json::value to_json(const T& x);

template <class T>
json::value to_json(const std::vector<T>& xs) {
  json::array result;
  result.reserve(xs.size());
  for (const auto& x : xs)
    result.push_back(to_json(x));
  return result;
}

template <class T>
json::value to_json(const std::map<std::string, T>& xs) {
  json::object result;
  for (const auto& [key, x] : xs)
    result[key] = to_json(x);
  return result;
}

namespace detail {

template <class M>
bool is_absent(const M& x) {
  if constexpr (std::is_same_v<M, std::string> || std::is_same_v<M, seldom_text>)
    return x.empty();
  else if constexpr (requires { x.has_value(); })
    return !x.has_value();
  else if constexpr (std::is_same_v<M, observation_ptr>)
    return !x;
  else if constexpr (std::is_same_v<M, timestamp>)
    return x == timestamp{};
  else
    return false;
}

template <class M>
json::value member_to_json(const M& x) {
  if constexpr (requires { x.has_value(); })
    return to_json(*x);
  else
    return to_json(x);
}

} // namespace detail

/// Writes the members in the order of their declaration. Optional members that are empty are left
/// out.
template <described T>
json::value to_json(const T& x) {
  json::object result;
  auto is_written = [&](const auto& m) {
    return m.need == presence::required || !detail::is_absent(x.*(m.member));
  };
  auto write = [&](const auto& m) {
    if (is_written(m))
      result.emplace(m.name, detail::member_to_json(x.*(m.member)));
  };
  T::fields([&](const auto&... m) {
    result.reserve((size_t{is_written(m)} + ... + 0));
    (write(m), ...);
  });
  return result;
}

} // namespace scratchpage
