#include <charconv>
#include <cmath>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

/// Makes values as Boost.JSON's own parser does, but reads numbers exactly: that
/// of 1.81 may be off in the last place, and what is written and read often
/// would drift.
struct exact_handler {
  static constexpr auto max_object_size = json::object::max_size();
  static constexpr auto max_array_size = json::array::max_size();
  static constexpr auto max_key_size = json::string::max_size();
  static constexpr auto max_string_size = json::string::max_size();
  using text = json::string_view;
  using code = boost::json::error_code;

  bool on_document_begin(code&) { return true; }
  bool on_document_end(code&) { return true; }
  bool on_object_begin(code&) { return true; }
  bool on_array_begin(code&) { return true; }
  bool on_number_part(text, code&) { return true; }
  bool on_comment_part(text, code&) { return true; }
  bool on_comment(text, code&) { return true; }

  bool on_object_end(size_t n, code& error) {
    if (n > most_members) {
      has_too_many_members = true;
      error = json::error::object_too_large; // any, as below
      return false;
    }
    return values.push_object(n), may_go_on(error);
  }
  bool on_array_end(size_t n, code& error) { return values.push_array(n), may_go_on(error); }
  bool on_key_part(text s, size_t, code&) { return values.push_chars(s), true; }
  bool on_key(text s, size_t, code&) { return values.push_key(s), true; }
  bool on_string_part(text s, size_t, code&) { return values.push_chars(s), true; }
  bool on_string(text s, size_t, code& error) { return values.push_string(s), may_go_on(error); }
  bool on_int64(int64_t x, text, code& error) { return values.push_int64(x), may_go_on(error); }
  bool on_uint64(uint64_t x, text, code& error) { return values.push_uint64(x), may_go_on(error); }
  bool on_bool(bool x, code& error) { return values.push_bool(x), may_go_on(error); }
  bool on_null(code& error) { return values.push_null(), may_go_on(error); }

  bool on_double(double rough, text digits, code& error) {
    double exact = 0;
    auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
    auto is_read = ec == std::errc{} && end == digits.data() + digits.size();
    auto x = is_read ? exact : rough; // too small or too big for one
    if (!std::isfinite(x)) {
      error = json::error::exponent_overflow; // it could not be written again
      return false;
    }
    return values.push_double(x), may_go_on(error);
  }

  bool may_go_on(code& error) {
    if (left > 0) {
      --left;
      return true;
    }
    has_too_many = true;
    error = json::error::array_too_large; // any: it is told in other words
    return false;
  }

  json::value_stack values;
  size_t left = any_number_of_values; ///< that may still come
  bool has_too_many = false;
  size_t most_members = 0; ///< of an object
  bool has_too_many_members = false;
};

/// Boost.JSON stops at its own depth limit with an error of its own; sizes are
/// looked at before anything is parsed.
caf::error too_big(const json_limits& limits) {
  return fail(errc::invalid_request, "",
    "a JSON text of at most " + std::to_string(limits.max_bytes) + " bytes");
}

} // namespace

caf::expected<json::value> parse_json(std::string_view text, const json_limits& limits) {
  if (text.size() > limits.max_bytes)
    return too_big(limits);
  json::parse_options options;
  options.max_depth = limits.max_depth;
  json::basic_parser<exact_handler> parser{options};
  parser.handler().values.reset();
  parser.handler().left = limits.max_values;
  auto is_own = limits.max_values == any_number_of_values;
  parser.handler().most_members = is_own ? any_number_of_values : limits.max_members;
  boost::json::error_code ec;
  auto used = parser.write_some(false, text.data(), text.size(), ec);
  if (!ec && parser.done()) {
    auto rest = text.substr(used);
    auto end = rest.find_first_not_of(" \t\r\n");
    if (end == std::string_view::npos)
      return parser.handler().values.release();
    return fail(errc::invalid_request, "",
      "one JSON value, but more follows at byte " + std::to_string(used + end + 1));
  }
  if (parser.handler().has_too_many)
    return fail(errc::invalid_request, "",
      "a JSON text of at most " + std::to_string(limits.max_values) + " values");
  if (parser.handler().has_too_many_members)
    return fail(errc::invalid_request, "",
      "a JSON text whose objects have at most " + std::to_string(limits.max_members) + " members");
  return fail(errc::invalid_request, "",
    "valid JSON, at most " + std::to_string(limits.max_depth) + " levels deep, but at byte "
      + std::to_string(used + 1) + ": " + ec.message());
}

} // namespace scratchpage
