#include "scratchpage/runtime/mcp/client/session.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"

/// The client's session of the Model Context Protocol, without a transport.

namespace scratchpage::mcp_client {

namespace {

/// A session whose server is the test.
struct conversation {
  session_limits limits;
  std::vector<std::string> wanted;
  std::deque<json::object> sent;
  std::vector<tool_listing> offered;
  std::map<uint64_t, call_outcome> answers;
  size_t changes = 0; ///< notifications of changed tools
  std::optional<session> mine;

  void begin() {
    session_events events;
    events.send = [this](json::object x) { sent.push_back(std::move(x)); };
    events.offer = [this](tool_listing x) { offered.push_back(std::move(x)); };
    events.changed = [this] { ++changes; };
    events.answer = [this](uint64_t call, call_outcome x) { answers[call] = std::move(x); };
    mine.emplace(offer_rules{"box", wanted, 1000}, limits, std::move(events));
    mine->begin();
  }

  /// Removes and returns the oldest sent message.
  json::object next() {
    BOOST_REQUIRE(!sent.empty());
    auto result = std::move(sent.front());
    sent.pop_front();
    return result;
  }

  std::string next_method() { return std::string{next().at("method").as_string()}; }

  void say(const json::value& x) { mine->receive(to_text(x)); }

  void answer(const json::object& to, json::value result) {
    say(json::object{{"jsonrpc", "2.0"}, {"id", to.at("id")}, {"result", std::move(result)}});
  }

  void refuse(const json::object& to, int code, const char* text) {
    say(json::object{{"jsonrpc", "2.0"}, {"id", to.at("id")},
      {"error", json::object{{"code", code}, {"message", text}}}});
  }

  void greet(const char* version = "2025-11-25", bool tells_changes = true) {
    answer(next(), {{"protocolVersion", version},
                     {"capabilities", {{"tools", {{"listChanged", tells_changes}}}}},
                     {"serverInfo", {{"name", "scripted"}, {"version", "1"}}}});
  }

  /// Runs the session from `initialize` until it knows these tools.
  void come_up(json::array tools = {tool("echo")}) {
    begin();
    greet();
    next(); // notifications/initialized
    answer(next(), {{"tools", std::move(tools)}});
    BOOST_REQUIRE(mine->is_ready());
  }

  static json::object tool(const char* name) {
    return {{"name", name}, {"inputSchema", {{"type", "object"}}}};
  }

  std::string tools() const {
    std::string result;
    for (const auto& x : offered.back().tools)
      result.append(result.empty() ? "" : " ").append(x->tool_id);
    return result;
  }

