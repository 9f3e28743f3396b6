#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/tests/actors/conversation/messages.hpp"
#include "scratchpage/tests/support/team.hpp"

/// The tool that reads offloaded parts of a conversation again, page by page.

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

struct reading_team : team {
  static constexpr uint32_t limit = 60;

  reading_team() {
    setup.config.profile.name = profile_name::on_device;
    setup.config.prompt.window = 600;
    setup.config.prompt.context = 100;
    setup.config.scratchbook.view.token_limit = 200;
    setup.config.conversation.tool_result_token_limit = limit;
  }

  /// The preview that replaces the long result of a tool in the prompt.
  std::string preview_of_result(const std::string& text, const std::string& thread = "trip") {
    value(ask(host->conversations(), append_messages{as_daemon("probe"), thread,
                                       {calling("c1", "seats"), answering("c1", "seats", text)}}));
    auto made = value(ask(host->conversations(), make_prompt{as_daemon("probe"), thread}));
    return made.messages.back().content;
  }

  static std::string path_in(const std::string& preview) {
    auto begin = preview.find("whole in ") + 9;
    return preview.substr(begin, preview.find(']') - begin);
  }

  tool_response read(json::object inputs, std::string thread = "trip") {
    tool_request request;
    request.request_id = "turn_1/c";
    request.tool_id = "read_back";
    request.inputs = std::move(inputs);
    request.thread_id = std::move(thread);
    return value(ask(host->tools(), std::move(request)));
  }

  /// The whole file, read page by page. Checks that no page has more tokens than `limit`.
  std::string read_all(const std::string& path) {
    std::string result;
    uint64_t offset = 0;
    for (int pages = 0; pages < 1'000; ++pages) {
      auto answer = read({{"path", path}, {"offset", offset}});
      BOOST_TEST(estimate_tokens(to_text(answer.outputs)) <= limit);
      auto page = from_json<text_page>(json::value(answer.outputs));
      BOOST_REQUIRE_MESSAGE(page, to_text(answer.outputs));
      BOOST_TEST(!page->text.empty());
      BOOST_TEST(utf8::is_valid(page->text));
      result += page->text;
      if (page->next == 0)
        return result;
      offset = page->next;
    }
    BOOST_FAIL("never ends");
    return result;
  }

  void check_refused(json::object inputs, std::string_view why, std::string thread = "trip") {
    auto answer = read(std::move(inputs), std::move(thread));
    BOOST_TEST(name_of(answer.status) == "error");
    std::string text{answer.outputs.at("error").as_string()};
    BOOST_TEST(text.find(why) != std::string::npos, text);
  }
};

std::string seats() {
  std::string result;
  for (int i = 0; i < 300; ++i)
    result += "seat " + std::to_string(i) + " – \"free\"\n";
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_long_result_is_read_back_whole_in_pages, reading_team, *label("SB_5") * label("SB_a7")) {
  start();
  auto text = seats();
  BOOST_TEST(read_all(path_in(preview_of_result(text))) == text);
}

BOOST_FIXTURE_TEST_CASE(a_page_is_not_evicted_again, reading_team, *label("SB_a7")) {
  start();
  auto path = path_in(preview_of_result(seats()));
  auto page = to_text(read({{"path", path}}).outputs);
  BOOST_TEST(preview_of_result(page) == page);
}

BOOST_FIXTURE_TEST_CASE(what_was_offloaded_is_read_back, reading_team, *label("SB_a6")) {
  start();
  conversation_stats stats;
  for (int i = 0; i < 60; ++i)
    stats = value(ask(host->conversations(),
      append_messages{as_daemon("probe"), "trip", {user("Flight " + std::to_string(i) + "?")}}));
  BOOST_REQUIRE(stats.compactions > 0u);
  auto history = read_all("conversation_history/trip.md");
  BOOST_TEST(history.starts_with("## user\n\n> Flight 0?\n"), history);
}

BOOST_FIXTURE_TEST_CASE(no_file_of_another_thread_or_kind_is_read, reading_team, *label("SB_a4")) {
  start();
  auto path = path_in(preview_of_result(seats(), "other"));
  check_refused({{"path", path}}, "path: expected a file of this conversation");
  BOOST_TEST(name_of(read({{"path", path}}, "other").status) == "ok");
  for (const auto* odd : {"scratchbook/trip.json", "../x", "", "tool_results/trip/../other/x.txt",
         "conversation_history/other.md", "/etc/passwd"})
    check_refused({{"path", odd}}, "path: expected a file of this conversation");
  check_refused({{"path", "conversation_history/trip.md"}}, "path: expected a file that is there");
  check_refused({}, "inputs.path");
  check_refused({{"path", path}, {"offset", -1}}, "inputs.offset", "other");
  check_refused({{"path", path}, {"offset", 1e30}}, "offset", "other");
  check_refused({{"path", path}, {"offset", 1'000'000}}, "offset: expected less than", "other");
}

BOOST_AUTO_TEST_CASE(a_page_has_whole_characters_and_one_at_least) {
  auto text = std::string{"🍷🍷"};
  auto first = page_of(text, 0, text.size(), 1);
  BOOST_TEST(first.text == "🍷");
  BOOST_TEST(first.next == 4u);
  auto inside = page_of(std::string_view{text}.substr(1), 1, text.size(), 1);
  BOOST_TEST(inside.text == "🍷");
  BOOST_TEST(inside.next == 0u);
  auto none = page_of("", 0, 0, 10);
  BOOST_TEST(none.text == "");
  BOOST_TEST(none.next == 0u);
}

} // namespace scratchpage::test
