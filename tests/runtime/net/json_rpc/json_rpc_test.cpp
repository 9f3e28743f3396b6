#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

/// JSON-RPC 2.0, with the examples of the specification.

namespace scratchpage::test {

namespace {

namespace rpc = scratchpage::json_rpc;

/// The error code of a message that is refused as a whole.
int64_t refused(std::string_view text) {
  auto read = rpc::read(text);
  BOOST_REQUIRE(read.entries.size() == 1u);
  BOOST_REQUIRE(!read.entries[0].call);
  return read.entries[0].refusal.at("error").at("code").as_int64();
}

const rpc::request& only_call(const rpc::message& x) {
  BOOST_REQUIRE(x.entries.size() == 1u);
  BOOST_REQUIRE(x.entries[0].call);
  return *x.entries[0].call;
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_rpc)

BOOST_AUTO_TEST_CASE(a_call_has_a_method_an_id_and_arguments_by_name) {
  auto read = rpc::read(R"({"jsonrpc": "2.0", "method": "add", "params": {"a": 1}, "id": "x"})");
  const auto& call = only_call(read);
  BOOST_TEST(call.method == "add");
  BOOST_TEST((call.id == json::value("x")));
  BOOST_TEST(call.params.at("a").as_int64() == 1);
  BOOST_TEST(!read.is_batch);
}

BOOST_AUTO_TEST_CASE(a_call_without_an_id_is_a_notification) {
  BOOST_TEST(!only_call(rpc::read(R"({"jsonrpc": "2.0", "method": "add"})")).id);
  auto with_null = rpc::read(R"({"jsonrpc": "2.0", "method": "add", "id": null})");
  BOOST_TEST(only_call(with_null).id.has_value());
}

BOOST_AUTO_TEST_CASE(what_is_no_call_is_refused_by_what_was_expected) {
  BOOST_TEST(refused(R"({"jsonrpc": "2.0", "method": "foobar, "params")") == -32700);
  BOOST_TEST(refused("") == -32700);
  BOOST_TEST(refused("[]") == -32600);
  BOOST_TEST(refused("1") == -32600);
  BOOST_TEST(refused(R"({"method": "add", "id": 1})") == -32600);
  BOOST_TEST(refused(R"({"jsonrpc": "1.0", "method": "add", "id": 1})") == -32600);
  BOOST_TEST(refused(R"({"jsonrpc": "2.0", "method": 1, "params": "bar"})") == -32600);
  BOOST_TEST(refused(R"({"jsonrpc": "2.0", "method": "add", "id": [1]})") == -32600);
  BOOST_TEST(
    refused(R"({"jsonrpc": "2.0", "method": "add", "params": [1, 2], "id": 1})") == -32602);
}

BOOST_AUTO_TEST_CASE(an_id_that_is_a_text_is_short) {
  auto with_id = [](size_t bytes) {
    return R"({"jsonrpc": "2.0", "method": "add", "id": ")" + std::string(bytes, 'x') + R"("})";
  };
  BOOST_TEST(only_call(rpc::read(with_id(256))).id->as_string().size() == 256u);
  BOOST_TEST(refused(with_id(257)) == -32600);
  BOOST_TEST(rpc::read(with_id(100'000)).entries[0].refusal.at("id").is_null());
}

BOOST_AUTO_TEST_CASE(each_entry_of_a_batch_is_read_by_itself) {
  auto read = rpc::read(R"([{"jsonrpc": "2.0", "method": "a", "id": 1}, 1,
    {"jsonrpc": "2.0", "method": "b"}, {"foo": "boo"}])");
  BOOST_TEST(read.is_batch);
  BOOST_REQUIRE(read.entries.size() == 4u);
  BOOST_TEST(read.entries[0].call->method == "a");
  BOOST_TEST(!read.entries[1].call);
  BOOST_TEST(!read.entries[2].call->id);
  BOOST_TEST(read.entries[3].refusal.at("id").is_null());
  std::string many = "[1";
  for (size_t i = 0; i < rpc::max_in_batch; ++i)
    many += ",1";
  BOOST_TEST(refused(many + "]") == -32600);
}

BOOST_AUTO_TEST_CASE(an_answer_has_the_id_of_its_call) {
  BOOST_TEST(to_text(rpc::answer("x", 19)) == R"({"jsonrpc":"2.0","id":"x","result":19})");
  BOOST_TEST(rpc::answer_text("x", "19") == to_text(rpc::answer("x", 19)));
  BOOST_TEST(to_text(rpc::refuse(nullptr, rpc::code::parse_error, "what?"))
             == R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}})");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_contract_names_the_field_and_keeps_its_number) {
  auto refused = rpc::refuse(7, fail(errc::conflict, "expected_revision", "expected 2"));
  const auto& error = refused.at("error").as_object();
  BOOST_TEST(error.at("code").as_int64() == -32006);
  BOOST_TEST(error.at("data").at("code").as_string() == "conflict");
  BOOST_TEST(error.at("data").at("field").as_string() == "expected_revision");
  auto unknown = rpc::refuse(7, fail(errc::not_found, "operation", "no such operation"));
  BOOST_TEST(unknown.at("error").at("code").as_int64() == -32601);
  auto missing = rpc::refuse(7, fail(errc::not_found, "observation_id", "expected one"));
  BOOST_TEST(missing.at("error").at("code").as_int64() == -32005);
}

BOOST_AUTO_TEST_CASE(answers_come_as_they_were_asked) {
  auto one = rpc::read(R"({"jsonrpc": "2.0", "method": "a", "id": 1})");
  BOOST_TEST(*rpc::join(one, {"{}"}) == "{}");
  auto batch = rpc::read(R"([{"jsonrpc": "2.0", "method": "a", "id": 1}])");
  BOOST_TEST(*rpc::join(batch, {"{}", "{}"}) == "[{},{}]");
  BOOST_TEST(!rpc::join(batch, {}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
