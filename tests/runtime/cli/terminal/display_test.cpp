#include <sstream>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// Texts as they are shown on a terminal.

namespace scratchpage::test {

namespace {

/// A text that clears the screen in two ways, changes the writing direction, and hides a text.
constexpr auto hostile = "a\x1b[2Jb\xC2\x9B"
                         "2Jc\xE2\x80\xAE"
                         "d\xF3\xA0\x81\x81"
                         "e\nf";

bool is_harmless(const std::string& text) {
  for (auto part : {"\x1b", "\xC2\x9B", "\xE2\x80\xAE", "\xF3\xA0\x81\x81"})
    if (contains(text, part))
      return false;
  return true;
}

table two_rows() {
  table result{{{"ID"}, {"N", true}, {"SPARED", false, true}, {"TEXT"}}};
  result.add({{"one", ink::accent}, {"7"}, {"may go"}, {"short"}});
  result.add({{"three"}, {"12"}, {""}, {std::string(200, 'x')}}, {{"below", ink::faint}});
  return result;
}

std::string printed(const table& x, const terminal_style& style) {
  std::ostringstream out;
  x.print(out, style);
  return out.str();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(display, shell)

BOOST_AUTO_TEST_CASE(hostile_content_is_shown_escaped) {
  auto id = add("reminder", std::string{"Call Ann about "} + hostile, {"--confidence", "0.95"});
  auto shown = R"(a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\u{e0041}e)";
  style.width = 140;
  for (const auto& command : {std::vector<std::string>{"query"}, {"get", id}, {"goals"}}) {
    BOOST_TEST(run(command) == 0);
    BOOST_TEST(is_harmless(out), out);
    BOOST_TEST(contains(out, shown), out);
  }
  BOOST_TEST(run({"context", "a", "--budget", "1000"}) == 0);
  BOOST_TEST(is_harmless(out), out);
}

BOOST_AUTO_TEST_CASE(hostile_content_in_json_is_escaped_and_stays_the_same) {
  add("alert", hostile);
  BOOST_TEST(run({"query", "--json"}) == 0);
  BOOST_TEST(is_harmless(out), out);
  BOOST_TEST(answer().at("observations").at(0).at("content").as_string().c_str() == hostile);
}

BOOST_AUTO_TEST_CASE(hostile_words_come_back_escaped_in_what_is_refused) {
  BOOST_TEST(run({"add", "--type", hostile, "x"}) == 2);
  BOOST_TEST(is_harmless(err), err);
  add("alert", "x");
  BOOST_TEST(run({"get", hostile}) == 1);
  BOOST_TEST(is_harmless(err), err);
  input = std::string{R"({"type":"alert","content":"x",")"} + "\xE2\x80\xAE" + R"(":1})";
  BOOST_TEST(run({"add", "--file", "-"}) == 1);
  BOOST_TEST(is_harmless(err), err);
}

BOOST_AUTO_TEST_CASE(a_table_is_plain_when_piped_and_coloured_on_a_terminal) {
  add("alert", "Smoke");
  BOOST_TEST(run({"query"}) == 0);
  BOOST_TEST(!contains(out, "\x1b"), out);
  style = {true, true, 100};
  BOOST_TEST(run({"query"}) == 0);
  BOOST_TEST(contains(out, "\x1b[36mobs_"), out);
}

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_what_is_in_them) {
  auto text = printed(two_rows(), {false, false, 60});
  BOOST_TEST(text.starts_with("ID      N  SPARED  TEXT\n"
                              "one     7  may go  short\n"
                              "three  12          xxx"),
    text);
  BOOST_TEST(text.ends_with("x…\n    below\n"), text);
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_terminal) {
  std::istringstream lines{printed(two_rows(), {false, false, 60})};
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    BOOST_TEST(display_width(line) <= 60u, line);
  BOOST_TEST(count >= 3u);
}

BOOST_AUTO_TEST_CASE(a_narrow_terminal_is_spared_a_column) {
  auto text = printed(two_rows(), {false, false, 40});
  BOOST_TEST(text.starts_with("ID      N  TEXT\none     7  short\n"), text);
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_is_an_error) {
  std::ostream nowhere{nullptr};
  std::ostringstream err_stream;
  command_environment environment{nowhere, err_stream, {}, {}, false, {}, {}};
  BOOST_CHECK(finish(environment) == exit_code::unmet);
  BOOST_TEST(contains(err_stream.str(), "standard output"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
