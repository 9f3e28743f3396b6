#include <set>

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/tests/persistence/memories/samples.hpp"

namespace scratchpage {

using test::at;
using test::sample;
using test::tagged;

namespace {

bool equal(const char* a, const char* b) {
  return equal_scalars(json::parse(a), json::parse(b));
}

bool has(const char* context, const char* path, const char* wanted) {
  return has_scalar(json::parse(context).get_object(), path, json::parse(wanted));
}

// -- a slow and simple model, and random values for both -----------------------------

/// The scalars of `x` as "path=value", with dotted paths, and numbers in one notation.
std::string printed(const std::string& path, const json::value& x) {
  if (x.is_number())
    return path + "=" + std::to_string(x.to_number<double>());
  return path + "=" + json::serialize(x);
}

void flatten(const std::string& prefix, const json::object& in, std::set<std::string>& out) {
  for (const auto& [key, x] : in) {
    auto path = prefix + std::string{key};
    if (x.is_object())
      flatten(path + ".", x.get_object(), out);
    else if (!x.is_array())
      out.insert(printed(path, x));
  }
}

template <class T>
bool any_of_naive(const std::vector<T>& wanted, const T& x) {
  bool found = wanted.empty();
  for (const auto& one : wanted)
    found = found || one == x;
  return found;
}

bool matches_naive(const observation_filter& f, const observation& x) {
  std::multiset<std::string> tags{x.tags.begin(), x.tags.end()};
  for (const auto& tag : f.tags)
    if (tags.count(tag) == 0)
      return false;
  std::set<std::string> scalars;
  flatten("", x.context, scalars);
  for (const auto& [path, wanted] : f.context)
    if (wanted.is_structured() || scalars.count(printed(path, wanted)) == 0)
      return false;
  if (f.min_confidence && x.confidence < *f.min_confidence)
    return false;
  if (f.turn_id && *f.turn_id != x.source.turn_id)
    return false;
  if (f.created_after && !(*f.created_after < x.created_at))
    return false;
  if (f.created_before && !(x.created_at < *f.created_before))
    return false;
  return any_of_naive(f.type, x.type) && any_of_naive(f.status, x.status)
         && any_of_naive(f.source, x.source.name) && any_of_naive(f.owner, x.owner);
}

rc::Gen<std::string> words() {
  return rc::gen::element<std::string>("a", "b", "c");
}

rc::Gen<std::vector<std::string>> some_words(int most) {
  return rc::gen::mapcat(rc::gen::inRange(0, most + 1),
    [](int n) { return rc::gen::container<std::vector<std::string>>(n, words()); });
}

/// A random value of only a few, so that filters match sometimes.
json::value any_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
  case 0:
    return json::value(1);
  case 1:
    return json::value(1.0);
  case 2:
    return json::value(uint64_t{1});
  case 3:
    return json::value(true);
  case 4:
    return json::value(nullptr);
  case 5:
    return json::value("a");
  case 6:
    return json::array{1};
  default:
    json::object result;
    for (auto n = *rc::gen::inRange(0, 3); n > 0; --n)
      result[*rc::gen::element<std::string>("a", "b", "a.b")] = any_value(depth - 1);
    return result;
  }
}

observation any_observation() {
  auto x = sample("obs_1");
  x.type = *words();
  x.status = *rc::gen::element(status::active, status::resolved, status::expired);
  x.confidence = *rc::gen::element(0.0, 0.5, 1.0);
  x.tags = *some_words(3);
  x.source.name = *words();
  x.source.turn_id = *words();
  x.owner = *words();
  x.created_at = at(*rc::gen::inRange(0, 3));
  for (auto n = *rc::gen::inRange(0, 3); n > 0; --n)
    x.context[*rc::gen::element<std::string>("a", "b", "a.b")] = any_value(2);
  return x;
}

/// True in one of three cases. With more members, hardly any filter would match.
bool now_and_then() {
  return *rc::gen::inRange(0, 3) == 0;
}

observation_filter any_filter() {
  observation_filter f;
  if (now_and_then())
    f.type = *some_words(3);
  if (now_and_then())
    f.status = {*rc::gen::element(status::active, status::resolved)};
  if (now_and_then())
    f.source = *some_words(3);
  if (now_and_then())
    f.owner = *some_words(3);
  if (now_and_then())
    f.tags = *some_words(2);
  if (now_and_then())
    f.min_confidence = *rc::gen::element(0.0, 0.5, 0.6);
  if (now_and_then())
    f.context[*rc::gen::element<std::string>("a", "b", "a.b", "a.a", "a.b.a")] = any_value(1);
  if (now_and_then())
    f.turn_id = *words();
  if (now_and_then())
    f.created_after = at(*rc::gen::inRange(-1, 3));
  if (now_and_then())
    f.created_before = at(*rc::gen::inRange(0, 4));
  return f;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_filter)

