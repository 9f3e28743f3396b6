#include <boost/test/unit_test.hpp>

#include <array>
#include <string>

#include "scratchpage/messages/text/near_names.hpp"

/// Which known name was meant by an unknown one.

namespace scratchpage::test {

namespace {

constexpr std::array<std::string_view, 6> known{
  "type", "content", "tags", "ttl_minutes", "observation_id", "limit"};

std::string near(std::string_view given) {
  return std::string{near_member(given, known).value_or("none")};
}

} // namespace

BOOST_AUTO_TEST_SUITE(names_that_are_near)

BOOST_AUTO_TEST_CASE(a_name_of_another_interface_leads_to_the_one_of_this) {
  BOOST_TEST(near("text") == "content");
  BOOST_TEST(near("kind") == "type");
  BOOST_TEST(near("id") == "observation_id");
  BOOST_TEST(near("max_results") == "limit");
  BOOST_TEST(near("ttl") == "ttl_minutes");
}

BOOST_AUTO_TEST_CASE(a_few_wrong_letters_and_another_form_do_not_matter) {
  BOOST_TEST(near("cotnent") == "content");
  BOOST_TEST(near("contents") == "content");
  BOOST_TEST(near("tgas") == "tags");
  BOOST_TEST(near("observationId") == "observation_id");
  BOOST_TEST(near("Observation-ID") == "observation_id");
  BOOST_TEST(near("observation") == "content"); // as it is called by many
  BOOST_TEST(near("minutes") == "ttl_minutes");
  BOOST_TEST(near("lim") == "limit"); // one that is cut off
}

BOOST_AUTO_TEST_CASE(what_is_far_from_all_leads_to_none) {
  for (const auto* given : {"", "x", "colour", "xyzzy"})
    BOOST_TEST(near(given) == "none", given);
  BOOST_TEST(near(std::string(100'000, 't')) == "none");
}

BOOST_AUTO_TEST_CASE(a_value_has_words_of_its_own) {
  constexpr std::array<std::string_view, 3> states{"open", "in_progress", "done"};
  BOOST_TEST(near_value("finished", states).value_or("") == "done");
  BOOST_TEST(near_value("in progress", states).value_or("") == "in_progress");
  BOOST_TEST(near_value("doing", states).value_or("") == "in_progress");
  BOOST_TEST(!near_value("purple", states));
}

BOOST_AUTO_TEST_CASE(a_word_of_an_interface_is_written_as_this_one_writes_it) {
  BOOST_TEST(as_member_name("maxResults") == "max_results");
  BOOST_TEST(as_member_name("Max-Results") == "max_results");
  BOOST_TEST(as_member_name("to do") == "to_do");
  BOOST_TEST(as_member_name(std::string(1'000, 'x')).size() == near_name_bytes);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
