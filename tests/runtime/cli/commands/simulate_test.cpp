#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/tests/runtime/simulation/fake_player.hpp"
#include "scratchpage/tests/support/contains.hpp"

namespace scratchpage {

using test::contains;

namespace {

namespace fs = std::filesystem;

constexpr auto one_turn = R"({"scenario": "one", "steps": [{"turn": {"input": "Hello"}}]})";
constexpr auto unmet_turn = R"({"scenario": "unmet", "steps": [
  {"turn": {"input": "Hello"}},
  {"expect": {"turn": {"urgency": "high"}}}]})";
constexpr auto two_talks = R"({"id":"a","messages":[{"role":"user","content":"Hi"}]}
{"id":"b","messages":[{"role":"user","content":"Ho"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"Error: no"}]}
)";

std::string content_of(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// A temporary directory, and commands in it.
struct simulate_fixture {
  simulate_fixture() {
    auto base = (fs::temp_directory_path() / "scratchpage_simulate_XXXXXX").string();
    folder = mkdtemp(base.data());
  }

  ~simulate_fixture() { fs::remove_all(folder); }

  std::string file(const std::string& name, std::string_view text) {
    std::ofstream{folder / name, std::ios::binary} << text;
    return (folder / name).string();
  }

  std::string path(const std::string& name) const { return (folder / name).string(); }

  int run(const std::vector<std::string>& words) {
    std::vector<const char*> argv{"scratchpage"};
    for (const auto& word : words)
      argv.push_back(word.c_str());
    std::ostringstream out_stream, err_stream;
    command_environment environment{out_stream, err_stream, {}, {}, show_progress, {}, {}};
    environment.now_ms = [this] { return now += 250; };
    environment.make_player = [this] { return std::make_unique<test::fake_player>(calls); };
    auto result = run_command_line(static_cast<int>(argv.size()), argv.data(), environment);
    out = out_stream.str();
    err = err_stream.str();
    return result;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator{folder})
      result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

  fs::path folder;
  test::fake_player::log calls;
  bool show_progress = false;
  double now = 0;
  std::string out;
  std::string err;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(simulate_command, simulate_fixture)

BOOST_AUTO_TEST_CASE(a_scenario_is_played_and_told) {
  auto input = file("one.json", one_turn);
  BOOST_TEST(run({"simulate", input}) == 0);
  BOOST_TEST(contains(out, "Hello"));
  BOOST_TEST(contains(out, "complete"));
  BOOST_TEST(err == "");
}

BOOST_AUTO_TEST_CASE(content_decides_what_an_input_is) {
  auto transcript = file("talks.json", two_talks);
  auto scenario = file("one.jsonl", one_turn);
  BOOST_TEST(run({"simulate", transcript, scenario}) == 0);
  std::vector<std::string> expected{"a", "b", "one"};
  BOOST_TEST(calls.played == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_summary_on_the_output_stands_there_alone) {
  auto input = file("talks.jsonl", two_talks);
  BOOST_TEST(run({"simulate", input, "--summary", "-"}) == 0);
  auto summary = from_json_text<run_summary>(out);
  BOOST_REQUIRE(summary);
  BOOST_TEST(summary->conversations == 2u);
  BOOST_TEST(summary->turns == 2u);
  BOOST_TEST(summary->tool_calls == 1u);
  BOOST_TEST(summary->tool_errors == 1u);
  BOOST_TEST(summary->wall_ms > 0);
  BOOST_TEST(contains(err, "tool errors")); // part of the story
}

BOOST_AUTO_TEST_CASE(outputs_are_written_whole) {
  auto input = file("talks.jsonl", two_talks);
  BOOST_TEST(run({"simulate", input, "--quiet", "--summary", path("s.json"), "--trace",
               path("t.jsonl"), "--report", path("r.html")})
             == 0);
  BOOST_TEST(out == "");
  BOOST_TEST(err == "");
  auto summary = from_json_text<run_summary>(content_of(path("s.json")));
  BOOST_REQUIRE(summary);
  auto trace = content_of(path("t.jsonl"));
  BOOST_TEST(
    static_cast<uint64_t>(std::count(trace.begin(), trace.end(), '\n')) == summary->trace_entries);
  BOOST_TEST(!!from_json_text<trace_entry>(trace.substr(0, trace.find('\n'))));
  BOOST_TEST(contains(content_of(path("r.html")), "</html>"));
  BOOST_TEST(names().size() == 4u); // there is no temporary file
}

BOOST_AUTO_TEST_CASE(an_unmet_expectation_ends_with_1_and_says_where) {
  auto input = file("unmet.json", unmet_turn);
  BOOST_TEST(run({"simulate", input, "--summary", path("s.json")}) == 1);
  BOOST_TEST(contains(out, "unmet.json:3: turn.urgency: expected high, was low"), out);
  BOOST_TEST(from_json_text<run_summary>(content_of(path("s.json")))->unmet == 1u);
}

BOOST_AUTO_TEST_CASE(bad_input_ends_with_2_and_writes_nothing) {
  auto good = file("one.json", one_turn);
  auto bad = file("bad.json", R"({"scenario": "b", "steps": [{"turn": {"inputs": "x"}}]})");
  BOOST_TEST(run({"simulate", good, bad, "--summary", "-", "--trace", path("t.jsonl")}) == 2);
  BOOST_TEST(
    err.starts_with("scratchpage: " + bad + ":1: steps[0].turn.inputs: unknown field; "), err);
  BOOST_TEST(out == "");
  BOOST_TEST(names().size() == 2u);
  BOOST_TEST(calls.played.empty());
}

BOOST_AUTO_TEST_CASE(lines_that_cannot_be_read_are_named_and_the_others_are_played) {
  auto input = file("talks.jsonl", "nonsense\n" + std::string{two_talks});
  BOOST_TEST(run({"simulate", input, "--summary", "-", "--quiet"}) == 3);
  BOOST_TEST(calls.played.size() == 2u);
  BOOST_TEST(contains(out, "\"refused_lines\": 1"));
  BOOST_TEST(contains(err, "talks.jsonl:1: expected valid JSON"));
  BOOST_TEST(contains(err, "1 line was left out; the others are used"));
}

BOOST_AUTO_TEST_CASE(a_strict_run_refuses_such_a_file) {
  auto input = file("talks.jsonl", "nonsense\n" + std::string{two_talks});
  BOOST_TEST(run({"simulate", input, "--strict", "--trace", path("t.jsonl")}) == 2);
  BOOST_TEST(contains(err, "talks.jsonl:1: expected valid JSON"));
  BOOST_TEST(calls.played.empty());
  BOOST_TEST(names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_without_a_line_that_can_be_read_is_bad_input) {
  auto input = file("talks.jsonl", "nonsense\n[]\n");
  BOOST_TEST(run({"simulate", input}) == 2);
  BOOST_TEST(contains(err, "talks.jsonl:1: expected valid JSON"));
}

BOOST_AUTO_TEST_CASE(a_run_that_breaks_leaves_the_old_outputs_alone) {
  auto input = file("talks.jsonl", two_talks);
  auto trace = file("t.jsonl", "old\n");
  calls.play_error = fail(errc::internal, "", "the ensemble broke");
  BOOST_TEST(run({"simulate", input, "--trace", trace, "--report", path("r.html")}) == 1);
  BOOST_TEST(contains(err, "talks.jsonl: b: the ensemble broke"), err);
  BOOST_TEST(content_of(trace) == "old\n");
  BOOST_TEST(names().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_conversation_that_the_player_refuses_is_bad_input) {
  auto input = file("talks.jsonl", two_talks);
  calls.play_error = fail(errc::invalid_request, "config.router", "unknown field");
  BOOST_TEST(run({"simulate", input, "--quiet"}) == 2);
  BOOST_TEST(contains(err, "talks.jsonl: b: config.router: unknown field"), err);
}

BOOST_AUTO_TEST_CASE(the_options_reach_the_player) {
  auto input = file("one.json", one_turn);
  auto config = file("config.json", "{ // a comment\n \"latency\": {\"slow_ms\": 750}}");
  BOOST_TEST(
    run({"simulate", input, "--seed", "7", "--shuffle", "--real-time", "--config", config}) == 0);
  BOOST_TEST(calls.options.at(0).seed == 7u);
  BOOST_TEST(calls.options.at(0).shuffle);
  BOOST_TEST(calls.options.at(0).real_time);
  BOOST_TEST(to_text(calls.config) == R"({"latency":{"slow_ms":750}})");
}

BOOST_AUTO_TEST_CASE(a_bad_configuration_is_named_with_its_line) {
  auto input = file("one.json", one_turn);
  auto config = file("config.json", "{\n\n \"router\": 1}");
  calls.config_error = fail(errc::invalid_request, "router", "expected an object");
  BOOST_TEST(run({"simulate", input, "--config", config}) == 2);
  BOOST_TEST(err == "scratchpage: " + config + ":3: router: expected an object\n");
  auto broken = file("broken.json", "{\n\"router\" 1}");
  BOOST_TEST(run({"simulate", input, "--config", broken}) == 2);
  BOOST_TEST(contains(err, "broken.json:2: expected valid JSON"), err);
}

BOOST_AUTO_TEST_CASE(wrong_usage_ends_with_2_and_help_with_0) {
  auto input = file("one.json", one_turn);
  BOOST_TEST(run({}) == 2);
  BOOST_TEST(run({"simulate"}) == 2);
  BOOST_TEST(run({"simulate", input, "--seed", "x"}) == 2);
  BOOST_TEST(run({"simulate", input, "--unknown"}) == 2);
  BOOST_TEST(run({"simulate", path("none.json")}) == 2);
  BOOST_TEST(run({"simulate", folder.string()}) == 2);
  BOOST_TEST(run({"simulate", input, "--trace", path("no/such/folder")}) == 2);
  BOOST_TEST(run({"simulate", input, "--trace", folder.string()}) == 2);
  BOOST_TEST(run({"simulate", "--help"}) == 0);
  BOOST_TEST(contains(out, "Exit codes"));
}

BOOST_AUTO_TEST_CASE(an_output_never_replaces_an_input_or_another_output) {
  auto input = file("one.json", one_turn);
  BOOST_TEST(run({"simulate", input, "--trace", input}) == 2);
  BOOST_TEST(run({"simulate", input, "--trace", path("x"), "--report", path("./x")}) == 2);
  BOOST_TEST(content_of(input) == one_turn);
}

BOOST_AUTO_TEST_CASE(a_device_is_written_to_and_not_replaced) {
  auto input = file("one.json", one_turn);
  BOOST_TEST(run({"simulate", input, "--trace", "/dev/null"}) == 0);
  BOOST_TEST(fs::is_character_file("/dev/null"));
}

BOOST_AUTO_TEST_CASE(a_link_stays_a_link) {
  auto input = file("one.json", one_turn);
  auto target = file("target.json", "old");
  fs::create_symlink("target.json", path("link.json"));
  BOOST_TEST(run({"simulate", input, "--summary", path("link.json")}) == 0);
  BOOST_TEST(fs::is_symlink(path("link.json")));
  BOOST_TEST(contains(content_of(target), "conversations"));
}

BOOST_AUTO_TEST_CASE(a_link_of_another_user_is_not_followed) {
  if (::geteuid() != 0)
    return; // only root can create one
  auto input = file("one.json", one_turn);
  auto target = file("target.json", "old");
  fs::create_symlink("target.json", path("link.json"));
  BOOST_REQUIRE(::lchown(path("link.json").c_str(), 1, 1) == 0);
  BOOST_TEST(run({"simulate", input, "--summary", path("link.json")}) == 2);
  BOOST_TEST(content_of(target) == "old");
}

BOOST_AUTO_TEST_CASE(summaries_traces_and_reports_are_their_users_alone) {
  auto before = ::umask(0);
  auto input = file("one.json", one_turn);
  BOOST_TEST(
    run({"simulate", input, "--summary", path("s"), "--trace", path("t"), "--report", path("r")})
    == 0);
  ::umask(before);
  for (const auto* name : {"s", "t", "r"})
    BOOST_TEST(
      (fs::status(path(name)).permissions() == (fs::perms::owner_read | fs::perms::owner_write)),
      name);
}

BOOST_AUTO_TEST_CASE(the_same_id_in_two_files_stays_two_agents) {
  auto input = file("talks.jsonl", two_talks);
  BOOST_TEST(run({"simulate", input, input, "--trace", path("t.jsonl")}) == 0);
  std::vector<std::string> expected{"a", "b", "a#2", "b#2"};
  BOOST_TEST(calls.played == expected, boost::test_tools::per_element());
  BOOST_TEST(contains(content_of(path("t.jsonl")), "\"agent_id\":\"b#2\""));
}

BOOST_AUTO_TEST_CASE(progress_is_shown_on_a_terminal_only_and_wiped) {
  auto input = file("talks.jsonl", two_talks);
  BOOST_TEST(run({"simulate", input}) == 0);
  BOOST_TEST(err == "");
  show_progress = true;
  BOOST_TEST(run({"simulate", input}) == 0);
  BOOST_TEST(contains(err, "2/2 turns"));
  BOOST_TEST(err.ends_with("\r\x1b[K"));
  BOOST_TEST(run({"simulate", input, "--quiet"}) == 0);
  BOOST_TEST(err == "");
}

BOOST_AUTO_TEST_CASE(evaluate_prints_a_table_and_what_was_judged_otherwise) {
  auto input = file("labelled.jsonl",
    R"({"id":"a","messages":[{"role":"user","content":"Hi"}],"labels":[{"urgency":"high"}]})");
  BOOST_TEST(run({"evaluate", input, "--report", path("r.html")}) == 0);
  BOOST_TEST(contains(out, "urgency: low, labelled high"), out);
  BOOST_TEST(contains(content_of(path("r.html")), "Decisions against labels"));
  auto config = file("config.json", "{}");
  BOOST_TEST(run({"evaluate", input, "--against", config, "--json"}) == 0);
  BOOST_TEST(contains(out, "\"against\""));
  BOOST_TEST(run({"evaluate", file("talks.jsonl", two_talks)}) == 2);
  BOOST_TEST(contains(err, "labels: expected a list"), err);
}

BOOST_AUTO_TEST_CASE(replies_of_models_are_recorded_first_and_replayed_then) {
  auto input = file("one.json", one_turn);
  auto replies = path("replies.jsonl");
  BOOST_TEST(run({"simulate", input, "--quiet", "--model-replies", replies}) == 0);
  BOOST_REQUIRE(calls.options.size() == 1u);
  BOOST_TEST(!!calls.options[0].models.replies);
  BOOST_TEST(!calls.options[0].models.replays);
  BOOST_TEST(fs::exists(replies));
  BOOST_TEST(run({"simulate", input, "--quiet", "--model-replies", replies}) == 0);
  BOOST_REQUIRE(calls.options.size() == 2u);
  BOOST_TEST(calls.options[1].models.replays);
}

BOOST_AUTO_TEST_CASE(a_file_of_replies_that_cannot_be_read_is_refused) {
  auto input = file("one.json", one_turn);
  auto replies = file("replies.jsonl", "no reply\n");
  BOOST_TEST(run({"simulate", input, "--model-replies", replies}) == 2);
  BOOST_TEST(contains(err, "replies.jsonl: line 1"));
  BOOST_TEST(content_of(replies) == "no reply\n");
  BOOST_TEST(calls.played.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
