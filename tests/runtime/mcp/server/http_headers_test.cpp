#include "scratchpage/tests/runtime/mcp/server/endpoint_client.hpp"

/// Headers that repeat parts of the body of a modern request.

namespace scratchpage::test {

namespace {

struct header_client : endpoint_client {
  /// Calls the tool whose arguments are repeated in headers. Returns the error code, or 0.
  int64_t call(json::object arguments, const std::string& header) {
    auto answer = modern("tools/call", call_of("test_x_mcp_header", std::move(arguments)),
      header.empty() ? headers{} : headers{{"mcp-param-region", header}});
    return answer->status() == 400 ? code_in(answer->answer()) : 0;
  }

  int64_t name_is(const std::string& header) {
    auto answer = modern("tools/call", call_of("test_simple_text"), {{"mcp-name", header}});
    return answer->status() == 400 ? code_in(answer->answer()) : 0;
  }
};

constexpr int64_t mismatch = -32020;

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_http_headers, header_client)

BOOST_AUTO_TEST_CASE(the_method_is_repeated_as_it_is) {
  auto of = [this](const std::string& header) {
    return modern("tools/list", {}, {{"mcp-method", header}})->status();
  };
  BOOST_TEST(of(" tools/list ") == 200u);
  for (const auto* wrong : {"", "tools/call", "TOOLS/LIST"})
    BOOST_TEST(of(wrong) == 400u, wrong);
}

BOOST_AUTO_TEST_CASE(the_name_is_repeated_as_it_is_or_encoded) {
  BOOST_TEST(name_is("test_simple_text") == 0);
  BOOST_TEST(name_is("  test_simple_text\t") == 0);
  BOOST_TEST(name_is("=?base64?dGVzdF9zaW1wbGVfdGV4dA==?=") == 0);
  for (const auto* wrong : {"", "test_simple", "=?base64?dGVzdF9zaW1wbGVfdGV4dA?=",
         "=?BASE64?dGVzdF9zaW1wbGVfdGV4dA==?=", "dGVzdF9zaW1wbGVfdGV4dA=="})
    BOOST_TEST(name_is(wrong) == mismatch, wrong);
}

BOOST_AUTO_TEST_CASE(an_argument_is_repeated_if_its_tool_says_so) {
  json::object hello{{"region", "Hello"}};
  BOOST_TEST(call(hello, "Hello") == 0);
  BOOST_TEST(call(hello, "=?base64?SGVsbG8=?=") == 0);
  for (const auto* wrong :
    {"", "hello", "=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "SGVsbG8=", "=?base64?SGVsbG8="})
    BOOST_TEST(call(hello, wrong) == mismatch, wrong);
  BOOST_TEST(call({{"region", "SGVsbG8="}}, "SGVsbG8=") == 0);
  BOOST_TEST(call({}, "") == 0);
  BOOST_TEST(call({{"region", nullptr}}, "") == 0);
  BOOST_TEST(call({}, "Hello") == mismatch);
}

BOOST_AUTO_TEST_CASE(arguments_in_headers_are_found_wherever_properties_lead) {
  auto tools = json::parse(R"([{"name": "t", "inputSchema": {"properties": {
    "a": {"x-mcp-header": "First"},
    "b": {"properties": {"c": {"x-mcp-header": "Second"}}},
    "d": {"items": {"properties": {"e": {"x-mcp-header": "Third"}}}}}}}])");
  auto found = mcp::arguments_in_headers(tools.as_array());
  BOOST_REQUIRE(found["t"].size() == 2u);
  BOOST_TEST(found["t"][0].header == "mcp-param-first");
  BOOST_TEST(found["t"][1].header == "mcp-param-second");
  const std::vector<std::string> path{"b", "c"};
  BOOST_TEST(found["t"][1].path == path, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(headers_that_cannot_be_are_found_in_a_schema) {
  auto wrong = [](const std::string& properties) {
    auto schema = json::parse(R"({"type": "object", "properties": )" + properties + "}");
    return mcp::wrong_header(schema.as_object()).value_or("");
  };
  BOOST_TEST(wrong(R"({"a": {"type": "string", "x-mcp-header": "A"}, "x-mcp-header": {}})") == "");
  BOOST_TEST(
    wrong(R"({"a": {"properties": {"b": {"type": "boolean", "x-mcp-header": "B"}}}})") == "");
  BOOST_TEST(wrong(R"({"a": {"default": {"x-mcp-header": "any"}}})") == "");
  for (const auto* name : {R"("")", R"("a b")", R"("a:b")", R"("a\r\nX")", R"("ä")", "7"})
    BOOST_TEST(wrong(std::string{R"({"a": {"type": "string", "x-mcp-header": )"} + name + "}}")
                 == "expected a token",
      name);
  BOOST_TEST(wrong(R"({"a": {"type": "object", "x-mcp-header": "A"}})")
               .starts_with("expected only on a string"));
  BOOST_TEST(wrong(R"({"a": {"type": "string", "x-mcp-header": "A"},
                       "b": {"type": "string", "x-mcp-header": "a"}})")
             == "expected each name once, and 'a' is there twice");
  for (const auto* hidden : {R"({"a": {"items": {"type": "string", "x-mcp-header": "A"}}})",
         R"({"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}})"})
    BOOST_TEST(
      wrong(hidden) == "expected only on arguments that are reached through 'properties' alone",
      hidden);
}

BOOST_AUTO_TEST_CASE(numbers_and_flags_are_compared_by_their_value) {
  auto tools = json::parse(R"([{"name": "t", "inputSchema": {"properties": {
    "n": {"type": "integer", "x-mcp-header": "N"}, "f": {"type": "boolean", "x-mcp-header": "F"}}}}])");
  auto all = mcp::arguments_in_headers(tools.as_array());
  auto fits = [&](json::object arguments, headers more) {
    http::request x;
    x.headers = {
      {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "t"}};
    x.headers.insert(x.headers.end(), more.begin(), more.end());
    mcp::envelope said;
    said.version = "2026-07-28";
    json_rpc::request call{json::value{1}, "tools/call", call_of("t", std::move(arguments))};
    return !mcp::refuse_headers(x, call, said, all);
  };
  BOOST_TEST(fits({{"n", 42}}, {{"mcp-param-n", "42"}}));
  BOOST_TEST(fits({{"n", 42}}, {{"mcp-param-n", "42.0"}}));
  BOOST_TEST(!fits({{"n", 42}}, {{"mcp-param-n", "42x"}}));
  BOOST_TEST(fits({{"f", true}}, {{"mcp-param-f", "true"}}));
  BOOST_TEST(!fits({{"f", true}}, {{"mcp-param-f", "1"}}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
