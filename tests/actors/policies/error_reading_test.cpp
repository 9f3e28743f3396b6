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

BOOST_AUTO_TEST_CASE(the_end_of_a_command_tells_the_class) {
  BOOST_TEST(kind("exit status 127: jq is not installed") == "not_found");
  BOOST_TEST(kind("the script exited with code 126") == "permission");
  BOOST_TEST(kind("container exited with code 137") == "other");
  BOOST_TEST(kind("command exited with status 124") == "timeout");
}

BOOST_AUTO_TEST_CASE(a_reply_of_a_mail_server_tells_the_class) {
  BOOST_TEST(kind("550 5.1.1 <ana@example.org> is nobody here") == "not_found");
  BOOST_TEST(kind("552 5.2.2 mailbox of the recipient is over its size") == "permission");
  BOOST_TEST(kind("451 4.3.0 come back in a while") == "transient");
  BOOST_TEST(kind("501 5.1.3 bad recipient address") == "invalid_input");
  BOOST_TEST(!class_by_code("version 5.1.1 was installed"));
}

BOOST_AUTO_TEST_CASE(a_rate_limit_is_transient_and_a_quota_is_not) {
  BOOST_TEST(kind("HTTP 403: rate limit exceeded") == "transient");
  BOOST_TEST(kind("status 429, quota of this month is used up") == "permission");
  BOOST_TEST(kind("Queries per minute per user are limited") == "transient");
  BOOST_TEST(kind("HTTP 403") == "permission");
}

BOOST_AUTO_TEST_CASE(programs_and_services_are_read_by_what_they_print) {
  BOOST_TEST(kind("zsh: command not found: terrafrom") == "not_found");
  BOOST_TEST(kind("error: failed to push some refs (non-fast-forward)") == "other");
  BOOST_TEST(kind("FATAL: sorry, too many clients already") == "transient");
  BOOST_TEST(
    kind("null value in column \"email\" violates not-null constraint") == "invalid_input");
  BOOST_TEST(kind("duplicate key value violates unique constraint") == "other");
  BOOST_TEST(kind("FATAL ERROR: JavaScript heap out of memory") == "other");
  BOOST_TEST(kind("Your card has insufficient funds") == "permission");
  BOOST_TEST(kind("the server's certificate has expired") == "other");
  BOOST_TEST(kind("NXDOMAIN") == "not_found");
}

BOOST_AUTO_TEST_CASE(what_only_somebody_can_allow_is_no_matter_of_inputs) {
  BOOST_TEST(kind("authentication is required") == "permission");
  BOOST_TEST(kind("you must be logged in to do that") == "permission");
  BOOST_TEST(kind("the field email is required") == "invalid_input");
}

BOOST_AUTO_TEST_CASE(only_what_was_at_work_may_have_been_done) {
  BOOST_TEST(leaves_outcome_open("anything", error_class::timeout));
  BOOST_TEST(leaves_outcome_open("connection reset by peer", error_class::transient));
  BOOST_TEST(!leaves_outcome_open("too many requests", error_class::transient));
  BOOST_TEST(kind("the charge was sent, its outcome is unknown") == "timeout");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
