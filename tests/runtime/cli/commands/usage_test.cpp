#include <filesystem>

#include <unistd.h>

#include "scratchpage/runtime/cli/io/did_you_mean.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// Refused arguments, and exit codes of commands.

namespace scratchpage::test {

namespace {

using words = std::vector<std::string>;

words operator+(words a, const words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(usage, shell)

BOOST_AUTO_TEST_CASE(bad_input_names_the_option_and_changes_nothing) {
  add("observation", "the only one");
  const std::vector<std::pair<words, std::string>> all{
    {{"--type", "nonsense", "x"}, "--type: 'nonsense' is not registered"},
    {{"x"}, "--type: expected"}, {{"--type", "alert"}, "CONTENT: expected"},
    {{"--type", "alert", " "}, "CONTENT: expected"},
    {{"--type", "alert", "a\xFF"}, "CONTENT: expected valid UTF-8"},
    {{"--type", "alert", "--confidence", "sure", "x"}, "--confidence: expected a number"},
    {{"--type", "alert", "--confidence", "nan", "x"}, "--confidence: expected a number"},
    {{"--type", "alert", "--tag", std::string(65, 't'), "x"}, "--tag[0]: expected"},
    {{"--type", "alert", "--owner", std::string(129, 'o'), "x"}, "--owner: expected"},
    {{"--type", "alert", "--context", "[1]", "x"}, "--context: expected a JSON object"},
    {{"--type", "alert", "--metadata", "{", "x"}, "--metadata: expected a JSON object"},
    {{"--type", "alert", "--ttl-minutes", "soon", "x"}, "--ttl-minutes: expected a number"},
    {{"--type", "alert", "--source-tool", "a\xFF", "x"}, "--source-tool: expected valid UTF-8"},
    {{"--type", "alert", "--source-tool", "a", "--source-user", "b", "x"}, "--source-user"},
    {{"--file", "drafts.jsonl", "x"}, "--file"},
    {{"--file", "/no/such/file"}, "--file: expected a file that can be read"},
    {{"--type", "alert", "--agent", "", "x"}, "--agent"},
    {{"--type", "alert", "--config", "/no/such/file", "x"}, "/no/such/file: expected"},
    {{"--type", "alert", "--unknown", "x"}, "--unknown"}};
  for (const auto& [given, expected] : all) {
    BOOST_TEST(run(words{"add"} + given) == 2, expected);
    BOOST_TEST(contains(err, expected), expected + " in " + err);
    BOOST_TEST(out == "", expected);
  }
  BOOST_TEST(numbers({}) == "1");
}

BOOST_AUTO_TEST_CASE(the_nearest_name_is_one_that_was_probably_meant) {
  const words names{"query", "get", "goals", "export", "--min-confidence"};
  BOOST_TEST(did_you_mean("qurey", names) == "; did you mean 'query'?");
  BOOST_TEST(did_you_mean("QUERY", names) == "; did you mean 'query'?");
  BOOST_TEST(did_you_mean("expo", names) == "; did you mean 'export'?");
  BOOST_TEST(did_you_mean("--min_confidense", names) == "; did you mean '--min-confidence'?");
  BOOST_TEST(did_you_mean("ex", names) == "; did you mean 'export'?");
  BOOST_TEST(did_you_mean("e", names) == "");
  BOOST_TEST(did_you_mean("search", names) == "; did you mean 'query'?");
  BOOST_TEST(did_you_mean("backup", names) == "");
  BOOST_TEST(did_you_mean("xyzzy", names) == "");
  BOOST_TEST(did_you_mean("", names) == "");
  BOOST_TEST(did_you_mean(std::string(100'000, 'x'), names) == "");
}

BOOST_AUTO_TEST_CASE(bad_filters_name_the_option) {
  add("observation", "x");
  const std::vector<std::pair<words, std::string>> all{{{"--type", ""}, "--type: expected"},
    {{"--status", "open"}, "--status: expected one of active, pending_review"},
    {{"--tag", "a\xFF"}, "--tag: expected valid UTF-8"}, {{"--source", ""}, "--source: expected"},
    {{"--owner", ""}, "--owner: expected"},
    {{"--min-confidence", "1.5"}, "--min-confidence: expected a number in [0, 1], got '1.5'"},
    {{"--min-confidence", "nan"}, "--min-confidence: expected a number in [0, 1]"},
    {{"--where", "goal_id"}, "--where: expected PATH=JSON"},
    {{"--where", "=1"}, "--where: expected PATH=JSON"},
    {{"--where", "goal_id={}"}, "--where: expected a JSON text, number"},
    {{"--where", "goal_id=\"x"}, "--where: expected a JSON text, number"},
    {{"--turn", "a\xFF"}, "--turn: expected valid UTF-8"},
    {{"--after", "yesterday"}, "--after: expected a time such as"},
    {{"--before", "2025-13-01"}, "--before: expected a time such as"},
    {{"--limit", "0"}, "--limit: expected 1 to 1000, got '0'"},
    {{"--limit", "1001"}, "--limit: expected 1 to 1000, got '1001'"},
    {{"--limit", "-1"}, "--limit: expected a whole number, got '-1'"},
    {{"--cursor", "nonsense"}, "--cursor: expected"}};
  for (const auto& command : {"query", "archive"}) {
    for (const auto& [given, expected] : all) {
      BOOST_TEST(run(words{command} + given) == 2, expected);
      BOOST_TEST(contains(err, expected), expected + " in " + err);
    }
  }
  BOOST_TEST(run({"goals", "--status", "open"}) == 2);
  BOOST_TEST(contains(err, "--status: expected one of pending, in_progress"), err);
  BOOST_TEST(run({"context", "x", "--budget", "much"}) == 2);
  BOOST_TEST(contains(err, "--budget: expected a whole number, got 'much'"), err);
  BOOST_TEST(run({"context", "x"}) == 2);
  BOOST_TEST(contains(err, "--budget is required"), err);
  BOOST_TEST(run({"get"}) == 2);
}

BOOST_AUTO_TEST_CASE(a_directory_in_use_is_refused_and_names_the_process) {
  add("observation", "x");
  {
    auto taken = storage::open(data());
    BOOST_REQUIRE(taken);
    for (const auto& given :
      {words{"add", "--type", "alert", "x"}, words{"query"}, words{"goals"}}) {
      BOOST_TEST(run(given) == 2);
      BOOST_TEST(out == "");
      BOOST_TEST(err
                 == "scratchpage: the data directory " + data() + " cannot be used: process "
                      + std::to_string(::getpid()) + " uses it\n");
    }
  }
  BOOST_TEST(numbers({}) == "1");
}

BOOST_AUTO_TEST_CASE(reading_makes_no_directory) {
  for (const auto& given : {words{"query"}, words{"archive"}, words{"get", "x"}, words{"goals"},
         words{"context", "x", "--budget", "9"}}) {
    BOOST_TEST(run(given) == 2);
    BOOST_TEST(contains(err, "--data: expected a data directory, but " + data()), err);
  }
  BOOST_TEST(!std::filesystem::exists(data()));
}

BOOST_AUTO_TEST_CASE(reading_makes_no_agent) {
  add("observation", "x");
  BOOST_TEST(run({"query", "--agent", "agnet"}) == 2);
  BOOST_TEST(err
             == "scratchpage: --agent: expected an agent of this data directory (agent), "
                "got 'agnet'\n");
  auto opened = storage::open(data());
  BOOST_REQUIRE(opened);
  BOOST_TEST(opened->store->agents()->size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_is_no_data_directory) {
  auto name = file("taken", "text");
  BOOST_TEST(run_plain({"add", "--data", name, "--type", "alert", "x"}) == 2);
  BOOST_TEST(contains(err, "the data directory " + name + " cannot be used"), err);
}

BOOST_AUTO_TEST_CASE(a_database_is_refused_and_its_password_not_repeated) {
  for (auto command : {"add", "query"}) {
    BOOST_TEST(run_plain({command, "--data", "postgresql://me:secret@db/pages", "x"}) == 2);
    BOOST_TEST(!contains(err, "secret"), err);
  }
  BOOST_TEST(contains(err, "--data: expected a directory"), err);
}

BOOST_AUTO_TEST_CASE(each_command_tells_how_it_is_used_with_an_example) {
  for (auto command : {"add", "query", "get", "archive", "goals", "context", "export", "import",
         "replay", "repair"}) {
    BOOST_TEST(run_plain({command, "--help"}) == 0);
    BOOST_TEST(contains(out, "Examples:\n"), command);
    BOOST_TEST(contains(out, std::string{"scratchpage "} + command + " "), command);
    BOOST_TEST(contains(out, "Exit codes:"), command);
    BOOST_TEST(contains(out, "--json"), command);
    BOOST_TEST(err == "");
  }
  for (auto command : {"checkpoint", "restore"}) {
    BOOST_TEST(run_plain({command, "--help"}) == 0);
    BOOST_TEST(contains(out, std::string{"Examples:\n  scratchpage "} + command + " "), command);
    BOOST_TEST(contains(out, "Exit codes:"), command);
  }
}

BOOST_AUTO_TEST_CASE(a_configuration_may_bring_types_and_says_where_it_is_wrong) {
  auto config = file("config.json", R"({"page": {"types": ["deployment"]}})");
  add("deployment", "Version 7", {"--config", config});
  BOOST_TEST(run({"query", "--type", "deployment"}) == 0);
  BOOST_TEST(contains(out, "Version 7"), out);
  auto wrong = file("wrong.json", "{\n\n\"page\": {\"typos\": []}}");
  BOOST_TEST(run({"query", "--config", wrong}) == 2);
  BOOST_TEST(contains(err, wrong + ":3: page.typos: unknown field"), err);
}

BOOST_AUTO_TEST_CASE(a_configuration_cannot_make_an_answer_mean_less) {
  auto config = file("config.json", R"({"durability": {"durability": "none"}})");
  add("observation", "x", {"--config", config});
  BOOST_TEST(numbers({}) == "1");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
