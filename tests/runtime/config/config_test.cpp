#define BOOST_TEST_MODULE config
#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage::test {

namespace {

/// The refusal of a configuration file, or "accepted".
std::string refusal(std::string_view text) {
  auto result = load_config(text);
  return result ? "accepted" : describe(result.error());
}

config loaded(std::string_view text) {
  auto result = load_config(text);
  BOOST_REQUIRE_MESSAGE(result, refusal(text));
  return std::move(*result);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_built_in_configuration_is_valid) {
  BOOST_TEST(refusal(default_config_text()) == "accepted");
  BOOST_TEST(!validate(default_config()));
}

BOOST_AUTO_TEST_CASE(an_empty_file_changes_nothing) {
  BOOST_TEST(dump_config(loaded("{}")) == dump_config(default_config()));
}

BOOST_AUTO_TEST_CASE(a_dump_reads_as_the_same_configuration) {
  auto changed = loaded(R"({"recovery": {"max_attempts": 5}})");
  BOOST_TEST(dump_config(loaded(dump_config(changed))) == dump_config(changed));
  BOOST_TEST(dump_config(changed) != dump_config(default_config()));
}

BOOST_AUTO_TEST_CASE(objects_are_merged_at_any_depth) {
  auto x = loaded(R"({"recovery": {"classes": {"timeout": {"severity": "high"}}}})");
  BOOST_TEST(to_string(x.recovery.classes.at("timeout").severity) == "high");
  BOOST_TEST(x.recovery.classes.at("timeout").actions.size() > 1u);
  BOOST_TEST(x.recovery.max_attempts == default_config().recovery.max_attempts);
}

BOOST_AUTO_TEST_CASE(lists_replace_and_null_takes_away) {
  auto x =
    loaded(R"({"urgency": {"haste": ["pronto"], "topics": {"mail": null, "sea": ["ship"]}}})");
  BOOST_TEST(x.urgency.haste.size() == 1u);
  BOOST_TEST(!x.urgency.topics.contains("mail"));
  BOOST_TEST(x.urgency.topics.contains("money"));
  BOOST_TEST(x.urgency.topics.at("sea")[0] == "ship");
}

BOOST_AUTO_TEST_CASE(comments_and_a_last_comma_are_allowed) {
  BOOST_TEST(
    refusal("{ // mine\n  \"goal_progress\": {\"open_limit\": 0.5,}, /* all */ }") == "accepted");
}

BOOST_AUTO_TEST_CASE(an_unknown_section_or_key_is_refused_by_its_path) {
  BOOST_TEST(refusal(R"({"recovry": {}})").starts_with("invalid_request: recovry: unknown field"));
  BOOST_TEST(refusal(R"({"urgency": {"requests": {"limits": 3}}})")
               .starts_with("invalid_request: urgency.requests.limits: unknown field"));
}

BOOST_AUTO_TEST_CASE(a_wrong_type_is_refused_by_its_path) {
  BOOST_TEST(refusal(R"({"urgency": {"haste": ["a", 5]}})")
             == "invalid_request: urgency.haste[1]: expected a text");
  BOOST_TEST(refusal(R"({"latency": {"slow_ms": null}})")
             == "invalid_request: latency.slow_ms: expected a value; it is required");
  BOOST_TEST(refusal(R"({"recovery": {"order": ["bad_luck"]}})")
             == "invalid_request: recovery.order[0]: expected one of timeout, transient, "
                "invalid_input, permission, not_found, other");
}

BOOST_AUTO_TEST_CASE(a_value_out_of_range_is_refused_by_its_path) {
  BOOST_TEST(refusal(R"({"recovery": {"max_attempts": 0}})")
             == "invalid_request: recovery.max_attempts: expected a number from 1.0 to 100.0");
  BOOST_TEST(refusal(R"({"promotion": {"min_confidence": 1.5}})")
             == "invalid_request: promotion.min_confidence: expected a number from 0.0 to 1.0");
  BOOST_TEST(refusal(R"({"urgency": {"high_requests": 1}})")
             == "invalid_request: urgency.high_requests: expected a number from 2.0 to 1000.0");
  BOOST_TEST(refusal(R"({"ambiguity": {"fillers": [" "]}})")
             == "invalid_request: ambiguity.fillers: expected texts that are not blank");
}

/// Collects the paths of all numbers in a configuration, except weights, which may have any value.
void find_numbers(const json::object& in, const std::string& path, std::vector<std::string>& out) {
  for (const auto& [key, value] : in) {
    auto here = (path.empty() ? path : path + ".") + std::string{key};
    if (value.is_number() && path != "weights" && path != "weights.weights")
      out.push_back(here);
    else if (value.is_object())
      find_numbers(value.get_object(), here, out);
  }
}

/// A configuration that sets the value at a path.
std::string setting(const std::string& path, const std::string& value) {
  std::string text, end;
  for (size_t at = 0; at < path.size();) {
    auto next = std::min(path.find('.', at), path.size());
    text += "{\"" + path.substr(at, next - at) + "\": ";
    end += "}";
    at = next + 1;
  }
  return text + value + end;
}

BOOST_AUTO_TEST_CASE(every_number_has_bounds) {
  std::vector<std::string> paths;
  find_numbers(json::parse(dump_config(default_config())).as_object(), "", paths);
  BOOST_TEST(paths.size() > 100u);
  for (const auto& path : paths)
    for (const auto* value : {"-1", "1e300"}) {
      auto said = refusal(setting(path, value));
      BOOST_TEST(said.starts_with("invalid_request: " + path + ": expected "),
        path << " = " << value << ": " << said);
    }
}

BOOST_AUTO_TEST_CASE(what_would_hold_nothing_is_refused) {
  for (const auto* path : {"page.batch_size", "page.log_capacity", "page.max_observations",
         "journal.fold_at_once", "tools.max_in_flight", "turns.deadline_ms"})
    BOOST_TEST(refusal(setting(path, "0")).starts_with("invalid_request: " + std::string{path}));
}

BOOST_AUTO_TEST_CASE(rules_are_checked_one_by_one) {
  BOOST_TEST(
    refusal(R"({"promotion": {"rules": [
               {"id": "a", "title": "t", "description": "d"},
               {"id": "a", "title": "t", "description": "d"}]}})")
    == "invalid_request: promotion.rules[1].id: expected a unique id; \"a\" is used twice");
  BOOST_TEST(refusal(R"({"promotion": {"rules": [
               {"id": "a", "title": "t", "description": "d", "grouping_key": "mood"}]}})")
             == "invalid_request: promotion.rules[0].grouping_key: expected context.<path>, "
                "metadata.<path>, source, type, rule, or nothing");
  BOOST_TEST(refusal(R"({"mandates": {"rules": [
               {"id": "a", "match": {}, "verdict": "deny", "reason": ""}]}})")
             == "invalid_request: mandates.rules[0].reason: expected a text that is not blank");
}

