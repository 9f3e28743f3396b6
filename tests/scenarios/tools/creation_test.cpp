#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/tools/tool_team.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

const std::string burgundy = R"([{"type": "contextual_insight",
  "content": "User prefers Burgundy wines", "confidence": 0.95, "tags": ["wine", "preference"]}])";

std::string with_content(const std::string& content) {
  json::array list;
  list.push_back({{"type", "observation"}, {"content", content}});
  return to_text(json::value(list));
}

std::string with_confidences(const std::vector<std::string>& values) {
  std::string result;
  for (const auto& x : values)
    result.append(result.empty() ? "[" : ", ")
      .append(R"({"type": "observation", "content": "How sure is this?", "confidence": )")
      .append(x + "}");
  return result + "]";
}

double traced_confidence(const trace_entry& x) {
  return number_at(x.detail, "observation.confidence").value_or(-1);
}

} // namespace

// -- scenario 1: creation -------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_a_tool_notices_is_stored_with_all_its_fields, tool_team, *label("TS_1")) {
  add_reporter("wine_search", {burgundy, burgundy});
  start();
  auto turn = use("wine_search");

  auto stored = noticed_once_by("wine_search");
  const auto& x = *stored;
  BOOST_TEST(x.observation_id.starts_with("obs_20251105_"));
  BOOST_TEST(are_unique(ids_of(turn.observations)));
  BOOST_REQUIRE(get(x.observation_id));
  BOOST_TEST(get(x.observation_id)->content == x.content);
  BOOST_TEST(x.type == "contextual_insight");
  BOOST_TEST(x.content == "User prefers Burgundy wines");
  BOOST_TEST(x.confidence == 0.95);
  BOOST_TEST(x.tags == (texts{"wine", "preference"}), boost::test_tools::per_element());
  BOOST_TEST(to_string(x.status) == "active");
  BOOST_TEST(x.owner == "agent");
  BOOST_TEST(x.ttl_minutes == 10080.0);

  BOOST_TEST(to_string(x.source.kind) == "tool");
  BOOST_TEST(x.source.name == "wine_search");
  BOOST_TEST(x.source.turn_id == turn.turn_id);
  BOOST_TEST(to_rfc3339(x.created_at) == to_rfc3339(now()));
  BOOST_TEST(to_rfc3339(x.source.at) == to_rfc3339(x.created_at));
  BOOST_TEST(to_rfc3339(x.expires_at) == to_rfc3339(x.created_at + std::chrono::minutes{10080}));

  use("wine_search");
  auto both = ids_of(noticed_by("wine_search"));
  BOOST_TEST(both.size() == 2u);
  BOOST_TEST(are_unique(both));
}

BOOST_FIXTURE_TEST_CASE(
  the_trace_leads_from_what_was_stored_back_to_the_tools_answer, tool_team, *label("TS_1")) {
  add_reporter("wine_search", {burgundy});
  start();
  auto turn = use("wine_search");

  auto added = entry_about(noticed_once_by("wine_search"));
  BOOST_TEST(added.component == "scratch_page");
  BOOST_TEST(added.agent_id == "tester");
  BOOST_TEST(added.turn_id == turn.turn_id);
  BOOST_TEST(added.source == "wine_search");
  BOOST_TEST(text_at(added.detail, "observation_type") == "contextual_insight");
  auto answers = entries("tool_response");
  BOOST_REQUIRE(answers.size() == 1u);
  BOOST_TEST(added.parent == answers.front().id);
}

BOOST_FIXTURE_TEST_CASE(an_observation_without_tags_is_stored, tool_team, *label("TS_1_e1")) {
  add_reporter("wine_search", {R"([
    {"type": "observation", "content": "The cellar is cold"},
    {"type": "observation", "content": "The shop is open", "tags": []}])"});
  start();
  use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 2u);
  BOOST_TEST(stored[0]->tags.empty());
  BOOST_TEST(stored[1]->tags.empty());
  BOOST_TEST(stored[0]->confidence == 0.5);
}

