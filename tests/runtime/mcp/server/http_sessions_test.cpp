#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/runtime/mcp/server/endpoint_client.hpp"

/// Sessions of clients of revision 2025-11-25 over HTTP.

namespace scratchpage::test {

namespace {

const json::object can_be_asked{{"elicitation", json::object{}}};

/// The last question in the stream of a call.
json::value question_on(const fake_exchange& x) {
  BOOST_REQUIRE(x.stream);
  return x.stream->events().back();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_http_sessions, endpoint_client)

BOOST_AUTO_TEST_CASE(initialize_begins_a_session_that_everything_else_needs) {
  auto id = begin();
  BOOST_TEST(id.size() == 48u);
  BOOST_TEST(id.find_first_not_of("0123456789abcdef") == std::string::npos);
  BOOST_TEST(post(notice_of("notifications/initialized"), of_session(id))->status() == 202u);
  BOOST_TEST(to_text(legacy("ping")->answer().at("result")) == "{}");
  BOOST_TEST(legacy("unknown")->status() == 200u);
  BOOST_TEST(code_in(legacy("unknown")->answer()) == -32601);
  BOOST_TEST(post(request_of(1, "ping"))->status() == 400u);
  auto unknown = post(request_of(5, "ping"), of_session("x"));
  BOOST_TEST(unknown->status() == 404u);
  BOOST_TEST(unknown->answer().at("id").to_number<int>() == 5);
  BOOST_TEST(begin() != id);
}

BOOST_AUTO_TEST_CASE(a_session_that_could_not_begin_is_none) {
  auto refused = post(request_of(1, "initialize"));
  BOOST_TEST(code_in(refused->answer()) == -32602);
  BOOST_TEST(refused->header("Mcp-Session-Id") == "");
  auto id = begin();
  auto again =
    post(request_of(1, "initialize", {{"protocolVersion", "2025-11-25"}}), of_session(id));
  BOOST_TEST(again->status() == 400u);
}

BOOST_AUTO_TEST_CASE(versions_and_types_of_a_session_are_checked) {
  auto with = [id = begin(), this](headers more) {
    more.push_back({"mcp-session-id", id});
    return post(request_of(1, "ping"), std::move(more))->status();
  };
  BOOST_TEST(with({{"mcp-protocol-version", "2025-11-25"}}) == 200u);
  BOOST_TEST(with({{"mcp-protocol-version", "2025-06-18"}}) == 200u);
  BOOST_TEST(with({{"mcp-protocol-version", "2020-01-01"}}) == 400u);
  BOOST_TEST(with({{"mcp-protocol-version", "2026-07-28"}}) == 400u); // without its `_meta`
  BOOST_TEST(with({{"accept", "application/json"}}) == 406u);
  BOOST_TEST(with({{"accept", "text/event-stream,application/json"}}) == 200u);
  BOOST_TEST(with({{"accept", "*/*"}}) == 200u);
}

BOOST_AUTO_TEST_CASE(a_deleted_session_is_gone_with_its_stream) {
  auto id = begin();
  auto stream = send("GET", "", of_session(id));
  BOOST_REQUIRE(stream->stream);
  BOOST_TEST(send("DELETE", "", of_session(id))->status() == 200u);
  strand->run();
  BOOST_TEST(stream->stream->ended);
  BOOST_TEST(legacy("ping")->status() == 404u);
  BOOST_TEST(send("DELETE", "", of_session(id))->status() == 404u);
  BOOST_TEST(send("DELETE", "")->status() == 400u);
}

BOOST_AUTO_TEST_CASE(what_nobody_asked_for_comes_on_the_stream_of_a_get) {
  auto id = begin();
  BOOST_TEST(
    send("GET", "", {{"mcp-session-id", id}, {"accept", "application/json"}})->status() == 406u);
  auto stream = send("GET", "", of_session(id));
  BOOST_TEST(stream->status() == 200u);
  BOOST_TEST(send("GET", "", of_session(id))->status() == 409u);
  legacy("tools/call", call_of("test_trigger_tool_change"));
  BOOST_TEST(methods_in(stream->stream->events()) == "notifications/tools/list_changed");
  legacy("resources/subscribe", {{"uri", "test://watched-resource"}});
  legacy("tools/call", call_of("test_trigger_resource_update"));
  BOOST_TEST(stream->stream->events().size() == 2u);
  stream->stream->end();
  strand->run();
  BOOST_TEST(send("GET", "", of_session(id))->status() == 200u);
}

BOOST_AUTO_TEST_CASE(a_tool_asks_on_its_own_stream_and_is_answered_by_another_request) {
  begin(can_be_asked);
  auto asking = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  auto question = question_on(*asking);
  BOOST_TEST(method_in(question) == "elicitation/create");
  BOOST_TEST(!asking->stream->ended);
  json::object reply{
    {"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", {{"action", "decline"}}}};
  BOOST_TEST(post(reply)->status() == 400u);
  BOOST_TEST(post(reply, of_session(session))->status() == 202u);
  strand->run();
  BOOST_TEST(text_in_result(asking->answer()) == "User response: action=decline, content=none");
  BOOST_TEST(asking->stream->ended);
  BOOST_TEST(post(reply, of_session(session))->status() == 202u); // a second reply is ignored
}

BOOST_AUTO_TEST_CASE(sessions_do_not_answer_for_each_other) {
  begin(can_be_asked);
  auto asking = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  auto question = question_on(*asking);
  begin(can_be_asked);
  post({{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", {{"action", "decline"}}}},
    of_session(session));
  strand->run();
  BOOST_TEST(!asking->stream->ended);
}

BOOST_AUTO_TEST_CASE(a_session_is_its_own_clients_alone) {
  auto id = begin();
  auto mine = who;
  who.by.name = "somebody else";
  BOOST_TEST(legacy("ping")->status() == 404u);
  BOOST_TEST(send("DELETE", "", of_session(id))->status() == 404u);
  who = mine;
  BOOST_TEST(legacy("ping")->status() == 200u);
}

BOOST_AUTO_TEST_CASE(who_opens_sessions_under_many_claimed_names_loses_none_of_others) {
  mcp::http_sessions sessions{4, std::chrono::hours{1}};
  auto client_of = [](const std::string& name, bool is_claimed) {
    principal result;
    result.by.name = name;
    result.by.claimed = is_claimed;
    return result;
  };
  auto add = [&, at = timestamp{}](const std::string& name, bool is_claimed) mutable {
    at += std::chrono::seconds{1};
    BOOST_TEST(sessions.make_room(at));
    sessions.add(
      name, {std::make_shared<mcp::session>(strand), client_of(name, is_claimed), at, nullptr});
  };
  add("ann", false); // the oldest session
  for (auto i = 0; i < 20; ++i)
    add("many" + std::to_string(i), true);
  BOOST_TEST(sessions.find("ann", client_of("ann", false), timestamp{}) != nullptr);
  BOOST_TEST(sessions.size() == 4u);
}

BOOST_AUTO_TEST_CASE(who_opens_many_sessions_loses_its_own_and_not_those_of_others) {
  mcp::http_sessions sessions{4, std::chrono::hours{1}};
  auto add = [&, at = timestamp{}](const std::string& id, const std::string& name) mutable {
    at += std::chrono::seconds{1};
    BOOST_TEST(sessions.make_room(at));
    principal by;
    by.by.name = name;
    sessions.add(id, {std::make_shared<mcp::session>(strand), by, at, nullptr});
  };
  auto has = [&](const std::string& id, const std::string& name) {
    principal by;
    by.by.name = name;
    return sessions.find(id, by, timestamp{}) != nullptr;
  };
  add("quiet", "ann"); // the oldest session
  for (auto i = 0; i < 20; ++i)
    add("many" + std::to_string(i), "greedy");
  BOOST_TEST(has("quiet", "ann"));
  BOOST_TEST(!has("many16", "greedy"));
  BOOST_TEST(has("many17", "greedy"));
  add("another", "bob");
  BOOST_TEST(has("quiet", "ann"));
  BOOST_TEST(!has("many17", "greedy"));
}

BOOST_AUTO_TEST_CASE(a_legacy_client_cancels_by_saying_so_not_by_going) {
  begin(can_be_asked);
  auto asking = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  auto id = last_id;
  post(notice_of("notifications/cancelled", {{"requestId", id}}), of_session(session));
  strand->run();
  BOOST_TEST(asking->stream->ended);
  BOOST_TEST(methods_in(asking->stream->events()) == "elicitation/create");
  asking = legacy("tools/call", call_of("test_elicitation", {{"message", "Who?"}}));
  auto question = question_on(*asking);
  asking->stream->end();
  strand->run();
  auto reply =
    post({{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", {{"action", "decline"}}}},
      of_session(session));
  BOOST_TEST(reply->status() == 202u);
}

BOOST_AUTO_TEST_CASE(sessions_that_are_not_used_end_those_in_use_do_not) {
  auto unused = begin();
  auto listening = begin();
  auto stream = send("GET", "", of_session(listening));
  auto used = begin();
  strand->advance(std::chrono::minutes{40});
  BOOST_TEST(legacy("ping")->status() == 200u);
  strand->advance(std::chrono::minutes{40});
  auto is_there = [this](const std::string& id) {
    return post(request_of(1, "ping"), of_session(id))->status() == 200;
  };
  BOOST_TEST(!is_there(unused));
  BOOST_TEST(is_there(listening));
  BOOST_TEST(is_there(used));
}

BOOST_AUTO_TEST_CASE(a_session_that_ends_by_itself_does_not_listen_any_more) {
  begin();
  auto listens = [this] { return offers->listeners(); };
  BOOST_TEST(listens() == 1u);
  strand->advance(std::chrono::minutes{59});
  BOOST_TEST(listens() == 1u);
  strand->advance(std::chrono::hours{2});
  BOOST_TEST(listens() == 0u);
}

BOOST_AUTO_TEST_CASE(of_what_a_client_says_it_can_do_a_session_keeps_the_known_names) {
  mcp::server server{strand, offers};
  auto in = std::make_shared<mcp::session>(strand);
  auto back = std::make_shared<mcp::http_response_channel>(
    strand, std::make_shared<fake_exchange>(), mcp::protocol_generation::legacy);
  json::object can{{"elicitation", {{"text", std::string(100'000, 'x')}}}, {"sampling", true},
    {std::string(100'000, 'y'), json::object{}}};
  json_rpc::request call;
  call.id = 1;
  call.method = "initialize";
  call.params = {{"protocolVersion", "2025-11-25"}, {"capabilities", std::move(can)}};
  server.handle({std::move(call), {}, who, in, std::move(back)});
  BOOST_TEST(in->can.size() == 1u);
  BOOST_TEST(in->can.contains("elicitation"));
}

BOOST_AUTO_TEST_CASE(no_session_begins_while_there_is_no_memory) {
  auto is_full = true;
  mcp::server_config config;
  config.check_memory = [&] {
    return is_full ? fail(errc::overloaded, "memory", "expected less") : caf::error{};
  };
  endpoint =
    std::make_shared<mcp::http_endpoint>(std::make_shared<mcp::server>(strand, offers, config));
  json::object hello{{"protocolVersion", "2025-11-25"}};
  auto refused = post(request_of(1, "initialize", hello));
  BOOST_TEST(refused->status() == 503u);
  BOOST_TEST(refused->answer().at("error").at("data").at("field").as_string() == "memory");
  is_full = false;
  BOOST_TEST(post(request_of(1, "initialize", hello))->status() == 200u);
}

BOOST_AUTO_TEST_CASE(there_are_only_so_many_sessions) {
  endpoint_client few{mcp::http_endpoint_config{.max_sessions = 2}};
  auto first = few.begin();
  auto open = few.send("GET", "", of_session(first));
  auto second = few.begin();
  few.strand->advance(std::chrono::seconds{1});
  auto third = few.begin(); // replaces the second
  BOOST_TEST(few.post(request_of(1, "ping"), of_session(first))->status() == 200u);
  BOOST_TEST(few.post(request_of(1, "ping"), of_session(second))->status() == 404u);
  auto stream = few.send("GET", "", of_session(third));
  auto refused = few.post(request_of(1, "initialize", {{"protocolVersion", "2025-11-25"}}));
  BOOST_TEST(refused->status() == 503u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
