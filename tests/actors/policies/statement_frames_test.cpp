#include "scratchpage/actors/policies/statement_frames.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/value_exchange.hpp"

namespace scratchpage {

namespace {

bool are_contrary(std::string_view later, std::string_view earlier) {
  return contradicts(frame_of(later), frame_of(earlier));
}

bool takes_place(std::string_view later, std::string_view earlier) {
  return replacement(frame_of(later), frame_of(earlier), true) >= 1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(what_statements_are_about)

BOOST_AUTO_TEST_CASE(what_there_is_one_of_has_a_name_in_every_language) {
  BOOST_TEST(frame_of("User lives in Porto").named == "lives");
  BOOST_TEST(frame_of("Der Nutzer wohnt in Kiel").named == "lives");
  BOOST_TEST(frame_of("User works at Acme").named == "works");
  BOOST_TEST(frame_of("User works at night").named.empty());
  BOOST_TEST(frame_of("User prefers light mode").named == frame_of("User prefers dark mode").named);
  BOOST_TEST(frame_of("User has two cats").named.empty());
}

BOOST_AUTO_TEST_CASE(a_denial_and_the_opposite_taste_are_contrary) {
  BOOST_TEST(are_contrary("User does not like olives", "User likes olives"));
  BOOST_TEST(are_contrary("User hates olives", "User loves olives"));
  BOOST_TEST(!are_contrary("User does not like olives", "User likes figs"));
}

BOOST_AUTO_TEST_CASE(another_value_at_the_same_place_is_contrary) {
  BOOST_TEST(are_contrary("User works day shifts", "User works night shifts"));
  BOOST_TEST(are_contrary("User commutes by tram", "User commutes by bike"));
  BOOST_TEST(are_contrary("User's dentist is Dr Hall", "User's dentist is Dr Moss"));
  BOOST_TEST(!are_contrary("User's sister is Ada", "User's sister is Eve"));
  BOOST_TEST(!are_contrary("User likes red wine", "User likes white wine"));
}

BOOST_AUTO_TEST_CASE(one_shared_word_does_not_replace_a_fact) {
  BOOST_TEST(takes_place("User swims every morning", "User runs every morning"));
  BOOST_TEST(takes_place("User has dinner at eight", "User eats dinner at seven"));
  BOOST_TEST(!takes_place("User plays tennis every evening", "User drinks tea every evening"));
  BOOST_TEST(!takes_place("User has dinner with a friend", "User eats dinner at seven"));
}

BOOST_AUTO_TEST_CASE(a_value_is_put_in_the_place_of_another) {
  auto moved = exchange_in("We switched the builds from Jenkins to Drone");
  BOOST_TEST(moved.before == "Jenkins");
  BOOST_TEST(moved.after == "Drone");
  BOOST_TEST(with_value("The builds run on jenkins", moved) == "The builds run on Drone");
  BOOST_TEST(with_value("The builds run on Jenkinsfiles", moved).empty());
  BOOST_TEST(exchange_in("it's the 14th, not the 15th").after == "14th");
  BOOST_TEST(exchange_in("The shop is open from nine to five").before.empty());
}

BOOST_AUTO_TEST_CASE(endings_are_seen) {
  BOOST_TEST(is_ending("User does not take the bus any more"));
  BOOST_TEST(!is_ending("User takes the bus"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
