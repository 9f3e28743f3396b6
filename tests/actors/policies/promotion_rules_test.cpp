#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// The built-in rules, for contents that are no real ones: whether these are worth a goal is not
/// asked.
const promotion_rules& rules() {
  static const promotion_rules result{[] {
    auto config = default_config().promotion;
    std::erase_if(config.rules, [](const promotion_rule& x) { return x.id == "defect"; });
    for (auto& one : config.rules)
      one.if_worth = false;
    return config;
  }()};
  return result;
}

/// What the built-in rules, as they are, say about an observation.
std::string judged_as_built_in(const observation& x) {
  static const promotion_rules built_in{default_config().promotion};
  auto decision = built_in.judge(x);
  return to_string(decision.kind) + " " + std::string{decision.rule_id()};
}

observation insight(std::string content, std::vector<std::string> tags, double confidence = 0.95) {
  return from_tool(
    seen("obs_1", "contextual_insight", std::move(content), std::move(tags), confidence), "wine");
}

observation with_goal(observation x, const std::string& goal_id) {
  x.context["goal_id"] = goal_id;
  return x;
}

std::string judged(const observation& x) {
  auto decision = rules().judge(x);
  return to_string(decision.kind) + " " + std::string{decision.rule_id()};
}

goal draft_of(std::vector<observation> observations) {
  std::vector<observation_ptr> shared;
  for (auto& one : observations)
    shared.emplace_back(std::move(one));
  auto decision = rules().judge(*shared.front());
  BOOST_REQUIRE(decision.rule != nullptr);
  return rules().draft(*decision.rule, shared);
}

/// Whether a candidate with these marks belongs to the goal, as the goal book finds it.
bool is_related(const promotion_rules& in, const relation_marks& x, const goal& to) {
  tracer silent;
  goal_book book{
    {}, std::make_shared<null_goal_store>(), {10, 10, 1u << 20, 1u << 20}, in, silent, {}};
  book.restore({to});
  return book.related_to(x) != nullptr;
}

/// The same for a candidate of a rule.
bool is_related(
  const promotion_rules& in, const observation& x, const promotion_rule& rule, const goal& to) {
  return is_related(in, promotion_rules::marks_of(x, rule), to);
}

/// Whether an observation that no rule is about belongs to the goal.
bool is_related(const observation& x, const goal& to) {
  return is_related(rules(), promotion_rules::marks_of(x), to);
}

/// Whether two candidates of a rule belong together.
bool are_related(const promotion_rules& in, const promotion_rule& rule, const observation& x,
  const observation& y) {
  relation_index index{in.shared_tags()};
  index.put(1, promotion_rules::marks_of(x, rule));
  return index.oldest_related(promotion_rules::marks_of(y, rule)).has_value();
}

/// Whether the observation was new to the goal.
bool link(const promotion_rules& in, goal& to, const observation& x) {
  return !in.link(to, {observation_ptr{x}}).empty();
}

} // namespace

BOOST_AUTO_TEST_SUITE(promotion)

BOOST_AUTO_TEST_CASE(an_insight_at_the_threshold_is_promoted_and_one_below_is_not) {
  BOOST_TEST(judged(insight("x", {}, 0.9)) == "promote contextual_insight");
  BOOST_TEST(judged(insight("x", {}, 0.89)) == "below_threshold contextual_insight");
  BOOST_TEST(judged(insight("x", {}, 0)) == "below_threshold contextual_insight");
}

BOOST_AUTO_TEST_CASE(operational_metrics_are_never_promoted) {
  BOOST_TEST(judged(insight("fast", {"performance"}, 1)) == "excluded contextual_insight");
  BOOST_TEST(judged(insight("fast", {"metric"}, 1)) == "excluded contextual_insight");
}

BOOST_AUTO_TEST_CASE(bookkeeping_and_what_is_not_live_is_no_candidate) {
  for (auto type : {"tool_result", "user_input", "routing_decision", "execution_plan",
         "evaluation_result", "constraint_check", "recovery_plan", "error_alert", "learning",
         "pattern_detected", "pending_confirmation", "dependency", "observation"})
    BOOST_TEST(judged(seen("o", type, "x", {}, 1)) == "none ", type);
  auto resolved = insight("x", {}, 1);
  resolved.status = status::resolved;
  BOOST_TEST(judged(resolved) == "none ");
}

