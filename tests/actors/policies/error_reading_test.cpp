#include "scratchpage/actors/policies/error_reading.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

namespace scratchpage {

namespace {

std::string kind(std::string_view error) {
  return to_string(read_error(error));
}

} // namespace

BOOST_AUTO_TEST_SUITE(error_readings)

BOOST_AUTO_TEST_CASE(a_code_tells_the_class) {
  BOOST_TEST(kind("connect ECONNREFUSED 10.0.0.1:80") == "transient");
  BOOST_TEST(kind("read ETIMEDOUT") == "timeout");
  BOOST_TEST(kind("HTTP 500") == "transient");
  BOOST_TEST(kind("request failed with status code 404") == "not_found");
  BOOST_TEST(kind("rpc error: code = DEADLINE_EXCEEDED") == "timeout");
  BOOST_TEST(kind("SQLSTATE 42501") == "permission");
  BOOST_TEST(kind("java.lang.IllegalArgumentException: no") == "invalid_input");
}

BOOST_AUTO_TEST_CASE(a_number_that_counts_is_no_status) {
  BOOST_TEST(!class_by_code("expected 400 rows but got 503"));
  BOOST_TEST(kind("expected 400 rows but got 503") == "invalid_input");
}

BOOST_AUTO_TEST_CASE(phrases_are_read_in_six_languages) {
  BOOST_TEST(kind("Zugriff verweigert") == "permission");
  BOOST_TEST(kind("El archivo no existe") == "not_found");
  BOOST_TEST(kind("Délai d'attente dépassé") == "timeout");
  BOOST_TEST(kind("系统繁忙") == "transient");
  BOOST_TEST(kind("在庫切れ") == "other");
}

BOOST_AUTO_TEST_CASE(a_word_about_timeouts_is_not_a_timeout) {
  BOOST_TEST(kind("timeout must be a positive number") == "invalid_input");
}

BOOST_AUTO_TEST_CASE(only_what_was_at_work_may_have_been_done) {
  BOOST_TEST(leaves_outcome_open("anything", error_class::timeout));
  BOOST_TEST(leaves_outcome_open("connection reset by peer", error_class::transient));
  BOOST_TEST(!leaves_outcome_open("too many requests", error_class::transient));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
