#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>

#include "scratchpage/actors/scratchbook/scratch_tools.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/tests/support/team.hpp"

/// The six tools of a scratchbook, called in turns like other tools.

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

struct scratch_team : team {
  std::optional<caller> begins; ///< begins the turns; the ensemble itself if empty

  scratch_team() { setup.config.profile.name = profile_name::on_device; }

  /// Calls the tool in a turn of the thread. Returns the metadata of the result's observation.
  json::object use(
    const std::string& tool, json::object inputs, const std::string& thread = "trip") {
    begin_turn request;
    request.thread_id = thread;
    request.input = "Keep this";
    request.plan = {call(tool, std::move(inputs), "c")};
    request.by = begins;
    auto turn = run(std::move(request));
    for (const auto& x : turn.observations)
      if (x->type == "tool_result" || x->type == "error_alert")
        return x->metadata;
    BOOST_FAIL("no result of " + tool);
    return {};
  }

  /// The text of the thread's scratchbook as `reader` sees it.
  std::string view(const std::string& thread = "trip", const std::string& reader = "agent") {
    return value(ask(host->scratchbooks(), scratch_read{as_daemon(reader), thread, {}})).view;
  }

  tool_response direct(const std::string& tool, json::object inputs, std::string thread = "trip") {
    tool_request request;
    request.request_id = "turn_1/c";
    request.tool_id = tool;
    request.inputs = std::move(inputs);
    request.thread_id = std::move(thread);
    return value(ask(host->tools(), std::move(request)));
  }

  std::vector<std::string> tool_names() {
    std::vector<std::string> result;
    for (const auto& x : value(ask(host->tools(), list_tools{as_daemon("probe")})).tools)
      result.push_back(x->tool_id);
    return result;
  }
};

const std::vector<std::string> all_seven{"read_back", "scratch_add", "scratch_complete",
  "scratch_pin", "scratch_read", "scratch_unpin", "scratch_update"};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  turns_keep_notes_todos_and_tasks_of_their_thread, scratch_team, *label("SB_1") * label("SB_a4")) {
  start();
  use("scratch_add", {{"kind", "note"}, {"title", "Prefers the aisle"}, {"tags", {"seat"}}});
  use("scratch_add",
    {{"kind", "task"}, {"title", "Book the flight"}, {"phase", "search"}, {"progress", 0.2}});
  use("scratch_add", {{"kind", "todo"}, {"title", "Ask for the date"}});
  use("scratch_update", {{"id", "s2"}, {"status", "blocked"}, {"body", "Card refused"}});
  use("scratch_pin", {{"id", "s1"}});
  use("scratch_complete", {{"id", "s3"}});
  BOOST_TEST(view()
             == "s1 pinned note: Prefers the aisle #seat\n"
                "s2 task blocked 20% search: Book the flight | Card refused");
  use("scratch_unpin", {{"id", "s1"}});
  auto read = direct("scratch_read", {});
  BOOST_TEST(read.outputs.at("view").as_string().c_str() == view());
  BOOST_TEST(view("another") == "(the scratchbook is empty)");
}

BOOST_FIXTURE_TEST_CASE(what_a_plan_kept_says_so_to_other_agents, scratch_team) {
  start();
  use("scratch_add", {{"kind", "todo"}, {"title", "Ask for the date"}});
  BOOST_TEST(view() == "s1 todo: Ask for the date");
  BOOST_TEST(view("trip", "probe") == "s1 todo: Ask for the date (daemon agent)");
}

BOOST_FIXTURE_TEST_CASE(what_a_plan_kept_is_by_the_program_that_began_the_turn, scratch_team) {
  start();
  begins = as_daemon("assistant");
  begins->outside = true;
  use("scratch_add", {{"kind", "todo"}, {"title", "Ask for the date"}});
  BOOST_TEST(view() == "s1 todo: Ask for the date (daemon assistant)");
  BOOST_TEST(view("trip", "assistant") == "s1 todo: Ask for the date");
  begins = as_user("ann");
  use("scratch_update", {{"id", "s1"}, {"title", "Ask for the time"}});
  BOOST_TEST(view() == "s1 todo: Ask for the time"); // a user's own turn names no program
}

