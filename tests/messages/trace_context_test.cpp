#include "scratchpage/messages/trace.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

/// Reading traceparent headers (W3C Trace Context, level 1, section 3.2).

namespace scratchpage::test {

namespace {

const std::string trace_id = "0af7651916cd43dd8448eb211c80319c";
const std::string span = "b7ad6b7169203331";

bool is_read(const std::string& traceparent) {
  return trace_context::parse(traceparent).has_value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_traceparent)

BOOST_AUTO_TEST_CASE(is_read_and_written_as_it_was) {
  for (const auto* flags : {"00", "01"}) {
    auto text = "00-" + trace_id + '-' + span + '-' + flags;
    auto read = trace_context::parse(text);
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->trace_id == trace_id);
    BOOST_TEST(read->parent_id == span);
    BOOST_TEST(read->is_sampled == (flags[1] == '1'));
    BOOST_TEST(read->to_traceparent() == text);
  }
}

BOOST_AUTO_TEST_CASE(of_a_later_version_is_read_as_far_as_this_one_goes) {
  BOOST_TEST(is_read("01-" + trace_id + '-' + span + "-01"));
  BOOST_TEST(is_read("01-" + trace_id + '-' + span + "-01-what-comes"));
  BOOST_TEST(!is_read("01-" + trace_id + '-' + span + "-01what-comes"));
  BOOST_TEST(!is_read("ff-" + trace_id + '-' + span + "-01"));
}

BOOST_AUTO_TEST_CASE(that_is_none_is_not_read) {
  BOOST_TEST(!is_read(""));
  BOOST_TEST(!is_read("00-" + trace_id + '-' + span));
  BOOST_TEST(!is_read("00-" + trace_id + '-' + span + "-01-more"));
  BOOST_TEST(!is_read("00-" + std::string(32, '0') + '-' + span + "-01"));
  BOOST_TEST(!is_read("00-" + trace_id + '-' + std::string(16, '0') + "-01"));
  BOOST_TEST(!is_read("00-" + std::string(32, 'A') + '-' + span + "-01"));
  BOOST_TEST(!is_read("00-" + trace_id + '_' + span + "-01"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