BOOST_AUTO_TEST_CASE(that_is_empty_matches_everything) {
  auto x = sample("obs_1");
  x.status = status::expired;
  BOOST_TEST(matches({}, x));
}

BOOST_AUTO_TEST_CASE(wants_all_tags_and_any_type) {
  observation_filter filter;
  filter.tags = {"wine", "order"};
  filter.type = {"alert", "observation"};
  BOOST_TEST(matches(filter, tagged("obs_1", {"order", "x", "wine"})));
  BOOST_TEST(!matches(filter, tagged("obs_1", {"order", "wines"})));
  filter.type = {"alert"};
  BOOST_TEST(!matches(filter, tagged("obs_1", {"order", "x", "wine"})));
}

BOOST_AUTO_TEST_CASE(takes_times_as_exclusive_and_confidence_as_inclusive) {
  observation_filter filter;
  filter.min_confidence = 0.5;
  BOOST_TEST(matches(filter, sample("obs_1")));
  filter.created_after = at(0);
  BOOST_TEST(!matches(filter, sample("obs_1")));
  filter.created_after = at(-1);
  filter.created_before = at(0);
  BOOST_TEST(!matches(filter, sample("obs_1")));
  filter.created_before = at(1);
  BOOST_TEST(matches(filter, sample("obs_1")));
}

BOOST_AUTO_TEST_CASE(compares_numbers_as_numbers_and_nothing_else_with_them) {
  BOOST_TEST(equal("1", "1.0"));
  BOOST_TEST(equal("1.0", "1"));
  BOOST_TEST(equal("18446744073709551615", "18446744073709551615"));
  BOOST_TEST(equal("9223372036854775808", "9223372036854775808.0"));
  BOOST_TEST(!equal("9007199254740993", "9007199254740992.0"));
  BOOST_TEST(!equal("9223372036854775807", "9223372036854775808.0"));
  BOOST_TEST(!equal("-1", "18446744073709551615"));
  BOOST_TEST(!equal("1", "1.5"));
  BOOST_TEST(!equal("1", "1e300"));
  BOOST_TEST(!equal("1", "true"));
  BOOST_TEST(!equal("1", "\"1\""));
  BOOST_TEST(!equal("0", "null"));
  BOOST_TEST(equal("null", "null"));
  BOOST_TEST(equal("\"x\"", "\"x\""));
  BOOST_TEST(!equal("[]", "[]"));
  BOOST_TEST(!equal("{}", "{}"));
}

BOOST_AUTO_TEST_CASE(follows_dotted_paths) {
  BOOST_TEST(has(R"({"a":{"b":{"c":1}}})", "a.b.c", "1"));
  BOOST_TEST(has(R"({"a.b":{"c":1}})", "a.b.c", "1"));
  BOOST_TEST(has(R"({"a":{"b.c":1},"a.b":2})", "a.b.c", "1"));
  BOOST_TEST(!has(R"({"a":{"b":1}})", "a", "1"));
  BOOST_TEST(!has(R"({"a":{"b":1}})", "a.b.c", "1"));
  BOOST_TEST(!has(R"({"a":[1]})", "a.0", "1"));
  BOOST_TEST(!has(R"({"a":1})", "", "1"));
  BOOST_TEST(!has(R"({"a":1})", "a.", "1"));
  BOOST_TEST(!has(R"({"a":1})", ".a", "1"));
  BOOST_TEST(!has(R"({})", "a", "null"));
}

BOOST_AUTO_TEST_CASE(agrees_with_a_slow_and_obvious_one) {
  size_t matched = 0;
  size_t tried = 0;
  auto agrees = rc::check("matches == matches_naive", [&] {
    auto x = any_observation();
    auto filter = any_filter();
    auto expected = matches_naive(filter, x);
    ++tried;
    matched += expected;
    RC_LOG() << to_text(to_json(filter)) << "\n" << to_text(to_json(x)) << "\n";
    RC_ASSERT(matches(filter, x) == expected);
  });
  BOOST_TEST(agrees);
  BOOST_TEST(matched > tried / 20); // otherwise the test would show little
  BOOST_TEST(matched < tried);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
