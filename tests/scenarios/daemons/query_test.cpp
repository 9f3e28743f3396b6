#include <atomic>
#include <thread>

#include <boost/test/unit_test.hpp>

#include <caf/scoped_actor.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

namespace {

/// A page with three observations about errors and two others.
struct page_with_errors : one_page {
  page_with_errors() {
    add(executor_in(), draft("error_alert", "Tool X timed out", 0.99, {"error", "tool_x"}));
    add(router_in(), draft("routing_decision", "High urgency", 0.95, {"routing"}));
    add(executor_in(), draft("error_alert", "Tool Y refused its inputs", 0.9, {"error", "tool_y"}));
    add(executor_in(), draft("observation", "Nobody was informed", 0.8, {"error", "tool_x"}));
    add(reflector_in(), draft("learning", "What errors occurred was learnt", 0.7));
  }

  std::string whole_page() { return text(query(as_daemon("probe"), {}).observations); }
};

} // namespace

// -- scenario 2: a daemon queries -----------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_daemon_gets_every_error_it_asks_for, page_with_errors, *label("DS_2")) {
  auto before = whole_page();
  auto sequence = stats().sequence;
  auto filter = tagged({"error"});
  filter.status = {status::active};
  auto found = query(error_handler_in(), filter, "What errors occurred?", 10);

  BOOST_TEST(found.observations.size() == 3u);
  BOOST_TEST(found.total_count == 3u);
  BOOST_TEST(!found.partial);
  for (const auto& x : found.observations) {
    BOOST_TEST(has_tag(x, "error"));
    BOOST_TEST(x->observation_id.starts_with("obs_20251105_"));
    BOOST_TEST(!x->content.empty());
    BOOST_TEST(x->confidence >= 0.8);
    auto shown = to_json(x).get_object();
    for (auto member : {"observation_id", "type", "content", "confidence", "tags", "source",
           "created_at", "expires_at", "status"})
      BOOST_TEST(shown.contains(member), member);
  }
  BOOST_TEST(found.query_time_ms < 50);

  auto entries = entries_of(*trace, "query_observations", "error_handler");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(entries[0].component == "scratch_page");
  BOOST_TEST(entries[0].status == "success");
  BOOST_TEST(entries[0].turn_id == "turn_20251105_001");
  BOOST_TEST(detail_of(entries[0], "text") == "What errors occurred?");
  BOOST_TEST(detail_of(entries[0], "returned") == "3");

  BOOST_TEST(whole_page() == before);
  BOOST_TEST(stats().sequence == sequence);
}

BOOST_FIXTURE_TEST_CASE(
  a_query_that_matches_nothing_is_empty, page_with_errors, *label("DS_2_e1")) {
  auto found = query(error_handler_in(), tagged({"security"}), "What errors occurred?");
  BOOST_TEST(found.observations.empty());
  BOOST_TEST(found.total_count == 0u);
  BOOST_TEST(found.next_cursor.empty());
  BOOST_TEST(!found.partial);
  auto entry = entries_of(*trace, "query_observations", "error_handler").back();
  BOOST_TEST(entry.status == "success");
  BOOST_TEST(detail_of(entry, "returned") == "0");
}

BOOST_FIXTURE_TEST_CASE(several_tags_must_all_be_there, page_with_errors, *label("DS_2_e2")) {
  auto found = query(error_handler_in(), tagged({"error", "tool_x"}));
  BOOST_TEST(contents(found.observations) == "Nobody was informed, Tool X timed out");
  BOOST_TEST(query(error_handler_in(), tagged({"tool_x", "tool_y"})).total_count == 0u);
}

BOOST_FIXTURE_TEST_CASE(
  an_empty_list_of_tags_filters_nothing, page_with_errors, *label("DS_2_e3")) {
  BOOST_TEST(query(error_handler_in(), tagged({})).total_count == 5u);
  auto filter = typed("error_alert");
  filter.tags = {};
  BOOST_TEST(query(error_handler_in(), filter).total_count == 2u);
}

// -- scenario 5: filtering by tag -----------------------------------------------------

namespace {

struct page_with_three : one_page {
  std::string third;

