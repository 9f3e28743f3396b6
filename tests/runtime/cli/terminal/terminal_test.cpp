#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <sstream>

#include <pty.h>
#include <unistd.h>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/commands/progress_bar.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_CASE(foreign_text_cannot_steer_the_terminal) {
  BOOST_TEST(one_line("a\x1b[31mb\r\n\tc\x07") == "a [31mb c");
  BOOST_TEST(one_line("x\xC2\x9B"
                      "2Jy")
             == "x 2Jy"); // the one-character CSI
  BOOST_TEST(one_line("a\xE2\x80\xAE"
                      "b")
             == "a b");                     // right-to-left override
  BOOST_TEST(one_line("a\xFF\xC3") == "a"); // invalid UTF-8
  BOOST_TEST(one_line("  caf\xC3\xA9  au lait ") == "caf\xC3\xA9 au lait");
}

BOOST_AUTO_TEST_CASE(text_is_cut_between_characters_and_says_so) {
  BOOST_TEST(fit("日本語テキスト", 7) == "日本語…");
  BOOST_TEST(fit("short", 5) == "short");
  BOOST_TEST(display_width("日本") == 4u);
  BOOST_TEST(pad("é", 3) == "é  ");
  BOOST_TEST(fit("anything", 0) == "");
}

BOOST_AUTO_TEST_CASE(colour_and_symbols_only_where_the_style_has_them) {
  terminal_style plain;
  BOOST_TEST(paint(plain, ink::bad, "x") == "x");
  BOOST_TEST(draw_bar(plain, 0.5, 4) == "##--");
  terminal_style rich{true, true, 80};
  BOOST_TEST(paint(rich, ink::bad, "x") == "\x1b[31mx\x1b[0m");
  BOOST_TEST(draw_bar(rich, 2, 2) == "██");
  BOOST_TEST(draw_bar(rich, -1, 2) == "░░");
}

BOOST_AUTO_TEST_CASE(a_terminal_says_how_wide_it_is_unless_the_variable_does) {
  winsize size{24, 132, 0, 0};
  int master = -1;
  int terminal = -1;
  BOOST_REQUIRE(openpty(&master, &terminal, nullptr, nullptr, &size) == 0);
  unsetenv("COLUMNS");
  BOOST_TEST(width_of_terminal(terminal) == 132u);
  setenv("COLUMNS", "60", 1);
  BOOST_TEST(width_of_terminal(terminal) == 60u);
  for (auto wrong : {"", "0", "wide", "60x", "-5"}) {
    setenv("COLUMNS", wrong, 1);
    BOOST_TEST(width_of_terminal(terminal) == 132u, wrong);
  }
  unsetenv("COLUMNS");
  BOOST_TEST(!terminal_style{}.is_limited());
  close(master);
  close(terminal);
}

BOOST_AUTO_TEST_CASE(times_are_told_as_people_tell_them) {
  BOOST_TEST(human_time(0) == "0 ms");
  BOOST_TEST(human_time(0.04) == "0.1 ms");
  BOOST_TEST(human_time(411.6) == "412 ms");
  BOOST_TEST(human_time(2500) == "2.5 s");
  BOOST_TEST(human_time(200'000) == "3 min 20 s");
  BOOST_TEST(human_time(7'200'000) == "2 h");
  BOOST_TEST(human_time(7 * 86'400'000.0) == "7 d");
}

BOOST_AUTO_TEST_CASE(progress_is_written_at_most_ten_times_a_second) {
  std::ostringstream out;
  double now = 0;
  progress_bar bar{out, {}, true, [&now] { return now; }};
  for (size_t i = 1; i <= 100; ++i) {
    now += 10;
    bar.update(i, 100, "talk");
  }
  auto text = out.str();
  auto updates = std::count(text.begin(), text.end(), '\r');
  BOOST_TEST(updates >= 10);
  BOOST_TEST(updates <= 11);
  BOOST_TEST(text.find("100/100 turns  talk") != std::string::npos);
}

} // namespace scratchpage
