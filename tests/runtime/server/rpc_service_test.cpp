#include <future>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/contains.hpp"

/// JSON-RPC 2.0 for clients in any language.

namespace scratchpage::test {

namespace {

struct rpc_host : hosted {
  operation_caller operations{host->system()};
  server::agent_opener opener{*host};
  server::agent_calls calls{*host, opener, operations};
  http::server_config limits;
  server::rpc_service service{calls, host->answers()};
  principal who{as_user("ann")};

  /// The answer as text; "" if there is none.
  std::string ask_for(const std::string& text) { return ask_of(service, text); }

  std::string ask_of(const server::rpc_service& of, const std::string& text) {
    std::promise<std::string> answered;
    auto asks = who;
    asks.agent_id = agent("ada")->id;
    asks.thread_id = "main";
    of.answer(server::rpc_service::read(text), asks,
      [&](const std::optional<std::string>& x) { answered.set_value(x.value_or("")); });
    return answered.get_future().get();
  }

  json::value answer(const std::string& text) { return json::parse(ask_for(text)); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(rpc_services, rpc_host)

BOOST_AUTO_TEST_CASE(the_first_seeds_calls_are_answered) {
  auto added = answer(R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation", "params": {
    "type": "error_alert", "content": "weather_api timed out", "tags": ["error"]}})");
  BOOST_TEST(added.at("id").to_number<int>() == 1);
  BOOST_TEST(added.at("result").at("source").at("user").as_string() == "ann");
  auto found = answer(R"({"jsonrpc": "2.0", "id": "q", "method": "query_observations", "params": {
    "query": "What errors occurred in this turn?", "metadata": {"tags": ["error"]}}})");
  BOOST_TEST(found.at("id").as_string() == "q");
  BOOST_TEST(found.at("result").at("total_count").to_number<int>() == 1);
}

BOOST_AUTO_TEST_CASE(a_batch_is_answered_in_its_order_and_notifications_are_not) {
  auto all = answer(R"([
    {"jsonrpc": "2.0", "id": 1, "method": "add_observation",
     "params": {"type": "alert", "content": "Smoke"}},
    {"jsonrpc": "2.0", "method": "add_observation", "params": {"type": "alert", "content": "Fire"}},
    {"jsonrpc": "2.0", "id": 2, "method": "no_such_thing"},
    7])");
  BOOST_REQUIRE(all.as_array().size() == 3u);
  BOOST_TEST(all.at(0).at("result").at("content").as_string() == "Smoke");
  BOOST_TEST(all.at(1).at("error").at("code").to_number<int>() == -32601);
  BOOST_TEST(all.at(2).at("error").at("code").to_number<int>() == -32600);
  auto found =
    answer(R"({"jsonrpc": "2.0", "id": 3, "method": "list_observations", "params": {}})");
  BOOST_TEST(found.at("result").at("total_count").to_number<int>() == 2);
}

BOOST_AUTO_TEST_CASE(nothing_but_notifications_is_not_answered) {
  BOOST_TEST(ask_for(R"([{"jsonrpc": "2.0", "method": "add_observation",
    "params": {"type": "alert", "content": "Fire"}}])")
             == "");
}

BOOST_AUTO_TEST_CASE(an_error_names_the_field) {
  auto refused = answer(R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation",
    "params": {"type": "alert", "content": " "}})");
  BOOST_TEST(refused.at("error").at("data").at("field").as_string() == "content");
  BOOST_TEST(refused.at("error").at("code").to_number<int>() == -32001);
}

BOOST_AUTO_TEST_CASE(who_may_only_read_changes_nothing) {
  who.may_write = false;
  auto refused = answer(R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation",
    "params": {"type": "alert", "content": "x"}})");
  BOOST_TEST(refused.at("error").at("data").at("code").as_string() == "forbidden");
  auto found =
    answer(R"({"jsonrpc": "2.0", "id": 3, "method": "list_observations", "params": {}})");
  BOOST_TEST(found.at("result").at("total_count").to_number<int>() == 0);
}

