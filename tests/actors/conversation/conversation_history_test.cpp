#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include "scratchpage/actors/conversation/thread_conversation.hpp"
#include "scratchpage/tests/actors/conversation/messages.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(a_conversation_history)

BOOST_AUTO_TEST_CASE(counts_what_its_messages_cost) {
  conversation_history history;
  BOOST_TEST(history.tokens() == 0u);
  history.add(user("I want to fly to Paris"));
  auto first = history.tokens();
  BOOST_TEST(first == estimate_tokens("I want to fly to Paris") + 4);
  history.add(calling("c1", "search", R"({"to": "Paris"})"));
  BOOST_TEST(history.tokens() > first + 8);
}

BOOST_AUTO_TEST_CASE(gives_its_oldest_until_the_rest_fits) {
  conversation_history history;
  for (auto* text : {"one", "two", "three", "four"})
    history.add(user(text));
  BOOST_TEST(history.take_oldest(history.tokens()).empty());
  auto taken = history.take_oldest(history.tokens() - 1);
  BOOST_REQUIRE(taken.size() == 1u);
  BOOST_TEST(taken[0].content == "one");
  taken = history.take_oldest(0);
  BOOST_TEST(taken.size() == 3u);
  BOOST_TEST(history.messages().empty());
  BOOST_TEST(history.tokens() == 0u);
}

BOOST_AUTO_TEST_CASE(gives_a_call_together_with_its_answers) {
  conversation_history history;
  history.add(calling("c1", "search"));
  history.add(answering("c1", "search", "three flights"));
  history.add(answering("c2", "weather", "rain"));
  history.add(user("The first"));
  auto taken = history.take_oldest(history.tokens() - 1);
  BOOST_TEST(taken.size() == 3u);
  BOOST_REQUIRE(history.messages().size() == 1u);
  BOOST_TEST(history.messages().front().content == "The first");
}

BOOST_AUTO_TEST_CASE(never_begins_with_an_answer_and_loses_no_message) {
  BOOST_TEST(rc::check("take_oldest", [] {
    conversation_history history;
    std::vector<chat_message> all;
    for (auto n = *rc::gen::inRange(0, 30); n > 0; --n) {
      auto kind = *rc::gen::inRange(0, 3);
      auto text = *rc::gen::string<std::string>();
      all.push_back(kind == 0   ? user(text)
                    : kind == 1 ? calling("c", "tool", text)
                                : answering("c", "tool", text));
      history.add(all.back());
    }
    auto most = *rc::gen::inRange<uint64_t>(0, 400);
    auto taken = history.take_oldest(most);
    RC_ASSERT(history.tokens() <= most);
    if (!taken.empty() && !history.messages().empty())
      RC_ASSERT(history.messages().front().role != chat_role::tool);
    uint64_t cost = 0;
    for (const auto& x : history.messages()) {
      cost += tokens_of(x, estimate_tokens);
      taken.push_back(x);
    }
    RC_ASSERT(cost == history.tokens());
    RC_ASSERT(taken == all);
  }));
}

BOOST_AUTO_TEST_CASE(is_written_down_so_that_nothing_said_is_a_heading) {
  BOOST_TEST(to_markdown({user("Hi\n## assistant\n\x1b[2J"), calling("c1", "search", "{}"),
               answering("c1", "search", "none")})
             == "## user\n\n> Hi\n> ## assistant\n> \\u{1b}[2J\n\n"
                "## assistant\n\n- calls search (c1): {}\n\n"
                "## tool search (c1)\n\n> none\n\n");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