  std::string outcome(uint64_t call) {
    BOOST_REQUIRE(answers.contains(call));
    const auto& x = answers.at(call);
    return to_string(x.status) + " " + to_text(x.outputs);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_session, conversation)

BOOST_AUTO_TEST_CASE(it_greets_says_that_it_is_ready_and_asks_for_tools) {
  begin();
  auto greeting = next();
  BOOST_TEST(greeting.at("method").as_string() == "initialize");
  BOOST_TEST(greeting.at("params").at("protocolVersion").as_string() == "2025-11-25");
  BOOST_TEST(to_text(greeting.at("params").at("capabilities")) == "{}");
  BOOST_TEST(greeting.at("params").at("clientInfo").at("name").as_string() == "scratchpage");
  BOOST_TEST(sent.empty());
  answer(
    greeting, {{"protocolVersion", "2025-11-25"}, {"capabilities", {{"tools", json::object{}}}},
                {"serverInfo", {{"name", "scripted"}, {"version", "1"}}}});
  auto initialized = next();
  BOOST_TEST(initialized.at("method").as_string() == "notifications/initialized");
  BOOST_TEST(!initialized.contains("id"));
  auto listing = next();
  BOOST_TEST(listing.at("method").as_string() == "tools/list");
  BOOST_TEST(!mine->is_ready());
  answer(listing, {{"tools", {tool("echo"), tool("add")}}});
  BOOST_TEST(mine->is_ready());
  BOOST_TEST(tools() == "box.echo box.add");
  BOOST_TEST(mine->server() == "scripted 1");
}

BOOST_AUTO_TEST_CASE(a_call_tells_to_which_trace_it_belongs_if_it_belongs_to_one) {
  const std::string traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  come_up();
  mine->call("echo", {});
  BOOST_TEST(!next().at("params").as_object().contains("_meta"));
  mine->call("echo", {}, traceparent);
  BOOST_TEST(next().at("params").at("_meta").at("traceparent").as_string() == traceparent);
}

BOOST_AUTO_TEST_CASE(older_revisions_are_spoken_and_unknown_ones_are_not) {
  for (const auto* version : {"2025-06-18", "2025-03-26", "2024-11-05"}) {
    sent.clear();
    begin();
    greet(version);
    BOOST_TEST(!mine->broken());
    BOOST_TEST(mine->version() == version);
  }
  begin();
  sent.erase(sent.begin(), sent.end() - 1);
  greet("1999-01-01");
  BOOST_REQUIRE(mine->broken());
  BOOST_TEST(
    *mine->broken() == "uses the revision 1999-01-01 of the protocol, which is not supported");
}

BOOST_AUTO_TEST_CASE(a_server_that_knows_no_greeting_is_asked_what_it_speaks) {
  begin();
  refuse(next(), -32601, "no such method");
  auto discovery = next();
  BOOST_TEST(discovery.at("method").as_string() == "server/discover");
  const auto& meta = discovery.at("params").at("_meta").as_object();
  BOOST_TEST(meta.at("io.modelcontextprotocol/protocolVersion").as_string() == "2026-07-28");
  BOOST_TEST(meta.at("io.modelcontextprotocol/clientCapabilities").is_object());
  answer(discovery,
    {{"resultType", "complete"}, {"supportedVersions", {"2026-07-28"}},
      {"capabilities", {{"tools", {{"listChanged", true}}}}},
      {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "new"}, {"version", "2"}}}}}});
  auto listing = next();
  BOOST_TEST(listing.at("method").as_string() == "tools/list");
  BOOST_TEST(listing.at("params").as_object().contains("_meta"));
  auto listening = next();
  BOOST_TEST(listening.at("method").as_string() == "subscriptions/listen");
  BOOST_TEST(listening.at("params").at("notifications").at("toolsListChanged").as_bool());
  answer(listing, {{"resultType", "complete"}, {"tools", {tool("echo")}}});
  BOOST_TEST(tools() == "box.echo");
  BOOST_TEST(mine->server() == "new 2");
  mine->call("echo", {});
  BOOST_TEST(next().at("params").as_object().contains("_meta"));
}

BOOST_AUTO_TEST_CASE(a_server_that_speaks_nothing_known_says_so_with_its_first_error) {
  begin();
  refuse(next(), -32000, "go away");
  refuse(next(), -32601, "no such method");
  BOOST_REQUIRE(mine->broken());
  BOOST_TEST(*mine->broken() == "answered with an error -32000: go away (request: initialize)");
}

BOOST_AUTO_TEST_CASE(all_pages_of_a_listing_are_read_up_to_a_bound) {
  limits.max_pages = 3;
  begin();
  greet();
  next();
  for (auto page : {"1", "2", "3"}) {
    auto request = next();
    const auto& params = request.at("params").as_object();
    BOOST_TEST((params.contains("cursor") ? std::string{params.at("cursor").as_string()} : "")
               == (page == std::string{"1"} ? "" : std::string{"after "} + page));
    auto following = std::to_string(std::stoi(page) + 1);
    answer(request,
      {{"tools", {tool(("t" + std::string{page}).c_str())}}, {"nextCursor", "after " + following}});
  }
  BOOST_TEST(mine->is_ready());
  BOOST_TEST(tools() == "box.t1 box.t2 box.t3");
  BOOST_TEST(sent.empty());
}

