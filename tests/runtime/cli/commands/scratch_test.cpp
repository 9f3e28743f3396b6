#include <filesystem>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage scratch`: each command is a new process.

namespace scratchpage::test {

namespace {

using words = std::vector<std::string>;

/// The author of an item, as the view shows it.
const std::string me = " (user " + login_name() + ")";

struct scratch_shell : shell {
  template <class T>
  caf::expected<T> answered() const {
    auto value = parse_json(out);
    return value ? read_answer<T>(std::move(*value)) : caf::expected<T>{value.error()};
  }

  int scratch(words x) {
    x.insert(x.begin(), "scratch");
    x.insert(x.begin() + 2, {"--data", data()});
    return run_plain(x);
  }

  std::string done(const words& x) {
    BOOST_REQUIRE_MESSAGE(scratch(x) == 0, err);
    return out;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(scratch, scratch_shell)

BOOST_AUTO_TEST_CASE(what_is_kept_is_there_for_the_next_command) {
  BOOST_TEST(done({"add", "The user is called Ann", "--tag", "user name"}) == "s1\n");
  BOOST_TEST(done({"add", "--kind", "task", "Book the flight", "--body", "to Paris", "--phase",
               "search", "--progress", "0.2"})
             == "s2\n");
  BOOST_TEST(done({"add", "--kind", "todo", "Ask for the date"}) == "s3\n");
  BOOST_TEST(done({"read"})
             == "s2 task 20% search: Book the flight" + me
                  + " | to Paris\ns3 todo: Ask for the date" + me
                  + "\ns1 note: The user is called Ann #user_name" + me + "\n");
  done({"pin", "s1"});
  done({"update", "s2", "--status", "blocked", "--title", "Book", "--body", "Card refused", "--tag",
    "card", "--progress", "0.5", "--phase", "pay"});
  done({"complete", "s3"});
  BOOST_TEST(done({"read"})
             == "s1 pinned note: The user is called Ann #user_name" + me
                  + "\ns2 task blocked 50% pay: Book #card" + me + " | Card refused\n");
  BOOST_TEST(done({"read", "--after", "s1"})
             == "s2 task blocked 50% pay: Book #card" + me + " | Card refused\n");
  done({"unpin", "s1"});
  BOOST_TEST(!contains(done({"read"}), "pinned"));
}

BOOST_AUTO_TEST_CASE(a_todo_and_the_action_that_it_is_linked_to_are_completed_together) {
  shell::add("contextual_insight", "User likes Burgundy wines", {"--confidence", "0.95"});
  done({"add", "--kind", "todo", "Look", "--goal", "goal_1", "--action", "goal_1_action_1"});
  BOOST_TEST(contains(done({"list"}), "goal: goal_1, action goal_1_action_1"), out);
  done({"complete", "s1"});
  BOOST_TEST(run({"goals", "--status", "completed"}) == 0);
  BOOST_TEST(contains(out, "1 goal\n"), out);
  BOOST_TEST(scratch({"add", "x", "--goal", "goal_2"}) == 2);
  BOOST_TEST(contains(err, "--goal: expected a goal of this agent, got 'goal_2'"), err);
}

BOOST_AUTO_TEST_CASE(threads_and_agents_have_their_own) {
  done({"add", "one", "--thread", "trip"});
  done({"add", "two", "--thread", "../trip"});
  done({"add", "three", "--thread", "trip", "--agent", "ada"});
  BOOST_TEST(done({"read", "--thread", "trip"}) == "s1 note: one" + me + "\n");
  BOOST_TEST(done({"read", "--thread", "../trip"}) == "s1 note: two" + me + "\n");
  BOOST_TEST(done({"read", "--thread", "trip", "--agent", "ada"}) == "s1 note: three" + me + "\n");
  BOOST_TEST(done({"read"}) == "(the scratchbook is empty)\n");
  namespace fs = std::filesystem;
  BOOST_TEST(fs::exists(fs::path{data()} / "files" / "agent" / "scratchbook" / "trip.json"));
  BOOST_TEST(fs::exists(fs::path{data()} / "files" / "ada" / "scratchbook" / "trip.json"));
}

BOOST_AUTO_TEST_CASE(a_list_has_everything_and_json_is_for_programs) {
  done({"add", "--kind", "task", "Book the flight", "--json"});
  auto item = answered<scratchbook_item>();
  BOOST_REQUIRE_MESSAGE(item, out);
  BOOST_TEST(item->title == "Book the flight");
  BOOST_TEST(contains(out, R"("created_at":")"), out);
  done({"complete", "s1"});
  BOOST_TEST(done({"read"}) == "(the scratchbook is empty)\n");
  done({"list"});
  BOOST_TEST(contains(out, "100 %"), out);
  BOOST_TEST(contains(out, "Book the flight"), out);
  BOOST_TEST(contains(out, "1 item"), out);
  done({"list", "--json"});
  auto book = answered<scratchbook>();
  BOOST_REQUIRE_MESSAGE(book, out);
  BOOST_TEST(book->items.size() == 1u);
  BOOST_TEST(book->thread_id == "main");
  done({"read", "--json"});
  auto view = from_json_text<scratch_view>(out);
  BOOST_REQUIRE_MESSAGE(view, out);
}

BOOST_AUTO_TEST_CASE(bad_input_names_the_option_and_changes_nothing) {
  done({"add", "one"});
  const std::vector<std::pair<words, std::string>> all{
    {{"add", " "}, "title: expected a text that is not blank"},
    {{"add", "a\xFF"}, "TITLE: expected valid UTF-8"},
    {{"add", "x", "--kind", "idea"}, "--kind: expected one of note, todo, task"},
    {{"add", "x", "--progress", "half"}, "--progress: expected a number"},
    {{"add", "x", "--progress", "0.5"}, "--progress: expected none: only a task has one"},
    {{"add", "x", "--phase", "a"}, "--phase: expected none: only a task has one"},
    {{"add", "x", "--action", "a1"}, "--goal: expected"},
    {{"add", "x", "--tag", std::string(129, 't')}, "--tag[0]: expected at most 128 bytes"},
    {{"add", "x", "--thread", std::string(1'025, 't')}, "--thread: expected at most 1024 bytes"},
    {{"update", "s1", "--status", "closed"}, "--status: expected one of open, in_progress"},
    {{"update", "s1", "--title", std::string(513, 't')}, "title: expected at most 512 bytes"},
  };
  for (const auto& [line, reason] : all) {
    BOOST_TEST(scratch(line) == 2, reason);
    BOOST_TEST(contains(err, reason), err);
    BOOST_TEST(out == "");
  }
  for (const words& line :
    {words{"update", "s9", "--title", "x"}, {"complete", "s9"}, {"pin", "s9"}, {"unpin", "s9"}}) {
    BOOST_TEST(scratch(line) == 1);
    BOOST_TEST(contains(err, "expected an item of this thread's scratchbook"), err);
  }
  BOOST_TEST(done({"read"}) == "s1 note: one" + me + "\n");
}

BOOST_AUTO_TEST_CASE(who_only_reads_leaves_nothing_behind) {
  BOOST_TEST(scratch({"read"}) == 2);
  BOOST_TEST(!std::filesystem::exists(data()));
}

BOOST_AUTO_TEST_CASE(help_tells_each_command) {
  BOOST_TEST(run_plain({"scratch", "--help"}) == 0);
  for (auto* name : {"read", "list", "threads", "add", "update", "complete", "pin", "unpin"}) {
    BOOST_TEST(contains(out, name), name);
    auto all = out;
    BOOST_TEST(run_plain({"scratch", name, "--help"}) == 0);
    BOOST_TEST(contains(out, "--thread"), out);
    out = all;
  }
  BOOST_TEST(run_plain({"scratch"}) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
