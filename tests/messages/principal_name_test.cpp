#include "scratchpage/messages/principal_name.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/component_names.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_CASE(a_name_may_be_in_any_language_and_have_blanks_within) {
  for (const auto* name : {"ann", "Ann Smith", "ada's laptop", "Jürgen", "日本語", "a\xC2\xA0z"})
    BOOST_TEST(is_plain_name(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_that_does_not_say_what_it_looks_like_is_not_plain) {
  for (std::string_view name :
    {"", " ", "ann ", " ann", "ann\n", "a\nb", "a\tb", "a\x1b[2J", "ann\xC2\xA0", "a\xE2\x80\xAEz",
      "ann\xE2\x80\x8B", "ann\xEF\xB8\x8F", "\xE3\x85\xA4", "ann\xFF"})
    BOOST_TEST(!is_plain_name(name));
  BOOST_TEST(!is_plain_name(std::string_view{"ann\0", 4}));
}

BOOST_AUTO_TEST_CASE(a_name_of_the_ensemble_is_known_however_it_is_written) {
  for (auto name : component_names)
    BOOST_TEST(looks_like_component(name), name);
  for (std::string_view name :
    {"Executor", "EXECUTOR", " executor", "executor ", "executor\n", "exec\xE2\x80\x8Butor",
      "executor\xEF\xB8\x8F", "\xE2\x80\xAErouter", "cla\xE2\x80\x8Brifier", "turn\xC5\xBF"})
    BOOST_TEST(looks_like_component(name), name);
  BOOST_TEST(looks_like_component(std::string_view{"executor\0", 9}));
  for (std::string_view name : {"", "executors", "exe cutor", "executor2", "user", "ann"})
    BOOST_TEST(!looks_like_component(name), name);
}

BOOST_AUTO_TEST_CASE(a_text_looks_as_it_is_without_its_edges_and_what_is_hidden) {
  BOOST_TEST(look_of("  Main  Thread ") == "main  thread");
  BOOST_TEST(look_of("t\xE2\x80\x8B \xE3\x85\xA4") == "t");
  BOOST_TEST(look_of("Ünder") == "Ünder"); // only the letters of ASCII become small
  BOOST_TEST(look_of("\xFF") == "\xFF");
  BOOST_TEST(look_of(" ").empty());
}

} // namespace scratchpage
