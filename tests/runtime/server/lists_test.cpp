#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/tests/runtime/server/served_host.hpp"

/// The lists of a server: agents with what waits in them, and threads with a scratchbook.

namespace scratchpage::test {

namespace {

constexpr auto question =
  R"({"type": "pending_confirmation", "content": "Is the room warm enough?"})";
constexpr auto tool_headers =
  "Scratchpage-Caller: {\"role\": \"tool\", \"kind\": \"tool\", \"name\": \"gauge\"}\r\n";

} // namespace

struct served_lists : served_host {
  json::object read(const std::string& path, const std::string& headers = {}) {
    auto answer = ask("GET", path, "", headers);
    BOOST_REQUIRE(answer.status == 200);
    return json::parse(answer.body).as_object();
  }

  void add_item(const std::string& thread, const std::string& title) {
    auto added = post("/v1/agents/ada/threads/" + thread + "/items",
      R"({"kind": "todo", "title": ")" + title + R"("})");
    BOOST_REQUIRE(added.status == 201);
  }
};

BOOST_FIXTURE_TEST_SUITE(server_lists, served_lists)

BOOST_AUTO_TEST_CASE(agents_are_listed_with_what_waits_in_them) {
  BOOST_REQUIRE(post("/v1/agents/ada/observations", question).status == 201);
  BOOST_REQUIRE(post("/v1/agents/eve/observations", smoke).status == 201);
  auto found = read("/v1/agents?details=true");
  BOOST_TEST(found.at("agents").as_array().size() == 2u);
  const auto& details = found.at("details").as_array();
  BOOST_REQUIRE(details.size() == 2u);
  const auto& ada = details[0].as_object();
  BOOST_TEST(ada.at("agent_id").as_string() == "ada");
  BOOST_TEST(ada.at("questions").to_number<uint64_t>() == 1u);
  BOOST_TEST(ada.at("live").to_number<uint64_t>() == 1u);
  BOOST_TEST(ada.at("open_turns").to_number<uint64_t>() == 0u);
  BOOST_TEST(ada.contains("last_change_at"));
  BOOST_TEST(ada.contains("goals"));
  BOOST_TEST(details[1].at("questions").to_number<uint64_t>() == 0u);
}

BOOST_AUTO_TEST_CASE(a_tool_is_told_nothing_of_goals_and_threads) {
  BOOST_REQUIRE(post("/v1/agents/ada/observations", smoke).status == 201);
  auto found = read("/v1/agents?details=true", tool_headers);
  const auto& ada = found.at("details").as_array().at(0).as_object();
  BOOST_TEST(ada.contains("live"));
  BOOST_TEST(!ada.contains("goals"));
  BOOST_TEST(!ada.contains("actions"));
  BOOST_TEST(ask("GET", "/v1/agents/ada/threads", "", tool_headers).status == 403);
}

BOOST_AUTO_TEST_CASE(details_are_wanted_or_not) {
  for (const auto* query : {"details=maybe", "details=true&details=true", "details"}) {
    auto refused = ask("GET", std::string{"/v1/agents?"} + query);
    BOOST_TEST(refused.status == 400);
    BOOST_TEST(field_of_error(refused) == "details");
  }
  BOOST_TEST(field_of_error(ask("GET", "/v1/agents?detail=true")) == "detail");
  BOOST_TEST(ask("GET", "/v1/agents?details=false").body == R"({"agents":[]})");
}

BOOST_AUTO_TEST_CASE(threads_are_listed_by_their_last_changes) {
  add_item("first", "Pack the bags");
  add_item("The%20trip%2FLisbon", "Find the key");
  add_item("first", "Lock the door");
  BOOST_REQUIRE(ask("POST", "/v1/agents/ada/threads/first/items/s1/complete").status == 200);
  auto found = read("/v1/agents/ada/threads");
  const auto& threads = found.at("threads").as_array();
  BOOST_REQUIRE(threads.size() == 2u);
  BOOST_TEST(threads[0].at("thread_id").as_string() == "first");
  BOOST_TEST(threads[0].at("items").to_number<uint64_t>() == 2u);
  BOOST_TEST(threads[0].at("open").to_number<uint64_t>() == 1u);
  BOOST_TEST(threads[1].at("thread_id").as_string() == "The trip/Lisbon");
  BOOST_TEST(found.at("left_out").to_number<uint64_t>() == 0u);
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_not_there_has_no_threads) {
  auto refused = ask("GET", "/v1/agents/nobody/threads");
  BOOST_TEST(refused.status == 404);
  BOOST_TEST(field_of_error(refused) == "agent");
  BOOST_REQUIRE(post("/v1/agents/ada/observations", smoke).status == 201);
  BOOST_TEST(read("/v1/agents/ada/threads").at("threads").as_array().empty());
  BOOST_TEST(ask("POST", "/v1/agents/ada/threads").status == 405);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
