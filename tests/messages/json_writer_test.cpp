#include <boost/test/unit_test.hpp>

#include <random>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/turn.hpp"

/// The direct writer gives the same text as writing JSON values.

namespace scratchpage {

namespace {

template <class T>
void check_same(const T& x) {
  BOOST_TEST(to_json_text(x) == to_text(to_json(x)));
}

page_event busy_event() {
  observation x;
  x.observation_id = "obs_20251105_007";
  x.type = "risk_alert";
  x.content = "quote \" backslash \\ tab \t newline \n bell \a unit \x1f del \x7f ünï 🍷";
  x.confidence = 0.99;
  x.tags = {"a", "b \"c\""};
  x.source = {source_kind::tool, "flight_search", "turn_1", timestamp{std::chrono::seconds{7}}};
  x.context = {{"goal_id", "g"}, {"deep", {{"n", 1}, {"list", {1.5, -2, nullptr, true, "x"}}}},
    {"huge", 1e300}, {"tiny", 5e-324}, {"whole", 3.0}, {"big", UINT64_MAX}, {"\n", {}}};
  x.created_at = timestamp{std::chrono::milliseconds{1762338600123}};
  x.linked_goal_ids = {"goal_1"};
  x.linked_to_goal = true;
  page_event event;
  event.sequence = 12;
  event.kind = event_kind::linked;
  event.at = x.created_at;
  event.turn_id = "turn_1";
  event.observation = observation_ptr{std::move(x)};
  return event;
}

} // namespace

BOOST_AUTO_TEST_SUITE(json_writer)

BOOST_AUTO_TEST_CASE(writes_what_goes_through_json_values) {
  check_same(busy_event());
  check_same(page_event{});
  check_same(goal{});
  check_same(fact{});
  check_same(tool_request{});
  check_same(turn_result{});
  check_same(episode{"t", "", {}, {}, {observation_ptr{observation{}}, observation_ptr{}}});
}

BOOST_AUTO_TEST_CASE(what_it_writes_reads_back_the_same) {
  auto event = busy_event();
  auto text = to_json_text(event);
  auto again = from_json_text<page_event>(text);
  BOOST_REQUIRE(again);
  BOOST_TEST(to_json_text(*again) == text);
  BOOST_CHECK(again->observation->context == event.observation->context);
}

BOOST_AUTO_TEST_CASE(random_texts_and_numbers_read_back_the_same) {
  std::mt19937_64 random{7};
  for (int i = 0; i < 2'000; ++i) {
    observation x;
    x.source.name = "user";
    for (auto n = random() % 40; n > 0; --n)
      x.content += static_cast<char>(random() % 128);
    x.confidence = std::ldexp(static_cast<double>(random() % 1'000'003), int(random() % 80) - 60);
    x.metadata["n"] = x.confidence * (random() % 2 == 0 ? 1e9 : -1);
    check_same(x);
    auto again = from_json_text<observation>(to_json_text(x));
    BOOST_REQUIRE(again);
    BOOST_TEST(again->content == x.content);
    BOOST_TEST(again->confidence == x.confidence);
    BOOST_CHECK(again->metadata == x.metadata);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