BOOST_AUTO_TEST_CASE(alerts_are_promoted_whoever_raised_them_but_the_executors_own) {
  auto alert = seen("o", "security_alert", "Accessing user profile data", {}, 0.8);
  alert.source.name = "executor";
  BOOST_TEST(judged(alert) == "none ");
  alert.source.name = "assistant";
  BOOST_TEST(judged(alert) == "promote alert");
  BOOST_TEST(judged(from_tool(alert, "mail")) == "promote alert");
  alert.confidence = 0.79;
  BOOST_TEST(judged(alert) == "below_threshold alert");
  BOOST_TEST(judged(seen("o", "reminder", "x", {}, 1)) == "promote reminder");
  BOOST_TEST(judged(seen("o", "action_suggestion", "x", {}, 1)) == "promote action_suggestion");
}

BOOST_AUTO_TEST_CASE(measurements_and_outcomes_are_not_worth_a_goal) {
  for (auto text : {"File has 312 lines", "API response took 2.3 s", "The backup is complete",
         "Version of the client is 3.1", "All tests pass"})
    BOOST_TEST(judged_as_built_in(insight(text, {}, 1)) == "not_worth contextual_insight", text);
  BOOST_TEST(
    judged_as_built_in(seen("o", "observation", "The lamp is on", {}, 1)) == "not_worth defect");
}

BOOST_AUTO_TEST_CASE(lasting_preferences_and_plans_are_worth_a_goal) {
  for (auto text : {"User prefers Burgundy wines", "User planning trip to Paris",
         "User interested in Burgundy wines", "The user wants to learn to sail by June"})
    BOOST_TEST(judged_as_built_in(insight(text, {}, 0.95)) == "promote contextual_insight", text);
}

BOOST_AUTO_TEST_CASE(defects_that_somebody_has_to_mend_are_worth_a_goal) {
  for (auto text :
    {"The backup has been failing for three days", "Two invoices have the same number",
      "The customer was promised a call; nobody has called"})
    BOOST_TEST(
      judged_as_built_in(seen("o", "observation", text, {}, 0.95)) == "promote defect", text);
}

BOOST_AUTO_TEST_CASE(an_alert_that_is_over_is_not_worth_a_goal) {
  for (auto text : {"All clear, the leak is over", "Fehlalarm im Keller", "警报已解除"})
    BOOST_TEST(judged_as_built_in(from_tool(seen("o", "alert", text, {}, 0.95), "sensor"))
               == "not_worth alert");
}

BOOST_AUTO_TEST_CASE(a_users_own_reminder_is_promoted_at_any_confidence) {
  auto reminder = seen("o", "reminder", "Water the plants", {}, 0.1);
  BOOST_TEST(judged_as_built_in(reminder) == "below_threshold reminder");
  reminder.source = {source_kind::user, "ann", {}, {}};
  BOOST_TEST(judged_as_built_in(reminder) == "promote own_reminder");
}

BOOST_AUTO_TEST_CASE(the_same_words_without_tags_are_one_goal) {
  auto goal = draft_of({insight("User prefers Burgundy", {})});
  const auto* rule = rules().find("contextual_insight");
  BOOST_TEST(is_related(rules(), insight("user prefers burgundy.", {}), *rule, goal));
  BOOST_TEST(!is_related(rules(), insight("User prefers Riesling", {}), *rule, goal));
}

BOOST_AUTO_TEST_CASE(constraints_need_two_that_belong_together,
  *boost::unit_test::description("FC_x3: budget and time")) {
  auto budget = insight("User mentioned budget constraint: $50", {"budget", "constraint"});
  auto time = insight("User mentioned time constraint: 1 hour", {"time", "constraint"});
  auto decision = rules().judge(budget);
  BOOST_TEST(decision.rule_id() == "user_constraints");
  BOOST_TEST(decision.rule->min_observations == 2u);
  BOOST_TEST(are_related(rules(), *decision.rule, budget, time));
  time.observation_id = "obs_2";
  auto goal = draft_of({budget, time});
  BOOST_TEST(goal.title
             == "Meet 2 constraints: User mentioned budget constraint: $50; User mentioned "
                "time constraint: 1 hour");
}

