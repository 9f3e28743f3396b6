#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "scratchpage/actors/conversation/agent_compactor.hpp"
#include "scratchpage/actors/storage/file_keeper.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/tests/actors/conversation/messages.hpp"
#include "scratchpage/tests/support/source_dir.hpp"
#include "scratchpage/tests/support/team.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"
#include "scratchpage/tests/support/tools.hpp"

/// Compaction of conversations by a restricted agent, a program behind the tool interface.

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

/// The agent's behaviour: makes the outputs of its next answer from the task.
using agent = std::function<json::object(const compactor_task&)>;

struct compacting_team : team {
  std::shared_ptr<memory_files> files = std::make_shared<memory_files>();
  std::vector<compactor_task> heard;
  agent_compactor_setup compactor;

  compacting_team() {
    setup.config.profile.name = profile_name::on_device;
    setup.config.prompt.window = 600;
    setup.config.prompt.context = 100;
    setup.config.scratchbook.view.token_limit = 200;
    setup.kept.files = files;
    compactor.allow_threads = false;
  }

  void start_with(agent does) {
    start_with_tool(function("compactor", [this, does = std::move(does)](const tool_request& x) {
      auto task = from_json<compactor_task>(json::value(x.inputs));
      BOOST_REQUIRE_MESSAGE(task, (task ? "" : describe(task.error())));
      heard.push_back(*task);
      tool_response result;
      result.request_id = x.request_id;
      result.outputs = does(*task);
      return result;
    }));
  }

  void start_with_tool(tool_definition program) {
    compactor.program = std::move(program);
    compactor.files = make<file_keeper_state>(files);
    compactor.scratchbook = setup.config.scratchbook;
    setup.compactor =
      make<agent_compactor_state>(agent_context{"tester", driver.clock(), trace}, compactor);
    start();
  }

  conversation_stats say(std::string text) {
    auto answer = send(
      host->conversations(), append_messages{as_daemon("probe"), "trip", {user(std::move(text))}});
    settle();
    while (!answer->arrived() && driver.advance_to_next_deadline()) {
    }
    BOOST_REQUIRE(answer->arrived());
    return value(std::move(*answer->value));
  }

  /// Sends messages until the conversation is compacted the next time.
  conversation_stats talk() {
    auto before = say("Now?").compactions;
    for (int i = 0; i < 200; ++i)
      if (auto now = say("Tell me about flight " + std::to_string(i)); now.compactions > before)
        return now;
    BOOST_FAIL("nothing was compacted");
    return {};
  }

  scratchbook book() {
    return value(ask(host->scratchbooks(), scratch_list{as_daemon("probe"), "trip"}));
  }

  scratchbook_item add(std::string title) {
    item_draft draft;
    draft.kind = item_kind::todo;
    draft.title = std::move(title);
    return value(ask(host->scratchbooks(), scratch_add{as_daemon("probe"), "trip", draft}));
  }

  void pin(const std::string& id) {
    value(ask(host->scratchbooks(), scratch_mark{as_daemon("probe"), "trip", id, item_mark::pin}));
  }

  /// The items of the scratchbook whose titles start with `begin`.
  std::vector<scratchbook_item> titled(std::string_view begin) {
    auto items = book().items;
    std::erase_if(items, [&](const auto& x) { return !x.title.starts_with(begin); });
    return items;
  }
};

json::object calls(std::vector<json::object> each) {
  json::array result;
  for (auto& x : each)
    result.push_back(std::move(x));
  return {{"calls", std::move(result)}};
}

json::object call_of(std::string_view name, json::object arguments) {
  return {{"id", "c"}, {"name", name}, {"arguments", std::move(arguments)}};
}

json::object adding(std::string_view title) {
  return call_of("scratch_add", {{"kind", "todo"}, {"title", title}});
}

