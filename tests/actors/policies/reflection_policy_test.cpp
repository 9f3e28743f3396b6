#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

turn_story turn(int n, std::vector<observation> observations = {}) {
  turn_story story;
  story.turn_id = "turn_" + std::to_string(n);
  for (auto& one : observations)
    story.observations.emplace_back(std::move(one));
  return story;
}

call_record retried(call_outcome outcome) {
  call_record x;
  x.call_id = "a";
  x.planned_tool = x.tool_id = "weather_api";
  x.outcome = outcome;
  x.attempts = 2;
  x.kind = error_class::timeout;
  x.action = recovery_action::retry;
  x.observation_ids = {"obs_7"};
  return x;
}

turn_story turn_with(int n, call_record call) {
  auto story = turn(n);
  story.calls = {std::move(call)};
  return story;
}

observation likes_wine(std::string id) {
  return seen(std::move(id), "contextual_insight", "User prefers Burgundy wines",
    {"wine", "preference"}, 0.95);
}

/// An observation by that source about a preference.
observation said(std::string id, source by, std::string content) {
  auto x = seen(std::move(id), "contextual_insight", std::move(content));
  x.source = std::move(by);
  return x;
}

const source ann{source_kind::user, "ann", {}, {}};
const source other{source_kind::daemon, "other", {}, {}};

reflection_policy reflecting() {
  return reflection_policy{default_config().reflection};
}

} // namespace

BOOST_AUTO_TEST_SUITE(reflection)

/// What the lessons of a turn say, for comparing.
std::string told_by(const std::vector<turn_lesson>& lessons) {
  std::string result;
  for (const auto& x : lessons) {
    result += x.type + " " + x.fact_key + " " + x.statement + " " + x.attribute + " "
              + std::to_string(x.turns) + " " + std::to_string(x.confidence);
    for (const auto& id : x.observation_ids)
      result += " " + id;
    result += "\n";
  }
  return result;
}

/// Turns of all kinds: preferences, failures, facts that are told and corrected, and mishaps.
std::vector<turn_story> some_turns() {
  std::vector<turn_story> result;
  auto say = [&](std::string text, const source& by) {
    auto n = static_cast<int>(result.size());
    result.push_back(turn(n, {said("obs_" + std::to_string(n), by, std::move(text)),
                               likes_wine("obs_1" + std::to_string(n))}));
    result.back().calls = {retried(n % 2 == 0 ? call_outcome::succeeded : call_outcome::failed)};
  };
  for (auto text : {"I live in Paris.", "The gripper slipped on the jar", "I prefer tea to coffee.",
         "I have moved, I live in Rome now.", "The gripper slipped again on the jar",
         "I always sit on the aisle.", "The gripper has slipped on the lid of the jar",
         "I do not live in Rome any more."}) {
    say(text, ann);
    say(text, other);
  }
  return result;
}

BOOST_AUTO_TEST_CASE(rules_that_take_over_a_memory_decide_as_those_that_had_it) {
  auto goes_on = reflecting();
  auto before = std::make_unique<reflection_policy>(default_config().reflection);
  std::string all;
  for (const auto& story : some_turns()) {
    auto after = std::make_unique<reflection_policy>(default_config().reflection);
    after->remember(before->take_memory());
    after->remember(after->take_memory()); // nobody has read it yet
    auto expected = told_by(goes_on.reflect(story));
    BOOST_TEST(told_by(after->reflect(story)) == expected);
    BOOST_TEST(after->tracked() == goes_on.tracked());
    all += expected;
    before = std::move(after);
  }
  BOOST_TEST(all != "");
  BOOST_TEST(before->take_memory().bytes() > 0u);
  BOOST_TEST(before->tracked() == 0u);
}

BOOST_AUTO_TEST_CASE(a_recovery_that_worked_is_a_lesson) {
  auto reflector = reflecting();
  auto lessons = reflector.reflect(turn_with(1, retried(call_outcome::succeeded)));
  BOOST_REQUIRE(lessons.size() == 1u);
  BOOST_TEST(lessons[0].type == "learning");
  BOOST_TEST(
    lessons[0].statement == "weather_api sometimes times out, retry with a longer timeout helps");
  BOOST_TEST(listed(lessons[0].observation_ids) == "obs_7");
  BOOST_TEST(to_string(lessons[0].effect) == "success");
}

BOOST_AUTO_TEST_CASE(a_recovery_that_stops_working_speaks_against_its_lesson) {
  auto reflector = reflecting();
  BOOST_TEST(reflector.reflect(turn_with(1, retried(call_outcome::failed))).empty());
  auto worked = reflector.reflect(turn_with(2, retried(call_outcome::succeeded)));
  auto failed = reflector.reflect(turn_with(3, retried(call_outcome::failed)));
  BOOST_REQUIRE(!failed.empty());
  BOOST_TEST(failed[0].fact_key == worked[0].fact_key);
  BOOST_TEST(to_string(failed[0].effect) == "failure");
}

