#include "scratchpage/runtime/mcp/client/tool_mapping.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage::mcp_client {

namespace {

std::string read(std::string_view result, size_t max_bytes = 1000) {
  auto x = read_result(parse_json(result)->get_object(), max_bytes);
  return to_string(x.status) + " " + to_text(x.outputs);
}

} // namespace

BOOST_AUTO_TEST_SUITE(call_outcome_test)

BOOST_AUTO_TEST_CASE(texts_are_joined) {
  BOOST_TEST(
    read(R"({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]})")
    == R"(ok {"text":"one\n\ntwo"})");
  BOOST_TEST(read(R"({"content": []})") == "ok {}");
  BOOST_TEST(read("{}") == "ok {}");
}

BOOST_AUTO_TEST_CASE(what_text_and_structure_both_say_is_said_once) {
  BOOST_TEST(
    read(R"({"content": [{"type": "text", "text": "[1]"}], "structuredContent": {"n": [1]}})")
    == R"(ok {"structured":{"n":[1]}})");
  BOOST_TEST(
    read(R"({"content": [{"type": "text", "text": "one"}], "structuredContent": {"n": "one"}})")
    == R"(ok {"text":"one"})");
  BOOST_TEST(read(R"({"content": [{"type": "text", "text": "{\"n\": 1}"}],
                      "structuredContent": {"n": 1}})")
             == R"(ok {"structured":{"n":1}})");
  BOOST_TEST(
    read(R"({"content": [{"type": "text", "text": "one"}], "structuredContent": {"n": 1}})")
    == R"(ok {"text":"one","structured":{"n":1}})");
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_described_without_its_data) {
  BOOST_TEST(read(R"({"content": [{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
    {"type": "resource_link", "uri": "file:///a", "name": "a"},
    {"type": "resource", "resource": {"uri": "file:///b", "text": "inside"}}]})")
             == R"(ok {"text":"inside","other":[{"type":"image","mimeType":"image/png",)"
                R"("base64_bytes":8},{"type":"resource_link","uri":"file:///a","name":"a"},)"
                R"({"type":"resource","uri":"file:///b"}]})");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_tool_is_its_text) {
  BOOST_TEST(read(R"({"content": [{"type": "text", "text": "no such file"}], "isError": true})")
             == R"(error {"error":"no such file"})");
  BOOST_TEST(
    read(R"({"isError": true})") == R"(error {"error":"the tool failed and did not say why"})");
}

BOOST_AUTO_TEST_CASE(what_is_too_long_is_cut_and_told) {
  auto text = std::string(50, 'x');
  auto cut = read(R"({"content": [{"type": "text", "text": ")" + text + R"("}]})", 20);
  BOOST_TEST(cut
             == R"(partial {"text":"xxxxxxxxxxxxxxxxx…","note":)"
                R"("the result was longer than 20 bytes; the rest was left out"})");
  auto structure = read(R"({"structuredContent": {"x": ")" + text + R"("}})", 20);
  BOOST_TEST(structure.starts_with(R"(partial {"note":)"), structure);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
