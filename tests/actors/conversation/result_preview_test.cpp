#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/actors/conversation/read_back.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(a_preview)

BOOST_AUTO_TEST_CASE(names_the_file_and_shows_both_ends,
  *boost::unit_test::label("SB_5") * boost::unit_test::label("SB_a7")) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "row" + std::string(static_cast<size_t>(i % 7), 'x') + " of the table\n";
  auto preview = preview_of(text, "tool_results/trip/1.txt", 100, estimate_tokens);
  BOOST_TEST(estimate_tokens(preview) <= 100u);
  BOOST_TEST(estimate_tokens(preview) > 90u);
  BOOST_TEST(preview.starts_with("[" + std::to_string(text.size()) + " bytes, about "));
  BOOST_TEST(
    preview.find("whole in tool_results/trip/1.txt]\nrow of the table\n") != std::string::npos);
  BOOST_TEST(preview.find("\n…\n") != std::string::npos);
  BOOST_TEST(preview.ends_with("of the table\n"));
}

BOOST_AUTO_TEST_CASE(is_the_path_where_there_is_no_room) {
  std::string text(10'000, 'x');
  BOOST_TEST(preview_of(text, "results/1", 12, estimate_tokens) == "results/1");
  BOOST_TEST(preview_of(text, "results/1", 2, estimate_tokens) == "result");
  BOOST_TEST(preview_of(text, "results/1", 0, estimate_tokens) == "");
}

BOOST_AUTO_TEST_CASE(never_costs_more_than_its_budget, *boost::unit_test::label("SB_5")) {
  BOOST_TEST(rc::check("budget", [] {
    auto text = *any_text(400);
    auto most = *rc::gen::inRange(0u, 200u);
    auto preview = preview_of(text, "tool_results/trip/12.txt", most, estimate_tokens);
    RC_ASSERT(estimate_tokens(preview) <= most);
    RC_ASSERT(utf8::is_valid(preview));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