BOOST_AUTO_TEST_CASE(a_goal_names_its_evidence_and_takes_its_type_from_the_context) {
  auto goal = draft_of(
    {with_goal(insight("User prefers Burgundy wines", {"wine"}), "find_wine_recommendation")});
  BOOST_TEST(goal.goal_id == "find_wine_recommendation");
  BOOST_TEST(goal.goal_type == "find_wine_recommendation");
  BOOST_TEST(goal.title == "Find wine recommendation");
  BOOST_TEST(goal.description == "Based on the observation: User prefers Burgundy wines");
  BOOST_TEST(to_string(goal.priority) == "high");
  BOOST_TEST(to_string(goal.status) == "pending");
  BOOST_TEST(goal.progress == 0.0);
  BOOST_TEST(goal.observation_id == "obs_1");
  BOOST_TEST(goal.evidence[0].confidence == 0.95);
  BOOST_REQUIRE(goal.pending_actions.size() == 1u);
  BOOST_TEST(to_string(goal.pending_actions[0].assigned_to) == "agent");
}

BOOST_AUTO_TEST_CASE(without_a_context_the_rule_gives_the_type) {
  auto goal = draft_of({insight("User prefers {tags} wines", {"wine"})});
  BOOST_TEST(goal.goal_id.empty());
  BOOST_TEST(goal.goal_type == "contextual_insight");
  BOOST_TEST(goal.title == "User prefers {tags} wines");
}

BOOST_AUTO_TEST_CASE(a_goal_lists_each_linked_observation_once) {
  auto goal = draft_of({insight("a", {"x"})});
  auto other = insight("b", {"x", "y"});
  other.observation_id = "obs_2";
  BOOST_TEST(link(rules(), goal, other));
  BOOST_TEST(!link(rules(), goal, other));
  BOOST_TEST(listed(goal.observation_ids) == "obs_1 obs_2");
  BOOST_TEST(to_text(goal.context)
             == R"({"rule_id":"contextual_insight","tags":["x","y"],"observations":)"
                R"([{"observation_id":"obs_1","content":"a"},)"
                R"({"observation_id":"obs_2","content":"b"}]})");
}

