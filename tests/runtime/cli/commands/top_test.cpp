#include <algorithm>
#include <string>
#include <vector>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/terminal/top_frame.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage top` and its frames.

namespace scratchpage::test {

namespace {

agent_snapshot snapshot() {
  agent_snapshot x;
  x.agent = "ada";
  x.at = timestamp{std::chrono::hours{12}};
  x.page.sequence = 100;
  x.page.live = 7;
  return x;
}

/// Whether a line of the frame contains `part`.
bool shows(const std::vector<std::string>& frame, std::string_view part) {
  return std::any_of(
    frame.begin(), frame.end(), [&](const std::string& line) { return contains(line, part); });
}

size_t widest(const std::vector<std::string>& frame) {
  size_t result = 0;
  for (const auto& line : frame)
    result = std::max(result, display_width(line));
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(top)

BOOST_AUTO_TEST_CASE(rates_come_of_two_looks_and_a_page_that_begins_anew_has_none) {
  auto before = snapshot();
  auto now = before;
  now.at += std::chrono::seconds{2};
  now.page.sequence = 125;
  BOOST_TEST(changes_per_second(before, now) == 12.5);
  BOOST_TEST(changes_per_second(now, now) == 0);
  now.page.sequence = 3;
  BOOST_TEST(changes_per_second(before, now) == 0);
}

BOOST_AUTO_TEST_CASE(who_lags_stands_first_and_how_long_it_waits) {
  auto x = snapshot();
  x.subscribers.subscribers = {{"router", 0, true, 0}, {"slow one", 40, false, 12'000}};
  auto frame = draw_frame(x, {}, {}, 30);
  auto title = std::find_if(
    frame.begin(), frame.end(), [](const auto& line) { return contains(line, "SUBSCRIBER"); });
  BOOST_REQUIRE((frame.end() - title > 2));
  BOOST_TEST(contains(title[1], "slow one"));
  BOOST_TEST(contains(title[1], "12"));
  BOOST_TEST(contains(title[2], "router"));
}

BOOST_AUTO_TEST_CASE(it_fits_every_screen_and_no_text_steers_it) {
  auto x = snapshot();
  x.agent = "ada\x1b[2J" + std::string(300, 'a');
  for (int i = 0; i < 50; ++i) {
    x.subscribers.subscribers.push_back({"s" + std::to_string(i), 1, false, 0});
    turn_summary turn;
    turn.turn_id = "turn_" + std::to_string(i);
    turn.input = "first\nsecond \x1b[31m" + std::string(500, 'x');
    x.turns.turns.push_back(turn);
    goal one;
    one.goal_id = "goal_" + std::to_string(i);
    x.goals.goals.push_back(one);
  }
  rate_history rates(60, 3.0);
  for (size_t width : {40, 60, 80, 100, 160}) {
    for (size_t height : {1, 5, 12, 24, 60}) {
      terminal_style style;
      style.width = width;
      auto frame = draw_frame(x, rates, style, height);
      BOOST_TEST(frame.size() <= height);
      BOOST_TEST(widest(frame) <= width);
      for (const auto& line : frame)
        BOOST_TEST(!contains(line, "\x1b"));
    }
  }
}

BOOST_AUTO_TEST_CASE(open_turns_and_goals_and_what_is_new_are_shown) {
  auto x = snapshot();
  turn_summary turn;
  turn.turn_id = "turn_7";
  turn.input = "Find a flight";
  turn.started_at = x.at - std::chrono::seconds{3};
  x.turns.turns = {turn};
  goal trip;
  trip.goal_id = "trip";
  trip.title = "Book the trip";
  trip.progress = 0.5;
  x.goals.goals = {trip};
  auto frame = draw_frame(x, {1, 2, 3}, {}, 40);
  BOOST_TEST(shows(frame, "running"));
  BOOST_TEST(shows(frame, "Find a flight"));
  BOOST_TEST(shows(frame, "50 %"));
  BOOST_TEST(shows(frame, "live 7"));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_counted_and_a_key_shows_all_of_it) {
  auto x = snapshot();
  for (int i = 10; i < 30; ++i)
    x.subscribers.subscribers.push_back({"s" + std::to_string(i), 1, false, 0});
  terminal_style style;
  style.width = 80;
  auto overview = draw_frame(x, {}, style, 24);
  BOOST_TEST(shows(overview, "… 3 more; s shows all 20 subscribers"));
  BOOST_TEST(shows(overview, "s26"));
  BOOST_TEST(!shows(overview, "s27"));
  top_view view;
  BOOST_TEST(view.take("s", 16, x));
  auto first = draw_frame(x, {}, style, 16, view);
  BOOST_TEST(shows(first, "20 subscribers, 1 to 10"));
  BOOST_TEST(view.take("\x1b[B\x1b[6~", 16, x)); // down, page down
  auto later = draw_frame(x, {}, style, 16, view);
  BOOST_TEST(shows(later, "20 subscribers, 10 to 19"));
  BOOST_TEST(view.take("   ", 16, x));
  BOOST_TEST(shows(draw_frame(x, {}, style, 16, view), "20 subscribers, 11 to 20"));
  BOOST_TEST(view.take("o", 16, x));
  BOOST_TEST(shows(draw_frame(x, {}, style, 24, view), "3 more"));
  BOOST_TEST(!view.take("q", 16, x));
}

BOOST_AUTO_TEST_CASE(the_help_fits_every_screen_by_scrolling) {
  top_view view;
  BOOST_TEST(view.take("?", 10, snapshot()));
  terminal_style style;
  style.width = 40;
  BOOST_TEST(shows(draw_frame(snapshot(), {}, style, 10, view), "ends it"));
  BOOST_TEST(
    view.take("\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b[6~\x1b[6~", 10, snapshot()));
  auto end = draw_frame(snapshot(), {}, style, 10, view);
  BOOST_TEST(end.size() <= 10u);
  BOOST_TEST(shows(end, "  BY  "));
  BOOST_TEST(widest(end) <= 40u);
  BOOST_TEST(view.take("?", 10, snapshot()));
  BOOST_TEST(shows(draw_frame(snapshot(), {}, style, 10, view), "live 7"));
}

BOOST_FIXTURE_TEST_CASE(one_look_is_for_those_who_are_no_terminal, shell) {
  add("alert", "Smoke in the hall");
  BOOST_TEST(run({"top"}) == 0);
  BOOST_TEST(contains(out, "Smoke in the hall"));
  BOOST_TEST(contains(out, "stand_in")); // the daemons begin with the first turn
  BOOST_TEST(!contains(out, "\x1b"));
  BOOST_TEST(run({"top", "--json"}) == 0);
  BOOST_TEST(answer().at("page").at("live").to_number<int>() == 1);
  BOOST_TEST(answer().at("subscribers").as_array().size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_wrong_option_is_named, shell) {
  BOOST_TEST(run({"top", "--every", "0"}) == 2);
  BOOST_TEST(contains(err, "--every"));
  BOOST_TEST(run({"top", "-n", "0"}) == 2);
  BOOST_TEST(contains(err, "-n"));
  add("alert", "Smoke");
  BOOST_TEST(run({"top", "--agent", "nobody"}) == 2);
  BOOST_TEST(contains(err, "nobody"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
