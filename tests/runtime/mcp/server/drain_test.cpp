#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/mcp/server/http_endpoint.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixtures.hpp"
#include "scratchpage/tests/runtime/mcp/server/messages.hpp"
#include "scratchpage/tests/runtime/net/http/served.hpp"

/// Stopping an MCP server while clients wait.

namespace scratchpage::test {

namespace {

/// Tools that report progress once and hand the call to the test.
class slow_fixtures : public fixtures {
public:
  void call_tool(const std::string&, const json::object&, const call_ptr& by) override {
    by->progress(1, 2);
    calls.set(by);
  }

  awaited<call_ptr> calls;
};

struct stopping_server {
  std::shared_ptr<inline_strand> strand =
    std::make_shared<inline_strand>(std::make_shared<wall_clock>());
  std::shared_ptr<slow_fixtures> offers = std::make_shared<slow_fixtures>();
  std::shared_ptr<mcp::http_endpoint> endpoint =
    std::make_shared<mcp::http_endpoint>(std::make_shared<mcp::server>(strand, offers));
  std::unique_ptr<http::server> server = serve([this](http::request x, exchange_ptr back) {
    endpoint->handle(std::move(x), std::move(back), {as_daemon("tester"), "main"});
  });

  ~stopping_server() {
    server.reset();
    strand->stop();
  }

  http_client ask(const std::string& method, const std::string& name, json::object params) const {
    auto body = to_text(json::value(request_of(1, method, std::move(params))));
    http_client result{server->port()};
    result.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
                + method + "\r\nMcp-Name: " + name
                + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return result;
  }

  http_client call(const std::string& tool) const {
    return ask("tools/call", tool, modern_params(call_of(tool), {}, {{"progressToken", 1}}));
  }
};

json::value event_in(const std::string& chunk) {
  return json::parse(chunk.substr(chunk.find("data: ") + 6));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_drain, stopping_server)

BOOST_AUTO_TEST_CASE(an_answer_that_comes_as_a_stream_is_waited_for) {
  auto client = call("test_simple_text");
  auto open_call = offers->calls.get();
  BOOST_TEST(client.read_head().headers["content-type"] == "text/event-stream");
  BOOST_TEST(method_in(event_in(client.read_chunk())) == "notifications/progress");
  auto listener = ask(
    "subscriptions/listen", "", modern_params({{"notifications", {{"toolsListChanged", true}}}}));
  listener.read_head();
  BOOST_TEST(
    method_in(event_in(listener.read_chunk())) == "notifications/subscriptions/acknowledged");
  draining stop{*server};
  BOOST_TEST(listener.read_chunk() == ""); // the stream of a listener ends
  BOOST_TEST(listener.is_closed());
  strand->post([open_call] {
    open_call->give({{"content", json::array{json::object{{"type", "text"}, {"text", "done"}}}}});
  });
  BOOST_TEST(text_in_result(event_in(client.read_chunk())) == "done");
  BOOST_TEST(client.read_chunk() == "");
  BOOST_TEST(client.is_closed());
  BOOST_TEST(stop.result());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