  page_with_three() {
    add(executor_in(), draft("error_alert", "Obs 1", 0.9, {"error", "tool_x"}));
    add(executor_in(), draft("error_alert", "Obs 2", 0.9, {"error", "tool_y"}));
    third = add(router_in(), draft("routing_decision", "Obs 3", 0.9, {"routing", "decision"}))
              .observation->observation_id;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_tag_gives_what_has_it_and_nothing_else, page_with_three, *label("DS_5")) {
  auto before = text(query(as_daemon("probe"), {}).observations);
  auto sequence = stats().sequence;
  auto found = query(error_handler_in(), tagged({"error"}));
  BOOST_TEST(found.observations.size() == 2u);
  BOOST_TEST(found.total_count == 2u);
  for (const auto& x : found.observations)
    BOOST_TEST(has_tag(x, "error"));
  BOOST_TEST(contents(found.observations) == "Obs 2, Obs 1");
  BOOST_TEST(!ids_of(found.observations).contains(third));
  BOOST_TEST(found.query_time_ms < 50);

  auto entries = entries_of(*trace, "query_observations", "error_handler");
  BOOST_REQUIRE(entries.size() == 1u);
  BOOST_TEST(detail_of(entries[0], "filter") == R"({"tags":["error"]})");
  BOOST_TEST(detail_of(entries[0], "returned") == "2");
  BOOST_TEST(text(query(as_daemon("probe"), {}).observations) == before);
  BOOST_TEST(stats().sequence == sequence);
}

BOOST_FIXTURE_TEST_CASE(tags_are_anded, page_with_three, *label("DS_5_e1")) {
  BOOST_TEST(
    contents(query(error_handler_in(), tagged({"tool_y", "error"})).observations) == "Obs 2");
  BOOST_TEST(query(error_handler_in(), tagged({"error", "routing"})).observations.empty());
}

BOOST_FIXTURE_TEST_CASE(a_tag_that_nobody_has_gives_nothing, page_with_three, *label("DS_5_e2")) {
  for (auto tag : {"weather", "erro", "Error", "error "})
    BOOST_TEST(query(error_handler_in(), tagged({tag})).total_count == 0u, tag);
}

BOOST_FIXTURE_TEST_CASE(
  what_has_no_tags_is_found_without_a_tag_only, page_with_three, *label("DS_5_e3")) {
  add(reflector_in(), draft("learning", "Obs 4"));
  BOOST_TEST(query(error_handler_in(), tagged({"error"})).total_count == 2u);
  BOOST_TEST(contents(query(error_handler_in(), {}).observations) == "Obs 4, Obs 3, Obs 2, Obs 1");
}

// -- scenario 7: daemons query at the same time ---------------------------------------

namespace {

using pending_query = std::shared_ptr<pending_answer<query_result>>;

struct busy_page : one_page {
  busy_page() {
    for (int i = 1; i <= 5; ++i)
      add(executor_in(), draft("observation", "Obs " + std::to_string(i), 0.8, {"shared"}));
  }

  std::vector<pending_query> query_from(const std::vector<std::string>& daemons) {
    std::vector<pending_query> result;
    for (const auto& name : daemons)
      result.push_back(send(page, query_by(as_daemon(name), tagged({"shared"}))));
    return result;
  }