BOOST_AUTO_TEST_CASE(a_listing_that_goes_in_circles_or_has_too_many_tools_ends) {
  limits.max_tools = 2;
  begin();
  greet();
  next();
  answer(next(), {{"tools", {tool("a")}}, {"nextCursor", "again"}});
  answer(next(), {{"tools", {tool("a")}}, {"nextCursor", "again"}});
  BOOST_TEST(mine->is_ready());
  BOOST_TEST(tools() == "box.a");
  sent.clear();
  come_up({tool("a"), tool("b"), tool("c")});
  BOOST_TEST(tools() == "box.a box.b");
  BOOST_TEST(offered.back().left_out.at(0) == "expected at most 2 tools");
}

BOOST_AUTO_TEST_CASE(tools_that_take_too_many_bytes_together_are_left_out_and_told_of_once) {
  limits.max_manifest_bytes = 10'000;
  json::array tools;
  for (auto i = 0; i < 50; ++i) {
    auto x = tool(("t" + std::to_string(i)).c_str());
    x["description"] = std::string(1'000, 'd');
    tools.emplace_back(std::move(x));
  }
  begin();
  greet();
  next();
  answer(next(), {{"tools", std::move(tools)}, {"nextCursor", "more"}});
  BOOST_TEST(mine->is_ready());
  BOOST_TEST(sent.empty()); // the limit is reached, so no more pages are requested
  BOOST_REQUIRE(offered.size() == 1u);
  BOOST_TEST(offered[0].tools.size() > 2u);
  BOOST_TEST(offered[0].tools.size() < 10u);
  BOOST_REQUIRE(offered[0].left_out.size() == 1u);
  BOOST_TEST(offered[0].left_out[0].starts_with("expected tools of at most 10000 bytes together"));
}

BOOST_AUTO_TEST_CASE(only_wanted_tools_are_offered_and_odd_ones_are_left_out_by_name) {
  wanted = {"read_*", "l?st"};
  come_up({tool("read_file"), tool("write_file"), tool("read me\n"), json::value(7)});
  BOOST_TEST(tools() == "box.read_file");
  BOOST_REQUIRE(offered.back().left_out.size() == 2u);
  BOOST_TEST(offered.back().left_out[0].ends_with("but it is read me?"));
}

BOOST_AUTO_TEST_CASE(tools_that_change_are_told_of_and_listed_again_when_somebody_wants_it) {
  come_up();
  say({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}});
  BOOST_TEST(changes == 1u);
  BOOST_TEST(sent.empty());
  mine->list();
  say({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}}); // during the listing
  BOOST_TEST(changes == 1u);
  auto first = next();
  BOOST_TEST(sent.empty());
  answer(first, {{"tools", {tool("one")}}});
  BOOST_TEST(tools() == "box.one");
  BOOST_TEST(changes == 2u);
  BOOST_TEST(sent.empty());
  mine->list();
  answer(next(), {{"tools", {tool("two")}}});
  BOOST_TEST(tools() == "box.two");
  BOOST_TEST(changes == 2u);
  BOOST_TEST(sent.empty());
}

