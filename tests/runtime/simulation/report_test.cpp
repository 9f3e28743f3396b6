#define BOOST_TEST_MODULE replay_report
#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/cli/commands/simulate.hpp"
#include "scratchpage/runtime/simulation/report.hpp"
#include "scratchpage/tests/runtime/simulation/fake_player.hpp"
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

model_moment prompt(const std::string& view, uint64_t tokens) {
  return {model_moment::kind::prompt, view, tokens, 0, 0, 0};
}

model_moment compaction(uint64_t count, uint64_t offloaded, uint64_t kept) {
  return {model_moment::kind::compaction, "", 0, count, offloaded, kept};
}

/// The report of a conversation whose turns have these model events.
std::string page_of_models(
  const std::vector<std::vector<model_moment>>& turns, report_limits limits = {}) {
  play_result result;
  for (const auto& moments : turns)
    result.turns.emplace_back().model = moments;
  report page{1, limits};
  page.add(talk("t", turns.size(), "Hello"), result);
  return page.html("t", "", {});
}

/// The JSON that the script of the page reads.
json::value embedded(const std::string& page, const std::string& id) {
  auto mark = "id=\"" + id + "\">";
  auto begin = page.find(mark);
  BOOST_REQUIRE(begin != std::string::npos);
  begin += mark.size();
  return *parse_json(
    page.substr(begin, page.find("</script>", begin) - begin), {.max_bytes = 1u << 24});
}

std::string text(const json::value& x) {
  return std::string{x.as_string()};
}

/// A conversation that is written down turn by turn, and its report.
struct played_talk {
  play_result result;

  played_turn& add_turn(const std::string& input) {
    auto& turn = result.turns.emplace_back();
    turn.request.input = input;
    turn.result.turn_id = "turn_" + std::to_string(result.turns.size());
    add("user_input", input, "ann", source_kind::user);
    return turn;
  }

  /// Adds an observation to the last turn.
  observation add(const std::string& type, const std::string& content, const std::string& by,
    source_kind kind = source_kind::daemon) {
    observation x;
    x.observation_id = "obs_" + std::to_string(++last_id);
    x.type = type;
    x.content = content;
    x.source = {kind, by, result.turns.back().result.turn_id, {}};
    result.turns.back().result.observations.emplace_back(x);
    result.observations.emplace_back(x);
    return x;
  }

  /// Replaces the last observation, in the turn and in the conversation.
  void replace(const observation& x) {
    result.turns.back().result.observations.back() = observation_ptr{x};
    finish(x);
  }

  /// Replaces the observation in the conversation alone: its last form.
  void finish(const observation& x) {
    for (auto& one : result.observations)
      if (one->observation_id == x.observation_id)
        one = observation_ptr{x};
  }

  /// Makes the last observation a question of its turn.
  void ask(const observation& x) {
    replace(x);
    result.turns.back().result.questions.push_back(x.content);
  }

  /// The id of the last turn's input.
  std::string input_id() const {
    return result.turns.back().result.observations.front()->observation_id;
  }

  std::string page() const {
    report out{1, {}};
    out.add(talk("t", result.turns.size(), "Hello"), result);
    return out.html("t", "", {});
  }

  json::value data() const { return embedded(page(), "c0"); }
  json::value turns_of_page() const { return data().at("turns"); }
  json::value row_of_page() const { return embedded(page(), "index").at(0); }

private:
  int last_id = 0;
};

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

BOOST_AUTO_TEST_CASE(a_question_is_shown_with_who_asks_it) {
  observation asked;
  asked.type = "pending_confirmation";
  asked.content = "Shall I go on?";
  asked.source = {source_kind::tool, "sly", "turn_1", {}};
  play_result result;
  auto& turn = result.turns.emplace_back().result;
  turn.questions = {"sly asks: Shall I go on?", "Which city?"};
  turn.observations.emplace_back(asked);
  report page{1, {}};
  page.add(talk("t", 1, "Hello"), result);
  auto data = embedded(page.html("t", "", {}), "c0").get_object();
  BOOST_TEST(to_text(data["turns"].get_array()[0].get_object()["questions"])
             == R"([{"by":"tool sly","text":"Shall I go on?","state":"open"},)"
                R"({"by":"","text":"Which city?"}])");
}

