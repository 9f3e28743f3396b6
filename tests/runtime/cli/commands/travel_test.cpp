#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage export`, `import`, `replay`, `checkpoint`, `restore` and `repair`.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

/// The author of an item, as the view shows it.
const std::string me = " (user " + login_name() + ")";

/// Three observations, one of which has expired.
struct three : shell {
  three() {
    add("alert", "Smoke; tell ada@example.org", {"--tag", "fire", "--confidence", "0.95"});
    add("reminder", "Gone at once", {"--ttl-minutes", "0"});
    add("observation", "The room is booked");
    run({"query"}); // expires what is due
  }

  std::string other() const { return (path() / "other").string(); }
  std::string keep() { return file("keep.json", R"({"privacy": {"policy": "keep"}})"); }

  int run_on(const std::string& dir, std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--data", dir});
    return run_plain(words);
  }

  /// The output of a `scratch` command.
  std::string scratch(const std::string& dir, std::vector<std::string> words) {
    words.insert(words.begin(), "scratch");
    words.insert(words.begin() + 2, {"--data", dir});
    BOOST_REQUIRE_MESSAGE(run_plain(words) == 0, err);
    return out;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(travelling, three)

BOOST_AUTO_TEST_CASE(an_export_goes_into_another_directory_and_comes_out_the_same) {
  auto config = keep();
  BOOST_TEST(run({"export", "--config", config}) == 0);
  BOOST_TEST(err == "");
  auto text = out;
  BOOST_TEST(contains(text, "ada@example.org"));
  input = text;
  BOOST_TEST(run_on(other(), {"import", "-"}) == 0);
  BOOST_TEST(contains(out, "1 agent: "), out);
  BOOST_TEST(run_on(other(), {"export", "--config", config}) == 0);
  BOOST_TEST(out == text);
  BOOST_TEST(run_on(other(), {"query"}) == 0);
  BOOST_TEST(contains(out, "2 observations"), out);
  BOOST_TEST(run_on(other(), {"archive"}) == 0);
  BOOST_TEST(contains(out, "Gone at once"), out);
  BOOST_TEST(run_on(other(), {"add", "--type", "alert", "x"}) == 0);
  BOOST_TEST(contains(out, "_004"), out); // ids continue after the import
}

BOOST_AUTO_TEST_CASE(an_export_to_a_terminal_cannot_steer_it_and_one_to_a_pipe_is_as_it_is) {
  add("observation", "turned \xE2\x80\xAE hidden \xE2\x80\x8B");
  BOOST_TEST(run({"export"}) == 0);
  BOOST_TEST(contains(out, "turned \xE2\x80\xAE hidden \xE2\x80\x8B"));
  auto lines = answers();
  out_fd = ::posix_openpt(O_RDWR | O_NOCTTY);
  BOOST_REQUIRE(out_fd >= 0);
  BOOST_TEST(run({"export"}) == 0);
  ::close(out_fd);
  BOOST_TEST(contains(out, "turned \\u202e hidden \\u200b"));
  BOOST_TEST(!contains(out, "\xE2\x80"));
  BOOST_TEST((answers() == lines)); // --json has the same
}

BOOST_AUTO_TEST_CASE(personal_data_is_masked_unless_the_policy_is_to_keep_it) {
  BOOST_TEST(run({"export"}) == 0);
  BOOST_TEST(contains(out, "\"masked\":true"));
  BOOST_TEST(contains(out, "tell [email]"));
  BOOST_TEST(!contains(out, "ada@example.org"));
  auto arrival = file("arrival.json", R"({"privacy": {"policy": "mask_on_arrival"}})");
  BOOST_TEST(run({"export", "--config", arrival}) == 0);
  BOOST_TEST(!contains(out, "ada@example.org"));
}

BOOST_AUTO_TEST_CASE(to_export_takes_nobody_the_agent_and_changes_nothing) {
  BOOST_TEST(run({"export"}) == 0);
  auto text = out;
  auto opened = storage::open(data());
  BOOST_REQUIRE(opened);
  auto epoch = opened->store->claim("agent")->epoch;
  opened = fail(errc::internal, "", "closed");
  BOOST_TEST(run({"export"}) == 0);
  BOOST_TEST(out == text);
  BOOST_TEST(storage::open(data())->store->claim("agent")->epoch == epoch + 1);
}

BOOST_AUTO_TEST_CASE(all_agents_are_exported_by_one_word) {
  add("observation", "x", {"--agent", "bob"});
  auto name = (path() / "all.jsonl").string();
  BOOST_TEST(run({"export", "--agent", "all", name}) == 0);
  BOOST_TEST(contains(out, "2 agents: "), out);
  BOOST_TEST(run_on(other(), {"import", name, "--json"}) == 0);
  BOOST_TEST(answer().at("agents").as_int64() == 2);
  BOOST_TEST(run_on(other(), {"query", "--agent", "bob"}) == 0);
  BOOST_TEST(contains(out, "1 observation"), out);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_refused_leaves_nothing_behind) {
  BOOST_TEST(run({"export"}) == 0);
  auto text = out;
  auto cut = file("cut.jsonl", text.substr(0, text.rfind("{\"line\":\"end\"")));
  BOOST_TEST(run_on(other(), {"import", cut}) == 2);
  BOOST_TEST(contains(err, cut + ":"), err);
  BOOST_TEST(contains(err, "expected an end line as the last one; the file is incomplete"), err);
  BOOST_TEST(!fs::exists(other()));
  auto wrong = text;
  wrong.replace(wrong.find("\"confidence\":0.95"), 17, "\"confidence\":\"a\" ");
  auto name = file("wrong.jsonl", wrong);
  BOOST_TEST(run_on(other(), {"import", name}) == 2);
  BOOST_TEST(contains(err, ": event.observation.confidence: expected a number"), err);
  BOOST_TEST(!fs::exists(other()));
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_there_is_not_imported_over) {
  BOOST_TEST(run({"export", (path() / "a.jsonl").string()}) == 0);
  BOOST_TEST(run({"import", (path() / "a.jsonl").string()}) == 2);
  BOOST_TEST(
    contains(err, "a.jsonl:2: agent_id: expected an agent that is not there yet, but there is "
                  "'agent' already"),
    err);
  BOOST_TEST(numbers({}) == "3 1");
}

BOOST_AUTO_TEST_CASE(scratchbooks_go_with_an_export_masked_as_the_policy_says) {
  add("observation", "x", {"--agent", "bob"});
  scratch(data(), {"add", "Write to ada@example.org", "--thread", "trip"});
  scratch(data(), {"add", "bob's", "--thread", "trip", "--agent", "bob"});
  auto config = keep();
  BOOST_TEST(run({"export", "--config", config}) == 0);
  auto text = out;
  BOOST_TEST(contains(text, R"({"line":"file","path":"scratchbook/trip.json","size":)"), text);
  BOOST_TEST(!contains(text, "bob's")); // other agents are not in it
  input = text;
  BOOST_TEST(run_on(other(), {"import", "-"}) == 0);
  BOOST_TEST(contains(out, ", 1 file\n"), out);
  BOOST_TEST(scratch(other(), {"read", "--thread", "trip"})
             == "s1 note: Write to ada@example.org" + me + "\n");
  BOOST_TEST(run_on(other(), {"export", "--config", config}) == 0);
  BOOST_TEST((out == text));
  BOOST_TEST(run({"export", "--agent", "bob", (path() / "bob.jsonl").string()}) == 0);
  // The directory has another agent already.
  BOOST_TEST(run_on(other(), {"import", (path() / "bob.jsonl").string()}) == 0);
  BOOST_TEST(scratch(other(), {"read", "--thread", "trip", "--agent", "bob"})
             == "s1 note: bob's" + me + "\n");
  BOOST_TEST(run({"export"}) == 0);
  BOOST_TEST(contains(out, "Write to [email]"), out);
  BOOST_TEST(!contains(out, "ada@example.org"), out);
  input = out;
  auto third = (path() / "third").string();
  BOOST_TEST(run_on(third, {"import", "-"}) == 0);
  BOOST_TEST(
    scratch(third, {"read", "--thread", "trip"}) == "s1 note: Write to [email]" + me + "\n");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_refused_leaves_no_scratchbook_behind) {
  scratch(data(), {"add", "mine", "--thread", "trip"});
  BOOST_TEST(run({"export"}) == 0);
  auto right = file("right.jsonl", out);
  auto wrong = out;
  wrong.replace(wrong.find("scratchbook/trip.json"), 21, "../scratchbook/t.json");
  auto name = file("wrong.jsonl", wrong);
  BOOST_TEST(run_on(other(), {"import", name}) == 2);
  BOOST_TEST(contains(err, ": path: expected a path such as scratchbook/trip.json"), err);
  BOOST_TEST(!fs::exists(other()));
  BOOST_TEST(run_on(other(), {"add", "--agent", "bob", "--type", "observation", "x"}) == 0);
  BOOST_TEST(run_on(other(), {"import", name}) == 2);
  BOOST_TEST(!fs::exists(fs::path{other()} / "files"));
  auto nobodys = fs::path{other()} / "files" / "agent";
  fs::create_directories(nobodys);
  BOOST_TEST(run_on(other(), {"import", right}) == 2);
  BOOST_TEST(
    contains(err, "right.jsonl:2: agent_id: expected an agent that has no files yet"), err);
  fs::remove(nobodys);
  BOOST_TEST(run_on(other(), {"import", right}) == 0);
  BOOST_TEST(scratch(other(), {"read", "--thread", "trip"}) == "s1 note: mine" + me + "\n");
}

BOOST_AUTO_TEST_CASE(scratchbooks_are_in_a_checkpoint_and_saved_by_a_repair) {
  scratch(data(), {"add", "mine", "--thread", "trip"});
  auto name = (path() / "pages.db").string();
  BOOST_TEST(run({"checkpoint", name}) == 0);
  scratch(data(), {"add", "later", "--thread", "trip"});
  BOOST_TEST(run_plain({"restore", name, "--data", other()}) == 0);
  BOOST_TEST(scratch(other(), {"read", "--thread", "trip"}) == "s1 note: mine" + me + "\n");
  auto then = (path() / "then").string();
  BOOST_TEST(run_plain({"restore", name, "--data", then, "--until", "1"}) == 0);
  BOOST_TEST(scratch(then, {"read", "--thread", "trip"}) == "s1 note: mine" + me + "\n");
  auto saved = (path() / "saved").string();
  BOOST_TEST(run({"repair", "--into", saved}) == 0);
  BOOST_TEST(contains(out, ", 1 file; nothing is lost"), out);
  BOOST_TEST(scratch(saved, {"read", "--thread", "trip"})
             == "s2 note: later" + me + "\ns1 note: mine" + me + "\n");
  fs::remove(fs::path{other()} / "scratchpage.db");
  BOOST_TEST(run_plain({"restore", name, "--data", other()}) == 2);
  BOOST_TEST(contains(err, "--data: expected a directory without files of agents"), err);
}

BOOST_AUTO_TEST_CASE(a_past_page_is_listed_as_a_query_would) {
  BOOST_TEST(run({"replay", "--until", "1"}) == 0);
  BOOST_TEST(contains(out, "Smoke"), out);
  BOOST_TEST(!contains(out, "booked"), out);
  BOOST_TEST(contains(out, "1 observation; after sequence 1, at 20"), out);
  BOOST_TEST(run({"replay", "--until", "1", "--json"}) == 0);
  BOOST_TEST((names_in(answer())
              == std::vector<std::string>{"sequence", "at", "observations", "total_count"}));
  auto at = std::string{answer().at("at").as_string()};
  BOOST_TEST(run({"replay", "--until", at, "--json"}) == 0);
  BOOST_TEST(answer().at("observations").as_array().size() == 1u);
  BOOST_TEST(run({"replay", "--until", "2020-01-01"}) == 2);
  BOOST_TEST(contains(err, "--until: expected a time from " + at + " on"), err);
  BOOST_TEST(run({"replay", "--until", "1000"}) == 2);
  BOOST_TEST(contains(err, "--until: expected a sequence from 1 to "), err);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_becomes_a_directory_again) {
  auto name = (path() / "pages.db").string();
  BOOST_TEST(run({"checkpoint", name}) == 0);
  BOOST_TEST(out + err == "");
  BOOST_TEST(!fs::exists(name + "-wal"));
  BOOST_TEST(run_plain({"restore", name, "--data", other()}) == 0);
  BOOST_TEST(out + err == "");
  auto config = keep();
  BOOST_TEST(run({"export", "--config", config}) == 0);
  auto text = out;
  BOOST_TEST(run_on(other(), {"export", "--config", config}) == 0);
  BOOST_TEST(out == text);
  for (const auto& entry : fs::directory_iterator{path()})
    BOOST_TEST(!contains(entry.path().string(), ".part"), entry.path().string());
}

/// Files that the program creates are only accessible to their owner, in any folder.
BOOST_AUTO_TEST_CASE(exports_and_checkpoints_are_their_users_alone) {
  auto before = ::umask(0);
  auto all = path() / "export.jsonl", copy = path() / "copy.db";
  BOOST_TEST(run({"export", all.string()}) == 0, err);
  BOOST_TEST(run({"checkpoint", copy.string()}) == 0, err);
  BOOST_TEST(run_on(other(), {"restore", copy.string()}) == 0, err);
  ::umask(before);
  constexpr auto alone = fs::perms::owner_read | fs::perms::owner_write;
  BOOST_TEST((fs::status(all).permissions() == alone));
  BOOST_TEST((fs::status(copy).permissions() == alone));
  BOOST_TEST((fs::status(other()).permissions() == fs::perms::owner_all));
  BOOST_TEST(!fs::is_empty(other()));
  for (const auto& x : fs::directory_iterator{other()})
    if (x.is_regular_file())
      BOOST_TEST((x.status().permissions() == alone), x.path());
}

BOOST_AUTO_TEST_CASE(a_checkpoint_does_not_follow_a_link) {
  auto precious = file("precious", "text");
  auto name = path() / "copy.db";
  fs::create_symlink(precious, name);
  BOOST_TEST(run({"checkpoint", name.string()}) != 0);
  BOOST_TEST(fs::is_symlink(name));
  BOOST_TEST(fs::file_size(precious) == 4u);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_is_never_written_over_anything) {
  auto name = file("taken", "text");
  BOOST_TEST(run({"checkpoint", name}) == 2);
  BOOST_TEST(contains(err, "FILE: expected a name that is free"), err);
  BOOST_TEST(read("taken") == "text");
  BOOST_TEST(run({"checkpoint", (path() / "no" / "such" / "place").string()}) == 1);
  BOOST_TEST(err != "");
}

BOOST_AUTO_TEST_CASE(only_a_whole_checkpoint_is_restored_and_only_where_there_is_none) {
  auto name = (path() / "pages.db").string();
  BOOST_TEST(run({"checkpoint", name}) == 0);
  BOOST_TEST(run({"restore", name}) == 2);
  BOOST_TEST(contains(err, "--data: expected a directory without a database"), err);
  BOOST_TEST(run_on(other(), {"restore", (path() / "none").string()}) == 2);
  BOOST_TEST(contains(err, "FILE: expected a checkpoint, but there is no file"), err);
  BOOST_TEST(run_on(other(), {"restore", file("text", std::string(10'000, 'x'))}) == 2);
  SQLite::Database{name, SQLite::OPEN_READWRITE}.exec("UPDATE journal SET checksum = 7");
  BOOST_TEST(run_on(other(), {"restore", name}) == 2);
  BOOST_TEST(contains(err, "the checksum does not fit"), err);
  auto foreign = (path() / "foreign.db").string();
  SQLite::Database{foreign, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE}.exec(
    "CREATE TABLE journal (x)");
  BOOST_TEST(run_on(other(), {"restore", foreign}) == 2);
  BOOST_TEST(contains(err, "expected a database that scratchpage has made"), err);
  BOOST_TEST(!fs::exists(other()));
}

BOOST_AUTO_TEST_CASE(a_restored_page_may_be_as_it_was_once_and_no_id_comes_again) {
  auto name = (path() / "pages.db").string();
  BOOST_TEST(run({"checkpoint", name}) == 0);
  BOOST_TEST(run_on(other(), {"restore", name, "--until", "1"}) == 0);
  BOOST_TEST(contains(out, "agent is as it was after sequence 1; "), out);
  BOOST_TEST(contains(err, "warning: goals, facts, episodes and files are as they are"), err);
  BOOST_TEST(run_on(other(), {"query"}) == 0);
  BOOST_TEST(contains(out, "1 observation"), out);
  BOOST_TEST(run_on(other(), {"archive"}) == 0);
  BOOST_TEST(out.starts_with("no observations; "));
  BOOST_TEST(run_on(other(), {"add", "--type", "observation", "x"}) == 0);
  BOOST_TEST(contains(out, "_004"), out);
}

BOOST_AUTO_TEST_CASE(a_past_that_is_not_there_restores_nothing) {
  auto name = (path() / "pages.db").string();
  BOOST_TEST(run({"checkpoint", name}) == 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> all{
    {{"--until", "1000"}, "--until: expected a sequence from 1 to "},
    {{"--until", "soon"}, "--until: expected a time"},
    {{"--until", "1", "--agent", "nobody"}, "--agent: expected an agent"},
    {{"--agent", "agent"}, "--until"}};
  for (const auto& [options, expected] : all) {
    std::vector<std::string> words{"restore", name};
    words.insert(words.end(), options.begin(), options.end());
    BOOST_TEST(run_on(other(), words) == 2);
    BOOST_TEST(contains(err, expected), expected + " in " + err);
    BOOST_TEST(!fs::exists(other()));
  }
}

BOOST_AUTO_TEST_CASE(what_is_damaged_is_listed_and_the_rest_is_saved) {
  BOOST_TEST(run({"repair", "--into", other()}) == 0);
  BOOST_TEST(contains(out, "nothing is lost"), out);
  fs::remove_all(other());
  SQLite::Database{data() + "/scratchpage.db", SQLite::OPEN_READWRITE}.exec(
    "UPDATE journal SET checksum = 7 WHERE first_sequence = 1");
  BOOST_TEST(run({"query"}) == 2);
  BOOST_TEST(contains(err, "scratchpage repair"), err);
  BOOST_TEST(run({"repair", "--into", other()}) == 1);
  BOOST_TEST(contains(out, "AGENT"), out);
  BOOST_TEST(contains(out, "changes"), out);
  BOOST_TEST(run_on(other(), {"query"}) == 0);
  BOOST_TEST(contains(out, "booked"), out);
  BOOST_TEST(run_on(other(), {"add", "--type", "observation", "x"}) == 0);
  BOOST_TEST(run({"repair", "--into", other()}) == 2);
  BOOST_TEST(contains(err, "--into: expected a directory without a database"), err);
  fs::remove_all(other());
  BOOST_TEST(run({"repair", "--into", other(), "--json"}) == 1);
  BOOST_TEST(answer().at("lost").as_array().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_newer_checkpoint_is_refused) {
  auto name = (path() / "pages.db").string();
  BOOST_TEST(run({"checkpoint", name}) == 0);
  SQLite::Database{name, SQLite::OPEN_READWRITE}.exec("UPDATE schema_version SET version = 999");
  BOOST_TEST(run_on(other(), {"restore", name}) == 2);
  BOOST_TEST(contains(err, "was written by a newer scratchpage"), err);
}

BOOST_AUTO_TEST_CASE(bad_options_are_named_and_nothing_is_made) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> all{
    {{"export", "--agent", "nobody"}, "--agent: expected an agent of this data directory (agent)"},
    {{"export", "--agent", ""}, "--agent: expected"},
    {{"export", (path() / "no" / "file").string()}, "expected a file that can be written"},
    {{"export", path().string()}, "expected a file to write, but it is a directory"},
    {{"export", "--config", "/no/such/file"}, "/no/such/file: expected"},
    {{"import"}, "FILE is required"},
    {{"import", "/no/such/file"}, "/no/such/file: expected a file that can be read"},
    {{"import", path().string()}, "expected a file that can be read"},
    {{"import", "-"}, "standard input: expected an end line"}, {{"replay"}, "--until is required"},
    {{"replay", "--until", "soon"}, "--until: expected a time"},
    {{"replay", "--until", "99999999999999999999"}, "--until: expected a sequence or a time"},
    {{"replay", "--until", "2200-01-01"}, "--until: expected a time in the past"},
    {{"replay", "--until", ""}, "--until: expected"},
    {{"replay", "--until", "1", "--agent", "nobody"}, "--agent: expected an agent"},
    {{"checkpoint"}, "FILE is required"}, {{"restore"}, "FILE is required"},
    {{"repair"}, "--into is required"}, {{"repair", "--into", ""}, "--into"}};
  for (const auto& [words, expected] : all) {
    BOOST_TEST(run(words) == 2, expected);
    BOOST_TEST(contains(err, expected), expected + " in " + err);
    BOOST_TEST(out == "", expected);
  }
  for (auto command : {"export", "replay", "checkpoint"}) {
    std::vector<std::string> words{command};
    if (words[0] != "export")
      words.insert(words.end(), words[0] == "replay" ? 2 : 1, "1");
    if (words[0] == "replay")
      words[1] = "--until";
    BOOST_TEST(run_on(other(), words) == 2);
    BOOST_TEST(contains(err, "--data: expected a data directory, but " + other()), err);
    BOOST_TEST(run_on("postgresql://me:secret@db/pages", words) == 2);
    BOOST_TEST(contains(err, "--data: expected a directory"), err);
  }
  BOOST_TEST(!fs::exists(other()));
}

BOOST_AUTO_TEST_CASE(a_directory_in_use_is_refused) {
  auto name = (path() / "a.jsonl").string();
  BOOST_TEST(run({"export", name}) == 0);
  auto taken = storage::open(data());
  BOOST_REQUIRE(taken);
  for (const auto& words :
    std::vector<std::vector<std::string>>{{"export"}, {"import", name}, {"replay", "--until", "1"},
      {"checkpoint", (path() / "b.db").string()}, {"repair", "--into", other()}}) {
    BOOST_TEST(run(words) == 2);
    BOOST_TEST(contains(err, " uses it"), err);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
