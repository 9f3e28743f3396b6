#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/persistence/trace_sink.hpp"

namespace scratchpage::test {

namespace {

/// Two clocks of which somebody sets the one.
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

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