BOOST_AUTO_TEST_CASE(both_sides_of_a_conversation_are_shown) {
  played_talk told;
  auto& turn = told.add_turn("Is the museum open?");
  told.add("progress", "I am looking it up", "assistant");
  told.add("agent_response", "It is open\nuntil five.", "assistant");
  told.add("evaluation_result", "Complete: the question was answered", "evaluator");
  turn.request.user_id = "ann";
  auto x = told.turns_of_page().at(0).get_object();
  BOOST_TEST(text(x["user"]) == "ann");
  BOOST_TEST(text(x["input"]) == "Is the museum open?");
  BOOST_TEST(to_text(x["between"]) == R"(["I am looking it up"])");
  BOOST_TEST(text(x["response"]) == "It is open\nuntil five."); // with its line ends
  BOOST_TEST(text(x["by"]) == "assistant");
  BOOST_TEST(text(x["outcome"]) == "Complete: the question was answered");
}

BOOST_AUTO_TEST_CASE(without_an_agent_the_ensembles_summary_is_no_response) {
  played_talk told;
  auto& turn = told.add_turn("Send my password by email");
  turn.result.warnings = {"Warning: A phishing mail goes round."};
  turn.result.response = "Warning: A phishing mail goes round. Complete: nothing to do";
  auto x = told.turns_of_page().at(0).get_object();
  BOOST_TEST(!x.contains("response"));
  BOOST_TEST(text(x["outcome"]) == "Complete: nothing to do");
  BOOST_TEST(to_text(x["warnings"]) == R"(["Warning: A phishing mail goes round."])");
}

BOOST_AUTO_TEST_CASE(a_question_tells_what_it_asks_for_and_which_turn_answered_it) {
  played_talk told;
  told.add_turn("Book a table");
  auto asked = told.add("pending_confirmation", "Shall I book it?", "clarifier");
  asked.metadata = {{"kind", "confirm"}};
  told.ask(asked);
  auto& second = told.add_turn("Yes, please");
  second.result.waiting = {{"obs_9", waiting_kind::inputs, "Which day?"}};
  asked.status = status::resolved;
  asked.metadata["resolved_as"] = "affirmed";
  asked.metadata["answer_id"] = told.input_id();
  told.finish(asked);
  auto turns = told.turns_of_page();
  BOOST_TEST(to_text(turns.at(0).at("questions"))
             == R"([{"by":"daemon clarifier","text":"Shall I book it?","kind":"confirm",)"
                R"("state":"affirmed","turn":1}])");
  BOOST_TEST(to_text(turns.at(1).at("answers"))
             == R"([{"turn":0,"text":"Shall I book it?","as":"affirmed"}])");
  BOOST_TEST(to_text(turns.at(1).at("waiting")) == R"([{"kind":"inputs","text":"Which day?"}])");
  BOOST_TEST(told.row_of_page().at(8).to_number<int>() == 0);
}

BOOST_AUTO_TEST_CASE(a_question_that_nobody_answers_is_open_and_counted) {
  played_talk told;
  told.add_turn("Book a table");
  auto asked = told.add("pending_confirmation", "For which day?", "clarifier");
  asked.metadata = {{"kind", "inputs"}};
  told.ask(asked);
  BOOST_TEST(text(told.turns_of_page().at(0).at("questions").at(0).at("state")) == "open");
  BOOST_TEST(told.row_of_page().at(8).to_number<int>() == 1);
}

