#include "scratchpage/messages/principal_name.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_CASE(a_name_may_be_in_any_language_and_have_blanks_within) {
  for (const auto* name : {"ann", "Ann Smith", "ada's laptop", "Jürgen", "日本語", "a\xC2\xA0z",
         "user", "tools", "useful", "Usher", "ann, who is relayed by bob"})
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
  for (std::string_view name : {"", "executors", "executor2", "user", "ann", "daemon", "my turns"})
    BOOST_TEST(!looks_like_component(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_of_the_ensemble_is_known_in_letters_that_look_the_same) {
  for (std::string_view name : {
         "\u0435xecutor",                                    // Cyrillic
         "\u0415\u0425ecut\u043er",                          // in capitals
         "execut\u03bfr",                                    // Greek
         "\uff45\uff58\uff45\uff43\uff55\uff54\uff4f\uff52", // full-width letters
         "\U0001d404\U0001d431\U0001d41ecutor",              // mathematical letters
         "\U0001d6acvaluator",                               // a mathematical Greek letter
         "\u24d4xecutor",                                    // a letter in a circle
         "\u00e9xecutor",
         "e\u0301xecutor",
         "\u1eb9xecutor", // with a diacritic
         "clari\ufb01er", // a ligature
         "c\u0131arifier",
         "cIarifier",
         "execut0r",
         "c1ar1f1er",
         "joumal",
       })
    BOOST_TEST(looks_like_component(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_of_the_ensemble_is_known_with_any_blanks_and_punctuation) {
  for (std::string_view name :
    {"exe cutor", "executor.", "\"executor\"", "(executor)", "frontal cortex", "frontal-cortex",
      "frontal\u2010cortex", "frontalcortex", "executor\u3002", "executor \u2713",
      "daemon executor", "Daemon: executor", "daemon_executor"})
    BOOST_TEST(looks_like_component(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_in_another_script_is_none_of_the_ensembles) {
  for (std::string_view name : {"Роутер", "Исполнитель", "Анна", "Άννα", "Νίκος", "Δρομολογητής",
         "實行者", "アン", "אנה", "آن", "Łukasz", "Çağrı", "Ann (owner)"})
    BOOST_TEST(!looks_like_component(name), name);
  for (const auto* name : {"Роутер", "Анна", "Νίκος", "アン", "Çağrı", "Ann (owner)"})
    BOOST_TEST(is_plain_name(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_is_not_read_as_a_kind_and_another_name) {
  for (std::string_view name : {"user ann", "User ann", "DAEMON x", "tool gauge", "user\u00a0ann",
         "us\u0435r ann", "\uff55\uff53\uff45\uff52 ann", "ann, relayed by nobody",
         "ann,relayed by x", "ann, Relayed  by x", "ann\uff0c relayed by x", "x, relayed by"})
    BOOST_TEST(!is_plain_name(name), name);
}

BOOST_AUTO_TEST_CASE(a_text_looks_as_it_is_without_its_edges_and_what_is_hidden) {
  BOOST_TEST(look_of("  Main  Thread ") == "main  thread");
  BOOST_TEST(look_of("t\xE2\x80\x8B \xE3\x85\xA4") == "t");
  BOOST_TEST(look_of("Ünder") == "Ünder"); // only ASCII letters become lower case
  BOOST_TEST(look_of("\xFF") == "\xFF");
  BOOST_TEST(look_of(" ").empty());
}

} // namespace scratchpage
