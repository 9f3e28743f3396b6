#define BOOST_TEST_MODULE replay_report
#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/replay/report.hpp"
#include "scratchpage/tests/replay/fake_player.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage {

namespace {

constexpr auto attack = "</script><script>alert(1)</script><!-- & \" ' \xE2\x80\xA8";

conversation talk(const std::string& id, size_t turns, const std::string& input) {
  conversation x;
  x.id = id;
  x.file = "talk.jsonl";
  x.agents = {id};
  for (size_t i = 0; i < turns; ++i) {
    turns_step step;
    auto& turn = step.turns.emplace_back();
    turn.request.agent_id = id;
    turn.request.input = input;
    for (size_t k = 0; k < i % 4; ++k)
      turn.request.plan.push_back(
        {std::to_string(i) + "_" + std::to_string(k), "look_up", {}, {}, {}, {}});
    x.steps.push_back({"talk.jsonl:1", std::move(step)});
  }
  return x;
}

std::string page_of(
  size_t conversations, size_t turns, const std::string& input, report_limits limits = {}) {
  report page{conversations, limits};
  run_summary total;
  test::fake_player::log calls;
  test::fake_player player{calls};
  for (size_t i = 0; i < conversations; ++i) {
    auto x = talk("talk " + std::to_string(i), turns, input);
    auto result = *player.play(x, {});
    total += result.counters;
    page.add(x, result);
  }
  return page.html("A run of <b>talks</b>", "seed 1", total);
}

/// The JSON that the page's script reads.
json::value embedded(const std::string& page, const std::string& id) {
  auto mark = "id=\"" + id + "\">";
  auto begin = page.find(mark);
  BOOST_REQUIRE(begin != std::string::npos);
  begin += mark.size();
  return *parse_json(
    page.substr(begin, page.find("</script>", begin) - begin), {.max_bytes = 1u << 24});
}

size_t occurrences(const std::string& text, std::string_view part) {
  size_t result = 0;
  for (auto pos = text.find(part); pos != std::string::npos; pos = text.find(part, pos + 1))
    ++result;
  return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_page_holds_turns_observations_goals_and_marks) {
  auto data = embedded(page_of(1, 3, "Hello"), "c0").get_object();
  BOOST_TEST(data["turns"].get_array().size() == 3u);
  BOOST_TEST(data["goals"].get_array().size() == 1u);
  BOOST_TEST(data["observations"].get_array().size() > 8u);
  auto lanes = to_text(data["lanes"]);
  BOOST_TEST(
    lanes.find("\"router\",\"executor\",\"tools\",\"evaluator\"") != std::string::npos, lanes);
  const auto& first = data["marks"].get_array().at(0).get_array();
  BOOST_TEST(first.size() >= 6u);
  BOOST_TEST(first[3].to_number<double>() == 0);
  BOOST_TEST(first[5].to_number<int>() == 0);
}

BOOST_AUTO_TEST_CASE(what_was_said_never_becomes_markup) {
  auto plain = page_of(1, 1, "Hello");
  auto page = page_of(1, 1, attack);
  BOOST_TEST(page.find("alert(1)</script>") == std::string::npos);
  BOOST_TEST(occurrences(page, "</script>") == occurrences(plain, "</script>"));
  auto data = embedded(page, "c0").get_object();
  auto input = data["turns"].get_array()[0].get_object()["input"].get_string();
  BOOST_TEST(std::string_view{input}.starts_with("</script><script>alert(1)"));
  BOOST_TEST(page.find("<b>talks") == std::string::npos);
  BOOST_TEST(page.find("&lt;b&gt;talks") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_page_loads_nothing) {
  auto page = page_of(1, 1, "Hello");
  for (auto part : {"src=", "href=", "@import", "url(", "fetch(", "https:"})
    BOOST_TEST(page.find(part) == std::string::npos, part);
  BOOST_TEST(page.find("default-src 'none'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_hundred_conversations_stay_within_the_limit) {
  auto page = page_of(100, 12, std::string(4000, 'x'));
  BOOST_TEST(page.size() < report_limits{}.total_bytes + (200u << 10));
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_counted_exactly) {
  auto whole = embedded(page_of(1, 40, "Hello"), "c0").get_object();
  auto cut = embedded(page_of(1, 40, "Hello", {.conversation_bytes = 6000}), "c0").get_object();
  auto hidden = cut["hidden"].get_object();
  for (auto part : {"turns", "observations", "marks"}) {
    auto all = whole[part].get_array().size();
    auto shown = cut[part].get_array().size();
    BOOST_TEST(shown < all, part);
    BOOST_TEST(shown + hidden[part].to_number<size_t>() == all, part);
  }
  BOOST_TEST(whole["hidden"].get_object()["marks"].to_number<int>() == 0);
}

BOOST_AUTO_TEST_CASE(conversations_beyond_the_limit_are_counted) {
  auto page = page_of(5, 1, "Hello", {.conversations = 3});
  BOOST_TEST(embedded(page, "index").get_array().size() == 3u);
  BOOST_TEST(page.find("2 more conversations are not shown") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(failures_are_kept_when_marks_are_left_out) {
  auto x = talk("t", 1, "Hello");
  play_result result;
  for (size_t i = 0; i < 5000; ++i) {
    trace_entry entry;
    entry.id = i + 1;
    entry.at = *from_rfc3339("2025-11-05T09:00:00Z");
    entry.component = i % 2 == 0 ? "scratch_page" : "router";
    entry.operation = "look";
    entry.status = i == 4000 ? "conflict" : "success";
    result.trace.push_back(entry);
  }
  report page{1, {.conversation_bytes = 8000}};
  page.add(x, result);
  auto text = page.html("t", "", {});
  BOOST_TEST(
    to_text(embedded(text, "c0").get_object()["words"]).find("conflict") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_run_makes_a_page_too) {
  report page{1};
  page.add(talk("t", 0, ""), {});
  BOOST_TEST(page.html("t", "", {}).find("</html>") != std::string::npos);
}

} // namespace scratchpage
