#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/durable_team.hpp"

/// Agents after a restart of their process.

namespace scratchpage::test {

namespace {

/// A durable team with a tool that reports the same insight in each turn.
struct learning_team : durable_team {
  learning_team() {
    recorded_response response;
    response.observations.push_back(value(parse_json(R"({"type": "contextual_insight",
      "content": "User prefers Burgundy wines", "confidence": 0.95, "tags": ["wine"]})")));
    tool_manifest search{.tool_id = "wine_search"};
    search.observation_types = {"contextual_insight"};
    add_tool(std::move(search), {std::move(response)}).after_last = after_last::repeat;
    begin();
  }

  std::string known() {
    std::string result;
    for (const auto& x : facts())
      result += to_text(to_json(x)) + "\n";
    return result;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(restart)

BOOST_FIXTURE_TEST_CASE(nothing_is_learnt_twice, learning_team) {
  for (int i = 0; i < 3; ++i)
    say("Which wine?", {call("wine_search")});
  auto before = known();
  BOOST_TEST(before != "");
  for (int i = 0; i < 3; ++i) {
    end();
    begin();
    settle();
    BOOST_TEST(known() == before);
  }
  for (int i = 0; i < 2; ++i) // one observation changes no fact
    say("Which wine?", {call("wine_search")});
  BOOST_TEST(known() != before);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