std::string text_of(const json::object& x, const char* name) {
  return std::string{x.at(name).as_string()};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(
  an_agent_keeps_what_it_adds_and_its_summary, compacting_team, *label("SB_3") * label("SB_a6")) {
  start_with([](const compactor_task& x) -> json::object {
    if (x.steps.empty())
      return calls({adding("Look at the prices"), adding("Ask for the date")});
    return {{"summary", "They talked about flights."}};
  });
  talk();
  BOOST_TEST(titled("Look at the prices").size() == 1u);
  BOOST_TEST(titled("Ask for the date").size() == 1u);
  auto about = book().items.at(0);
  BOOST_TEST(about.title.ends_with("earlier messages are in conversation_history/trip.md"));
  BOOST_TEST(about.body == "They talked about flights.");
  BOOST_TEST(traced("compacted") == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  an_agent_is_told_what_has_left_and_what_it_may_do, compacting_team, *label("SB_a6")) {
  start_with([](const compactor_task& x) -> json::object {
    if (x.steps.empty())
      return calls({adding("Look at the prices")});
    return {{"summary", "done"}};
  });
  add("Ask for the date");
  advance(std::chrono::seconds{1});
  talk();
  BOOST_REQUIRE(heard.size() == 2u);
  BOOST_TEST(heard[0].path == "conversation_history/trip.md");
  BOOST_TEST(heard[0].offloaded.at(0).content == "Now?");
  BOOST_TEST(!heard[0].kept.empty());
  BOOST_TEST(heard[0].view == "s1 todo: Ask for the date");
  BOOST_TEST(heard[1].view == "s2 todo: Look at the prices\ns1 todo: Ask for the date");
  std::vector<std::string> names;
  for (const auto& tool : heard[0].tools)
    names.push_back(tool.tool_id);
  std::sort(names.begin(), names.end());
  const std::vector<std::string> only{"read_back", "scratch_add", "scratch_complete", "scratch_pin",
    "scratch_read", "scratch_unpin", "scratch_update"};
  BOOST_TEST(names == only, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_was_there_before_no_agent_changes_in_fifty_compactions,
  compacting_team, *label("SB_3") * label("SB_a6")) {
  start_with([](const compactor_task& x) -> json::object {
    if (!x.steps.empty())
      return {{"summary", "done"}};
    return calls({call_of("scratch_complete", {{"id", "s1"}}),
      call_of("scratch_update", {{"id", "s2"}, {"status", "archived"}}),
      call_of("scratch_unpin", {{"id", "s1"}}), call_of("scratch_pin", {{"id", "s2"}})});
  });
  pin(add("Never pay over 300 dollars").id);
  add("Ask for the date");
  auto before = book();
  for (int i = 0; i < 50; ++i)
    talk();
  auto after = book();
  BOOST_TEST((after.items[0] == before.items[0]));
  BOOST_TEST((after.items[1] == before.items[1]));
  BOOST_TEST(after.pins == before.pins, boost::test_tools::per_element());
  BOOST_TEST(heard.at(1).steps.size() == 4u);
  for (const auto& step : heard.at(1).steps) {
    BOOST_TEST(name_of(step.status) == "error");
    BOOST_TEST(text_of(step.outputs, "error_class") == "permission");
  }
}

BOOST_FIXTURE_TEST_CASE(
  an_agent_changes_completes_and_pins_what_it_added, compacting_team, *label("SB_a6")) {
  start_with([](const compactor_task& x) -> json::object {
    if (x.steps.empty())
      return calls({adding("One"), adding("Two"), adding("Three")});
    if (x.steps.size() == 3) {
      auto id = [&](size_t i) { return x.steps.at(i).outputs.at("id"); };
      return calls({call_of("scratch_pin", {{"id", id(1)}}),
        call_of("scratch_update", {{"id", id(0)}, {"title", "One more"}}),
        call_of("scratch_complete", {{"id", id(2)}})});
    }
    return {{"summary", "done"}};
  });
  talk();
  BOOST_TEST(titled("One more").size() == 1u);
  BOOST_TEST((titled("Three").at(0).status == item_status::done));
  BOOST_TEST(book().pins == std::vector<std::string>{titled("Two").at(0).id},
    boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(
  an_agent_reads_its_own_history_and_has_no_other_tool, compacting_team, *label("SB_a6")) {
  start_with([](const compactor_task& x) -> json::object {
    if (!x.steps.empty())
      return {{"summary", text_of(x.steps.at(0).outputs, "text").substr(0, 14)}};
    return calls({call_of("read_back", {{"path", x.path}}),
      call_of("read_back", {{"path", "conversation_history/other.md"}}),
      call_of("spawn_agent", {{"task", "Do it for me"}}), call_of("scratch_add", {{"kind", 1}})});
  });
  talk();
  BOOST_TEST(book().items.at(0).body == "## user\n\n> Now");
  const auto& steps = heard.at(1).steps;
  for (size_t i = 1; i < steps.size(); ++i)
    BOOST_TEST(name_of(steps[i].status) == "error");
  BOOST_TEST(text_of(steps.at(2).outputs, "error_class") == "not_found");
}

BOOST_FIXTURE_TEST_CASE(the_rules_stand_in_for_an_agent_that_fails_and_nothing_of_it_stays,
  compacting_team, *label("SB_3") * label("SB_a6")) {
  const std::vector<std::pair<std::string, agent>> bad{
    {"has not finished after 16 rounds",
      [](const compactor_task&) { return calls({adding("Spam")}); }},
    {"neither calls nor a summary", [](const compactor_task&) { return json::object{}; }},
    {"not a reply: invalid_request: summry",
      [](const compactor_task&) {
        return json::object{{"summry", "x"}};
      }},
    {"more than 32 tools",
      [](const compactor_task&) { return calls(std::vector<json::object>(33, adding("Spam"))); }},
  };
  for (const auto& [why, does] : bad) {
    files = std::make_shared<memory_files>();
    setup.kept.files = files;
    start_with(does);
    talk();
    BOOST_TEST(titled("Spam").empty(), why);
    BOOST_TEST(book().items.at(0).title.ends_with("are in conversation_history/trip.md"), why);
    std::string errors;
    for (const auto& x : trace->entries())
      if (const auto* error = x.detail.if_contains("error"))
        errors.append(std::string_view{error->as_string()}).append("\n");
    BOOST_TEST(errors.find(why) != std::string::npos, errors);
  }
}

BOOST_FIXTURE_TEST_CASE(an_agent_that_takes_too_long_is_not_waited_for, compacting_team,
  *label("SB_3") * label("SB_a6")) {
  compactor.timeout_ms = 5'000;
  recorded_tool slow;
  slow.latency = {60'000, 60'000};
  start_with_tool({manifest("compactor"), slow});
  auto before = driver.clock()->now();
  talk();
  BOOST_TEST(in_milliseconds(driver.clock()->now() - before) < 30'000);
  BOOST_TEST(book().items.at(0).title.ends_with("are in conversation_history/trip.md"));
}

// -- programs ----------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_program_of_the_configuration_compacts, compacting_team, *label("SB_3") * label("SB_a6")) {
  auto& program = setup.config.conversation.compactor;
  program.command = {"python3", test::source_file("samples/compactor/compactor.py")};
  start();
  add("Ask for the date");
  talk();
  BOOST_TEST(titled("Asked earlier: Tell me about flight").size() >= 1u);
  auto all = titled("");
  auto is_summary = [](const auto& x) { return x.body.find("wishes among them") != x.body.npos; };
  BOOST_TEST(std::count_if(all.begin(), all.end(), is_summary) == 1);
  BOOST_TEST(all.at(0).title == "Ask for the date");
}

BOOST_FIXTURE_TEST_CASE(the_rules_stand_in_for_a_program_that_is_not_there_or_dies, compacting_team,
  *label("SB_3") * label("SB_a6")) {
  for (const auto& command :
    std::vector<std::vector<std::string>>{{"no_such_program_anywhere"}, {"false"}}) {
    files = std::make_shared<memory_files>();
    setup.kept.files = files;
    setup.config.conversation.compactor.command = command;
    start();
    talk();
    BOOST_TEST(book().items.at(0).title.ends_with("are in conversation_history/trip.md"));
  }
}

BOOST_AUTO_TEST_CASE(a_compactor_without_rounds_is_refused) {
  conversation_config config;
  config.compactor.max_rounds = 0;
  BOOST_TEST(field_of(validate(config)) == "conversation.compactor.max_rounds");
}

} // namespace scratchpage::test
