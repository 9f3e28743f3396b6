#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"

namespace scratchpage::test {

namespace {

constexpr uint64_t mebibyte = 1u << 20;

} // namespace

BOOST_AUTO_TEST_SUITE(memory_plans)

BOOST_AUTO_TEST_CASE(with_four_gigabytes_the_defaults_hold) {
  auto fitted = memory_plan::fitted(default_config(), 4'096 * mebibyte);
  BOOST_TEST(to_text(to_json(fitted)) == to_text(to_json(default_config())));
  auto plan = memory_plan::of(4'096 * mebibyte, 0);
  BOOST_TEST(plan.agents == 16'384u);
  BOOST_TEST(plan.pages_bytes == 1'024 * mebibyte);
}

BOOST_AUTO_TEST_CASE(with_less_the_bounds_are_lower_and_still_a_configuration) {
  for (uint64_t most : {64, 100, 384, 1'000, 3'000}) {
    BOOST_TEST_INFO(most);
    auto fitted = memory_plan::fitted(default_config(), most * mebibyte);
    BOOST_TEST(!validate(fitted));
    auto plan = memory_plan::of(most * mebibyte, 0);
    BOOST_TEST(plan.agents >= 1u);
    BOOST_TEST(plan.agents <= agent_host::max_agents);
    BOOST_TEST(fitted.page.max_bytes <= most * mebibyte / 4);
    BOOST_TEST(fitted.scratchbook.open_bytes <= most * mebibyte / 16);
    BOOST_TEST(fitted.frontal_cortex.max_bytes <= most * mebibyte / 64);
    BOOST_TEST(fitted.frontal_cortex.max_bytes_per_source <= fitted.frontal_cortex.max_bytes);
    BOOST_TEST(fitted.episodic.max_memory_bytes <= most * mebibyte / 16);
    BOOST_TEST(fitted.semantic.max_bytes <= std::max(mebibyte, most * mebibyte / 256));
    BOOST_TEST(fitted.http.max_bodies_bytes + fitted.http.max_answers_bytes <= most * mebibyte / 4);
  }
}

BOOST_AUTO_TEST_CASE(programs_that_agents_start_count) {
  BOOST_TEST(memory_plan::of(384 * mebibyte, 0).agents == 1'536u);
  BOOST_TEST(memory_plan::of(384 * mebibyte, 1).agents == 23u);
}

BOOST_AUTO_TEST_CASE(a_bound_that_is_lower_already_stays) {
  auto with = default_config();
  with.page.max_bytes = 2 * mebibyte;
  BOOST_TEST(memory_plan::fitted(with, 1'000 * mebibyte).page.max_bytes == 2 * mebibyte);
}

BOOST_AUTO_TEST_CASE(without_a_number_it_is_a_part_of_what_the_system_has) {
  auto most = max_memory({});
  BOOST_TEST(most > 0u);
  BOOST_TEST(most <= 4'096 * mebibyte);
  BOOST_TEST(max_memory({123 * mebibyte}) == 123 * mebibyte);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