BOOST_FIXTURE_TEST_CASE(a_tool_answers_the_item_as_it_is_then, scratch_team, *label("SB_a4")) {
  start();
  auto added = direct("scratch_add", {{"kind", "todo"}, {"title", "Ask"}, {"tags", {"b", "a a"}}});
  auto item = from_json<scratchbook_item>(json::value(added.outputs));
  BOOST_REQUIRE(item);
  BOOST_TEST(item->id == "s1");
  const std::vector<std::string> tags{"a_a", "b"};
  BOOST_TEST(item->tags == tags, boost::test_tools::per_element());
  auto updated = direct("scratch_update", {{"id", "s1"}, {"title", "Ask again"}});
  BOOST_TEST(updated.outputs.at("title").as_string().c_str() == "Ask again");
  auto done = direct("scratch_complete", {{"id", "s1"}});
  BOOST_TEST(done.outputs.at("status").as_string().c_str() == "done");
}

BOOST_FIXTURE_TEST_CASE(
  inputs_cannot_name_a_thread_or_anything_unknown, scratch_team, *label("SB_a4")) {
  start();
  direct("scratch_add", {{"kind", "note"}, {"title", "mine"}}, "other");
  auto refused = [&](const std::string& tool, json::object inputs, std::string_view why) {
    auto response = direct(tool, std::move(inputs));
    BOOST_TEST(name_of(response.status) == "error");
    std::string text{response.outputs.at("error").as_string()};
    BOOST_TEST(text.find(why) != std::string::npos, text);
  };
  refused("scratch_read", {{"thread_id", "other"}}, "inputs.thread_id");
  refused(
    "scratch_add", {{"kind", "note"}, {"title", "x"}, {"thread_id", "other"}}, "inputs.thread_id");
  refused("scratch_add", {{"kind", "idea"}, {"title", "x"}}, "inputs.kind");
  refused("scratch_add", {{"kind", "note"}}, "inputs.title");
  refused("scratch_add", {{"kind", "note"}, {"title", " "}}, "title: expected a text");
  refused("scratch_add", {{"kind", "note"}, {"title", "x"}, {"progress", 1}}, "only a task");
  refused("scratch_update", {{"id", "s1"}, {"title", "x"}}, "scratch_read shows the ids");
  refused("scratch_update", {{"id", "s1"}, {"kind", "task"}}, "inputs.kind");
  for (auto* tool : {"scratch_complete", "scratch_pin", "scratch_unpin"}) {
    refused(tool, {{"id", "s1"}}, "scratch_read shows the ids");
    refused(tool, {}, "inputs.id");
  }
  BOOST_TEST(view() == "(the scratchbook is empty)");
  BOOST_TEST(view("other") == "s1 note: mine");
}

BOOST_FIXTURE_TEST_CASE(
  the_capability_is_on_by_default_on_a_device_only, scratch_team, *label("SB_a3") * label("SB_4")) {
  start();
  BOOST_TEST(tool_names() == all_seven, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(
  without_the_capability_there_are_no_such_tools, scratch_team, *label("SB_a4")) {
  setup.config.profile.name = profile_name::cloud;
  start();
  BOOST_TEST(tool_names().empty());
  BOOST_TEST(name_of(direct("scratch_read", {}).status) == "error");
}

BOOST_FIXTURE_TEST_CASE(either_profile_may_have_it_otherwise, scratch_team, *label("SB_a3")) {
  setup.config.profile.name = profile_name::cloud;
  setup.config.profile.scratchbook = true;
  start();
  BOOST_TEST(tool_names() == all_seven, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_definitions_are_small, *label("SB_a4")) {
  uint32_t tokens = 0;
  for (const auto& x : scratch_manifests()) {
    json::object definition{
      {"name", x.tool_id}, {"description", x.description}, {"input_schema", x.inputs}};
    tokens += estimate_tokens(to_text(definition));
  }
  BOOST_TEST_MESSAGE(tokens << " tokens");
  BOOST_TEST(tokens < 1'000u);
}

} // namespace scratchpage::test
