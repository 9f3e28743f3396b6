#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <caf/detail/type_traits.hpp>
#include <caf/inspector_access.hpp>

namespace scratchpage {

namespace json = boost::json;

} // namespace scratchpage

namespace caf::detail {

/// CAF 0.18 prints whatever looks like a map through `first` and `second`, which
/// Boost.JSON's pairs do not have.
template <>
struct is_map_like<boost::json::object> : std::false_type {};

} // namespace caf::detail

namespace caf {

/// Between nodes JSON is sent as text.
template <>
struct inspector_access<boost::json::object> : inspector_access_base<boost::json::object> {
  template <class Inspector>
  static bool apply(Inspector& f, boost::json::object& x) {
    auto get = [&x] { return boost::json::serialize(x); };
    auto set = [&x](const std::string& text) {
      boost::json::error_code ec;
      auto value = boost::json::parse(text, ec);
      if (ec || !value.is_object())
        return false;
      x = std::move(value.get_object());
      return true;
    };
    return f.apply(get, set);
  }
};

/// As above, for any JSON value.
template <>
struct inspector_access<boost::json::value> : inspector_access_base<boost::json::value> {
  template <class Inspector>
  static bool apply(Inspector& f, boost::json::value& x) {
    auto get = [&x] { return boost::json::serialize(x); };
    auto set = [&x](const std::string& text) {
      boost::json::error_code ec;
      x = boost::json::parse(text, ec);
      return !ec;
    };
    return f.apply(get, set);
  }
};

} // namespace caf

namespace scratchpage {

/// The same text as Boost.JSON's string view.
inline json::string_view view(std::string_view x) {
  return {x.data(), x.size()};
}

} // namespace scratchpage
