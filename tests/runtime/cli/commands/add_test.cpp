#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage add` of one observation.

namespace scratchpage::test {

BOOST_FIXTURE_TEST_SUITE(adding, shell)

BOOST_AUTO_TEST_CASE(the_next_command_finds_what_was_added_under_the_same_id) {
  auto id = add("alert", "Smoke in the server room");
  BOOST_TEST(err == "");
  BOOST_TEST(id.starts_with("obs_"));
  BOOST_TEST(run({"query", "smoke", "--json"}) == 0);
  const auto& found = answer().at("observations").as_array();
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].at("observation_id").as_string().c_str() == id);
  BOOST_TEST(found[0].at("content").as_string().c_str() == "Smoke in the server room");
}

BOOST_AUTO_TEST_CASE(ids_go_on_in_the_next_process) {
  for (uint64_t n = 1; n <= 3; ++n)
    BOOST_TEST(number_of(add("observation", "x")).value_or(0) == n);
}

BOOST_AUTO_TEST_CASE(each_agent_counts_its_own) {
  add("observation", "x");
  BOOST_TEST(number_of(add("observation", "x", {"--agent", "other"})).value_or(0) == 1u);
  BOOST_TEST(numbers({"--agent", "other"}) == "1");
}

BOOST_AUTO_TEST_CASE(the_answer_in_json_has_the_fields_of_the_contract) {
  BOOST_TEST(run({"add", "--type", "alert", "Smoke", "--json"}) == 0);
  std::vector<std::string> expected{"observation_id", "type", "content", "confidence", "tags",
    "source", "context", "owner", "status", "metadata", "ttl_minutes", "created_at", "updated_at",
    "expires_at", "revision", "linked_goal_ids", "linked_to_goal"};
  BOOST_TEST(names_in(answer()) == expected, boost::test_tools::per_element());
  BOOST_TEST(!!from_json<observation>(answer()));
}

BOOST_AUTO_TEST_CASE(every_option_reaches_the_observation) {
  BOOST_TEST(run({"add", "--type", "reminder", "--tag", "a", "--tag", "b", "--confidence", "0.25",
               "--owner", "user", "--context", R"({"goal_id": "trip"})", "--metadata",
               R"({"deep": [1, {"x": null}]})", "--ttl-minutes", "90", "Pack", "--json"})
             == 0);
  auto x = from_json<observation>(answer());
  BOOST_REQUIRE(x);
  BOOST_TEST(x->type == "reminder");
  BOOST_TEST(x->content == "Pack");
  BOOST_TEST(x->tags == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
  BOOST_TEST(x->confidence == 0.25);
  BOOST_TEST(x->owner == "user");
  BOOST_TEST(to_text(x->context) == R"({"goal_id":"trip"})");
  BOOST_TEST(to_text(x->metadata) == R"({"deep":[1,{"x":null}]})");
  BOOST_CHECK(x->expires_at - x->created_at == std::chrono::minutes{90});
}

BOOST_AUTO_TEST_CASE(an_addition_that_is_repeated_with_its_key_is_made_once) {
  auto first = add("observation", "x", {"--request-key", "k"});
  BOOST_TEST(add("observation", "x", {"--request-key", "k"}) == first);
  BOOST_TEST(numbers({}) == "1");
  BOOST_TEST(run({"add", "--type", "observation", "y", "--request-key", "k"}) != 0);
  BOOST_TEST(run({"add", "--type", "observation", "y", "--request-key", "a b"}) == 2);
  BOOST_TEST(numbers({}) == "1");
}

BOOST_AUTO_TEST_CASE(it_comes_from_whoever_types_unless_told_otherwise) {
  auto source_of = [this](std::vector<std::string> words) {
    words.insert(words.begin(), {"add", "--type", "alert", "x", "--json"});
    BOOST_REQUIRE_MESSAGE(run(words) == 0, err);
    auto source = answer().at("source").as_object();
    source.erase("timestamp");
    return to_text(source);
  };
  BOOST_TEST(source_of({}) == R"({"user":")" + login_name() + "\"}");
  BOOST_TEST(source_of({"--source-user", "ada"}) == R"({"user":"ada"})");
  BOOST_TEST(source_of({"--source-tool", "make"}) == R"({"tool":"make"})");
  BOOST_TEST(source_of({"--source-daemon", "watcher"}) == R"({"daemon":"watcher"})");
}

BOOST_AUTO_TEST_CASE(content_may_come_in_and_loses_the_end_of_its_last_line) {
  input = "first\nsecond\n";
  BOOST_TEST(run({"add", "--type", "tool_result", "-", "--json"}) == 0);
  BOOST_TEST(answer().at("content").as_string().c_str() == "first\nsecond");
  input = std::string(70'000, 'x');
  BOOST_TEST(run({"add", "--type", "tool_result", "-"}) == 2);
  BOOST_TEST(contains(err, "CONTENT: expected at most 65536 bytes"), err);
}

BOOST_AUTO_TEST_CASE(content_may_begin_with_a_dash) {
  BOOST_TEST(run({"add", "--type", "observation", "--json", "--", "-5 degrees"}) == 0);
  BOOST_TEST(answer().at("content").as_string().c_str() == "-5 degrees");
}

BOOST_AUTO_TEST_CASE(what_was_put_right_is_told_and_stored) {
  BOOST_TEST(run({"add", "--type", "alert", "--confidence", "3", "x", "--json"}) == 0);
  BOOST_TEST(contains(err, "warning: confidence: 3.0 is outside [0, 1]"), err);
  BOOST_TEST(answer().at("confidence").as_double() == 1.0);
}

BOOST_AUTO_TEST_CASE(what_the_daemons_make_of_it_is_kept_when_the_command_ends) {
  add("error_alert", "The search failed: timeout");
  BOOST_TEST(numbers({"--type", "recovery_plan"}) == "2");
  BOOST_TEST(numbers({}) == "2 1"); // a query adds nothing
}

BOOST_AUTO_TEST_CASE(what_lives_no_time_is_in_the_archive_at_once) {
  auto id = add("alert", "Gone", {"--ttl-minutes", "0"});
  BOOST_TEST(run({"get", id}) == 1);
  BOOST_TEST(run({"archive", "--json"}) == 0);
  const auto& left = answer().at("observations").as_array();
  BOOST_REQUIRE(left.size() == 1u);
  BOOST_TEST(left[0].at("status").as_string().c_str() == "expired");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
