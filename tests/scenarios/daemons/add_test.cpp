#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

namespace {

observation_draft tool_x_failed() {
  return draft("error_alert", "Tool X failed with timeout", 0.99, {"error", "tool_x"});
}

} // namespace

// -- scenario 1: a daemon adds an observation -----------------------------------------

BOOST_FIXTURE_TEST_CASE(what_a_daemon_adds_is_stored_whole, one_page, *label("DS_1")) {
  auto stored = add(executor_in(), tool_x_failed());
  auto second = add(executor_in(), tool_x_failed());
  const auto& x = *stored.observation;
  BOOST_TEST(x.observation_id == "obs_20251105_001");
  BOOST_TEST(second.observation->observation_id == "obs_20251105_002");
  BOOST_TEST(stored.warnings.empty());

  auto found = query(error_handler_in(), tagged({"tool_x"}));
  BOOST_REQUIRE(found.observations.size() == 2u);
  BOOST_TEST(text(found.observations[1]) == text(stored.observation));
  BOOST_TEST(text(get(x.observation_id)) == text(stored.observation));

  BOOST_TEST(x.type == "error_alert");
  BOOST_TEST(x.content == "Tool X failed with timeout");
  BOOST_TEST(x.confidence == 0.99);
  BOOST_TEST(x.tags == (std::vector<std::string>{"error", "tool_x"}));
  BOOST_TEST(to_string(x.source.kind) == "daemon");
  BOOST_TEST(x.source.name == "executor");
  BOOST_TEST(x.source.turn_id == "turn_20251105_001");
  BOOST_TEST(x.owner == "agent");
  BOOST_TEST(to_string(x.status) == "active");
  BOOST_TEST(x.revision == 1u);
  BOOST_TEST(!x.linked_to_goal);

  for (auto at : {x.created_at, x.updated_at, x.source.at})
    BOOST_TEST(to_rfc3339(at) == "2025-11-05T10:00:00.000Z");
  BOOST_TEST(x.ttl_minutes == 10'080);
  BOOST_TEST(to_rfc3339(x.expires_at) == "2025-11-12T10:00:00.000Z");
}

BOOST_FIXTURE_TEST_CASE(each_addition_is_in_the_trace, one_page, *label("DS_1")) {
  auto stored = add(executor_in(), tool_x_failed());
  auto entries = entries_of(*trace, "add_observation", "executor");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(entries[0].component == "scratch_page");
  BOOST_TEST(entries[0].status == "success");
  BOOST_TEST(entries[0].turn_id == "turn_20251105_001");
  BOOST_TEST(detail_of(entries[0], "observation_id") == stored.observation->observation_id);
  BOOST_TEST(detail_of(entries[0], "observation_type") == "error_alert");
}

BOOST_FIXTURE_TEST_CASE(the_executor_adds_what_it_saw_fail, team, *label("DS_1")) {
  auto& tool_x = add_tool({.tool_id = "tool_x", .timeout_ms = 2'000});
  tool_x.faults = {{.fault = fault_kind::timeout, .on_attempt = 0}};
  start();
  auto turn = say("Do X", {call("tool_x")});
  auto alerts = of_type("error_alert");
  BOOST_REQUIRE(alerts.size() == 1u);
  const auto& x = *alerts[0];
  BOOST_TEST(!x.content.empty());
  BOOST_TEST(x.confidence == 0.99);
  BOOST_TEST(has_tag(alerts[0], "error"));
  BOOST_TEST(has_tag(alerts[0], "tool_x"));
  BOOST_TEST(has_tag(alerts[0], "timeout"));
  BOOST_TEST(x.source.name == "executor");
  BOOST_TEST(x.source.turn_id == turn.turn_id);
  BOOST_TEST(to_rfc3339(x.created_at) == "2025-11-05T10:00:02.000Z");
  BOOST_TEST(ids_of(turn.observations).size() == turn.observations.size());
  BOOST_TEST(ids_of(turn.observations).contains(x.observation_id));
}

BOOST_FIXTURE_TEST_CASE(an_observation_needs_no_tags, one_page, *label("DS_1_e1")) {
  auto x = tool_x_failed();
  x.tags.clear();
  auto stored = add(executor_in(), x);
  BOOST_TEST(stored.warnings.empty());
  BOOST_TEST(stored.observation->tags.empty());
  BOOST_TEST(text(get(stored.observation->observation_id)) == text(stored.observation));
  BOOST_TEST(query(error_handler_in(), typed("error_alert")).total_count == 1u);
}

BOOST_FIXTURE_TEST_CASE(content_may_be_64_kib_and_no_longer, one_page, *label("DS_1_e2")) {
  auto x = tool_x_failed();
  x.content = std::string(64 * 1024, 'x');
  auto stored = add(executor_in(), x);
  BOOST_TEST((get(stored.observation->observation_id)->content == x.content));

  x.content += 'x';
  auto refused = ask(page, add_observation{executor_in(), x});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(to_string(code_of(refused.error())) == "invalid_observation");
  BOOST_TEST(field_of(refused.error()) == "content");
  BOOST_TEST(stats().observations == 1u);
  BOOST_TEST(entries_of(*trace, "add_observation").back().status == "invalid_observation");
}

BOOST_FIXTURE_TEST_CASE(special_characters_are_kept_byte_for_byte, one_page, *label("DS_1_e3")) {
  auto x = tool_x_failed();
  x.content = "\"quoted\" \\ back\nline\ttab {\"json\": [1]} <b>&amp;</b> %s ünï 日本 🍷 \x01";
  x.tags = {"error", "ключ", "a \"b\"", "🍷"};
  auto stored = add(executor_in(), x);
  auto found = query(error_handler_in(), tagged({"🍷", "a \"b\""}));
  BOOST_REQUIRE(found.observations.size() == 1u);
  BOOST_TEST(found.observations[0]->content == x.content);
  BOOST_TEST(found.observations[0]->tags == x.tags);
  auto read = from_json_text<observation>(text(stored.observation));
  BOOST_REQUIRE(read);
  BOOST_TEST(read->content == x.content);

  x.content = "broken \xff\xfe";
  auto refused = ask(page, add_observation{executor_in(), x});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(field_of(refused.error()) == "content");
}

// -- scenario 4: several daemons add --------------------------------------------------

namespace {

std::vector<add_observation> one_from_each() {
  return {{executor_in(), draft("error_alert", "Tool failed")},
    {router_in(), draft("routing_decision", "High urgency")},
    {reflector_in(), draft("learning", "Lesson learned")}};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(what_several_daemons_add_is_all_there, one_page, *label("DS_4")) {
  std::set<std::string> ids;
  for (auto& x : one_from_each())
    ids.insert(add(x.by, x.draft).observation->observation_id);
  BOOST_TEST(ids.size() == 3u);
  BOOST_TEST(stats().observations == 3u);
  BOOST_TEST(stats().live == 3u);
  BOOST_TEST(stats().sequence == 3u);
  auto all = query(error_handler_in(), {});
  BOOST_TEST((ids_of(all.observations) == ids));
  BOOST_TEST(contents(all.observations) == "Lesson learned, High urgency, Tool failed");
  BOOST_TEST(contents(query(router_in(), typed("error_alert")).observations) == "Tool failed");
  observation_filter from_router;
  from_router.source = {"router"};
  BOOST_TEST(contents(query(executor_in(), from_router).observations) == "High urgency");
  BOOST_TEST(contents(query(executor_in(), typed("learning")).observations) == "Lesson learned");

  for (auto [source, type] : {std::pair{"executor", "error_alert"}, {"router", "routing_decision"},
         {"reflector", "learning"}}) {
    auto entries = entries_of(*trace, "add_observation", source);
    BOOST_REQUIRE(entries.size() == 1u);
    BOOST_TEST(entries[0].status == "success");
    BOOST_TEST(detail_of(entries[0], "observation_type") == type);
    BOOST_TEST(ids.contains(detail_of(entries[0], "observation_id")));
  }
}

BOOST_FIXTURE_TEST_CASE(daemons_may_add_at_the_same_moment, one_page, *label("DS_4_e1")) {
  constexpr uint64_t rounds = 20;
  std::set<std::string> ids;
  for (uint64_t seed = 1; seed <= rounds; ++seed) {
    driver.shuffle(seed); // the messages run in another order in each round
    std::vector<std::shared_ptr<pending_answer<receipt>>> answers;
    for (auto& x : one_from_each())
      answers.push_back(send(page, x));
    settle();
    for (const auto& one : answers) {
      BOOST_REQUIRE(one->arrived());
      ids.insert(team::value(*one->value).observation->observation_id);
    }
  }
  BOOST_TEST(ids.size() == 3 * rounds);
  BOOST_TEST(stats().observations == 3 * rounds);
  BOOST_TEST((ids_of(query(router_in(), {}).observations) == ids));
  uint64_t sequence = 0;
  for (const auto& entry : entries_of(*trace, "add_observation"))
    BOOST_TEST(detail_of(entry, "sequence") == std::to_string(++sequence));
  BOOST_TEST(sequence == 3 * rounds);
}

BOOST_FIXTURE_TEST_CASE(daemons_may_add_very_many, one_page, *label("DS_4_e2")) {
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i)
    for (auto& x : one_from_each())
      ids.insert(add(x.by, x.draft).observation->observation_id);
  BOOST_TEST(ids.size() == 150u);
  BOOST_TEST(stats().observations == 150u);

  std::set<std::string> paged;
  size_t pages = 0;
  query_observations request;
  request.by = router_in();
  do {
    auto found = team::value(ask(page, request));
    BOOST_TEST(found.total_count == 150u);
    for (const auto& x : found.observations)
      BOOST_TEST(paged.insert(x->observation_id).second);
    request.cursor = found.next_cursor;
    ++pages;
  } while (!request.cursor.empty() && pages <= 15);
  BOOST_TEST(pages == 15u); // of 10 observations each, the default
  BOOST_TEST((paged == ids));
}

BOOST_FIXTURE_TEST_CASE(
  the_same_from_two_daemons_are_two_observations, one_page, *label("DS_4_e3")) {
  auto one = add(executor_in(), tool_x_failed()).observation;
  auto other = add(router_in(), tool_x_failed()).observation;
  BOOST_TEST(one->observation_id != other->observation_id);
  auto found = query(error_handler_in(), tagged({"error"}));
  BOOST_REQUIRE(found.observations.size() == 2u);
  BOOST_TEST(found.observations[0]->source.name == "router");
  BOOST_TEST(found.observations[1]->source.name == "executor");
  BOOST_TEST(found.observations[0]->content == found.observations[1]->content);
  BOOST_TEST(found.conflicts.empty()); // they agree
}

} // namespace scratchpage::test
