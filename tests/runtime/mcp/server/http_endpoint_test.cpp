#include "scratchpage/tests/runtime/mcp/server/endpoint_client.hpp"

/// Streamable HTTP: statuses, streams and access.

namespace scratchpage::test {

BOOST_FIXTURE_TEST_SUITE(mcp_http_endpoint, endpoint_client)

BOOST_AUTO_TEST_CASE(only_requests_for_this_server_from_its_own_pages_are_answered) {
  auto ping = request_of(1, "server/discover", modern_params());
  auto with = [&](headers x) {
    x.push_back({"mcp-protocol-version", "2026-07-28"});
    x.push_back({"mcp-method", "server/discover"});
    return post(ping, std::move(x))->status();
  };
  for (const auto* mine : {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:99", "[::1]"})
    BOOST_TEST(with({{"host", mine}}) == 200u, mine);
  for (const auto* other : {"evil.example.com", "localhost.evil.com:80", "[::2]:1", "10.0.0.1"})
    BOOST_TEST(with({{"host", other}}) == 403u, other);
  BOOST_TEST(send("POST", "{}", {{"host", ""}})->status() == 403u);
  BOOST_TEST(with({{"origin", "http://localhost:3000"}}) == 200u);
  for (const auto* other : {"http://evil.example.com", "null", "https://localhost.evil.com"})
    BOOST_TEST(with({{"origin", other}}) == 403u, other);
  endpoint_client elsewhere{
    mcp::http_endpoint_config{.names = *auth::host_check::make({"agent.example.org"})}};
  BOOST_TEST(elsewhere.modern("tools/list", {}, {{"host", "agent.example.org"}})->status() == 200u);
  BOOST_TEST(elsewhere.modern("tools/list", {}, {{"host", "other.org"}})->status() == 403u);
}

BOOST_AUTO_TEST_CASE(what_is_no_message_is_a_bad_request) {
  BOOST_TEST(send("POST", "{")->status() == 400u);
  BOOST_TEST(code_in(send("POST", "{")->answer()) == -32700);
  BOOST_TEST(!send("POST", "")->answer().as_object().contains("id"));
  BOOST_TEST(code_in(send("POST", "[]")->answer()) == -32600);
  BOOST_TEST(send("POST", "{}", {{"content-type", "text/plain"}})->status() == 415u);
  BOOST_TEST(send("PUT", "{}")->status() == 405u);
  BOOST_TEST(send("PUT", "{}")->header("Allow") == "GET, POST, DELETE");
}

BOOST_AUTO_TEST_CASE(an_answer_alone_is_json_and_what_comes_before_it_makes_a_stream) {
  auto plain = modern("tools/list");
  BOOST_TEST(plain->status() == 200u);
  BOOST_TEST(plain->header("Content-Type") == "application/json");
  BOOST_TEST(plain->answer().at("id").to_number<int>() == last_id);
  auto telling =
    modern("tools/call", call_of("test_tool_with_progress"), {}, {}, {{"progressToken", "p"}});
  BOOST_TEST(telling->header("Content-Type") == "text/event-stream");
  BOOST_REQUIRE(telling->stream);
  BOOST_TEST(telling->stream->ended);
  BOOST_TEST(methods_in(telling->stream->events())
             == "notifications/progress notifications/progress notifications/progress answer");
}

BOOST_AUTO_TEST_CASE(the_status_tells_what_is_wrong_with_a_modern_request) {
  BOOST_TEST(modern("unknown/method")->status() == 404u);
  BOOST_TEST(code_in(modern("ping")->answer()) == -32601);
  BOOST_TEST(modern("tools/call", call_of("test_missing_capability"))->status() == 400u);
  auto handled = modern("tools/call", call_of("unknown"));
  BOOST_TEST(handled->status() == 200u);
  BOOST_TEST(code_in(handled->answer()) == -32602);
  BOOST_TEST(modern("resources/read", {{"uri", "test://none"}})->status() == 200u);
}

BOOST_AUTO_TEST_CASE(a_modern_request_has_an_envelope_that_its_headers_repeat) {
  headers modern_header{{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "server/discover"}};
  auto bare = post(request_of(101, "server/discover"), modern_header);
  BOOST_TEST(bare->status() == 400u);
  BOOST_TEST(code_in(bare->answer()) == -32602);
  BOOST_TEST(bare->answer().at("id").to_number<int>() == 101);
  auto of_version = [&](const char* in_header, const char* in_body) {
    auto params = modern_params();
    params["_meta"].get_object()["io.modelcontextprotocol/protocolVersion"] = in_body;
    return post(request_of(1, "server/discover", std::move(params)),
      {{"mcp-protocol-version", in_header}, {"mcp-method", "server/discover"}});
  };
  BOOST_TEST(code_in(of_version("2026-07-28", "v999.0.0")->answer()) == -32020);
  BOOST_TEST(code_in(of_version("", "2026-07-28")->answer()) == -32020);
  auto unsupported = of_version("v999.0.0", "v999.0.0");
  BOOST_TEST(unsupported->status() == 400u);
  BOOST_TEST(code_in(unsupported->answer()) == -32022);
  BOOST_TEST(
    unsupported->answer().at("error").at("data").at("requested").as_string() == "v999.0.0");
}

BOOST_AUTO_TEST_CASE(a_modern_client_needs_no_session_and_may_say_what_needs_no_answer) {
  BOOST_TEST(modern("tools/list", {}, of_session("old"))->status() == 200u);
  BOOST_TEST(modern("tools/list", {}, {{"accept", "application/json"}})->status() == 200u);
  BOOST_TEST(modern("tools/list", {}, {{"accept", "text/html"}})->status() == 406u);
  auto told = post(notice_of("notifications/cancelled", {{"requestId", 1}}),
    {{"mcp-protocol-version", "2026-07-28"}});
  BOOST_TEST(told->status() == 202u);
  BOOST_TEST(told->head->body.empty());
  for (const auto* method : {"GET", "DELETE"}) {
    auto refused = send(method, "", {{"mcp-protocol-version", "2026-07-28"}});
    BOOST_TEST(refused->status() == 405u);
    BOOST_TEST(refused->header("Allow") == "POST");
  }
}

BOOST_AUTO_TEST_CASE(a_modern_client_listens_on_a_stream_until_it_goes) {
  auto listening =
    modern("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  BOOST_REQUIRE(listening->stream);
  modern("tools/call", call_of("test_trigger_tool_change"));
  BOOST_TEST(methods_in(listening->stream->events())
             == "notifications/subscriptions/acknowledged notifications/tools/list_changed");
  strand->advance(std::chrono::seconds{31});
  BOOST_TEST(listening->stream->pieces.back() == ": still here\n\n");
  BOOST_TEST(!listening->stream->ended);
  auto before = listening->stream->pieces.size();
  listening->stream->end();
  strand->run();
  modern("tools/call", call_of("test_trigger_tool_change"));
  BOOST_TEST(listening->stream->pieces.size() == before);
  BOOST_TEST(listening->stream.use_count() == 1); // the server does not keep the stream
}

BOOST_AUTO_TEST_CASE(who_does_not_read_loses_the_stream) {
  fake_exchange by;
  auto events = mcp::event_stream::begin(strand, by, {}, [] {});
  by.stream->reads = false;
  const json::object large{{"text", std::string(mcp::event_stream::max_waiting_bytes / 4, 'x')}};
  for (int i = 0; i < 3; ++i)
    events->send(large);
  BOOST_TEST(!by.stream->ended);
  for (int i = 0; i < 3; ++i)
    events->send(large);
  BOOST_TEST(by.stream->ended);
  BOOST_TEST(by.stream->pieces.size() == 1u); // the other calls never began
}

BOOST_AUTO_TEST_CASE(an_answer_that_takes_long_comes_on_a_stream) {
  auto by = std::make_shared<fake_exchange>();
  auto back =
    std::make_shared<mcp::http_response_channel>(strand, by, mcp::protocol_generation::modern);
  back->stream_after(std::chrono::seconds{10});
  strand->advance(std::chrono::seconds{9});
  BOOST_TEST(by->status() == 0u);
  strand->advance(std::chrono::seconds{1});
  BOOST_TEST(by->header("Content-Type") == "text/event-stream");
  back->finish({{"jsonrpc", "2.0"}, {"id", 1}, {"result", json::object{}}});
  strand->run();
  BOOST_TEST(by->stream->events().size() == 1u);
  BOOST_TEST(by->stream->ended);
  auto quick = modern("tools/list");
  strand->advance(std::chrono::minutes{1});
  BOOST_TEST(!quick->stream);
}

BOOST_AUTO_TEST_CASE(two_clients_may_use_one_id_at_the_same_time) {
  json::object filter{{"notifications", {{"toolsListChanged", true}}}};
  auto first = modern("subscriptions/listen", filter);
  last_id = 0;
  auto second = modern("subscriptions/listen", filter);
  modern("tools/call", call_of("test_trigger_tool_change"));
  BOOST_TEST(first->stream->events().size() == 2u);
  BOOST_TEST(second->stream->events().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
