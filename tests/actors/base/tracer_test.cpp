#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"

namespace scratchpage::test {

namespace {

/// A clock whose wall time and steady time are set independently.
struct set_clock : clock {
  timestamp now() const override { return at; }
  timespan steady() const override { return since; }

  timestamp at{std::chrono::hours{500'000}};
  timespan since = std::chrono::seconds{7};
};

} // namespace

BOOST_AUTO_TEST_SUITE(tracers)

BOOST_AUTO_TEST_CASE(what_took_a_second_takes_a_second_though_the_clock_is_set_back_meanwhile) {
  auto time = std::make_shared<set_clock>();
  auto sink = std::make_shared<memory_trace>();
  tracer trace{{"ada", time, sink}, "Executor", 1};
  auto started = time->steady();
  time->since += std::chrono::seconds{1};
  time->at -= std::chrono::hours{1};
  trace.write("tool_response", {}, {}, "success", started);
  trace.write("at_once", {});
  auto entries = sink->entries();
  BOOST_REQUIRE(entries.size() == 2u);
  BOOST_TEST(entries[0].duration_ms == 1'000);
  BOOST_TEST(entries[1].duration_ms == 0);
  BOOST_TEST((entries[0].at == time->at));
}

BOOST_AUTO_TEST_CASE(texts_that_a_caller_chooses_are_shortened_wherever_they_stand) {
  auto sink = std::make_shared<memory_trace>();
  tracer trace{{"ada", std::make_shared<set_clock>(), sink}, "Executor", 1};
  const std::string ids(3'000, 'x');
  trace.write("get_observation", {},
    {{"observation_id", ids}, {"filter", {{"owner", json::array{ids, "ann"}}}}});
  json::object many;
  for (auto i = 0; i < 100; ++i)
    many[std::to_string(i)] = ids;
  trace.write("query_observations", {}, many);
  auto entries = sink->entries();
  BOOST_REQUIRE(entries.size() == 2u);
  auto shortened = std::string(1'021, 'x') + "…";
  BOOST_TEST(entries[0].detail.at("observation_id").as_string() == shortened);
  auto owners = entries[0].detail.at("filter").at("owner").as_array();
  BOOST_TEST(owners[0].as_string() == shortened);
  BOOST_TEST(owners[1].as_string() == "ann");
  BOOST_TEST(to_text(entries[1].detail).size() < 20'000u);
}

BOOST_AUTO_TEST_CASE(a_turn_and_a_source_that_a_caller_chooses_are_shortened) {
  auto sink = std::make_shared<memory_trace>();
  tracer trace{{"ada", std::make_shared<set_clock>(), sink}, "Executor", 1};
  const std::string long_one(4'000'000, 'x');
  trace.write("await_turn", as_daemon(long_one, long_one));
  trace.write("await_turn", as_daemon("planner", "turn_1"));
  auto entries = sink->entries();
  BOOST_REQUIRE(entries.size() == 2u);
  auto shortened = std::string(253, 'x') + "…";
  BOOST_TEST(entries[0].turn_id == shortened);
  BOOST_TEST(entries[0].source == shortened);
  BOOST_TEST(entries[1].turn_id == "turn_1");
  BOOST_TEST(entries[1].source == "planner");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
