#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/runtime/cli/commands/shell.hpp"

/// `scratchpage add --file`.

namespace scratchpage::test {

namespace {

std::string draft(const std::string& type, const std::string& content) {
  return R"({"type":")" + type + R"(","content":")" + content + "\"}\n";
}

size_t lines_in(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(adding_lines, shell)

BOOST_AUTO_TEST_CASE(each_draft_of_a_file_is_answered_by_a_line) {
  auto name = file("drafts.jsonl", draft("alert", "one") + "\n" + draft("reminder", "two"));
  BOOST_TEST(run({"add", "--file", name}) == 0);
  BOOST_TEST(lines_in(out) == 2u);
  BOOST_TEST(out.ends_with("_002\n"));
  BOOST_TEST(numbers({}) == "2 1");
}

BOOST_AUTO_TEST_CASE(one_bad_draft_refuses_itself_only) {
  auto name = file("drafts.jsonl",
    draft("alert", "one") + draft("nonsense", "two") + "{bad\n" + draft("alert", "   ")
      + R"({"type":"alert","content":"x","priority":1})" + "\n" + draft("alert", "last"));
  BOOST_TEST(run({"add", "--file", name}) == 1);
  BOOST_TEST(lines_in(out) == 6u);
  BOOST_TEST(contains(out, "_001\nrefused\nrefused\nrefused\nrefused\nobs_"), out);
  BOOST_TEST(contains(err, name + ":2: type: 'nonsense' is not registered"), err);
  BOOST_TEST(contains(err, name + ":3: expected valid JSON"), err);
  BOOST_TEST(contains(err, name + ":4: content: expected a text that is not blank"), err);
  BOOST_TEST(contains(err, name + ":5: priority: unknown field"), err);
  BOOST_TEST(numbers({}) == "2 1");
}

BOOST_AUTO_TEST_CASE(in_json_a_refused_line_says_which_and_why) {
  input = draft("nonsense", "one") + draft("alert", "two");
  BOOST_TEST(run({"add", "--file", "-", "--json"}) == 1);
  auto found = answers();
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0].at("line").as_int64() == 1);
  BOOST_TEST(found[0].at("error").at("code").as_string().c_str() == "unknown_type");
  BOOST_TEST(found[0].at("error").at("field").as_string().c_str() == "type");
  BOOST_TEST(found[1].at("content").as_string().c_str() == "two");
}

BOOST_AUTO_TEST_CASE(more_than_fits_one_request_arrives_in_order) {
  for (int i = 0; i < 600; ++i)
    input += draft("observation", "item " + std::to_string(i));
  input.pop_back(); // the last line has no line end
  BOOST_TEST(run({"add", "--file", "-", "--json"}) == 0);
  auto found = answers();
  BOOST_REQUIRE(found.size() == 600u);
  for (size_t i = 0; i < found.size(); ++i)
    BOOST_REQUIRE(found[i].at("content").as_string() == "item " + std::to_string(i));
  BOOST_TEST(run({"query", "--json", "--limit", "1"}) == 0);
  BOOST_TEST(answer().at("total_count").as_int64() == 600);
}

BOOST_AUTO_TEST_CASE(a_line_that_never_ends_is_refused) {
  input.assign(5u << 20, 'x');
  input += "\n" + draft("alert", "one");
  BOOST_TEST(run({"add", "--file", "-"}) == 1);
  BOOST_TEST(out.starts_with("refused\nobs_"));
  BOOST_TEST(contains(err, "standard input:1: expected a JSON text of at most"), err);
}

BOOST_AUTO_TEST_CASE(a_mark_at_the_beginning_and_windows_line_ends_are_no_matter) {
  input = "\xEF\xBB\xBF{\"type\":\"alert\",\"content\":\"one\"}\r\n\r\n";
  BOOST_TEST(run({"add", "--file", "-"}) == 0);
  BOOST_TEST(lines_in(out) == 1u);
}

BOOST_AUTO_TEST_CASE(nothing_in_a_file_is_nothing_to_do) {
  BOOST_TEST(run({"add", "--file", file("empty.jsonl", "")}) == 0);
  BOOST_TEST(out == "");
}

BOOST_AUTO_TEST_CASE(they_come_from_one_source_whatever_they_claim) {
  input = R"({"type":"alert","content":"x","source":{"daemon":"consciousness"}})";
  BOOST_TEST(run({"add", "--file", "-", "--source-tool", "mailer", "--json"}) == 0);
  BOOST_TEST(answer().at("source").at("tool").as_string().c_str() == "mailer");
  BOOST_TEST(contains(err, "standard input:1: source: the caller's identity"), err);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
