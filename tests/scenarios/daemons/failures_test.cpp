#include <functional>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/daemons/team.hpp"
#include "scratchpage/actors/policies/built_in_policies.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/tests/scenarios/daemons/faulty_page.hpp"
#include "scratchpage/tests/scenarios/daemons/one_page.hpp"
#include "scratchpage/tests/support/journal_double.hpp"

namespace scratchpage::test {

// -- failure 1: storage ---------------------------------------------------------------

namespace {

/// A journal that fails to store a batch with an event for which `refuses` is true.
struct picky_journal : journal_double {
  std::function<bool(const page_event&)> refuses;

  caf::error append(std::span<const page_event> events) override {
    if (refuses && std::any_of(events.begin(), events.end(), refuses))
      return fail(errc::internal, "", "the disk is full");
    return {};
  }
};

auto only(std::string type) {
  return [type](const page_event& x) { return x.observation->type == type; };
}

/// A daemon of an embedding program. No input of the user matches its filter.
class fan_control : public daemon {
public:
  static constexpr const char* name = "fan_control";

  fan_control(handle::pointer self, daemon_setup setup)
    : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::first_custom)} {}

private:
  std::vector<observation_filter> interests() const override {
    observation_filter filter;
    filter.tags = {"temperature"};
    return {filter};
  }

  void react(const page_event& event, const ack_guard& done) override {
    publish(as_me(event), draft("action_suggestion", "Turn up the fans"), done);
  }
};

/// A team with one tool that always fails and one that works.
struct team_with_storage : team {
  std::shared_ptr<picky_journal> storage = std::make_shared<picky_journal>();

  team_with_storage() {
    setup.config.durability.max_batch = 1; // a refused write fails no other one
    setup.kept.journal = own(spawn_journal(sys, storage));
    auto& tool_x = add_tool({.tool_id = "tool_x"});
    tool_x.faults = {{.fault = fault_kind::error, .on_attempt = 0, .error = "it broke"}};
    auto& tool_y = add_tool({.tool_id = "tool_y"}, {{.outputs = {{"found", 3}}}});
    tool_y.after_last = after_last::repeat;
    start();
  }

  /// The drafts that storage refused, from the entries of the daemons that offered them:
  /// "executor error_alert storage_unavailable".
  std::string refused_drafts() const {
    std::string result;
    for (const auto& x : entries_of(*trace, "publish"))
      result.append(result.empty() ? "" : ", ")
        .append(x.component + " " + detail_of(x, "type") + " " + x.status);
    return result;
  }

