#define BOOST_TEST_MODULE simulate
#include <boost/test/unit_test.hpp>

#include <sstream>

#include "scratchpage/runtime/cli/terminal/story.hpp"
#include "scratchpage/tests/runtime/simulation/fake_player.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage {

using test::contains;

namespace {

conversation small_talk(const std::string& id) {
  conversation x;
  x.id = id;
  x.file = "talk.jsonl";
  x.agents = {id};
  turns_step step;
  auto& turn = step.turns.emplace_back();
  turn.request.input = "Where is my parcel?\x1b[2J";
  turn.request.plan.push_back({"c1", "track_parcel", {}, {}, {}, {}});
  turn.recorded_response = "It is late";
  x.steps.push_back({"talk.jsonl:1", step});
  recorded_response answer;
  answer.call_id = "c1";
  answer.status = tool_status::error;
  answer.outputs["error"] = "Error: no such parcel";
  recorded_tool recording;
  recording.responses.push_back(answer);
  x.tools.emplace_back().kind = recording;
  return x;
}

play_result play(const conversation& x) {
  test::fake_player::log calls;
  return *test::fake_player{calls}.play(x, {});
}

std::string told(size_t conversations, bool verbose, terminal_style style = {}) {
  std::ostringstream out;
  story_printer story{out, style, {conversations, 4, verbose}};
  run_summary total;
  for (size_t i = 0; i < conversations; ++i) {
    auto x = small_talk("t" + std::to_string(i));
    auto result = play(x);
    total += result.counters;
    story.tell(x, result);
  }
  story.tell_end(total);
  return out.str();
}

size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_turn_tells_urgency_calls_errors_and_recoveries) {
  auto text = told(1, false);
  BOOST_TEST(contains(text, "  1  low    Where is my parcel? [2J"));
  BOOST_TEST(contains(text, "call fails track_parcel: error, 120 ms"));
  BOOST_TEST(contains(text, "error      track_parcel failed: Error: no such parcel"));
  BOOST_TEST(contains(text, "recovery   Go on without track_parcel"));
  BOOST_TEST(contains(text, "answers    It is late"));
}

BOOST_AUTO_TEST_CASE(goals_are_told_with_their_progress) {
  auto text = told(1, false);
  BOOST_TEST(contains(text, "in progress  ####------  40 %  Help with what was asked first"));
  BOOST_TEST(contains(text, "for user Ask whether it helped"));
  BOOST_TEST(contains(text, "70 %  Calls take about 120 ms"));
}

BOOST_AUTO_TEST_CASE(a_plain_story_has_no_escapes_and_keeps_its_width) {
  constexpr size_t width = 100;
  auto text = told(1, true, {false, false, width});
  BOOST_TEST(!contains(text, "\x1b"));
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    BOOST_TEST(line.size() <= width + 4, line);
}

BOOST_AUTO_TEST_CASE(a_story_in_a_file_has_whole_texts) {
  auto x = small_talk("t");
  auto& turns = std::get<turns_step>(x.steps.front().what).turns;
  turns.front().request.input = std::string(300, 'x') + " end";
  auto result = play(x);
  std::ostringstream out;
  story_printer story{out, {}, {1, 4, true}};
  story.tell(x, result);
  BOOST_TEST(contains(out.str(), "x end"));
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_colours) {
  BOOST_TEST(contains(told(1, false, {true, true, 80}), "\x1b[31m"));
}

BOOST_AUTO_TEST_CASE(many_conversations_get_a_line_each_unless_all_is_asked_for) {
  auto brief = told(20, false);
  BOOST_TEST(lines_of(brief) < 40u);
  BOOST_TEST(contains(brief, "t19"));
  BOOST_TEST(!contains(brief, "recovery   Go on"));
  auto all = told(20, true);
  BOOST_TEST(contains(all, "recovery   Go on"));
  BOOST_TEST(lines_of(all) > 200u);
}

BOOST_AUTO_TEST_CASE(the_lines_about_conversations_are_bounded) {
  auto text = told(told_in_a_line + 5, false);
  BOOST_TEST(contains(text, "and 5 more conversations"));
  BOOST_TEST(lines_of(text) < told_in_a_line + 20);
}

BOOST_AUTO_TEST_CASE(the_end_tells_the_figures) {
  auto text = told(2, false);
  BOOST_TEST(contains(text, "tool errors     2"));
  BOOST_TEST(contains(text, "lost            0"));
}

} // namespace scratchpage
