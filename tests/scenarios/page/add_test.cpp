#include <set>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// Adding to a page: ids, warnings, the registry of types, several drafts (contract 1).

namespace scratchpage::test {

BOOST_FIXTURE_TEST_CASE(the_page_makes_ids_times_and_the_first_revision, page_fixture) {
  start();
  auto x = add(note("The train leaves at ten"), as_tool("timetable", "turn_1"));
  BOOST_TEST(x->observation_id == "obs_20251105_001");
  BOOST_TEST(x->revision == 1u);
  BOOST_CHECK(x->created_at == now());
  BOOST_CHECK(x->expires_at == now() + std::chrono::days{7});
  BOOST_TEST(text_of(*get(x->observation_id)) == text_of(*x));
}

BOOST_FIXTURE_TEST_CASE(ids_count_up_over_refusals_ends_and_days, page_fixture) {
  start();
  std::set<std::string> seen;
  auto next = [&](double ttl) {
    auto x = add(lasting(ttl, note("x")))->observation_id;
    BOOST_TEST(seen.insert(x).second, x);
    return x;
  };
  BOOST_TEST(next(100) == "obs_20251105_001");
  archive("obs_20251105_001");
  BOOST_TEST(next(1) == "obs_20251105_002");
  advance(std::chrono::minutes{2});
  BOOST_TEST(!get("obs_20251105_002"));
  BOOST_TEST(!try_add(note("")));
  BOOST_TEST(next(100) == "obs_20251105_003");
  advance(std::chrono::hours{14});
  BOOST_TEST(next(100) == "obs_20251106_004");
}

BOOST_FIXTURE_TEST_CASE(an_id_has_at_least_three_digits, page_fixture) {
  start();
  add_observations request{as_daemon("planner"), {}};
  request.drafts.assign(1000, note("x"));
  auto stored = value(ask(page, std::move(request))).outcomes;
  BOOST_REQUIRE(stored.size() == 1000u);
  BOOST_TEST(stored[98].stored.observation->observation_id == "obs_20251105_099");
  BOOST_TEST(stored[999].stored.observation->observation_id == "obs_20251105_1000");
  BOOST_TEST(static_cast<bool>(get("obs_20251105_1000")));
  BOOST_TEST(!get("obs_20251105_01000"));
  BOOST_TEST(!get("obs_20251104_1000"));
}

BOOST_FIXTURE_TEST_CASE(a_warning_stands_in_the_answer_and_in_the_trace, page_fixture) {
  start();
  auto x = note("x");
  x.confidence = 3;
  x.ttl_minutes = -5;
  x.source = source{source_kind::user, "somebody", {}, {}};
  auto stored = value(try_add(x));
  BOOST_REQUIRE(stored.warnings.size() == 3u);
  BOOST_TEST(stored.observation->confidence == 1);
  BOOST_TEST(stored.observation->ttl_minutes == 10'080);
  auto entries = traced("add_observation", "success");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(to_text(entries.front().detail.at("warnings")) == to_text(to_json(stored.warnings)));
}

BOOST_FIXTURE_TEST_CASE(a_refused_draft_changes_nothing_and_is_traced, page_fixture) {
  start();
  auto watcher = watch_page();
  auto x = note("x");
  x.status = status::resolved;
  BOOST_CHECK(refused(try_add(x), errc::invalid_observation, "status"));
  BOOST_TEST(stats().sequence == 0u);
  BOOST_TEST(stats().observations == 0u);
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(journal->kept.empty());
  BOOST_TEST(traced("add_observation", "invalid_observation").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_type_is_told_which_ones_there_are, page_fixture) {
  start();
  auto answer = try_add(draft("rumour", "x"));
  BOOST_CHECK(refused(answer, errc::unknown_type, "type"));
  for (const auto& type : setup.limits.types)
    BOOST_TEST(contains(describe(answer.error()), type), type);
}

BOOST_FIXTURE_TEST_CASE(types_come_from_the_configuration, page_fixture) {
  setup.limits.types.push_back("rumour");
  start();
  BOOST_TEST(add(draft("rumour", "x"))->type == "rumour");
}

BOOST_FIXTURE_TEST_CASE(only_an_admin_adds_types, page_fixture) {
  start();
  auto order = [&](const caller& by, std::string type) {
    return ask(page, register_type{by, std::move(type)});
  };
  for (const auto& by : {as_tool("gossip"), as_daemon("planner"), as_user("ann")})
    BOOST_CHECK(refused(order(by, "rumour"), errc::forbidden, "by.role"));
  BOOST_TEST(!try_add(draft("rumour", "x")));
  BOOST_CHECK(refused(order(as_admin("root"), "No Type"), errc::invalid_request, "type"));
  BOOST_TEST(static_cast<bool>(order(as_admin("root"), "rumour")));
  BOOST_TEST(add(draft("rumour", "x"))->type == "rumour");
  BOOST_TEST(contains(describe(try_add(draft("hearsay", "x")).error()), "rumour"));
}

BOOST_FIXTURE_TEST_CASE(one_bad_draft_of_several_refuses_itself_only, page_fixture) {
  start();
  auto watcher = watch_page();
  add_observations request{
    as_daemon("planner"), {note("first"), draft("rumour", "second"), note(" "), note("fourth")}};
  auto outcomes = value(ask(page, std::move(request))).outcomes;
  BOOST_REQUIRE(outcomes.size() == 4u);
  BOOST_TEST(outcomes[0].stored.observation->content == "first");
  BOOST_TEST(!outcomes[0].error);
  BOOST_TEST(to_string(code_of(outcomes[1].error)) == "unknown_type");
  BOOST_TEST(!outcomes[1].stored.observation);
  BOOST_TEST(field_of(outcomes[2].error) == "content");
  BOOST_TEST(outcomes[3].stored.observation->content == "fourth");
  const std::vector<std::string> told{"1 added 1", "2 added 2"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(drafts_that_take_long_let_others_have_their_turn_in_between, page_fixture) {
  start();
  page_clock->step = std::chrono::milliseconds{1};
  add_observations many{as_daemon("planner"), {}};
  many.drafts.assign(10, note("one of many"));
  auto first = send(page, many);
  auto second = send(page, many);
  auto other = send(page, add_observation{as_daemon("reader"), note("another")});
  settle();
  BOOST_TEST(!first->arrived());
  BOOST_TEST(!second->arrived());
  BOOST_REQUIRE(other->arrived());
  page_clock->step = {};
  advance(std::chrono::seconds{1});
  BOOST_REQUIRE((first->arrived() && second->arrived()));
  auto number_in = [](const add_outcomes& all, size_t i) {
    return *scratchpage::number_of(all.outcomes.at(i).stored.observation->observation_id);
  };
  auto of_first = value(*first->value);
  auto of_second = value(*second->value);
  auto of_other = *scratchpage::number_of(value(*other->value).observation->observation_id);
  BOOST_TEST(of_other < number_in(of_first, 9));
  for (size_t i = 1; i < 10; ++i)
    BOOST_TEST(number_in(of_first, i - 1) < number_in(of_first, i));
  BOOST_TEST(number_in(of_first, 9) < number_in(of_second, 0));
  BOOST_TEST(stats().observations == 21u);
}

BOOST_FIXTURE_TEST_CASE(no_drafts_have_no_outcomes, page_fixture) {
  start();
  auto answer = value(ask(page, add_observations{as_daemon("planner"), {}}));
  BOOST_TEST(answer.outcomes.empty());
}

BOOST_FIXTURE_TEST_CASE(
  what_is_stored_is_what_the_trace_tells, page_fixture, *label("SP_trace_entry")) {
  start();
  auto x =
    add(draft("contextual_insight", "Likes Burgundy"), as_tool("wine_recommender", "turn_1"));
  auto entries = traced("add_observation");
  BOOST_REQUIRE(entries.size() == 1u);
  const auto& entry = entries.front();
  BOOST_CHECK(entry.at == now());
  BOOST_TEST(entry.component == "scratch_page");
  BOOST_TEST(entry.status == "success");
  BOOST_TEST(entry.source == "wine_recommender");
  BOOST_TEST(entry.turn_id == "turn_1");
  BOOST_TEST(entry.agent_id == "tester");
  BOOST_TEST(to_text(entry.detail.at("observation_id")) == to_text(to_json(x->observation_id)));
  BOOST_TEST(to_text(entry.detail.at("observation_type")) == "\"contextual_insight\"");
  BOOST_TEST(to_text(entry.detail.at("observation")) == text_of(*x));
}

} // namespace scratchpage::test