  std::string offered_again() const {
    std::string result;
    for (const auto& x : entries_of(*trace, "offer_again"))
      result.append(result.empty() ? "" : ", ").append(x.component + " " + detail_of(x, "type"));
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  what_storage_refuses_is_logged_and_the_daemon_goes_on, team_with_storage, *label("DS_f1")) {
  storage->refuses = only("error_alert");
  auto turn = say("Do X and Y", {call("tool_x"), call("tool_y")});
  BOOST_TEST(to_string(turn.status) == "more_work"); // the failed call has no observation
  BOOST_TEST(of_type("error_alert").empty());
  BOOST_REQUIRE(of_type("tool_result").size() == 1u);
  BOOST_TEST(of_type("tool_result")[0]->source.name == "tool_y");
  BOOST_TEST(refused_drafts() == "executor error_alert storage_unavailable");
  auto refused = entries_of(*trace, "add_observation", "executor");
  std::erase_if(refused, [](const trace_entry& x) { return x.status == "success"; });
  BOOST_REQUIRE(refused.size() == 1u);
  BOOST_TEST(refused[0].component == "scratch_page");
  BOOST_TEST(refused[0].status == "storage_unavailable");
  BOOST_TEST(detail_of(refused[0], "error").find("the disk is full") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(
  what_storage_refused_is_stored_at_the_next_turn, team_with_storage, *label("DS_f1")) {
  storage->refuses = only("error_alert");
  auto first = say("Do X", {call("tool_x")});
  storage->refuses = {};
  auto second = say("Thank you");
  BOOST_TEST(to_string(second.status) == "complete");
  BOOST_TEST(offered_again() == "executor error_alert");
  auto alerts = of_type("error_alert");
  BOOST_REQUIRE(alerts.size() == 1u);
  BOOST_TEST(alerts[0]->content == "Tool 'tool_x' failed: it broke");
  BOOST_TEST(alerts[0]->source.turn_id == first.turn_id);
  BOOST_TEST(of_type("recovery_plan").size() == 1u); // the Error Handler still reacts to it
  say("And now?");
  BOOST_TEST(offered_again() == "executor error_alert"); // not a second time
}

BOOST_FIXTURE_TEST_CASE(
  a_daemon_that_the_next_turn_does_not_need_offers_again_too, team_with_storage, *label("DS_f1")) {
  storage->refuses = only("recovery_plan");
  say("Do X", {call("tool_x")});
  BOOST_TEST(of_type("recovery_plan").empty());
  storage->refuses = {};
  say("Do Y", {call("tool_y")});
  BOOST_TEST(offered_again() == "error_handler recovery_plan");
  BOOST_TEST(of_type("recovery_plan").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  a_daemon_that_hears_of_a_tag_only_offers_again_too, team_with_storage, *label("DS_f1")) {
  host->add_daemon<fan_control>();
  settle();
  storage->refuses = only("action_suggestion");
  value(ask(host->page(), add_observation{executor_in("turn_20251104_007"),
                            draft("observation", "It is warm", 0.8, {"temperature"})}));
  settle();
  BOOST_TEST(of_type("action_suggestion").empty());
  storage->refuses = {};
  say("And now?");
  BOOST_TEST(refused_drafts() == "fan_control action_suggestion storage_unavailable");
  BOOST_TEST(offered_again() == "fan_control action_suggestion");
  BOOST_TEST(of_type("action_suggestion").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  drafts_survive_a_storage_that_fails_for_several_turns, team_with_storage, *label("DS_f1")) {
  storage->refuses = only("error_alert");
  for (int i = 0; i < 3; ++i)
    say("Do X", {call("tool_x")});
  BOOST_TEST(of_type("error_alert").empty());
  storage->refuses = {};
  say("And now?");
  std::set<std::string> turns;
  for (const auto& x : of_type("error_alert"))
    turns.insert(x->source.turn_id);
  BOOST_TEST(of_type("error_alert").size() == 3u);
  BOOST_TEST(turns.size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(
  with_no_storage_at_all_whoever_asks_hears_it, team_with_storage, *label("DS_f1")) {
  storage->refuses = [](const page_event&) { return true; };
  auto refused = ask(host->page(), add_observation{executor_in(), draft("observation", "X")});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(to_string(code_of(refused.error())) == "storage_unavailable");
  begin_turn request;
  request.input = "Do X";
  auto turn = ask(host->turns(), request);
  BOOST_REQUIRE(!turn);
  BOOST_TEST(to_string(code_of(turn.error())) == "storage_unavailable");
  storage->refuses = {};
  BOOST_TEST(to_string(say("Do Y", {call("tool_y")}).status) == "complete");
}

// -- failure 2: a query that takes too long -------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_query_past_its_deadline_answers_what_it_has, one_page, *label("DS_f2")) {
  auto now = std::make_shared<hand_clock>(driver.now());
  open(now);
  constexpr size_t errors = 500;
  for (size_t i = 0; i < errors; ++i)
    add(executor_in(), draft("error_alert", "Tool X timed out", 0.9, {"error"}));
  now->step = std::chrono::milliseconds{20}; // each reading of the clock takes 20 ms
  auto late = query(error_handler_in(), {}, "Which errors occurred with Tool X?");
  BOOST_TEST(late.partial);
  BOOST_TEST(late.total_count < errors);
  BOOST_TEST(late.observations.size() == late.total_count);
  auto entry = entries_of(*trace, "query_observations", "error_handler").back();
  BOOST_TEST(entry.status == "partial");
  BOOST_TEST(detail_of(entry, "partial") == "true");

  auto simpler = query(error_handler_in(), tagged({"error"}), {}, 10);
  BOOST_TEST(!simpler.partial);
  BOOST_TEST(simpler.observations.size() == 10u);
  BOOST_TEST(simpler.total_count == errors);

  now->step = timespan{0}; // with enough time the first query is complete
  auto again = query(error_handler_in(), {}, "Which errors occurred with Tool X?");
  BOOST_TEST(!again.partial);
  BOOST_TEST(again.total_count == errors);
}

namespace {

/// A page with a Router and an Error Handler, which reach it only through a `faulty_page`.
struct page_with_daemons : one_page {
  void open_daemons(page_fault what) {
    agent_context agent{"tester", driver.clock(), trace};
    daemon_setup each{agent, make<faulty_page_state>(page, what), {.request_ms = 50}};
    auto tools = make<toolbox_state>(agent, 40u, std::vector<tool_definition>{}, toolbox_config{});
    make<router_state>(
      each, policy_choice<router_policy>{built_in_router(default_config().urgency)});
    make<error_handler_state>(each,
      policy_choice<error_handler_policy>{built_in_error_handler(default_config().recovery)},
      tools);
    settle();
  }

  /// Both daemons decide, each without the answer of its failed query.
  void go_through() {
    add(as_user("ann", "turn_1"), draft("user_input", "My card was stolen", 1.0));
    add(executor_in("turn_1"), draft("error_alert", "Tool X failed: it broke", 0.99, {"error"}));
    advance(std::chrono::milliseconds{50});
  }

  /// The failed queries in the order of the trace: "router deadline_exceeded, …".
  std::string failed_queries() const {
    std::string result;
    for (const auto& x : entries_of(*trace, "consult"))
      result.append(result.empty() ? "" : ", ").append(x.component + " " + x.status);
    return result;
  }

  void check_decisions() {
    auto routed = query(as_daemon("probe"), typed("routing_decision")).observations;
    BOOST_REQUIRE(routed.size() == 1u);
    BOOST_TEST(routed[0]->content.starts_with("High urgency: "));
    BOOST_TEST(routed[0]->content.find("speaks of danger (\"stolen\")") != std::string::npos);
    auto planned = query(as_daemon("probe"), typed("recovery_plan")).observations;
    BOOST_REQUIRE(planned.size() == 1u);
    BOOST_TEST(metadata(planned[0], "action") == "escalate"); // nobody knows what broke
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_daemon_whose_query_is_not_answered_in_time_goes_on_with_nothing,
  page_with_daemons, *label("DS_f2") * label("SP_query_failure")) {
  open_daemons(page_fault::silent);
  go_through();
  BOOST_TEST(failed_queries() == "router deadline_exceeded, error_handler deadline_exceeded");
  check_decisions();
}

BOOST_FIXTURE_TEST_CASE(
  a_query_that_fails_is_an_empty_answer, page_with_daemons, *label("SP_query_failure")) {
  open_daemons(page_fault::failing);
  go_through();
  BOOST_TEST(failed_queries() == "router internal, error_handler internal");
  for (const auto& x : entries_of(*trace, "consult")) {
    BOOST_TEST(x.turn_id == "turn_1");
    BOOST_TEST(detail_of(x, "error").find("the page is broken") != std::string::npos);
  }
  check_decisions();
}

BOOST_FIXTURE_TEST_CASE(
  the_page_traces_the_queries_that_it_refuses, one_page, *label("SP_query_failure")) {
  auto refused = ask(page, query_by(router_in(), {}, {}, 0));
  BOOST_REQUIRE(!refused);
  BOOST_TEST(to_string(code_of(refused.error())) == "invalid_request");
  BOOST_TEST(field_of(refused.error()) == "limit");
  auto entries = entries_of(*trace, "query_observations", "router");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(entries[0].status == "invalid_request");
}

// -- failure 3: contradictions --------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  observations_that_contradict_each_other_are_all_there, one_page, *label("DS_f3")) {
  auto about = [&](const caller& by, std::string key, std::string content) {
    auto x = draft("observation", std::move(content), 0.8, {key});
    x.metadata["key"] = key;
    return add(by, std::move(x)).observation;
  };
  auto up = about(executor_in(), "tool_x", "Tool X works");
  auto down = about(error_handler_in(), "tool_x", "Tool X is broken");
  about(router_in(), "tool_y", "Tool Y works");
  auto found = query(reflector_in(), tagged({"tool_x"}));
  BOOST_TEST(contents(found.observations) == "Tool X is broken, Tool X works");
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  BOOST_TEST(found.conflicts[0].observation_ids
               == (std::vector<std::string>{up->observation_id, down->observation_id}),
    boost::test_tools::per_element());
  auto entries = entries_of(*trace, "conflict", "reflector");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(entries[0].status == "conflict");
  BOOST_TEST(
    detail_of(entries[0], "observation_ids").find(up->observation_id) != std::string::npos);

  // The daemon resolves one of the two, which ends the conflict.
  observation_changes settled;
  settled.status = status::resolved;
  team::value(
    ask(page, update_observation{
                .by = reflector_in(), .observation_id = up->observation_id, .changes = settled}));
  BOOST_TEST(query(router_in(), tagged({"tool_x"})).conflicts.empty());
}

// -- failure 4: something expires during a turn ---------------------------------------

BOOST_FIXTURE_TEST_CASE(a_turn_goes_on_when_what_it_noticed_expires, team, *label("DS_f4")) {
  recorded_response notice;
  notice.scratch_page_writes = {{{"type", "observation"}, {"content", "The shop opens at ten"},
    {"tags", {"shop"}}, {"ttl_minutes", 0.05}}};
  add_tool({.tool_id = "look_up"}, {notice});
  add_tool({.tool_id = "wait"}, {{.latency_ms = 5'000}});
  auto seen = std::make_shared<std::vector<size_t>>();
  setup.tools.push_back({{.tool_id = "visit"}, function_tool{[seen](const tool_request& x) {
                           seen->push_back(x.scratch_page_context.size());
                           return tool_response{};
                         }}});
  start();
  auto visit = call("visit");
  visit.scratch_page_query = scratch_page_query{tagged({"shop"})};
  auto turn = say("Visit the shop", {call("look_up"), visit, call("wait"), visit});
  BOOST_TEST(*seen == (std::vector<size_t>{1, 0}), boost::test_tools::per_element());
  BOOST_TEST(to_string(turn.status) == "complete");
  auto expired = entries_of(*trace, "expire");
  BOOST_REQUIRE(expired.size() == 1u);
  BOOST_TEST(to_rfc3339(expired[0].at) == "2025-11-05T10:00:03.000Z");
  BOOST_TEST(query(tagged({"shop"})).total_count == 0u);
  // The turn's result lists it nevertheless.
  auto told = std::find_if(turn.observations.begin(), turn.observations.end(),
    [](const observation_ptr& x) { return x->content == "The shop opens at ten"; });
  BOOST_REQUIRE((told != turn.observations.end()));
  BOOST_TEST(to_string((*told)->status) == "expired");
}

BOOST_FIXTURE_TEST_CASE(a_call_recovers_although_its_alert_has_expired, team, *label("DS_f4")) {
  setup.config.executor.error_ttl_minutes = 0;
  auto& tool = add_tool({.tool_id = "weather", .idempotent = true}, {{.latency_ms = 1'000}});
  tool.faults = {{.fault = fault_kind::error, .on_attempt = 1, .error = "try again"}};
  start();
  auto turn = say("What's the weather?", {call("weather")});
  BOOST_TEST(to_string(turn.status) == "complete");
  BOOST_TEST(of_type("error_alert").empty());
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(entries_of(*trace, "expire").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  a_call_is_given_up_even_if_each_alert_expires_at_once, team, *label("DS_f4")) {
  setup.config.executor.error_ttl_minutes = 0;
  auto& tool = add_tool({.tool_id = "weather", .idempotent = true});
  tool.faults = {{.fault = fault_kind::error, .on_attempt = 0, .error = "try again"}};
  start();
  auto turn = say("What's the weather?", {call("weather")});
  BOOST_TEST(to_string(turn.status) == "more_work");
  advance(timespan{0});                                  // lets the page's timer run
  BOOST_TEST(entries_of(*trace, "expire").size() == 3u); // one per attempt of the policy
}

} // namespace scratchpage::test
