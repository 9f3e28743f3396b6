#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/tests/scenarios/tools/tool_team.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;
using namespace std::chrono_literals;

std::string living(const std::string& minutes) {
  return R"([{"type": "contextual_insight", "content": "The wine is open", "tags": ["wine"],
    "ttl_minutes": )"
         + minutes + "}]";
}

/// A clock that a test sets. The timers of the actors do not depend on it.
class hand_clock : public clock {
public:
  timestamp now() const override { return at; }
  timestamp at = default_virtual_origin();
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  an_observation_is_served_until_its_time_is_over, tool_team, *label("TS_3")) {
  add_reporter("wine_search", {living("1")});
  start();
  use("wine_search");
  auto x = noticed_once_by("wine_search");
  auto begin = x->created_at;
  BOOST_TEST(to_rfc3339(x->expires_at) == to_rfc3339(begin + 60s));
  BOOST_TEST(tagged({"wine"}).total_count == 1u);

  advance_to(begin + 30s);
  BOOST_TEST(tagged({"wine"}).total_count == 1u);
  BOOST_TEST(bool{get(x->observation_id)});

  advance_to(begin + 61s);
  BOOST_TEST(tagged({"wine"}).total_count == 0u);
  BOOST_TEST(!get(x->observation_id));

  auto expired = entry_about(x, "expire");
  BOOST_TEST(expired.component == "scratch_page");
  BOOST_TEST(text_at(expired.detail, "event") == "expired");
  BOOST_TEST(to_rfc3339(expired.at) == to_rfc3339(x->expires_at));
  auto kept = archive();
  BOOST_REQUIRE(kept.size() == 1u);
  BOOST_TEST(kept.front()->observation_id == x->observation_id);
  BOOST_TEST(to_string(kept.front()->status) == "expired");
}

BOOST_FIXTURE_TEST_CASE(a_ttl_of_0_expires_at_once, tool_team, *label("TS_3_e1")) {
  add_reporter("wine_search", {living("0")});
  start();
  auto turn = use("wine_search");
  BOOST_TEST(noticed_by("wine_search").empty());

  advance(1ms); // lets the page's timer run
  auto kept = archive();
  BOOST_REQUIRE(kept.size() == 1u);
  BOOST_TEST(to_rfc3339(kept.front()->expires_at) == to_rfc3339(kept.front()->created_at));
  BOOST_TEST(!entry_about(kept.front()).detail.contains("warnings"));
  BOOST_TEST(
    to_rfc3339(entry_about(kept.front(), "expire").at) == to_rfc3339(kept.front()->created_at));
  BOOST_TEST(to_string(turn.status) == "complete");
}

BOOST_FIXTURE_TEST_CASE(a_ttl_of_7_days_lasts_7_days, tool_team, *label("TS_3_e2")) {
  add_reporter("wine_search", {living("10080")});
  start();
  use("wine_search");
  auto x = noticed_once_by("wine_search");
  BOOST_TEST(to_rfc3339(x->expires_at) == to_rfc3339(x->created_at + 24h * 7));

  advance_to(x->expires_at - 1ms);
  BOOST_TEST(tagged({"wine"}).total_count == 1u);
  advance_to(x->expires_at);
  BOOST_TEST(tagged({"wine"}).total_count == 0u);
  BOOST_TEST(entries_about(x, "expire").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  nothing_is_served_at_its_deadline_even_if_the_timer_is_late, virtual_time, *label("TS_3_e3")) {
  auto hands = std::make_shared<hand_clock>();
  agent_context agent{"tester", hands, nullptr};
  auto page = make<scratch_page_state>(agent, page_setup{});
  auto tool = as_tool("wine_search");
  auto shortlived = draft("observation", "The wine is open");
  shortlived.ttl_minutes = 1;
  auto stored = ask(page, add_observation{tool, shortlived});
  BOOST_REQUIRE(stored);
  const auto& x = *stored->observation;

  auto served = [&] {
    auto found = ask(page, query_observations{.by = tool});
    auto with_text = ask(page, query_observations{.by = tool, .text = "wine"});
    auto active = ask(page, get_active_observations{tool});
    auto one = ask(page, get_observation{tool, x.observation_id});
    BOOST_REQUIRE((found && with_text && active && one));
    BOOST_TEST(found->total_count == found->observations.size());
    return found->observations.size() + with_text->observations.size() + active->observations.size()
           + (*one ? 1 : 0);
  };
  hands->at = x.expires_at - 1ms;
  BOOST_TEST(served() == 4u);
  hands->at = x.expires_at;
  BOOST_TEST(served() == 0u);
  update_observation late{
    .by = tool, .observation_id = x.observation_id, .changes = {}, .expected_revision = {}};
  late.changes.content = "The wine is still open";
  BOOST_TEST(failure_of(ask(page, late)) == "not_found");
}

BOOST_FIXTURE_TEST_CASE(at_its_very_deadline_an_observation_is_gone_and_one_millisecond_before_not,
  tool_team, *label("TS_3_e3")) {
  add_reporter("wine_search", {living("1")});
  start();
  use("wine_search");
  auto x = noticed_once_by("wine_search");
  advance_to(x->expires_at - 1ms);
  BOOST_TEST(tagged({"wine"}).total_count == 1u);
  advance(1ms);
  BOOST_TEST(tagged({"wine"}).total_count == 0u);
  BOOST_TEST(to_rfc3339(entry_about(x, "expire").at) == to_rfc3339(x->expires_at));
}

} // namespace scratchpage::test