BOOST_FIXTURE_TEST_CASE(
  a_content_of_64_kib_is_stored_whole_and_a_longer_one_refused, tool_team, *label("TS_1_e2")) {
  std::string longest(64 * 1024, 'x');
  add_reporter("wine_search", {with_content(longest), with_content(longest + "y")});
  start();
  use("wine_search");
  BOOST_TEST((noticed_once_by("wine_search")->content == longest));

  auto turn = use("wine_search");
  BOOST_TEST(noticed_by("wine_search").size() == 1u);
  BOOST_TEST(refused("add_observation", errc::invalid_observation, "content") == 1u);
  BOOST_TEST(to_string(turn.status) == "complete");
  BOOST_TEST(of_type("tool_result").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(special_characters_come_back_as_they_were, tool_team, *label("TS_1_e3")) {
  // Quotes, a backslash, control characters, a combining accent, an emoji,
  // right-to-left text and a NUL.
  std::string content = "\"Ch\xc3\xa2teau\" <b>\\ 50% & $\t\r\n\x07 e\xcc\x81 \xf0\x9f\x8d\xb7 ";
  content += "\xd7\x99\xd7\x99\xd7\x9f {content} '; DROP TABLE";
  content += std::string(1, '\0') + "end";
  add_reporter("wine_search", {with_content(content)});
  start();
  use("wine_search");
  auto stored = noticed_once_by("wine_search");
  BOOST_TEST((stored->content == content));
  BOOST_TEST((text_at(entry_about(stored).detail, "observation.content") == content));
  auto found = query({}, "ch\xc3\xa2teau");
  BOOST_TEST(found.total_count == 1u); // others of the turn are its neighbours, and do not count
  BOOST_REQUIRE(!found.observations.empty());
  BOOST_TEST(found.observations.front()->observation_id == stored->observation_id);
}

// -- scenario 2: confidence -----------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(confidences_are_stored_traced_and_filtered_by, tool_team, *label("TS_2")) {
  add_reporter("wine_search", {with_confidences({"0.99", "0.75", "0.5"})});
  start();
  use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 3u);
  auto expected = std::vector<double>{0.99, 0.75, 0.5};
  for (size_t i = 0; i < 3; ++i) {
    BOOST_TEST(stored[i]->confidence == expected[i]);
    BOOST_TEST(stored[i]->confidence >= 0);
    BOOST_TEST(stored[i]->confidence <= 1);
    BOOST_TEST(traced_confidence(entry_about(stored[i])) == expected[i]);
  }

  auto at_least = [&](double least) {
    observation_filter filter;
    filter.source = {"wine_search"};
    filter.type = {"observation"};
    filter.min_confidence = least;
    return ids_of(query(std::move(filter)).observations);
  };
  auto id = [&](size_t i) { return stored[i]->observation_id; };
  BOOST_TEST(at_least(0.75) == (texts{id(1), id(0)}), boost::test_tools::per_element());
  BOOST_TEST(at_least(0.76) == (texts{id(0)}), boost::test_tools::per_element());
  BOOST_TEST(at_least(0.991).empty());
}

BOOST_FIXTURE_TEST_CASE(
  confidences_of_exactly_0_and_1_are_kept_without_a_warning, tool_team, *label("TS_2_e1")) {
  add_reporter("wine_search", {with_confidences({"0", "1"})});
  start();
  use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 2u);
  BOOST_TEST(stored[0]->confidence == 0.0);
  BOOST_TEST(stored[1]->confidence == 1.0);
  for (const auto& x : stored)
    BOOST_TEST(!entry_about(x).detail.contains("warnings"));

  observation_filter certain;
  certain.source = {"wine_search"};
  certain.min_confidence = 1;
  auto found = query(certain).observations;
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front()->observation_id == stored[1]->observation_id);
}

BOOST_FIXTURE_TEST_CASE(a_confidence_that_is_no_number_is_refused_and_one_out_of_range_clamped,
  tool_team, *label("TS_2_e2")) {
  add_reporter("wine_search", {with_confidences({"1.5", "-0.5", R"("high")", "1e308"})});
  start();
  auto turn = use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 3u);
  BOOST_TEST(stored[0]->confidence == 1.0);
  BOOST_TEST(stored[1]->confidence == 0.0);
  BOOST_TEST(stored[2]->confidence == 1.0);
  for (const auto& x : stored)
    BOOST_TEST(entry_about(x).detail.contains("warnings"));
  BOOST_TEST(refused("store_report", errc::invalid_observation, "confidence") == 1u);
  BOOST_TEST(to_string(turn.status) == "complete");

  add_observation nan{as_tool("wine_search"),
    draft("observation", "Nobody knows", std::numeric_limits<double>::quiet_NaN())};
  auto answer = ask(host->page(), nan);
  BOOST_TEST(failure_of(answer) == "invalid_observation");
  BOOST_TEST(field_of(answer.error()) == "confidence");
}

BOOST_FIXTURE_TEST_CASE(
  a_confidence_of_many_decimal_places_loses_none, tool_team, *label("TS_2_e3")) {
  const double third = 0.33333333333333331;
  add_reporter("wine_search", {with_confidences({"0.12345678901234567"})});
  start();
  use("wine_search");
  auto stored = noticed_once_by("wine_search");
  // Parsing JSON may change the last bit.
  BOOST_TEST(stored->confidence == 0.12345678901234567, boost::test_tools::tolerance(1e-15));
  BOOST_TEST((traced_confidence(entry_about(stored)) == stored->confidence));

  auto typed = add(as_tool("wine_search"), draft("observation", "One third", third)).observation;
  BOOST_TEST((typed->confidence == third));
  auto count_from = [&](double least) {
    observation_filter filter;
    filter.source = {"wine_search"};
    filter.type = {"observation"};
    filter.min_confidence = least;
    return query(std::move(filter)).total_count;
  };
  BOOST_TEST(count_from(third) == 1u);
  BOOST_TEST(count_from(std::nextafter(third, 1.0)) == 0u);
}

} // namespace scratchpage::test