BOOST_AUTO_TEST_CASE(a_tool_that_stood_in_is_a_lesson) {
  auto call = retried(call_outcome::succeeded);
  call.tool_id = "weather_cache";
  call.action = recovery_action::alternative;
  auto reflector = reflecting();
  BOOST_TEST(reflector.reflect(turn_with(1, call))[0].statement
             == "weather_cache can stand in for weather_api when that times out");
}

BOOST_AUTO_TEST_CASE(a_failure_that_recurs_across_turns_is_a_lesson) {
  auto call = retried(call_outcome::failed);
  call.attempts = 1;
  call.kind = error_class::invalid_input;
  call.error = "not enough seats";
  auto reflector = reflecting();
  BOOST_TEST(reflector.reflect(turn_with(1, call)).empty());
  BOOST_TEST(reflector.reflect(turn_with(1, call)).empty());
  auto lessons = reflector.reflect(turn_with(2, call));
  BOOST_REQUIRE(lessons.size() == 1u);
  BOOST_TEST(lessons[0].statement == "weather_api often refuses its inputs: not enough seats");
}

BOOST_AUTO_TEST_CASE(a_preference_that_recurs_is_a_fact_of_growing_confidence) {
  auto reflector = reflecting();
  BOOST_TEST(reflector.reflect(turn(1, {likes_wine("obs_1")})).empty());
  auto second = reflector.reflect(turn(2, {likes_wine("obs_2")}));
  BOOST_REQUIRE(second.size() == 1u);
  BOOST_TEST(second[0].statement == "User prefers Burgundy wines");
  BOOST_TEST(listed(second[0].observation_ids) == "obs_1 obs_2");
  BOOST_TEST(second[0].turns == 2u);
  auto third = reflector.reflect(turn(3, {likes_wine("obs_3")}));
  BOOST_TEST(third[0].fact_key == second[0].fact_key);
  BOOST_TEST(third[0].confidence > second[0].confidence);
}

BOOST_AUTO_TEST_CASE(the_later_of_two_notes_that_cannot_both_hold_ends_the_earlier) {
  auto reflector = reflecting();
  auto learn = [&](int n, const char* content) {
    auto id = "obs_" + std::to_string(n);
    return reflector.reflect(turn(n, {seen(id, "contextual_insight", content)}));
  };
  learn(1, "User works night shifts");
  auto nights = learn(2, "User works night shifts");
  learn(3, "User works day shifts");
  auto days = learn(4, "User works day shifts");
  BOOST_REQUIRE(nights.size() == 1u);
  BOOST_REQUIRE(days.size() == 1u);
  BOOST_TEST(days[0].attribute == nights[0].attribute);
}

BOOST_AUTO_TEST_CASE(a_deed_is_a_habit_when_it_comes_a_third_time) {
  auto reflector = reflecting();
  auto learn = [&](int n) {
    auto id = "obs_" + std::to_string(n);
    return reflector.reflect(
      turn(n, {seen(id, "contextual_insight", "User asked for the news at noon")}));
  };
  BOOST_TEST(learn(1).empty());
  BOOST_TEST(learn(2).empty());
  auto third = learn(3);
  BOOST_REQUIRE(!third.empty());
  BOOST_TEST(third[0].statement == "User asks for the news at noon");
}

BOOST_AUTO_TEST_CASE(what_a_tool_reports_again_is_a_fact_and_told_as_the_tools) {
  auto reflector = reflecting();
  auto hear = [&](int n, const char* content) {
    auto story = turn(n);
    auto report = seen("obs_" + std::to_string(n), "observation", content);
    report.source = {source_kind::tool, "billing_api", {}, {}};
    story.heard.emplace_back(std::move(report));
    return reflector.reflect(story);
  };
  BOOST_TEST(hear(1, "The billing service reports all amounts in cents").empty());
  auto again = hear(2, "The billing service reports all amounts in cents");
  BOOST_REQUIRE(again.size() == 1u);
  BOOST_TEST(again[0].statement
             == "According to billing_api, the billing service reports all amounts in cents");
  BOOST_TEST(listed(again[0].sources) == "tool billing_api");
  for (int n = 3; n < 6; ++n)
    BOOST_TEST(hear(n, "Request took 120 ms").empty());
}