BOOST_AUTO_TEST_CASE(a_batch_cannot_ask_for_more_than_its_budget) {
  const std::string content(60'000, 'x');
  for (auto i = 0; i < 20; ++i)
    call("ada", "add_observation", {{"type", "observation"}, {"content", content}});
  std::string batch;
  for (auto i = 0; i < 256; ++i)
    batch += (i == 0 ? "[" : ",")
             + std::string{R"({"jsonrpc": "2.0", "id": 1, "method": "list_observations",)"
                           R"( "params": {"limit": 100}})"};
  auto text = ask_for(batch + "]");
  BOOST_TEST(text.size() < (17u << 20));
  auto all = json::parse(text).as_array();
  BOOST_REQUIRE(all.size() == 256u);
  BOOST_TEST(all.front().at("result").at("total_count").to_number<int>() == 20);
  auto& why = all.back().at("error").at("data");
  BOOST_TEST(why.at("code").as_string() == "overloaded");
  BOOST_TEST(why.at("field").as_string() == "answer");
  BOOST_TEST(contains(why.at("message").as_string(), "this was not done"));
}

BOOST_AUTO_TEST_CASE(a_call_cannot_be_answered_with_more_than_its_budget) {
  limits.max_answer_bytes = 10'000;
  server::rpc_service narrow{calls, std::make_shared<http::answer_budget>(limits)};
  const std::string content(9'000, 'x');
  for (auto i = 0; i < 2; ++i)
    call("ada", "add_observation", {{"type", "observation"}, {"content", content}});
  auto list = R"({"jsonrpc": "2.0", "id": 1, "method": "list_observations", "params": {}})";
  auto refused = json::parse(ask_of(narrow, list));
  BOOST_TEST(refused.at("error").at("data").at("field").as_string() == "answer");
  BOOST_TEST(contains(refused.at("error").at("data").at("message").as_string(), "ask for less"));
  auto some =
    R"({"jsonrpc": "2.0", "id": 1, "method": "list_observations", "params": {"limit": 1}})";
  BOOST_TEST(
    json::parse(ask_of(narrow, some)).at("result").at("total_count").to_number<int>() == 2);
  auto add = R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation",
    "params": {"type": "alert", "content": ")"
             + std::string(9'900, 'y') + R"("}})";
  auto done = json::parse(ask_of(narrow, add));
  BOOST_TEST(
    contains(done.at("error").at("data").at("message").as_string(), "the operation was executed"));
}

BOOST_AUTO_TEST_CASE(answers_that_somebody_holds_leave_no_room_for_others) {
  limits.max_answer_bytes = limits.max_batch_bytes = limits.max_answers_bytes = 100'000;
  auto answers = std::make_shared<http::answer_budget>(limits);
  server::rpc_service narrow{calls, answers};
  const std::string content(60'000, 'x');
  call("ada", "add_observation", {{"type", "observation"}, {"content", content}});
  auto list = R"({"jsonrpc": "2.0", "id": 1, "method": "list_observations", "params": {}})";
  auto held = answers->take(60'000); // as when a slow reader has not read it yet
  BOOST_TEST(json::parse(ask_of(narrow, list)).at("error").at("data").at("code").as_string()
             == "overloaded");
  held.reset();
  for (auto i = 0; i < 5; ++i) // the bytes of sent answers are given back
    BOOST_TEST(json::parse(ask_of(narrow, list)).as_object().contains("result"));
}

BOOST_AUTO_TEST_CASE(calls_that_wait_for_others_of_their_batch_have_a_bound_together) {
  limits.max_bodies_bytes = 10'000;
  auto budget = std::make_shared<http::answer_budget>(limits);
  server::rpc_service narrow{calls, budget};
  auto batch_of = [](int count) {
    std::string all;
    for (auto i = 0; i < count; ++i)
      all += (i == 0 ? "[" : ",")
             + std::string{R"({"jsonrpc": "2.0", "id": 1, "method": "page_stats", "params": {}})"};
    return all + "]";
  };
  auto last_of = [&](int count) {
    return json::parse(ask_of(narrow, batch_of(count))).as_array().back();
  };
  auto held = budget->keep(9'000); // as when another batch waits
  auto refused = last_of(40).at("error").at("data");
  BOOST_TEST(refused.at("code").as_string() == "overloaded");
  BOOST_TEST(refused.at("field").as_string() == "body");
  BOOST_TEST(last_of(16).as_object().contains("result")); // without calls that wait
  held.reset();
  for (auto i = 0; i < 10; ++i) // the bytes of begun calls are given back
    BOOST_TEST(last_of(40).as_object().contains("result"));
}

namespace {

json_rpc::message a_hundred_calls() {
  json_rpc::message message;
  message.is_batch = true;
  for (auto i = 0; i < 100; ++i)
    message.entries.push_back({json_rpc::request{json::value(i), "any", {}}, {}});
  return message;
}

/// A batch of a hundred calls, which the test answers.
struct batch_of_calls : rpc_host {
  int made = 0; ///< calls that the batch has begun
  std::vector<server::rpc_batch::on_outcome> open;
  std::optional<std::string> answered;
  std::shared_ptr<server::rpc_batch> batch = std::make_shared<server::rpc_batch>(
    a_hundred_calls(), host->answers(),
    [this](const json_rpc::request&, server::rpc_batch::on_outcome done) {
      ++made;
      open.push_back(std::move(done));
    },
    [this](std::optional<std::string> x) { answered = std::move(x); });

  void answer_first(const std::string& result = "0") {
    auto done = std::move(open.front());
    open.erase(open.begin());
    done({result, {}});
  }

  void answer_all_open() {
    for (auto& done : std::exchange(open, {}))
      done({"0", {}});
  }

  /// Tests that the last call was refused without being made.
  void check_last_was_not_made(std::string_view code) const {
    auto all = json::parse(answered.value_or("[]")).as_array();
    BOOST_REQUIRE(all.size() == 100u);
    auto& why = all.back().at("error").at("data");
    BOOST_TEST(why.at("code").as_string() == code);
    BOOST_TEST(contains(why.at("message").as_string(), "this was not done"));
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(one_caller_has_so_many_calls_under_way_at_an_agent_and_others_theirs) {
  server::calls_under_way all;
  std::vector<std::shared_ptr<const void>> places;
  for (size_t i = 0; i < server::calls_under_way::max_calls; ++i) {
    places.push_back(all.enter("ada", as_tool("flood")));
    BOOST_REQUIRE(places.back());
  }
  BOOST_TEST(!all.enter("ada", as_tool("flood")));
  BOOST_TEST(!!all.enter("ada", as_tool("other")));
  BOOST_TEST(!!all.enter("ada", as_daemon("flood")));
  BOOST_TEST(!!all.enter("bea", as_tool("flood")));
  places.pop_back();
  BOOST_TEST(!!all.enter("ada", as_tool("flood")));
}

BOOST_AUTO_TEST_CASE(programs_whose_names_nobody_has_checked_have_as_many_calls_together) {
  auto claiming = [](size_t i) { return claimed("program" + std::to_string(i)); };
  server::calls_under_way all;
  std::vector<std::shared_ptr<const void>> places;
  for (size_t i = 0; i < server::calls_under_way::max_calls; ++i)
    places.push_back(all.enter("ada", claiming(i)));
  BOOST_TEST(!all.enter("ada", claiming(5'000)));
  BOOST_TEST(!!all.enter("ada", as_daemon("program1")));
  BOOST_TEST(!!all.enter("bea", claiming(5'000)));
  auto told = describe(server::calls_under_way::refusal(claiming(5'000)));
  BOOST_TEST(told.find("512 calls of all programs without a token together") != std::string::npos);
  told = describe(server::calls_under_way::refusal(as_daemon("program1")));
  BOOST_TEST(told.find("512 calls of program1 ") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(
  calls_of_a_batch_that_nobody_waits_for_are_not_made_if_they_have_not_begun, batch_of_calls) {
  batch->begin();
  batch->abandon();
  answer_all_open();
  BOOST_TEST(made == 16);
  check_last_was_not_made("overloaded");
}

BOOST_FIXTURE_TEST_CASE(
  calls_of_a_batch_are_not_begun_for_whoever_is_not_let_in_any_more, batch_of_calls) {
  caf::error refused;
  batch->check_with([&] { return refused; });
  batch->begin();
  answer_first(); // another call begins
  BOOST_TEST(made == 17);
  refused = fail(errc::unauthenticated, "token", "expected another");
  answer_all_open();
  BOOST_TEST(made == 17);
  check_last_was_not_made("unauthenticated");
}

BOOST_FIXTURE_TEST_CASE(a_batch_has_at_most_sixteen_calls_under_way, batch_of_calls) {
  batch->begin();
  for (size_t i = 0; i < 100; ++i) {
    BOOST_TEST(open.size() == std::min<size_t>(16, 100 - i));
    answer_first(std::to_string(i));
  }
  BOOST_TEST(answered.value_or("").starts_with("[0,1,2,"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
