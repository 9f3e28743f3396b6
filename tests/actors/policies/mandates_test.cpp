#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

proposal propose(std::string subject, std::vector<std::string> tags, bool consents = false) {
  proposal x;
  x.action = "tool_call";
  x.subject = std::move(subject);
  x.tags = std::move(tags);
  x.user_consents = consents;
  return x;
}

std::string judged(const proposal& x) {
  auto verdict = mandates{default_config().mandates}.judge(x);
  return to_string(verdict.kind) + " " + verdict.mandate_id;
}

} // namespace

BOOST_AUTO_TEST_SUITE(consciousness)

BOOST_AUTO_TEST_CASE(what_no_mandate_is_about_is_allowed) {
  BOOST_TEST(judged(propose("book_reservation", {})) == "allow ");
  BOOST_TEST(judged(propose("search", {"network"})) == "allow ");
}

BOOST_AUTO_TEST_CASE(user_data_needs_the_users_consent,
  *boost::unit_test::description("DS_x3: allowed with user consent")) {
  BOOST_TEST(judged(propose("profile", {"user_data"})) == "ask_user ask_before_user_data");
  BOOST_TEST(judged(propose("profile", {"user_data"}, true)) == "allow user_data_with_consent");
  BOOST_TEST(judged(propose("pay", {"payment"})) == "ask_user ask_before_payment");
  BOOST_TEST(judged(propose("pay", {"payment"}, true)) == "allow ");
  BOOST_TEST(judged(propose("erase", {"destructive"})) == "ask_user ask_before_destruction");
}

BOOST_AUTO_TEST_CASE(harm_is_denied_even_with_consent) {
  BOOST_TEST(judged(propose("x", {"illegal"}, true)) == "deny no_harm");
  auto x = propose("x", {"illegal"});
  x.user_confirms = true;
  BOOST_TEST(judged(x) == "deny no_harm");
}

BOOST_AUTO_TEST_CASE(who_confirmed_an_action_is_not_asked_about_it_again) {
  auto x = propose("profile", {"user_data", "payment"});
  x.user_confirms = true;
  BOOST_TEST(judged(x) == "allow user_data_with_consent");
  mandate always;
  always.id = "always_ask";
  always.verdict = verdict_kind::ask_user;
  mandate never;
  never.id = "never";
  never.match.subjects = {"launch"};
  never.verdict = verdict_kind::deny;
  mandates judge{mandate_config{{always, never}}};
  BOOST_TEST(judge.judge(propose("profile", {}, true)).mandate_id == "always_ask");
  BOOST_TEST(to_string(judge.judge(x).kind) == "allow");
  x.subject = "launch"; // later mandates still apply
  BOOST_TEST(judge.judge(x).mandate_id == "never");
}

BOOST_AUTO_TEST_CASE(a_goal_about_payments_is_no_payment) {
  auto x = propose("find_card", {"payment"});
  x.action = "goal";
  BOOST_TEST(judged(x) == "allow ");
}

BOOST_AUTO_TEST_CASE(the_first_mandate_that_matches_decides) {
  mandate_config config;
  mandate allow;
  allow.id = "test_account";
  allow.match.subjects = {"delete_*"};
  allow.match.details = {{"account.id", "test"}, {"force", true}};
  mandate deny;
  deny.id = "no_deletes";
  deny.match.subjects = {"delete_*"};
  deny.verdict = verdict_kind::deny;
  config.rules = {allow, deny};
  mandates judge{config};
  auto x = propose("delete_user", {});
  BOOST_TEST(judge.judge(x).mandate_id == "no_deletes");
  x.details = parse_object(R"({"account":{"id":"test"},"force":true})");
  BOOST_TEST(judge.judge(x).mandate_id == "test_account");
  x.details["force"] = false;
  BOOST_TEST(judge.judge(x).mandate_id == "no_deletes");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
