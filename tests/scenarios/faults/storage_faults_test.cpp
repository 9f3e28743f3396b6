#include <map>
#include <set>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/durable_team.hpp"

/// Whole turns on a real database, with a failure at each of its writes in turn (contract 4: the
/// daemons go on, nothing is lost, nothing blocks).

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

constexpr auto found = R"([{"type": "contextual_insight", "content": "User prefers Burgundy wines",
  "confidence": 0.95, "tags": ["wine", "preference"]}])";

/// A durable team with a tool that reports an insight in each turn.
struct finding_team : durable_team {
  finding_team() {
    tool_manifest wine_search;
    wine_search.tool_id = "wine_search";
    wine_search.observation_types = {"contextual_insight"};
    recorded_response response;
    response.outputs = {{"found", 3}};
    auto reported = value(parse_json(found));
    for (auto& x : reported.as_array())
      response.observations.push_back(std::move(x));
    auto& tool = add_tool(std::move(wine_search), {std::move(response)});
    tool.after_last = after_last::repeat;
    begin();
  }

  /// Removes the faults, and waits until the team has tried storage again.
  void heal() {
    storage->set_disk_full(false);
    storage->fail_before(UINT32_MAX);
    storage->fail_after(UINT32_MAX);
    advance(std::chrono::minutes{1});
  }

  void try_turn(const std::string& input) {
    begin_turn request;
    request.input = input;
    request.plan = {call("wine_search")};
    auto answer = send(host->turns(), std::move(request));
    settle();
    while (!answer->arrived() && driver.advance_to_next_deadline()) {
    }
    BOOST_REQUIRE(answer->arrived()); // the turn ends, with a result or an error
    if (!*answer->value)
      BOOST_TEST(to_string(code_of(answer->value->error())) == "storage_unavailable");
  }

  /// All observations of the page and of the archive, by id.
  std::map<std::string, observation_ptr> everything() {
    std::map<std::string, observation_ptr> all;
    observation_filter any;
    any.status = {status::active, status::pending_review, status::resolved};
    for (const auto& x : query(any).observations)
      all.emplace(x->observation_id, x);
    auto gone = value(ask(host->page(), list_archive{as_daemon("probe"), {}, 1000, ""}));
    for (const auto& x : gone.observations)
      BOOST_TEST(all.emplace(x->observation_id, x).second, "on the page and in the archive");
    return all;
  }

  std::string picture() {
    std::string result;
    for (const auto& [id, x] : everything())
      result += to_text(to_json(*x)) + "\n";
    for (const auto& x : goals())
      result += to_text(to_json(x)) + "\n";
    return result;
  }

  /// Checks the state after the fault: there are insights, at most one per turn, and goals and
  /// observations refer to each other.
  void check() {
    auto all = everything();
    std::set<std::string> turns_of_insights;
    for (const auto& [id, x] : all)
      if (x->type == "contextual_insight")
        BOOST_TEST(
          turns_of_insights.insert(x->source.turn_id).second, "twice for " << x->source.turn_id);
    BOOST_TEST(!turns_of_insights.empty());
    for (const auto& goal : goals())
      for (const auto& id : goal.observation_ids) {
        BOOST_REQUIRE(all.contains(id));
        const auto& links = all.at(id)->linked_goal_ids;
        BOOST_TEST((std::find(links.begin(), links.end(), goal.goal_id) != links.end()));
      }
    BOOST_TEST(goals().size() == 1u);
  }

  void check_after_restart() {
    auto before = picture();
    end();
    begin();
    BOOST_CHECK_MESSAGE(picture() == before, "another page after the restart");
    check();
  }
};

/// The number of writes of a turn without faults.
uint64_t writes_of_a_turn() {
  finding_team whole;
  auto before = whole.storage->writes();
  whole.try_turn("Which wine?");
  return whole.storage->writes() - before;
}

/// Runs, for each write of a turn, one turn with a fault at that write and two without.
template <class Fault>
void for_each_write(Fault make_fault) {
  auto writes = writes_of_a_turn();
  BOOST_TEST(writes > 5u);
  for (uint64_t nth = 1; nth <= writes; ++nth) {
    BOOST_TEST_CONTEXT("the fault is at write " << nth) {
      finding_team x;
      make_fault(*x.storage, nth);
      x.try_turn("Which wine?");
      x.heal();
      x.try_turn("And for fish?");
      x.try_turn("And for cheese?");
      x.check();
      x.check_after_restart();
    }
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(
  storage_faults, *label("TS_f1") * label("DS_f1") * label("FC_f1") * label("FC_f2"))

BOOST_AUTO_TEST_CASE(a_turn_in_which_one_write_fails_loses_nothing) {
  for_each_write([](faulty_store& storage, uint64_t nth) { storage.fail_before(nth); });
}

BOOST_AUTO_TEST_CASE(a_turn_in_which_a_write_only_seems_to_fail_stores_nothing_twice) {
  for_each_write([](faulty_store& storage, uint64_t nth) { storage.fail_after(nth); });
}

BOOST_AUTO_TEST_CASE(a_disk_that_fills_up_in_a_turn_and_has_room_in_the_next_loses_nothing) {
  for_each_write([](faulty_store& storage, uint64_t nth) {
    auto left = std::make_shared<uint64_t>(nth);
    storage.before_write([&storage, left] {
      if (*left > 0 && --*left == 0)
        storage.set_disk_full(true);
    });
  });
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_is_told_to_the_caller_and_reading_goes_on, finding_team) {
  auto kept = add(as_tool("wine_search"), draft("observation", "kept")).observation;
  storage->set_disk_full(true);
  auto refused =
    ask(host->page(), add_observation{as_tool("wine_search"), draft("observation", "lost")});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(to_string(code_of(refused.error())) == "storage_unavailable");
  BOOST_TEST(query({}).observations.size() == 1u);
  BOOST_TEST(query({}).observations.front()->observation_id == kept->observation_id);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
