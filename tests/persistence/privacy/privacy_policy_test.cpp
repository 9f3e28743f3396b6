#include "scratchpage/persistence/privacy/privacy_policy.hpp"

#include <limits>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage {

namespace {

privacy_policy with_mode(privacy_mode mode) {
  privacy_config config;
  config.policy = mode;
  return privacy_policy{config};
}

std::string problem_of(std::string_view text) {
  auto config = from_json_text<privacy_config>(text);
  return describe(config ? validate(*config, "privacy") : config.error());
}

timestamp after_days(int64_t days) {
  return test::at_ms(days * 24 * 3600 * 1000);
}

} // namespace

BOOST_AUTO_TEST_SUITE(privacy)

BOOST_AUTO_TEST_CASE(is_kept_masked_on_export_or_on_arrival) {
  auto keep = with_mode(privacy_mode::keep);
  BOOST_TEST(!keep.masks_on_arrival());
  BOOST_TEST(!keep.masks_on_export());
  auto on_export = with_mode(privacy_mode::mask_on_export);
  BOOST_TEST(!on_export.masks_on_arrival());
  BOOST_TEST(on_export.masks_on_export());
  auto on_arrival = with_mode(privacy_mode::mask_on_arrival);
  BOOST_TEST(on_arrival.masks_on_arrival());
  BOOST_TEST(on_arrival.masks_on_export()); // for data from before the mode was set
}

BOOST_AUTO_TEST_CASE(masks_the_configured_kinds) {
  privacy_config config;
  config.kinds = {pii_kind::email};
  privacy_policy policy{config};
  BOOST_TEST(policy.masker().mask("a@b.org ::1") == "[email] ::1");
  BOOST_TEST(!policy.purge_at(test::plain_observation(1, "::1"), after_days(1)).has_value());
}

BOOST_AUTO_TEST_CASE(purges_what_holds_personal_data_after_its_retention) {
  privacy_config config;
  config.policy = privacy_mode::keep;
  config.archive_retention_days = 30;
  privacy_policy policy{config};
  auto x = test::plain_observation(1, "a@b.org");
  BOOST_TEST((policy.purge_at(x, after_days(5)) == after_days(35)));
  BOOST_TEST(!policy.purge_at(test::plain_observation(1), after_days(5)).has_value());
  policy.masker().mask(x);
  BOOST_TEST(!policy.purge_at(x, after_days(5)).has_value());
}

BOOST_AUTO_TEST_CASE(retains_from_not_at_all_to_a_century) {
  auto x = test::plain_observation(1, "a@b.org");
  privacy_config config;
  config.archive_retention_days = 0;
  BOOST_TEST((privacy_policy{config}.purge_at(x, after_days(5)) == after_days(5)));
  config.archive_retention_days = 0.5;
  BOOST_TEST((privacy_policy{config}.purge_at(x, after_days(0)) == test::at_ms(12 * 3600 * 1000)));
  config.archive_retention_days = 36'500;
  BOOST_TEST((privacy_policy{config}.purge_at(x, after_days(20'000)) == after_days(56'500)));
}

BOOST_AUTO_TEST_CASE(is_configured_in_json) {
  auto x = from_json_text<privacy_config>(
    R"({"policy": "mask_on_arrival", "kinds": ["card", "ip"], "archive_retention_days": 7})");
  BOOST_REQUIRE(!!x);
  BOOST_TEST((x->policy == privacy_mode::mask_on_arrival));
  BOOST_TEST((x->kinds == std::vector{pii_kind::card, pii_kind::ip}));
  BOOST_TEST(x->archive_retention_days == 7);
  auto plain = from_json_text<privacy_config>("{}");
  BOOST_REQUIRE(!!plain);
  BOOST_TEST((plain->policy == privacy_mode::mask_on_export));
  BOOST_TEST((plain->kinds == all_pii_kinds()));
  BOOST_TEST(!validate(*plain, "privacy"));
}

BOOST_AUTO_TEST_CASE(names_the_field_that_is_wrong) {
  BOOST_TEST(problem_of(R"({"policy": "hide"})")
             == "invalid_request: policy: expected one of keep, mask_on_export, mask_on_arrival");
  BOOST_TEST(problem_of(R"({"kinds": ["name"]})")
             == "invalid_request: kinds[0]: expected one of email, phone, card, iban, ssn, ip");
  for (const auto* text : {R"({"kinds": []})", R"({"kinds": ["ip", "ip"]})"})
    BOOST_TEST(problem_of(text)
               == "invalid_request: privacy.kinds: expected at least one of email, phone, card, "
                  "iban, ssn, ip, each once");
  for (const auto* text :
    {R"({"archive_retention_days": -1})", R"({"archive_retention_days": 1e9})"})
    BOOST_TEST(problem_of(text)
               == "invalid_request: privacy.archive_retention_days: expected a number from 0.0 to "
                  "36500.0");
  privacy_config config;
  config.archive_retention_days = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(field_of(validate(config, "privacy")) == "privacy.archive_retention_days");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
