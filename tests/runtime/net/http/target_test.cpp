#include <boost/test/unit_test.hpp>

#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::test {

namespace {

using strings = std::vector<std::string>;
using http::parse_query;
using http::path_segments;
using http::percent_decode;
using http::percent_encode;
using http::query_parameters;

template <class T>
std::string refused_field(const caf::expected<T>& x) {
  return x ? "no error" : scratchpage::field_of(x.error());
}

} // namespace

BOOST_AUTO_TEST_SUITE(targets)

BOOST_AUTO_TEST_CASE(escapes_become_bytes) {
  BOOST_TEST(*percent_decode("a%20b%2fc%2Fd", "x") == "a b/c/d");
  BOOST_TEST(*percent_decode("caf%C3%A9", "x") == "caf\xC3\xA9");
  BOOST_TEST(*percent_decode("a+b", "x") == "a+b");
  BOOST_TEST(*percent_decode("", "x") == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_escape_is_an_error_that_names_the_field) {
  for (auto text : {"%", "a%", "%4", "%4g", "%g4", "%%41", "% 1", "%+1", "%-1", "%00", "%FF", "%C3",
         "%ED%A0%80", "%C0%AF"}) {
    BOOST_TEST_INFO(text);
    BOOST_TEST(refused_field(percent_decode(text, "some_field")) == "some_field");
  }
}

BOOST_AUTO_TEST_CASE(a_path_has_segments) {
  BOOST_TEST((*path_segments("/") == strings{}));
  BOOST_TEST((*path_segments("/a/b%2Fc/%20") == strings{"a", "b/c", " "}));
  BOOST_TEST((*path_segments("/a/") == strings{"a", ""}));
  BOOST_TEST((*path_segments("//a") == strings{"", "a"}));
  BOOST_TEST((*path_segments("/a/../b") == strings{"a", "..", "b"})); // paths do not name files
  BOOST_TEST(refused_field(path_segments("a")) == "path");
  BOOST_TEST(refused_field(path_segments("")) == "path");
  BOOST_TEST(refused_field(path_segments("/a/%zz")) == "path");
}

BOOST_AUTO_TEST_CASE(a_query_has_parameters) {
  BOOST_TEST((*parse_query("") == query_parameters{}));
  BOOST_TEST((*parse_query("a=1&b=x+y%2Bz&a=&c")
              == query_parameters{{"a", "1"}, {"b", "x y+z"}, {"a", ""}, {"c", ""}}));
  BOOST_TEST((*parse_query("&&a=b=c&") == query_parameters{{"a", "b=c"}}));
  BOOST_TEST((*parse_query("a%3Db=1%26") == query_parameters{{"a=b", "1&"}}));
}

BOOST_AUTO_TEST_CASE(a_parameter_that_cannot_be_read_is_named) {
  BOOST_TEST(refused_field(parse_query("limit=1&topic=%x")) == "topic");
  BOOST_TEST(refused_field(parse_query("limit=1&%x=1")) == "query");
  std::string many = "a";
  for (auto i = 1; i < 256; ++i)
    many += "&a";
  BOOST_TEST(parse_query(many)->size() == 256u);
  BOOST_TEST(refused_field(parse_query(many + "&a")) == "query");
}

RC_BOOST_PROP(what_is_encoded_is_decoded_to_the_same, (const std::string& bytes)) {
  auto encoded = percent_encode(bytes);
  auto decoded = percent_decode(encoded, "x");
  auto is_text = utf8::is_valid(bytes) && bytes.find('\0') == std::string::npos;
  RC_ASSERT(static_cast<bool>(decoded) == is_text);
  if (decoded)
    RC_ASSERT(*decoded == bytes);
  for (auto c : encoded)
    RC_ASSERT(c > ' ' && c < 127 && std::string_view{"/?#&=+"}.find(c) == std::string_view::npos);
}

RC_BOOST_PROP(any_text_is_decoded_or_refused, (const std::string& text)) {
  // A text is decoded only once: an escaped escape stays an escape.
  auto decoded = percent_decode(text, "x");
  if (decoded)
    RC_ASSERT(decoded->size() <= text.size());
  else
    RC_ASSERT(scratchpage::field_of(decoded.error()) == "x");
}

RC_BOOST_PROP(a_query_of_encoded_pairs_is_read_back,
  (const std::vector<std::pair<uint16_t, uint16_t>>& numbers)) {
  query_parameters pairs;
  std::string query;
  for (auto [a, b] : numbers) {
    pairs.emplace_back("n=" + std::to_string(a), std::to_string(b) + "&%");
    query += (query.empty() ? "" : "&") + percent_encode(pairs.back().first) + "="
             + percent_encode(pairs.back().second);
  }
  RC_PRE(pairs.size() <= 256u);
  auto read = parse_query(query);
  RC_ASSERT(static_cast<bool>(read));
  RC_ASSERT(*read == pairs);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