BOOST_AUTO_TEST_CASE(what_was_known_stays_if_the_tools_cannot_be_listed_again) {
  come_up();
  mine->list();
  refuse(next(), -32603, "out of order");
  BOOST_TEST(!mine->broken());
  BOOST_TEST(offered.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_without_tools_offers_none) {
  begin();
  answer(next(), {{"protocolVersion", "2025-11-25"}, {"capabilities", json::object{}}});
  next();
  refuse(next(), -32601, "no such method");
  BOOST_TEST(mine->is_ready());
  BOOST_TEST(tools().empty());
}

BOOST_AUTO_TEST_CASE(calls_are_answered_by_their_ids_in_any_order) {
  come_up();
  auto a = mine->call("echo", {{"n", 1}});
  auto b = mine->call("echo", {{"n", 2}});
  auto first = next();
  auto second = next();
  BOOST_TEST(to_text(first.at("params")) == R"({"name":"echo","arguments":{"n":1}})");
  answer(second, {{"content", {{{"type", "text"}, {"text", "two"}}}}});
  answer(first, {{"content", {{{"type", "text"}, {"text", "one"}}}}});
  BOOST_TEST(outcome(a) == R"(ok {"text":"one"})");
  BOOST_TEST(outcome(b) == R"(ok {"text":"two"})");
}

BOOST_AUTO_TEST_CASE(errors_of_the_protocol_are_failures_of_their_class) {
  come_up();
  auto a = mine->call("echo", {});
  refuse(next(), -32602, "no such tool");
  BOOST_TEST(outcome(a)
             == R"(error {"error":"answered with an error -32602: no such tool",)"
                R"("error_class":"invalid_input"})");
  auto b = mine->call("echo", {});
  mine->on_lost(next().at("id"), tool_failure::transient, "the line is dead");
  BOOST_TEST(outcome(b) == R"(error {"error":"the line is dead","error_class":"transient"})");
  auto c = mine->call("echo", {});
  answer(next(), {{"resultType", "input_required"}, {"inputRequests", json::object{}}});
  BOOST_TEST(
    outcome(c).find("asks for input, which only a person could give") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_is_told_and_its_late_answer_forgotten) {
  come_up();
  auto id = mine->call("echo", {});
  auto request = next();
  mine->cancel(id, "timed out");
  auto cancelled = next();
  BOOST_TEST(cancelled.at("method").as_string() == "notifications/cancelled");
  BOOST_TEST(cancelled.at("params").at("requestId") == request.at("id"));
  answer(request, {{"content", json::array{}}});
  mine->cancel(id, "again");
  BOOST_TEST(answers.empty());
  BOOST_TEST(sent.empty());
}

BOOST_AUTO_TEST_CASE(it_answers_pings_and_refuses_what_it_did_not_offer) {
  come_up();
  say({{"jsonrpc", "2.0"}, {"id", "p"}, {"method", "ping"}});
  BOOST_TEST(to_text(next()) == R"({"jsonrpc":"2.0","id":"p","result":{}})");
  for (const auto* method : {"sampling/createMessage", "elicitation/create", "roots/list"}) {
    say({{"jsonrpc", "2.0"}, {"id", 9}, {"method", method}, {"params", json::object{}}});
    auto refusal = next();
    BOOST_TEST(refusal.at("id").to_number<int>() == 9);
    BOOST_TEST(refusal.at("error").at("code").to_number<int>() == -32601);
  }
  say({{"jsonrpc", "2.0"}, {"method", "notifications/message"}, {"params", json::object{}}});
  BOOST_TEST(sent.empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_message_is_passed_over_up_to_a_bound) {
  limits.max_strays = 4;
  come_up();
  auto id = mine->call("echo", {});
  auto request = next();
  mine->receive("Server is running on stdio");
  mine->receive("[7, {]");
  mine->receive(R"("text")");
  say({{"jsonrpc", "2.0"}, {"id", "never asked"}, {"result", json::object{}}});
  BOOST_TEST(!mine->broken());
  answer(request, {{"content", json::array{}}});
  BOOST_TEST(outcome(id) == "ok {}");
  mine->receive("one more");
  BOOST_REQUIRE(mine->broken());
  BOOST_TEST(*mine->broken() == "wrote more than 4 lines that are no messages, the last: one more");
}

BOOST_AUTO_TEST_CASE(a_batch_is_as_good_as_its_messages) {
  come_up();
  mine->receive(
    R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}])");
  BOOST_TEST(next().at("id").to_number<int>() == 1);
  BOOST_TEST(next().at("id").to_number<int>() == 2);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