BOOST_AUTO_TEST_CASE(every_class_of_errors_must_be_dealt_with_to_the_end) {
  BOOST_TEST(refusal(R"({"recovery": {"classes": {"timeout": null}}})")
             == "invalid_request: recovery.classes.timeout: expected how to deal with it");
  BOOST_TEST(refusal(R"({"recovery": {"classes": {"timeout": {"actions": ["retry"]}}}})")
             == "invalid_request: recovery.classes.timeout.actions: expected a list that ends "
                "with escalate or fail_gracefully, which can always be done");
  BOOST_TEST(refusal(R"({"recovery": {"confidence": {"retry": null}}})")
             == "invalid_request: recovery.confidence.retry: expected a number from 0.0 to 1.0");
}

BOOST_AUTO_TEST_CASE(broken_json_is_refused_with_its_place) {
  BOOST_TEST(refusal("{\n  \"urgency\": oops\n}")
               .starts_with("invalid_request: expected valid JSON, but at line 2, column "));
  BOOST_TEST(refusal("{} {}").find("more follows") != std::string::npos);
  BOOST_TEST(refusal("[]") == "invalid_request: expected an object of sections");
  BOOST_TEST(refusal("") != "accepted");
}

BOOST_AUTO_TEST_CASE(traces_with_personal_data_are_kept_no_longer_than_that) {
  auto x = default_config();
  x.privacy.archive_retention_days = 3;
  BOOST_TEST(trace_as_private(x).days == 7);
  x.privacy.policy = privacy_mode::keep;
  BOOST_TEST(trace_as_private(x).days == 3);
  x.trace.days = 1;
  BOOST_TEST(trace_as_private(x).days == 1);
}

} // namespace scratchpage::test