  static const std::vector<std::string>& three() {
    static const std::vector<std::string> names{"router", "executor", "error_handler"};
    return names;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  three_daemons_query_at_once_and_all_get_everything, busy_page, *label("DS_7")) {
  auto before = text(query(as_daemon("probe"), {}).observations);
  auto sequence = stats().sequence;
  constexpr uint64_t rounds = 10;
  for (uint64_t seed = 1; seed <= rounds; ++seed) {
    driver.shuffle(seed);
    auto answers = query_from(three());
    settle();
    for (const auto& answer : answers) {
      BOOST_REQUIRE(answer->arrived());
      auto found = team::value(*answer->value);
      BOOST_TEST(contents(found.observations) == "Obs 5, Obs 4, Obs 3, Obs 2, Obs 1");
      BOOST_TEST(found.total_count == 5u);
      BOOST_TEST(found.query_time_ms < 50);
      BOOST_TEST(!found.partial);
    }
  }
  for (const auto& name : three())
    BOOST_TEST(entries_of(*trace, "query_observations", name).size() == rounds);
  BOOST_TEST(text(query(as_daemon("probe"), {}).observations) == before);
  BOOST_TEST(stats().sequence == sequence);
  BOOST_TEST(stats().live == 5u);
}

BOOST_FIXTURE_TEST_CASE(
  a_query_beside_an_addition_sees_it_whole_or_not_at_all, busy_page, *label("DS_7_e1")) {
  bool seen_before = false;
  bool seen_after = false;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    driver.shuffle(seed);
    auto there = stats().live;
    auto answers = query_from(three());
    auto added =
      send(page, add_observation{executor_in(), draft("observation", "One more", 0.8, {"shared"})});
    settle();
    BOOST_REQUIRE(added->arrived());
    for (const auto& answer : answers) {
      auto found = team::value(*answer->value);
      auto sees_it = found.total_count == there + 1;
      BOOST_TEST((sees_it || found.total_count == there));
      BOOST_TEST(contents(found.observations).starts_with("One more") == (sees_it || seed > 1));
      (sees_it ? seen_after : seen_before) = true;
    }
    BOOST_TEST(stats().live == there + 1);
  }
  BOOST_TEST(seen_before);
  BOOST_TEST(seen_after);
}

BOOST_FIXTURE_TEST_CASE(
  a_query_beside_an_expiry_never_sees_what_is_over, busy_page, *label("DS_7_e2")) {
  auto now = std::make_shared<hand_clock>(driver.now());
  open(now);
  auto brief = draft("observation", "Brief", 0.8, {"shared"});
  brief.ttl_minutes = 1;
  for (int i = 0; i < 3; ++i)
    add(executor_in(), brief);
  add(executor_in(), draft("observation", "Lasting", 0.8, {"shared"}));

  // The observations have expired, but the page's timer has not run.
  now->move(std::chrono::minutes{1});
  for (const auto& answer : query_from(three())) {
    settle();
    auto found = team::value(*answer->value);
    BOOST_TEST(contents(found.observations) == "Lasting");
    BOOST_TEST(found.total_count == 1u);
  }
  BOOST_TEST(entries_of(*trace, "expire").empty());

  auto answers = query_from(three());
  advance(std::chrono::minutes{1});
  for (const auto& answer : answers)
    BOOST_TEST(contents(team::value(*answer->value).observations) == "Lasting");
  BOOST_TEST(entries_of(*trace, "expire").size() == 3u);
  BOOST_TEST(stats().observations == 1u);
  BOOST_TEST(in_archive().size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_dozen_daemons_may_query_at_once, busy_page, *label("DS_7_e3")) {
  std::vector<std::string> dozen;
  for (int i = 1; i <= 12; ++i)
    dozen.push_back("daemon_" + std::to_string(i));
  auto answers = query_from(dozen);
  settle();
  auto expected = text(query(as_daemon("probe"), tagged({"shared"})).observations);
  for (const auto& answer : answers) {
    BOOST_REQUIRE(answer->arrived());
    BOOST_TEST(text(team::value(*answer->value).observations) == expected);
  }
  for (const auto& name : dozen)
    BOOST_TEST(entries_of(*trace, "query_observations", name).size() == 1u);
}

namespace {

/// Queries the page `times` times from the current thread. Returns how many answers were wrong.
int ask_often(caf::actor_system& sys, const scratch_page_actor& page, int times) {
  int wrong = 0;
  caf::scoped_actor self{sys};
  for (int i = 0; i < times; ++i) {
    auto request = query_by(as_daemon("reader"), tagged({"shared"}), {}, 1000);
    ask(&*self, page, std::chrono::minutes{1}, std::move(request))
      .receive(
        [&](const query_result& found) {
          auto newest_first = std::is_sorted(found.observations.begin(), found.observations.end(),
            [](const auto& a, const auto& b) { return a->observation_id > b->observation_id; });
          wrong += found.observations.size() == found.total_count && newest_first ? 0 : 1;
        },
        [&](const caf::error&) { ++wrong; });
  }
  return wrong;
}

} // namespace

BOOST_AUTO_TEST_CASE(
  threads_that_query_while_others_add_get_right_answers, *label("DS_7") * label("DS_7_e3")) {
  constexpr int readers = 12;
  constexpr int rounds = 25;
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  auto now = std::make_shared<virtual_clock>(default_virtual_origin());
  auto page = spawn<scratch_page_state>(sys, agent_context{"tester", now, nullptr}, page_setup{});
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < readers; ++i)
      threads.emplace_back([&] { wrong += ask_often(sys, page, rounds); });
    caf::scoped_actor self{sys};
    for (int i = 0; i < rounds; ++i) {
      add_observation request{executor_in(), draft("observation", "Obs", 0.8, {"shared"})};
      ask(&*self, page, std::chrono::minutes{1}, std::move(request))
        .receive([](const receipt&) {}, [&](const caf::error&) { ++wrong; });
    }
  }
  BOOST_TEST(wrong == 0);
  caf::scoped_actor self{sys};
  ask(&*self, page, std::chrono::minutes{1}, query_by(as_daemon("probe"), {}, {}, 1000))
    .receive([&](const query_result& all) { BOOST_TEST(all.total_count == 0u + rounds); },
      [](const caf::error& err) { BOOST_TEST(describe(err) == ""); });
  caf::anon_send_exit(page, caf::exit_reason::user_shutdown);
}

} // namespace scratchpage::test