BOOST_AUTO_TEST_CASE(calls_that_the_agent_reports_are_marked) {
  played_talk told;
  told.add_turn("What is the weather?");
  auto call = told.add("error_alert", "Tool 'radar' failed: HTTP 500", "radar", source_kind::tool);
  call.metadata = {{"reported", true}, {"call_id", "c1"}, {"tool_id", "radar"}, {"status", "error"},
    {"error", "HTTP 500"}, {"duration_ms", 80}};
  told.replace(call);
  told.add("recovery_plan", "Retry radar", "error_handler");
  auto x = told.turns_of_page().at(0).get_object();
  BOOST_TEST(to_text(x["calls"])
             == R"([{"tool":"radar","status":"error","from":0,"ms":80,"reported":true,)"
                R"("error":"HTTP 500"}])");
  BOOST_TEST(to_text(x["recoveries"]) == R"(["Retry radar"])");
}

BOOST_AUTO_TEST_CASE(turns_tell_what_happened_to_goals) {
  played_talk told;
  goal wish;
  wish.goal_id = "g1";
  wish.goal_type = "wish";
  wish.title = "Table for 2 at Nora's";
  wish.status = goal_status::in_progress;
  wish.context = {{"user_id", "ann"}};
  told.add_turn("Book a table for two at Nora's").result.goals = {wish};
  wish.status = goal_status::completed;
  told.add_turn("Thanks").result.goals = {wish};
  told.result.goals = {wish};
  auto turns = told.turns_of_page();
  BOOST_TEST(
    to_text(turns.at(0).at("goals")) == R"([{"what":"opened","title":"Table for 2 at Nora's"}])");
  BOOST_TEST(to_text(turns.at(1).at("goals"))
             == R"([{"what":"completed","title":"Table for 2 at Nora's"}])");
  BOOST_TEST(text(told.data().at("goals").at(0).at("user")) == "ann");
}

BOOST_AUTO_TEST_CASE(long_lists_of_a_turn_are_cut_and_counted) {
  played_talk told;
  auto& turn = told.add_turn("Look everywhere");
  for (int i = 0; i < 50; ++i)
    turn.calls.emplace_back().call_id = "c" + std::to_string(i);
  auto x = told.turns_of_page().at(0).get_object();
  BOOST_TEST(x["calls"].as_array().size() == report_limits{}.entries);
  BOOST_TEST(x["more_calls"].to_number<size_t>() == 50u - report_limits{}.entries);
}

BOOST_AUTO_TEST_CASE(what_agents_say_never_becomes_markup) {
  played_talk told;
  told.add_turn("Hello");
  told.add("agent_response", attack, "assistant");
  auto page = told.page();
  BOOST_TEST(page.find("alert(1)</script>") == std::string::npos);
  BOOST_TEST(text(told.turns_of_page().at(0).at("response")) == attack);
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

BOOST_AUTO_TEST_CASE(each_turn_has_what_the_scratchbook_showed_in_its_prompts) {
  auto text = page_of_models({
    {prompt("s1 todo: Ask\ns2 note: Ann", 700), compaction(1, 500, 80),
      prompt("s3 note: 4 earlier messages\ns1 todo: Ask", 400)},
    {prompt("s3 note: 4 earlier messages\ns1 todo: Ask", 420)},
  });
  auto data = embedded(text, "c0").get_object();
  BOOST_TEST(to_text(data["lines"])
             == R"(["s1 todo: Ask","s2 note: Ann","s3 note: 4 earlier messages"])"); // each once
  BOOST_TEST(to_text(data["views"]) == "[[0,1],[2,0]]");
  auto model_of = [&](size_t turn) {
    return to_text(data["turns"].get_array()[turn].get_object()["model"]);
  };
  BOOST_TEST(model_of(0)
             == R"([{"view":0,"tokens":700},{"compactions":1,"offloaded":500,"kept":80},)"
                R"({"view":1,"tokens":400}])");
  BOOST_TEST(model_of(1) == R"([{"view":1,"tokens":420}])");
  BOOST_TEST(data["hidden"].get_object()["views"].to_number<int>() == 0);
}

BOOST_AUTO_TEST_CASE(a_turn_without_a_prompt_has_the_view_after_it) {
  auto x = talk("t", 1, "Hello");
  play_result result;
  result.turns.emplace_back().scratchbook = "s1 note: Ann";
  report page{1};
  page.add(x, result);
  auto data = embedded(page.html("t", "", {}), "c0").get_object();
  BOOST_TEST(to_text(data["turns"].get_array()[0].get_object()["model"]) == R"([{"view":0}])");
  BOOST_TEST(to_text(data["views"]) == "[[0]]");
}

BOOST_AUTO_TEST_CASE(without_a_window_nothing_is_said_of_scratchbooks) {
  auto page = page_of(1, 2, "Hello");
  auto data = embedded(page, "c0").get_object();
  BOOST_TEST(!data["turns"].get_array()[0].get_object().contains("model"));
  BOOST_TEST(page.find("<span>compactions</span>") == std::string::npos);
  run_summary seen;
  seen.prompts = 4;
  seen.forgotten = 1;
  auto with_window = report{1}.html("t", "", seen);
  BOOST_TEST(with_window.find("<span>compactions</span>") != std::string::npos);
  BOOST_TEST(
    with_window.find("<div class=\"tile bad\"><b>1</b><span>forgotten") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_scratchbook_holds_never_becomes_markup) {
  auto plain = page_of_models({{prompt("s1 note: Hello", 1)}});
  auto text = page_of_models({{prompt(std::string{"s1 note: "} + attack, 1)}});
  BOOST_TEST(text.find("alert(1)</script>") == std::string::npos);
  BOOST_TEST(occurrences(text, "</script>") == occurrences(plain, "</script>"));
  BOOST_TEST(occurrences(text, "<!--") == 0u);
  auto data = embedded(text, "c0").get_object();
  auto line = data["lines"].get_array()[0].get_string();
  BOOST_TEST(std::string_view{line}.starts_with("s1 note: </script><script>alert(1)"));
  for (auto part : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("})
    BOOST_TEST(text.find(part) == std::string::npos, part);
}

BOOST_AUTO_TEST_CASE(views_that_have_no_room_are_counted) {
  std::vector<model_moment> moments;
  moments.reserve(51);
  for (int i = 0; i < 50; ++i)
    moments.push_back(prompt("s1 note: " + std::to_string(i) + std::string(200, 'x'), 1));
  moments.push_back(moments.back());
  auto data = embedded(page_of_models({moments}, {.conversation_bytes = 24'000}), "c0");
  auto hidden = data.at("hidden").at("views").to_number<size_t>();
  auto shown = data.at("views").as_array().size();
  BOOST_TEST(hidden > 0u);
  BOOST_TEST(shown > 0u);
  BOOST_TEST(hidden + shown == 50u); // the last one is of another source
  const auto& model = data.at("turns").at(0).at("model").as_array();
  BOOST_TEST(model.size() == 51u);
  BOOST_TEST(model[50].at("view").to_number<int>() == -1);
  BOOST_TEST(to_text(data).size() < 24'000u);
}

BOOST_AUTO_TEST_CASE(personal_data_is_masked_in_views_too) {
  play_result result;
  auto& turn = result.turns.emplace_back();
  turn.scratchbook = "s1 note: ada@example.org";
  turn.model = {prompt("s1 note: ada@example.org", 1)};
  auto safe = masked(result, pii_masker{});
  BOOST_TEST(safe.turns[0].scratchbook == "s1 note: [email]");
  BOOST_TEST(safe.turns[0].model[0].view == "s1 note: [email]");
}

BOOST_AUTO_TEST_CASE(an_empty_run_makes_a_page_too) {
  report page{1};
  page.add(talk("t", 0, ""), {});
  BOOST_TEST(page.html("t", "", {}).find("</html>") != std::string::npos);
}

} // namespace scratchpage
