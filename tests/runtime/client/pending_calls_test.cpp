#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/client/link.hpp"

/// pending_calls: calls that wait for their answers, tested without a connection.

namespace scratchpage::test {

namespace {

struct waiting_caller {
  client::pending_calls calls;
  std::vector<std::string> heard; ///< results, or codes of errors

  explicit waiting_caller(client::pending_calls::peer from)
    : calls{from} {
    for (auto i = 0; i < 2; ++i)
      calls.begin("page_stats", {}, [this](const caf::expected<std::string>& x) {
        heard.push_back(x ? *x : to_string(code_of(x.error())));
      });
  }

  void hear(std::string_view text) { calls.take(text, {}); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(pending_calls)

BOOST_AUTO_TEST_CASE(a_result_of_our_own_process_is_passed_on_as_it_is) {
  waiting_caller x{client::pending_calls::peer::own_process};
  x.hear(R"({"jsonrpc":"2.0","id":2,"result":{"b": 1.50,  "a":[]}})");
  x.hear(R"({"jsonrpc":"2.0","id":1,"result":null})");
  BOOST_TEST(x.heard == (std::vector<std::string>{R"({"b": 1.50,  "a":[]})", "null"}),
    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_result_of_anybody_is_read_before_it_is_passed_on) {
  waiting_caller x{client::pending_calls::peer::anybody};
  x.hear(R"({"jsonrpc":"2.0","id":1,"result":{"a": [1)");
  x.hear(R"({"jsonrpc":"2.0","id":1,"result":{"a": [1, 2]}})");
  x.hear("{\"id\": 2,\n \"result\": 7}");
  BOOST_TEST(
    x.heard == (std::vector<std::string>{R"({"a":[1,2]})", "7"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_error_is_read_wherever_it_comes_from) {
  waiting_caller x{client::pending_calls::peer::own_process};
  x.hear(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m",)"
         R"("data":{"code":"not_found","message":"m","field":"agent"}}})");
  BOOST_TEST(x.heard == std::vector<std::string>{"not_found"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_answer_that_nobody_waits_for_is_passed_over) {
  waiting_caller x{client::pending_calls::peer::own_process};
  for (const auto* text : {R"({"jsonrpc":"2.0","id":9,"result":1})", R"({"jsonrpc":"2.0","id":)",
         R"({"jsonrpc":"2.0","id":"1","result":1})", "{", ""})
    x.hear(text);
  BOOST_TEST(x.heard.empty());
  x.calls.end(fail(errc::storage_unavailable, "server", "it has gone"));
  BOOST_TEST(x.heard.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