BOOST_AUTO_TEST_CASE(evidence_is_bounded_and_ids_are_all_kept) {
  auto config = default_config().promotion;
  config.max_evidence = 2;
  promotion_rules bounded{config};
  goal x;
  for (int i = 0; i < 5; ++i) {
    auto one = insight("x", {std::to_string(i)});
    one.observation_id = std::to_string(i);
    link(bounded, x, one);
  }
  BOOST_TEST(x.observation_ids.size() == 5u);
  BOOST_TEST(x.evidence.size() == 2u);
  BOOST_TEST(x.context["tags"].as_array().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_goal_takes_1000_observations_each_once_and_no_more) {
  std::vector<observation_ptr> many;
  for (int i = 0; i < 1'500; ++i) {
    auto one = insight("x", {});
    one.observation_id = std::to_string(i / 2 * 2); // each id twice
    many.emplace_back(std::move(one));
  }
  goal x;
  BOOST_TEST(rules().link(x, many).size() == 750u);
  BOOST_TEST(rules().link(x, many).empty());
  for (int i = 0; i < 300; ++i) {
    auto one = insight("x", {});
    one.observation_id = "more_" + std::to_string(i);
    BOOST_TEST(link(rules(), x, one) == (i < 250));
  }
  BOOST_TEST(x.observation_ids.size() == goal_limits::observations);
  BOOST_TEST(promotion_rules::room_of(x) == 0u);
}

BOOST_AUTO_TEST_CASE(a_goal_id_that_is_too_long_names_no_goal) {
  std::string longest(goal_limits::id_bytes, 'x');
  BOOST_TEST(draft_of({with_goal(insight("a", {}), longest)}).goal_id == longest);
  auto goal = draft_of({with_goal(insight("a", {}), longest + "x")});
  BOOST_TEST(goal.goal_id.empty());
  BOOST_TEST(!goal.context.contains("goal_id"));
  goal.goal_id = longest + "x";
  BOOST_TEST(!is_related(with_goal(insight("b", {}), longest + "x"), goal));
}

BOOST_AUTO_TEST_CASE(the_same_goal_id_relates_and_another_one_separates) {
  auto goal = draft_of({with_goal(insight("a", {"x", "y"}), "g")});
  const auto* rule = rules().find("contextual_insight");
  BOOST_TEST(is_related(rules(), with_goal(insight("b", {}), "g"), *rule, goal));
  BOOST_TEST(!is_related(rules(), with_goal(insight("b", {"x", "y"}), "h"), *rule, goal));
  BOOST_TEST(is_related(with_goal(seen("o", "observation", "c"), "g"), goal));
  BOOST_TEST(!is_related(seen("o", "observation", "c"), goal));
}

BOOST_AUTO_TEST_CASE(two_shared_tags_relate_and_one_does_not) {
  auto goal = draft_of({insight("a", {"wine", "preference", "x"})});
  const auto* rule = rules().find("contextual_insight");
  BOOST_TEST(is_related(rules(), insight("b", {"preference", "wine"}), *rule, goal));
  BOOST_TEST(!is_related(rules(), insight("b", {"wine", "budget"}), *rule, goal));
  BOOST_TEST(!is_related(rules(), insight("b", {}), *rule, goal));
}

BOOST_AUTO_TEST_CASE(a_grouping_key_relates_by_its_value) {
  auto config = default_config().promotion;
  for (auto& rule : config.rules)
    if (rule.id == "contextual_insight")
      rule.grouping_key = "context.trip.id";
  promotion_rules grouped{config};
  const auto* rule = grouped.find("contextual_insight");
  auto on_trip = [](const char* id) {
    auto x = insight(id, {});
    x.context["trip"] = json::object{{"id", id}};
    return x;
  };
  auto goal = grouped.draft(*rule, {observation_ptr{on_trip("paris")}});
  BOOST_TEST(is_related(grouped, on_trip("paris"), *rule, goal));
  BOOST_TEST(!is_related(grouped, on_trip("rome"), *rule, goal));
  BOOST_TEST(are_related(grouped, *rule, on_trip("rome"), on_trip("rome")));
}

BOOST_AUTO_TEST_CASE(a_goal_that_is_over_takes_nothing_more) {
  auto goal = draft_of({with_goal(insight("a", {}), "g")});
  const auto* rule = rules().find("contextual_insight");
  goal.status = goal_status::completed;
  BOOST_TEST(!is_related(rules(), with_goal(insight("b", {}), "g"), *rule, goal));
}

BOOST_AUTO_TEST_CASE(a_rule_may_filter_by_sources_and_all_tags) {
  auto config = default_config().promotion;
  promotion_rule any;
  any.id = "any";
  any.tags_all = {"x", "y"};
  any.sources = {"wine"};
  any.min_confidence = 0.5;
  any.title = "{tags}";
  config.rules.insert(config.rules.begin(), any);
  promotion_rules mixed{config};
  BOOST_TEST(mixed.judge(insight("a", {"y", "x"}, 0.5)).rule_id() == "any");
  BOOST_TEST(mixed.judge(insight("a", {"y"}, 0.95)).rule_id() == "contextual_insight");
  auto untyped = from_tool(seen("o", "observation", "a", {"x", "y"}), "wine");
  BOOST_TEST(mixed.judge(untyped).rule_id() == "any");
  BOOST_TEST(mixed.judge(from_tool(untyped, "beer")).rule_id() == "defect");
}

BOOST_AUTO_TEST_CASE(evidence_has_only_so_many_words_whatever_becomes_of_its_observation) {
  auto x = insight("Ann likes Burgundy", {});
  auto made = draft_of({x});
  x.content = std::string(60'000, 'w');
  x.confidence = 0.99;
  rules().refresh(made, x);
  BOOST_REQUIRE(made.evidence.size() == 1u);
  BOOST_TEST(made.evidence[0].content.starts_with("www"));
  BOOST_TEST(made.evidence[0].content.size() <= goal_limits::evidence_bytes);
  BOOST_TEST(made.evidence[0].confidence == 0.99);
  auto kept = made;
  kept.evidence[0].content = x.content;
  promotion_rules::shorten(kept);
  BOOST_TEST(kept.evidence[0].content == made.evidence[0].content);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
