#include "scratchpage/runtime/telemetry/metrics.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/api/operation_list.hpp"

/// The metrics of operations.

namespace scratchpage::test {

BOOST_AUTO_TEST_CASE(calls_are_counted_by_how_they_ended_and_those_that_nobody_has_are_one) {
  telemetry::operation_metrics metrics{operation_names()};
  for (int i = 0; i < 2; ++i)
    metrics.end(metrics.begin("add_observation"));
  metrics.end(metrics.begin("add_observation"), errc::unknown_type);
  metrics.end(metrics.begin("no such operation"), errc::not_found);
  metrics.end(metrics.begin("nor this one"), errc::not_found);
  telemetry::metrics_text text;
  metrics.write(text);
  auto written = text.take();
  auto has = [&](
               const std::string& line) { return written.find(line + "\n") != std::string::npos; };
  const std::string calls = "scratchpage_operations_total";
  BOOST_TEST(has(calls + R"({operation="add_observation",outcome="ok"} 2)"));
  BOOST_TEST(has(calls + R"({operation="add_observation",outcome="unknown_type"} 1)"));
  BOOST_TEST(has(calls + R"({operation="unknown",outcome="not_found"} 2)"));
  BOOST_TEST(has(R"(scratchpage_operation_duration_seconds_count{operation="add_observation"} 3)"));
  BOOST_TEST(written.find("page_stats") == std::string::npos);
}

} // namespace scratchpage::test
