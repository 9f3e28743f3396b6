#include "scratchpage/runtime/telemetry/metrics.hpp"

#include <cmath>
#include <string>

#include <boost/test/unit_test.hpp>

/// Metrics as Prometheus reads them (text exposition format 0.0.4).

namespace scratchpage::test {

using telemetry::duration_histogram;
using telemetry::metric_type;
using telemetry::metrics_text;

BOOST_AUTO_TEST_SUITE(metrics_as_text)

BOOST_AUTO_TEST_CASE(a_metric_has_a_head_and_samples_with_labels) {
  metrics_text text;
  text.head("notes_total", metric_type::counter, "Notes.");
  text.sample("notes_total", {{"agent", "ada"}, {"kind", "todo"}}, uint64_t{3});
  text.sample("notes_total", {}, 0.5);
  BOOST_TEST(text.take()
             == "# HELP notes_total Notes.\n# TYPE notes_total counter\n"
                "notes_total{agent=\"ada\",kind=\"todo\"} 3\nnotes_total 0.5\n");
}

BOOST_AUTO_TEST_CASE(a_label_cannot_end_its_line_or_its_quotes) {
  metrics_text text;
  text.sample("x", {{"agent", "a\"b\\c\nd 1"}}, 1.0);
  BOOST_TEST(text.take() == "x{agent=\"a\\\"b\\\\c\\nd 1\"} 1\n");
}

BOOST_AUTO_TEST_CASE(numbers_have_no_exponents_and_what_is_none_is_said_so) {
  metrics_text text;
  for (auto x : {0.00003, 1e15, -2.5, double{INFINITY}, double{-INFINITY}, double{NAN}, 1e300})
    text.sample("x", {}, x);
  auto written = text.take();
  BOOST_TEST(written.starts_with(
    "x 0.00003\nx 1000000000000000\nx -2.5\nx +Inf\nx -Inf\nx NaN\nx 1000000000000000052"));
}

BOOST_AUTO_TEST_CASE(a_histogram_counts_all_up_to_each_bound) {
  duration_histogram took;
  took.add(std::chrono::microseconds{100}); // a bucket includes its bound
  took.add(std::chrono::microseconds{101});
  took.add(std::chrono::seconds{60});
  metrics_text text;
  text.samples("took_seconds", {{"operation", "add"}}, took);
  auto written = text.take();
  auto has = [&](const std::string& line) {
    return written.find("took_seconds" + line + "\n") != std::string::npos;
  };
  BOOST_TEST(has("_bucket{operation=\"add\",le=\"0.0001\"} 1"));
  BOOST_TEST(has("_bucket{operation=\"add\",le=\"0.00025\"} 2"));
  BOOST_TEST(has("_bucket{operation=\"add\",le=\"10\"} 2"));
  BOOST_TEST(has("_bucket{operation=\"add\",le=\"+Inf\"} 3"));
  BOOST_TEST(has("_sum{operation=\"add\"} 60.000201"));
  BOOST_TEST(has("_count{operation=\"add\"} 3"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
