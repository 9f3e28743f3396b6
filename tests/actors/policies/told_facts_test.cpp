#include "scratchpage/actors/policies/told_facts.hpp"

#include <array>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/recurring_events.hpp"
#include "scratchpage/actors/policies/statement_stems.hpp"

namespace scratchpage {

namespace {

std::optional<recurring_event> reported(
  recurring_events& to, std::string_view text, int turn, fact_speaker who = fact_speaker::other) {
  auto number = std::to_string(turn);
  return to.note(text, who, "turn_" + number, "obs_" + number);
}

} // namespace

BOOST_AUTO_TEST_SUITE(what_was_told_before)

BOOST_AUTO_TEST_CASE(a_correction_has_the_key_of_what_it_corrects) {
  told_facts known;
  auto before = known.read("I eat dinner at seven", "user ann");
  auto after = known.read("From now on I have dinner at eight", "user ann");
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(a_value_that_is_put_right_takes_the_place_of_the_one_before) {
  told_facts known;
  auto before = known.read("My shift always starts on Monday", "user ann");
  auto after = known.read("No, it is Tuesday now", "user ann");
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(after[0].statement == "User's shift always starts on Tuesday");
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(a_person_corrects_what_was_noted_about_them) {
  told_facts known;
  stated_fact note{"User has an Android phone", "user", "has android phone", 0.9, false, false};
  known.settle(note, told_facts::notes_of_others);
  auto after = known.read("I switched last week, I have an iPhone now", "user ann");
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(after[0].statement == "User has an iPhone now");
  BOOST_TEST(fact_key_of(note) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(nobody_corrects_what_another_person_has_said) {
  told_facts known;
  auto before = known.read("I eat dinner at seven", "user ann");
  auto after = known.read("From now on I have dinner with my sister", "user bob");
  BOOST_REQUIRE(before.size() == 1u);
  for (const auto& one : after)
    BOOST_TEST(fact_key_of(before[0]) != fact_key_of(one));
}

BOOST_AUTO_TEST_CASE(a_change_in_other_words_ends_what_was_told) {
  const std::vector<std::array<const char*, 3>> all{
    {"I'm on the early shift", "They put me on lates", "User is on lates"},
    {"Our choir has 28 singers", "We got two new ones, so it's 30 singers in the choir now",
      "User's choir has 30 singers"},
    {"The gardener comes on Mondays", "She's moved us to Wednesdays for good",
      "The gardener comes on Wednesdays"},
    {"I take a 42 in boots", "typo. 43", "User takes a 43 in boots"},
    {"I prefer window seats", "scrap that, aisle", "User prefers aisle seats"},
    {"My daughter Ines plays the violin", "She plays the cello now",
      "User's daughter Ines plays the cello now"},
    {"I'm learning Portuguese", "gave up on Portuguese. Welsh it is", "User is learning Welsh"},
    {"My phone's a Galaxy", "Got a Fairphone now", "User has a Fairphone now"},
    {"Je suis professeur", "Je ne suis plus professeur, je suis libraire",
      "L'utilisateur est libraire"},
    {"Mein Hund heißt Bello", "Bello ist gestorben, wir haben jetzt Rex",
      "Der Nutzer hat jetzt Rex"},
    {"我每周三晚上上瑜伽课", "瑜伽课改到周五晚上了", "用户每周五晚上上瑜伽课"}};
  for (const auto& [first, second, now] : all) {
    told_facts known;
    auto before = known.read(first, "user ann");
    auto after = known.read(second, "user ann");
    BOOST_TEST_REQUIRE(before.size() == 1u, first);
    BOOST_TEST_REQUIRE(after.size() == 1u, second);
    BOOST_TEST(after[0].statement == now);
    BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]), second);
  }
}

BOOST_AUTO_TEST_CASE(another_number_of_something_else_ends_nothing) {
  for (const auto* text :
    {"I now pay 30 euros for the gym", "This week it's Thursday now", "My son is 4 now",
      "Is it 30 now?", "The flight is at 9 now", "It's 9 degrees now", "The dogs eat at 9 now"}) {
    told_facts known;
    auto before = known.read("I have 2 dogs", "user ann");
    BOOST_TEST_REQUIRE(before.size() == 1u);
    for (const auto& one : known.read(text, "user ann"))
      BOOST_TEST(fact_key_of(before[0]) != fact_key_of(one), text);
  }
}

BOOST_AUTO_TEST_CASE(a_repetition_is_the_fact_that_it_repeats) {
  told_facts known;
  auto before = known.read("No meetings before ten, please", "user ann");
  auto after = known.read("I said no meetings before ten", "user ann");
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(before[0].statement == after[0].statement);
}

BOOST_AUTO_TEST_CASE(what_is_switched_keeps_what_was_told_about_it) {
  told_facts known;
  auto before = known.read("The builds run on Jenkins", "user ann");
  auto after = known.read("We switched from Jenkins to Drone", "user ann");
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(after[0].statement == "The builds run on Drone");
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(what_has_ended_is_left_out_beside_what_holds_now) {
  told_facts known;
  auto before = known.read("I take the bus to work", "user ann");
  auto after = known.read("I no longer take the bus, I cycle to work", "user ann");
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(after[0].statement == "User cycles to work");
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(a_habit_that_shares_a_word_with_another_leaves_it) {
  told_facts known;
  auto before = known.read("I drink tea every evening", "user ann");
  auto after = known.read("I play tennis every evening now", "user ann");
  BOOST_REQUIRE(before.size() == 1u);
  for (const auto& one : after)
    BOOST_TEST(fact_key_of(before[0]) != fact_key_of(one));
}

BOOST_AUTO_TEST_CASE(the_oldest_facts_are_forgotten_beyond_the_limit) {
  told_facts known;
  for (size_t i = 0; i < told_facts_limits::facts + 10; ++i) {
    std::string name{static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
    known.read("I always buy brand" + name + " at the market", "user ann");
  }
  BOOST_TEST(known.size() <= told_facts_limits::facts);
}

BOOST_AUTO_TEST_CASE(a_mishap_in_three_turns_is_an_event_without_its_literals) {
  recurring_events events;
  BOOST_TEST(!reported(events, "Gripper slipped on the small jar", 1));
  BOOST_TEST(!reported(events, "Gripper slipped on a blue jar", 2));
  BOOST_TEST(!reported(events, "Gripper slipped on a blue jar", 2));
  auto found = reported(events, "Gripper slipped on the third jar", 3);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->fact.statement == "Gripper slipped on the jar, repeatedly");
  BOOST_TEST(found->turns == 3u);
  auto again = reported(events, "Gripper slipped on one more jar", 4);
  BOOST_REQUIRE(again);
  BOOST_TEST(again->fact.statement == found->fact.statement);
}

BOOST_AUTO_TEST_CASE(routine_is_no_event_however_often_it_comes) {
  recurring_events events;
  for (int turn = 1; turn < 6; ++turn)
    BOOST_TEST(!reported(events, "Upload finished", turn));
}

BOOST_AUTO_TEST_CASE(a_setting_that_is_asked_for_again_and_again_is_liked) {
  recurring_events events;
  BOOST_TEST(!reported(events, "Nursery at 19 degrees, please", 1, fact_speaker::user));
  BOOST_TEST(!reported(events, "19 degrees in the nursery again", 2, fact_speaker::user));
  auto found = reported(events, "Set the nursery to 19 degrees", 3, fact_speaker::user);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->fact.statement.starts_with("User likes "));
}

BOOST_AUTO_TEST_CASE(notes_about_a_person_in_other_words_are_one) {
  recurring_events events;
  auto note = [&](std::string_view text, int turn, std::string_view stated) {
    auto number = std::to_string(turn);
    return events.note(text, fact_speaker::other, "turn_" + number, "obs_" + number, stated);
  };
  BOOST_TEST(!note("User wants the invoice by post", 1, "User wants the invoice by post"));
  BOOST_TEST(!note("The invoice by post was asked for by the user", 2, {}));
  auto found = note("User asked for a post invoice", 3, {});
  BOOST_REQUIRE(found);
  BOOST_TEST(found->fact.statement == "User wants the invoice by post");
}

BOOST_AUTO_TEST_CASE(a_report_is_not_cut_within_what_it_tells_of) {
  recurring_events events;
  reported(events, "Customer complained about late delivery", 1);
  reported(events, "Customer complained about late delivery again", 2);
  auto found = reported(events, "Customer complained about a late parcel", 3);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->fact.statement == "Customer complained about late delivery, repeatedly");
}

BOOST_AUTO_TEST_CASE(reports_that_share_little_are_told_whole) {
  recurring_events events;
  for (int turn = 1; turn < 5; ++turn)
    if (auto found = reported(events, "It failed at " + std::to_string(turn) + "00 V", turn))
      BOOST_TEST(!found->fact.statement.empty());
}

BOOST_AUTO_TEST_CASE(what_was_noted_of_a_person_in_other_languages_recurs_as_well) {
  recurring_events events;
  reported(events, "ユーザーは昼食に蕎麦を注文した", 1);
  reported(events, "ユーザーは昼食に蕎麦を注文した", 2);
  auto found = reported(events, "ユーザーは昼食にまた蕎麦を注文した", 3);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->fact.statement == "ユーザーは昼食に蕎麦を注文した");
}

BOOST_AUTO_TEST_CASE(events_are_bounded) {
  recurring_events events;
  for (int turn = 0; turn < 200; ++turn)
    reported(events, "Part" + std::to_string(turn) + " failed", turn);
  BOOST_TEST(events.size() == recurring_events_limits::events);
}

BOOST_AUTO_TEST_CASE(literals_are_taken_out) {
  BOOST_TEST(without_literals("no seats left") == "no seats left");
  BOOST_TEST(without_literals("order 4711 of 'ann' failed") == "order … of … failed");
  BOOST_TEST(without_literals("cannot read /tmp/a 17 times") == "cannot read … times");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