BOOST_AUTO_TEST_CASE(a_tools_report_ends_nothing_that_others_have_told) {
  auto reflector = reflecting();
  auto note = [&](int n, source by) {
    return reflector.reflect(turn(n, {said("obs_" + std::to_string(n), by, "User lives in Rome")}));
  };
  const source scanner{source_kind::tool, "scanner", {}, {}};
  note(1, other);
  auto noted = note(2, other);
  note(3, scanner);
  auto reported = note(4, scanner);
  BOOST_REQUIRE(noted.size() == 1u);
  BOOST_REQUIRE(reported.size() == 1u);
  BOOST_TEST(reported[0].attribute != noted[0].attribute);
}

BOOST_AUTO_TEST_CASE(wording_and_order_of_small_words_make_no_difference) {
  auto reflector = reflecting();
  reflector.reflect(turn(1, {likes_wine("obs_1")}));
  auto again = likes_wine("obs_2");
  again.content = "The user really prefers a Burgundy wine.";
  BOOST_TEST(reflector.reflect(turn(2, {again})).size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_denies_a_known_preference_contradicts_it) {
  auto reflector = reflecting();
  reflector.reflect(turn(1, {likes_wine("obs_1")}));
  auto known = reflector.reflect(turn(2, {likes_wine("obs_2")}));
  auto denial = likes_wine("obs_3");
  denial.content = "User does not prefer Burgundy wines";
  auto lessons = reflector.reflect(turn(3, {denial}));
  BOOST_REQUIRE(!lessons.empty());
  BOOST_TEST(to_string(lessons[0].effect) == "contradiction");
  BOOST_TEST(lessons[0].fact_key == known[0].fact_key);
}

BOOST_AUTO_TEST_CASE(preferences_that_differ_in_a_number_are_two) {
  auto reflector = reflecting();
  auto pays = [](int n, const char* most) {
    return turn(n, {said("obs_" + std::to_string(n), ann,
                     "User prefers payments up to " + std::string{most} + " euros in a day")});
  };
  BOOST_TEST(reflector.reflect(pays(1, "9000")).empty());
  BOOST_TEST(reflector.reflect(pays(2, "9")).empty());
  auto lessons = reflector.reflect(pays(3, "9"));
  BOOST_REQUIRE(!lessons.empty());
  BOOST_TEST(lessons[0].fact == "User prefers payments up to 9 euros in a day");
  BOOST_TEST(listed(lessons[0].observation_ids) == "obs_2 obs_3");
}

BOOST_AUTO_TEST_CASE(a_preference_is_told_in_the_words_of_whoever_said_it) {
  auto reflector = reflecting();
  BOOST_TEST(
    reflector.reflect(turn(1, {said("obs_1", other, "User prefers trips for Paris")})).empty());
  BOOST_TEST(
    reflector.reflect(turn(2, {said("obs_2", ann, "User prefers trips to Paris")})).empty());
  auto lessons =
    reflector.reflect(turn(3, {said("obs_3", ann, "User prefers the trips to Paris")}));
  BOOST_REQUIRE(!lessons.empty());
  BOOST_TEST(lessons[0].fact == "User prefers trips to Paris");
  BOOST_TEST(listed(lessons[0].sources) == "user ann");
  BOOST_TEST(listed(lessons[0].observation_ids) == "obs_2 obs_3");
  BOOST_TEST(lessons[0].turns == 2u);
  auto others = reflector.reflect(turn(4, {said("obs_4", other, "User prefers trips for Paris")}));
  BOOST_REQUIRE(!others.empty());
  BOOST_TEST(others[0].fact == "User prefers trips for Paris");
  BOOST_TEST(listed(others[0].sources) == "daemon other");
  BOOST_TEST(listed(others[0].observation_ids) == "obs_1 obs_4");
}

BOOST_AUTO_TEST_CASE(what_somebody_else_denies_is_contradicted_and_stays_the_words_of_its_speaker) {
  auto reflector = reflecting();
  for (auto n : {1, 2})
    reflector.reflect(turn(n, {said("obs_1", ann, "User prefers trips to Paris")}));
  auto lessons =
    reflector.reflect(turn(3, {said("obs_3", other, "User does not prefer trips to Paris")}));
  BOOST_REQUIRE(!lessons.empty());
  BOOST_TEST(to_string(lessons[0].effect) == "contradiction");
  BOOST_TEST(lessons[0].fact == "User prefers trips to Paris");
  BOOST_TEST(listed(lessons[0].sources) == "user ann");
}

BOOST_AUTO_TEST_CASE(a_pattern_names_everybody_in_whose_observations_it_has_come_up) {
  auto reflector = reflecting();
  auto rain = [](source by) { return said("obs_1", std::move(by), "It rains"); };
  reflector.reflect(turn(1, {rain(ann)}));
  reflector.reflect(turn(2, {rain(other)}));
  auto lessons = reflector.reflect(turn(3, {rain(ann)}));
  BOOST_REQUIRE(lessons.size() == 1u);
  BOOST_TEST(listed(lessons[0].sources) == "daemon other user ann");
}

BOOST_AUTO_TEST_CASE(the_same_tags_in_three_turns_are_a_pattern) {
  auto reflector = reflecting();
  auto odd = [](std::string id) {
    return seen(std::move(id), "error_alert", "it failed again", {"error", "weather_api"});
  };
  BOOST_TEST(reflector.reflect(turn(1, {odd("obs_1"), odd("obs_2"), odd("obs_3")})).empty());
  BOOST_TEST(reflector.reflect(turn(2, {odd("obs_4")})).empty());
  auto lessons = reflector.reflect(turn(3, {odd("obs_5")}));
  BOOST_REQUIRE(lessons.size() == 1u);
  BOOST_TEST(lessons[0].type == "pattern_detected");
  BOOST_TEST(
    lessons[0].statement == "error_alert tagged error and weather_api has come up in 3 turns");
  BOOST_TEST(reflector.reflect(turn(4, {odd("obs_6")})).empty());
}

BOOST_AUTO_TEST_CASE(without_tags_the_content_tells_with_numbers_made_alike) {
  auto reflector = reflecting();
  for (auto n : {1, 2})
    reflector.reflect(turn(n, {seen("o", "observation", "Gate " + std::to_string(n))}));
  BOOST_TEST(reflector.reflect(turn(3, {seen("o", "observation", "gate 33!")})).size() == 1u);
  BOOST_TEST(reflector.reflect(turn(4, {seen("o", "observation", "door 33")})).empty());
}

BOOST_AUTO_TEST_CASE(the_daemons_own_bookkeeping_is_no_pattern) {
  auto reflector = reflecting();
  for (int n = 1; n < 10; ++n)
    BOOST_TEST(reflector
                 .reflect(turn(n, {seen("o", "user_input", "yes"),
                                    seen("o", "routing_decision", "Low urgency", {"urgency"})}))
                 .empty());
  BOOST_TEST(reflector.tracked() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_counted_is_bounded_and_the_least_recent_is_forgotten) {
  auto config = default_config().reflection;
  config.max_tracked = 2;
  config.max_support = 1;
  reflection_policy reflector{config};
  auto about = [](const char* content) { return seen("o", "observation", content); };
  reflector.reflect(turn(1, {about("a")}));
  reflector.reflect(turn(2, {about("a")}));
  reflector.reflect(turn(3, {about("b"), about("c")}));
  BOOST_TEST(reflector.tracked() == 2u);
  BOOST_TEST(reflector.reflect(turn(4, {about("a")})).empty());
}

// -- limits of what is kept -----------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_is_counted_keeps_only_the_beginning_of_its_words_and_tags) {
  auto reflector = reflecting();
  std::vector<std::string> tags;
  for (auto i = 0; i < 32; ++i)
    tags.push_back(std::to_string(i) + std::string(60, 'x'));
  for (auto i = 0; i < 100; ++i) {
    auto words = std::to_string(i) + "th word " + std::string(60'000, 'x');
    auto liked = seen("obs_1", "contextual_insight", "User prefers " + words);
    tags.front() = "0" + std::to_string(i);
    reflector.reflect(turn(
      i, {seen("obs_2", "observation", words), liked, seen("obs_3", "observation", "Rain", tags)}));
  }
  BOOST_REQUIRE(reflector.tracked() >= 300u);
  BOOST_TEST(reflector.kept_bytes() < reflector.tracked() * 2 * reading_limits::observation_bytes);
}

BOOST_AUTO_TEST_CASE(the_trails_of_many_speakers_are_as_many_as_things_that_are_counted) {
  auto config = default_config().reflection;
  config.max_tracked = 50;
  reflection_policy reflector{config};
  for (auto i = 0; i < 500; ++i)
    reflector.reflect(turn(i, {said("obs_1", {source_kind::daemon, std::to_string(i), {}, {}},
                                "User prefers trips to Paris")}));
  BOOST_TEST(reflector.tracked() == 50u);
}

BOOST_AUTO_TEST_CASE(texts_that_begin_alike_for_long_are_one_thing) {
  auto reflector = reflecting();
  auto report = std::string(reading_limits::observation_bytes, 'x');
  std::vector<turn_lesson> lessons;
  for (auto i = 1; i <= 3; ++i)
    lessons = reflector.reflect(
      turn(i, {seen("obs_1", "observation", report + " of day " + std::to_string(i))}));
  BOOST_REQUIRE(lessons.size() == 1u);
  BOOST_TEST(lessons[0].type == "pattern_detected");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
