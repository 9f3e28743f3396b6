#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/evaluation/runner.hpp"
#include "scratchpage/tests/runtime/simulation/fake_player.hpp"

namespace scratchpage {

BOOST_AUTO_TEST_SUITE(evaluation_of_conversations)

BOOST_AUTO_TEST_CASE(decisions_that_differ_are_kept_with_the_conversation) {
  auto read = read_labelled(
    R"({"id":"a","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}],"labels":[{"urgency":"high","goals_opened":0}]})",
    "t.jsonl");
  BOOST_REQUIRE(read);
  test::fake_player::log calls;
  test::fake_player plays{calls};
  measured_decisions x;
  BOOST_REQUIRE(play_and_count(plays, read->conversations.front(), {}, x));
  BOOST_REQUIRE(x.otherwise().size() == 1u);
  const auto& one = x.otherwise().front();
  BOOST_TEST(one.wanted == "high");
  BOOST_TEST(one.found == "low");
  BOOST_TEST(one.input == "Hi");
  BOOST_TEST(one.response == "Ho");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
