#include <algorithm>
#include <map>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

namespace {

constexpr const char* taste = "User prefers Burgundy wines";

/// A team with a tool that reports the same insight in three turns, and denies it in the fourth.
struct learning_team : cortex_team {
  learning_team() {
    auto noticed = [](const char* content) {
      return reporting({insight(content, 0.95, {"wine", "preference"})});
    };
    add_tool({.tool_id = "wine_search"}, {noticed(taste), noticed(taste), noticed(taste),
                                           noticed("User does not prefer Burgundy wines")});
    start();
  }

  std::vector<fact> known() {
    auto result = facts();
    std::erase_if(result, [](const fact& x) { return x.statement != taste; });
    return result;
  }
};

std::vector<episode> episodes_of(cortex_team& team, query_episodes request) {
  request.by = as_daemon("probe");
  return team.value(team.ask(team.host->episodes(), std::move(request))).episodes;
}

const context_part& part_of(const assembled_context& x, std::string_view name) {
  auto i = std::find_if(
    x.parts.begin(), x.parts.end(), [&](const context_part& one) { return one.name == name; });
  BOOST_REQUIRE(i != x.parts.end());
  return *i;
}

/// A page with more observations than fit into a small token budget.
struct full_page : cortex_team {
  void fill() {
    for (int i = 0; i < 40; ++i)
      note("Bottle " + std::to_string(i) + " lies in the cellar", 0.5, {"wine"});
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(memories)

// -- semantic -----------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_recurs_becomes_a_fact_that_grows_surer, learning_team, *label("SP_semantic_facts")) {
  use("wine_search");
  BOOST_TEST(known().empty()); // one observation makes no fact
  use("wine_search");
  BOOST_REQUIRE(known().size() == 1u);
  auto early = known().front();
  BOOST_TEST(early.support > 0u);
  BOOST_TEST(early.confidence > 0);
  BOOST_TEST(early.tags == (texts{"wine", "preference"}), per_element());
  BOOST_TEST(in_order(early.observation_ids) == in_order(ids_of(of_type("contextual_insight"))),
    per_element());
  BOOST_TEST(traced("learn", "success") == 1u);

  use("wine_search");
  BOOST_REQUIRE(known().size() == 1u);
  auto later = known().front();
  BOOST_TEST(later.fact_id == early.fact_id);
  BOOST_TEST(later.support > early.support);
  BOOST_TEST(later.confidence > early.confidence);
  BOOST_TEST(later.confidence < 1);
  BOOST_TEST(later.observation_ids.size() == 3u);
  BOOST_TEST(context_for("Which wine?", 2000).text.find(taste) != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(
  what_is_denied_is_less_sure_a_fact, learning_team, *label("SP_semantic_facts")) {
  for (int i = 0; i < 3; ++i)
    use("wine_search");
  BOOST_REQUIRE(known().size() == 1u);
  auto before = known().front();
  use("wine_search"); // the denial
  BOOST_REQUIRE(known().size() == 1u);
  auto after = known().front();
  BOOST_TEST(after.confidence < before.confidence);
  BOOST_TEST(after.contradicted == before.contradicted + 1);
  BOOST_TEST(after.support == before.support);
}

// -- episodic -----------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_turns_observations_are_exported_in_any_status, cortex_team, *label("SP_episodic_export")) {
  auto kept = draft("observation", "stays active", 0.6, {"wine"});
  auto reviewed = draft("observation", "is resolved and archived", 0.9, {"review"});
  reviewed.status = status::pending_review;
  auto brief = draft("observation", "expires at once", 0.6);
  brief.ttl_minutes = 0;
  add_tool({.tool_id = "wine_search"}, {reporting({kept, reviewed, brief})});
  start();
  auto turn = use("wine_search");
  auto other = say("Hello there");
  query_episodes wanted;
  wanted.turn_id = turn.turn_id;
  auto found = episodes_of(*this, wanted);
  BOOST_REQUIRE(found.size() == 1u);
  const auto& story = found.front();
  BOOST_TEST(story.turn_id == turn.turn_id);
  BOOST_TEST(story.thread_id == "main");
  BOOST_TEST(ids_of(story.observations) == ids_of(turn.observations), per_element());
  std::map<std::string, std::string> status_of;
  for (const auto& x : story.observations) {
    BOOST_TEST(x->source.turn_id == turn.turn_id);
    status_of[x->type == "observation" ? x->content : x->type] = to_string(x->status);
  }
  BOOST_TEST(status_of["stays active"] == "active");
  BOOST_TEST(status_of["is resolved and archived"] == "archived");
  BOOST_TEST(status_of.contains("expires at once"));
  for (auto type :
    {"user_input", "routing_decision", "execution_plan", "tool_result", "evaluation_result"})
    BOOST_TEST(status_of.contains(type), type);
  BOOST_TEST(traced("record_episode", "success") == 2u);
  BOOST_TEST(entries("record_episode").front().turn_id == turn.turn_id);

  query_episodes by_tag;
  by_tag.tags = {"review"};
  BOOST_REQUIRE(episodes_of(*this, by_tag).size() == 1u);
  BOOST_TEST(episodes_of(*this, by_tag).front().turn_id == turn.turn_id);
  auto all = episodes_of(*this, {});
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST(all.front().turn_id == other.turn_id); // the newest first
}

BOOST_FIXTURE_TEST_CASE(
  what_is_only_resolved_is_exported_as_such, cortex_team, *label("SP_episodic_export")) {
  auto reviewed = draft("observation", "is resolved", 0.9);
  reviewed.status = status::pending_review;
  add_tool({.tool_id = "wine_search"}, {reporting({reviewed})});
  start();
  journal->refuses = [](const page_event& x) { return x.kind == event_kind::archived; };
  auto turn = use("wine_search");
  query_episodes wanted;
  wanted.turn_id = turn.turn_id;
  wanted.text = "is resolved";
  auto found = episodes_of(*this, wanted);
  BOOST_REQUIRE(found.size() == 1u);
  auto is_it = [](const observation_ptr& x) { return x->content == "is resolved"; };
  const auto& story = found.front().observations;
  auto x = std::find_if(story.begin(), story.end(), is_it);
  BOOST_REQUIRE((x != story.end()));
  BOOST_TEST(to_string((*x)->status) == "resolved");
}

// -- working memory -----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(observations_get_what_other_parts_leave_of_the_budget, full_page,
  *label("SP_working_memory_budget")) {
  start();
  fill();
  auto context = context_for("What is in the cellar?", 1000);
  const auto& part = part_of(context, "observations");
  BOOST_TEST(part.entries > 0u);
  BOOST_TEST(part.left_out > 0u);
  BOOST_TEST(part.entries + part.left_out == 40u);
  BOOST_TEST(part.tokens > 900u); // a tenth is theirs, and no other part has anything to say
  BOOST_TEST(context.tokens <= 1000u);
  BOOST_TEST(estimate_tokens(context.text) <= context.tokens);
  uint32_t sum = 0;
  for (const auto& one : context.parts)
    sum += one.tokens;
  BOOST_TEST(context.tokens == sum);
  BOOST_TEST(context.text.find("lies in the cellar") != std::string::npos);
  BOOST_TEST(traced("assemble_context", "success") == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  what_a_part_does_not_use_is_passed_on, full_page, *label("SP_working_memory_budget")) {
  start();
  fill();
  auto context = context_for("What is in the cellar?", 1000);
  // The budget of a part is what the parts so far may use together, less what those before have
  // used at first: about a tenth for the observations.
  const auto& second = part_of(context, "goals");
  BOOST_TEST(second.entries == 0u);
  BOOST_TEST(second.tokens == 0u);
  BOOST_TEST(second.budget >= 200u);
  BOOST_TEST(second.budget < 300u);
  BOOST_TEST(part_of(context, "facts").budget == second.budget + 300);
  BOOST_TEST(part_of(context, "episodes").budget == second.budget + 700);
}

BOOST_FIXTURE_TEST_CASE(
  the_share_of_observations_is_configured, full_page, *label("SP_working_memory_budget")) {
  auto& shares = setup.config.working_memory.context.shares;
  shares = {{"observations", 0.5}, {"goals", 0.5}};
  start();
  fill();
  auto context = context_for("What is in the cellar?", 1000);
  // What the goals may have is less by what the observations had at first: about a half.
  BOOST_TEST(part_of(context, "goals").budget >= 500u);
  BOOST_TEST(part_of(context, "goals").budget < 600u);
  BOOST_TEST(context.tokens <= 1000u);
}

BOOST_FIXTURE_TEST_CASE(
  only_what_is_live_is_in_the_context, cortex_team, *label("SP_working_memory_budget")) {
  start();
  auto shown = note("Bottle 1 lies in the cellar", 0.5, {"wine"});
  auto done = note("Bottle 2 lies in the cellar", 0.5, {"wine"});
  auto brief = draft("observation", "Bottle 3 lies in the cellar");
  brief.ttl_minutes = 1;
  note(brief);
  update_observation resolve{as_daemon("probe"), done->observation_id, {}, {}};
  resolve.changes.status = status::resolved;
  value(ask(host->page(), std::move(resolve)));
  advance(std::chrono::minutes{1});
  auto text = context_for("What is in the cellar?", 5000).text;
  BOOST_TEST(text.find(shown->content) != std::string::npos);
  BOOST_TEST(text.find("Bottle 2") == std::string::npos);
  BOOST_TEST(text.find("Bottle 3") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
