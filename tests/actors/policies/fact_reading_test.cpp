#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/fact_reading.hpp"
#include "scratchpage/actors/policies/statement_signs.hpp"

namespace scratchpage {

namespace {

std::string told(std::string_view text, fact_speaker who = fact_speaker::user) {
  std::string result;
  for (const auto& one : read_facts(text, who))
    result += (result.empty() ? "" : " | ") + one.statement;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(facts)

BOOST_AUTO_TEST_CASE(what_a_user_says_is_retold_in_the_third_person) {
  BOOST_TEST(told("I'm allergic to peanuts") == "User is allergic to peanuts");
  BOOST_TEST(told("we live in Berlin now") == "User lives in Berlin");
  BOOST_TEST(told("I moved from Faro to Porto") == "User lives in Porto");
  BOOST_TEST(told("I no longer eat meat") == "User does not eat meat any more");
  BOOST_TEST(told("Call me Sam") == "User wants to be called Sam");
}

BOOST_AUTO_TEST_CASE(other_languages_are_retold_in_themselves) {
  BOOST_TEST(told("Ich wohne in Kiel") == "Der Nutzer wohnt in Kiel");
  BOOST_TEST(told("Vivo en Bilbao") == "El usuario vive en Bilbao");
  BOOST_TEST(told("J'habite à Metz") == "L'utilisateur habite à Metz");
  BOOST_TEST(told("我搬到苏州了") == "用户住在苏州");
  BOOST_TEST(told("仙台に引っ越しました") == "利用者は仙台に住んでいる");
}

BOOST_AUTO_TEST_CASE(secrets_questions_and_quotations_are_no_facts) {
  BOOST_TEST(told("My PIN is 4711").empty());
  BOOST_TEST(told("Am I allergic to nuts?").empty());
  BOOST_TEST(told("She said \"I live in Rome\"").empty());
  BOOST_TEST(told("If I were rich, I would live in Rome").empty());
}

BOOST_AUTO_TEST_CASE(what_is_asked_for_once_is_no_fact) {
  BOOST_TEST(told("I want to cancel my booking").empty());
  BOOST_TEST(told("I understand, please go ahead").empty());
  BOOST_TEST(told("My parcel has not arrived").empty());
  BOOST_TEST(told("I have a question about my bill").empty());
}

BOOST_AUTO_TEST_CASE(a_demand_and_its_reason_are_one_fact) {
  auto facts = read_facts("I'm dyslexic, please use short paragraphs", fact_speaker::user);
  BOOST_REQUIRE(facts.size() == 1u);
  BOOST_TEST(facts[0].statement.starts_with("User is dyslexic, "));
  BOOST_TEST(facts[0].statement.find("short paragraphs") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_was_before_and_what_others_advise_is_no_fact) {
  BOOST_TEST(told("I used to live in Oslo").empty());
  BOOST_TEST(told("My friend says I should go vegan").empty());
  BOOST_TEST(told("User seems tired", fact_speaker::other).empty());
}

BOOST_AUTO_TEST_CASE(what_takes_the_place_of_something_is_told_alone) {
  BOOST_TEST(told("I don't drink coffee any more, tea for me") == "User drinks tea");
  BOOST_TEST(told("We migrated from Jira to Linear") == "User's team uses Linear");
  BOOST_TEST(told("Me mudé de Murcia a Valencia") == "El usuario vive en Valencia");
  BOOST_TEST(
    told("Wir sind von Trello auf Asana umgestiegen") == "Das Team des Nutzers nutzt Asana");
}

BOOST_AUTO_TEST_CASE(what_is_stated_before_a_question_is_a_fact) {
  BOOST_TEST(told("I'm left-handed, do you have scissors for that?") == "User is left-handed");
  BOOST_TEST(told("We have two toddlers, which pram folds smallest?")
             == "User's household has two toddlers");
  BOOST_TEST(
    told("Ich bin Linkshänder, gibt es dafür eine Schere?") == "Der Nutzer ist Linkshänder");
  BOOST_TEST(told("Je suis gaucher, quels ciseaux me faut-il ?") == "L'utilisateur est gaucher");
  BOOST_TEST(told("我是左撇子，你推荐哪把剪刀？") == "用户是左撇子");
}

BOOST_AUTO_TEST_CASE(what_only_leads_to_a_question_is_no_fact) {
  BOOST_TEST(told("My car is making a noise, what could it be?").empty());
  BOOST_TEST(told("If I have a cat, can I rent here?").empty());
  BOOST_TEST(told("Could I be allergic to cats, or is it the dust?").empty());
}

BOOST_AUTO_TEST_CASE(a_reason_tells_of_its_speaker) {
  BOOST_TEST(told("As a nurse on night shifts I sleep until noon")
               .starts_with("User is a nurse on night shifts"));
  BOOST_TEST(told("Da ich Rollstuhlfahrer bin, brauche ich immer einen Aufzug")
               .starts_with("Der Nutzer ist Rollstuhlfahrer"));
  BOOST_TEST(told("As a last resort I restart it").empty());
}

BOOST_AUTO_TEST_CASE(the_third_person_is_one_of_its_language) {
  BOOST_TEST(told("Seit Mai wohne ich in Erfurt") == "Der Nutzer wohnt seit Mai in Erfurt");
  BOOST_TEST(told("Ich bin Vegetarierin") == "Die Nutzerin ist Vegetarierin");
  BOOST_TEST(
    told("Ya no vivo en Sevilla, ahora vivo en Vigo").find("vive vivo") == std::string::npos);
  BOOST_TEST(told("Soy arquitecta y trabajo por mi cuenta")
             == "La usuaria es arquitecta y trabaja por su cuenta");
  BOOST_TEST(told("Mi hijo Pablo es alérgico al huevo")
             == "El hijo del usuario, Pablo, es alérgico al huevo");
  BOOST_TEST(
    told("Mon fils Hugo est asthmatique") == "Le fils de l'utilisateur, Hugo, est asthmatique");
}

BOOST_AUTO_TEST_CASE(two_homes_have_one_key) {
  auto before = read_facts("I live in Leeds", fact_speaker::user);
  auto after = read_facts("I moved to Bristol", fact_speaker::user);
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(a_statement_and_its_denial_have_one_key) {
  auto before = read_facts("I am allergic to penicillin", fact_speaker::user);
  auto after = read_facts("I am not allergic to penicillin", fact_speaker::user);
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_REQUIRE(after.size() == 1u);
  BOOST_TEST(fact_key_of(before[0]) == fact_key_of(after[0]));
}

BOOST_AUTO_TEST_CASE(signs_of_change_repetition_and_mishap_are_seen) {
  BOOST_TEST(tells_change("Dinner at eight from now on"));
  BOOST_TEST(!tells_change("I eat dinner at seven"));
  BOOST_TEST(tells_again("The aisle, as always"));
  BOOST_TEST(tells_mishap("Gripper slipped on the jar"));
  BOOST_TEST(!tells_mishap("Upload finished"));
  BOOST_TEST(!tells_mishap("Cache miss"));
  BOOST_TEST(tells_mishap("Label misprinted"));
}

BOOST_AUTO_TEST_CASE(courtesy_tells_nothing) {
  for (const auto* text : {"Oui, s'il vous plaît", "Ja, bitte", "Yes please, thank you very much"})
    BOOST_TEST(read_facts(text, fact_speaker::user).empty(), text);
}

BOOST_AUTO_TEST_CASE(what_stands_beside_a_secret_is_told) {
  auto all = read_facts("My PIN is 4471 and I live in Hull", fact_speaker::user);
  BOOST_REQUIRE(all.size() == 1u);
  BOOST_TEST(all[0].statement == "User lives in Hull");
  BOOST_TEST(read_facts("My PIN is 4471", fact_speaker::user).empty());
  BOOST_TEST(read_facts("The password has changed. It's Hj7-lk now.", fact_speaker::user).empty());
}

BOOST_AUTO_TEST_CASE(a_statement_that_breaks_off_ends_nothing) {
  for (const auto* text : {"I'm", "I am", "We are", "for", "You", "I have"})
    BOOST_TEST(read_facts(text, fact_speaker::user).empty(), text);
}

BOOST_AUTO_TEST_CASE(she_is_the_one_who_was_named_before) {
  auto all = read_facts("My daughter Mia is six. She is allergic to nuts.", fact_speaker::user);
  BOOST_TEST(std::any_of(all.begin(), all.end(), [](const stated_fact& one) {
    return one.statement == "User's daughter Mia is allergic to nuts";
  }));
}

BOOST_AUTO_TEST_CASE(a_speaker_who_leaves_themselves_out_is_meant) {
  BOOST_TEST(told("can't stand fluorescent light") == "User cannot stand fluorescent light");
  BOOST_TEST(told("Bin nach Trier gezogen") == "Der Nutzer wohnt in Trier");
  BOOST_TEST(told("Ich fahr immer mit der Fähre") == "Der Nutzer fährt immer mit der Fähre");
  BOOST_TEST(told("gone vegetarian as of this year") == "User has gone vegetarian as of this year");
}

BOOST_AUTO_TEST_CASE(what_has_no_verb_states_nothing) {
  for (const auto* text : {"Porch lamp off at ten", "Two nights in Lille, somewhere with a sauna",
         "May 3rd at half past four in the afternoon", "Never mind that", "Nadia gets them"})
    BOOST_TEST(told(text).empty(), text << ": " << told(text));
}

BOOST_AUTO_TEST_CASE(a_demand_is_believed_if_its_reason_is_a_fact) {
  BOOST_TEST(told("Don't send me spreadsheets, I can't open them")
             == "User cannot open them, wants you not to send them spreadsheets");
  BOOST_TEST(told("No coffee today, I'm tired").empty());
  BOOST_TEST(told("Hoy ceno fuera, no me guardes nada").empty());
}

BOOST_AUTO_TEST_CASE(what_has_begun_yesterday_or_begins_today_lasts) {
  BOOST_TEST(told("I got engaged yesterday") == "User is engaged");
  BOOST_TEST(told("I report to Ferran as of today") == "User reports to Ferran as of today");
  BOOST_TEST(told("I report to Ferran today").empty());
}

BOOST_AUTO_TEST_CASE(what_limits_a_choice_stays_with_it) {
  BOOST_TEST(told("We use conda in all our projects, never pip")
             == "User's team uses conda in all their projects, never pip");
}

BOOST_AUTO_TEST_CASE(small_words_of_two_languages_are_english_among_english_ones) {
  BOOST_TEST(told("no parsley for me ever").find("El usuario") == std::string::npos);
  BOOST_TEST(told("No me gusta el perejil") == "Al usuario no le gusta el perejil");
  BOOST_TEST(told("Perder siempre es lo que más me gusta").find("Al usuario") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_to_be_translated_is_no_fact_but_who_needs_no_translation_is) {
  BOOST_TEST(told("Please translate: I live in Rome").empty());
  BOOST_TEST(told("I read Dutch and Danish fluently, no need to translate")
             == "User reads Dutch and Danish fluently");
}

BOOST_AUTO_TEST_CASE(a_side_is_no_leaving) {
  BOOST_TEST(!tells_change("I'm left-handed"));
  BOOST_TEST(tells_change("I left the hospital"));
  BOOST_TEST(told("Remember that I'm left-handed") == "User is left-handed");
}

BOOST_AUTO_TEST_CASE(a_word_that_is_only_a_sign_breaks_nothing) {
  for (const auto* text : {"'s at ten", "'s", "for the last time", "but I", "again", "I can't"})
    BOOST_TEST(told(text).size() < 200u, text);
}

BOOST_AUTO_TEST_CASE(a_cat_that_somebody_is_allergic_to_is_nobodys) {
  BOOST_TEST(told("猫アレルギーです") == "利用者は猫アレルギーです");
  BOOST_TEST(told("猫は三歳です") == "利用者の猫は三歳です");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
