#include <boost/test/unit_test.hpp>

#include <sstream>

#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// `scratchpage simulate --window`: recorded conversations, kept within a model's window.

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

json::object message(const char* role, const std::string& content) {
  return {{"role", role}, {"content", content}};
}

/// A recorded conversation with many results of a tool. A third are long, and the last is an error.
std::string long_talk(int turns) {
  json::array messages{message("system", "You book flights.")};
  for (int i = 0; i < turns; ++i) {
    auto n = std::to_string(i);
    messages.push_back(message("user", "Is there a flight number " + n + " to Paris?"));
    json::object call{
      {"id", "c" + n}, {"function", {{"name", "search"}, {"arguments", R"({"n": )" + n + "}"}}}};
    messages.push_back({{"role", "assistant"}, {"content", nullptr}, {"tool_calls", {call}}});
    auto found = i == turns - 1 ? std::string{"Error: the line is busy"} : std::string{};
    for (int k = 0; found.size() < 2'000 && i % 3 == 0 && i < turns - 1; ++k)
      found += "seat " + std::to_string(k) + " is free; ";
    messages.push_back({{"role", "tool"}, {"tool_call_id", "c" + n}, {"content", found}});
    messages.push_back(message("assistant", "It leaves at noon. Shall I book it?"));
  }
  return json::serialize(json::object{{"id", "talk"}, {"messages", messages}}) + "\n";
}

play_result play(const std::string& transcript, uint32_t window) {
  auto read = read_transcript(transcript, "talk.jsonl");
  BOOST_REQUIRE(read);
  ensemble_player player;
  BOOST_REQUIRE(!player.configure({}));
  play_options options;
  options.window = window;
  auto result = player.play(read->conversations.front(), options);
  BOOST_REQUIRE_MESSAGE(result, (result ? "" : describe(result.error())));
  return std::move(*result);
}

} // namespace

BOOST_AUTO_TEST_CASE(
  a_recorded_conversation_stays_within_a_window, *label("SB_2") * label("SB_3")) {
  auto result = play(long_talk(40), 1'200);
  const auto& seen = result.counters;
  BOOST_TEST(seen.prompts >= 80u);
  BOOST_TEST(seen.over_window == 0u);
  BOOST_TEST(seen.compactions > 2u);
  BOOST_TEST(seen.evicted_texts == 13u);
  BOOST_TEST(seen.offloaded_tokens > 3 * seen.kept_tokens);
  BOOST_TEST(seen.forgotten == 0u);
  const auto& last = result.turns.back().scratchbook;
  BOOST_TEST(
    last.find("earlier messages are in conversation_history/main.md") != std::string::npos, last);
}

BOOST_AUTO_TEST_CASE(each_turn_knows_its_prompts_and_what_left_between_them) {
  auto result = play(long_talk(20), 1'200);
  uint64_t compactions = 0;
  std::string last_view;
  auto has_just_compacted = false;
  for (const auto& turn : result.turns) {
    uint64_t prompts = 0, in_turn = 0;
    for (const auto& x : turn.model) {
      if (x.what == model_moment::kind::compaction) {
        BOOST_TEST(x.offloaded_tokens > x.kept_tokens);
        in_turn += x.compactions;
        has_just_compacted = true;
        continue;
      }
      ++prompts;
      BOOST_TEST(x.tokens > 0u);
      BOOST_TEST(x.tokens <= 1'200u);
      // Between turns, todos close with the questions and the goals that they are about.
      if (prompts > 1 || has_just_compacted)
        BOOST_TEST((x.view != last_view) == has_just_compacted);
      last_view = x.view;
      has_just_compacted = false;
    }
    BOOST_TEST(prompts == 2u); // one for the call, one for the answer
    BOOST_TEST(in_turn == turn.compactions);
    compactions += in_turn;
  }
  BOOST_TEST(result.turns.front().model.front().view == "(the scratchbook is empty)");
  BOOST_TEST(compactions == result.counters.compactions);
  BOOST_TEST(compactions > 0u);
}

BOOST_AUTO_TEST_CASE(a_wide_window_needs_no_compaction) {
  auto result = play(long_talk(5), 100'000);
  BOOST_TEST(result.counters.prompts == 10u);
  BOOST_TEST(result.counters.compactions == 0u);
  BOOST_TEST(result.turns.back().scratchbook == "(the scratchbook is empty)");
}

BOOST_AUTO_TEST_CASE(without_a_window_there_are_no_prompts) {
  auto result = play(long_talk(2), 0);
  BOOST_TEST(result.counters.prompts == 0u);
  BOOST_TEST(result.turns.back().scratchbook == "");
}

BOOST_AUTO_TEST_CASE(a_window_without_room_for_the_instructions_says_so) {
  auto read = read_transcript(long_talk(2), "talk.jsonl");
  BOOST_REQUIRE(read);
  ensemble_player player;
  BOOST_REQUIRE(!player.configure({}));
  play_options options;
  options.window = 3;
  auto result = player.play(read->conversations.front(), options);
  BOOST_REQUIRE(!result);
  BOOST_TEST(field_of(result.error()) == "instructions");
}

BOOST_AUTO_TEST_CASE(the_command_shows_the_view_beside_the_turns) {
  temp_dir folder;
  auto file = folder.file("talk.jsonl", long_talk(20));
  std::ostringstream out, err;
  std::istringstream in;
  command_environment environment{out, err, {}, {}, false, {}, {}, &in};
  environment.make_player = [] { return std::make_unique<ensemble_player>(); };
  environment.now_ms = [] { return 0.0; };
  std::vector<const char*> argv{"scratchpage", "simulate", file.c_str(), "--window", "1200"};
  BOOST_TEST(run_command_line(static_cast<int>(argv.size()), argv.data(), environment) == 0);
  auto text = out.str();
  for (auto* part :
    {"compacts", "keeps", "note: ", "over window     0", "forgotten       0", "open todos      "})
    BOOST_TEST(text.find(part) != std::string::npos, part << " in " << text);
}

} // namespace scratchpage::test
