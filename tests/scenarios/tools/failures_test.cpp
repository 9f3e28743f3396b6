#include <functional>
#include <limits>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/tools/tool_team.hpp"
#include "scratchpage/tests/support/journal_double.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;
using namespace std::chrono_literals;

/// A journal that fails to store a batch with an observation for which `refuses` is true.
class failing_journal : public journal_double {
public:
  std::function<bool(const observation&)> refuses = [](const observation&) { return false; };

  caf::error append(std::span<const page_event> events) override {
    for (const auto& x : events)
      if (refuses(*x.observation))
        return fail(errc::internal, "journal", "a disk that works");
    return {};
  }
};

const std::string insight =
  R"([{"type": "contextual_insight", "content": "User prefers Burgundy", "tags": ["wine"]}])";

struct failing_storage : tool_team {
  std::shared_ptr<failing_journal> storage = std::make_shared<failing_journal>();

  failing_storage() {
    setup.config.durability.max_batch = 1; // a refused write fails no other one
    setup.kept.journal = own(spawn_journal(sys, storage));
  }

  void refuse_insights() {
    storage->refuses = [](const observation& x) { return x.type == "contextual_insight"; };
  }
  void refuse_everything() {
    storage->refuses = [](const observation&) { return true; };
  }
  void heal() {
    storage->refuses = [](const observation&) { return false; };
  }
};

bool warns(const trace_entry& x, std::string_view field) {
  const auto* warnings = x.detail.if_contains("warnings");
  return warnings != nullptr && to_text(*warnings).find(field) != std::string::npos;
}

} // namespace

// -- storage fails --------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_storage_refused_is_offered_again_at_the_next_turn, failing_storage, *label("TS_f1")) {
  add_reporter("wine_search", {insight});
  start();
  refuse_insights();
  auto first = use("wine_search");

  BOOST_TEST(to_string(first.status) == "complete");
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(noticed_by("wine_search").empty());
  BOOST_TEST(refused("add_observation", errc::storage_unavailable, "a disk that works") == 1u);
  auto logged = entries("publish", "storage_unavailable");
  BOOST_REQUIRE(logged.size() == 1u);
  BOOST_TEST(logged.front().component == "executor");
  BOOST_TEST(logged.front().turn_id == first.turn_id);

  auto second = say("Hello"); // storage still fails
  BOOST_TEST(to_string(second.status) == "complete");
  BOOST_TEST(noticed_by("wine_search").empty());

  heal();
  say("Hello again");
  auto x = noticed_once_by("wine_search");
  BOOST_TEST(x->content == "User prefers Burgundy");
  BOOST_TEST(x->source.name == "wine_search");
  BOOST_TEST(x->source.turn_id == first.turn_id);
  BOOST_TEST(traced("offer_again") == 2u);

  say("And again");
  BOOST_TEST(noticed_by("wine_search").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  a_turn_whose_storage_breaks_down_ends_and_loses_nothing, failing_storage, *label("TS_f1")) {
  add_function("wine_search", [this](const tool_request&) {
    refuse_everything();
    tool_response result;
    result.outputs["bottles"] = 3;
    for (const auto& one : list(insight))
      result.observations.push_back(one);
    return result;
  });
  start();
  auto began = now();
  auto first = use("wine_search");
  BOOST_TEST((now() - began < 1s));
  BOOST_TEST(asked.size() == 1u);
  BOOST_TEST(noticed_by("wine_search").empty());

  heal();
  say("Hello again");
  BOOST_TEST(noticed_once_by("wine_search")->content == "User prefers Burgundy");
  auto results = of_type("tool_result");
  BOOST_REQUIRE(results.size() == 1u);
  BOOST_TEST(results.front()->source.turn_id == first.turn_id);
  BOOST_TEST(asked.size() == 1u); // the tool itself did not run again
}

// -- a draft breaks the rules ---------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_does_not_match_the_schema_is_refused_by_name_and_alone, tool_team, *label("TS_f2")) {
  add_reporter("wine_search", {R"([
    "no object",
    {"content": "No type"},
    {"type": "observation"},
    {"type": "observation", "content": " \n"},
    {"type": "observation", "content": 7},
    {"type": "gossip", "content": "An unknown type"},
    {"type": "observation", "content": "An unknown field", "colour": "red"},
    {"type": "observation", "content": "Tags that are none", "tags": "wine"},
    {"type": "observation", "content": "An empty tag", "tags": [""]},
    {"type": "observation", "content": "A context that is none", "context": []},
    {"type": "observation", "content": "Born resolved", "status": "resolved"},
    {"type": "observation", "content": "This one is right"}])"});
  start();
  auto turn = use("wine_search");

  BOOST_TEST(noticed_once_by("wine_search")->content == "This one is right");
  constexpr auto invalid = errc::invalid_observation;
  for (auto field : {"type", "colour", "tags", "context"})
    BOOST_TEST(refused("store_report", invalid, field) >= 1u, field << " is not named");
  BOOST_TEST(refused("store_report", invalid, "content") == 2u);
  BOOST_TEST(refused("add_observation", invalid, "content") == 1u); // the draft with blank content
  BOOST_TEST(refused("add_observation", invalid, "tags[0]") == 1u);
  BOOST_TEST(refused("add_observation", invalid, "status") == 1u);
  BOOST_TEST(
    refused("add_observation", errc::unknown_type,
      "type: 'gossip' is not registered. You may add: action_suggestion, alert, contextual_insight")
    == 1u);
  BOOST_TEST(traced("store_report", "invalid_observation")
               + traced("add_observation", "invalid_observation")
               + traced("add_observation", "unknown_type")
             == 11u);
  for (const auto& x : entries("store_report")) {
    BOOST_TEST(x.turn_id == turn.turn_id);
    BOOST_TEST(x.source == "wine_search");
  }

  BOOST_TEST(to_string(turn.status) == "complete");
  BOOST_TEST(of_type("tool_result").size() == 1u);
  say("Hello"); // invalid drafts are not offered again
  BOOST_TEST(traced("offer_again") == 0u);
}

BOOST_FIXTURE_TEST_CASE(
  an_invalid_write_never_fails_the_tools_result, tool_team, *label("SP_invalid_tool_write")) {
  recorded_response answer;
  answer.outputs["bottle"] = "2020 Marcel La Pierre";
  answer.scratch_page_writes = {json::value{{"type", "observation"}, {"content", ""}},
    json::value{{"type", "nonsense"}, {"content", "Of an unknown type"}}, json::value{17}};
  add_tool(manifest("wine_search"), {answer});
  add_function("book_table");
  start();
  auto booking = call("book_table");
  booking.depends_on = {"search"};
  auto turn = say("A table with wine", {call("wine_search", {}, "search"), booking});

  BOOST_TEST(to_string(turn.status) == "complete");
  BOOST_TEST(asked.size() == 1u); // the dependent call ran
  auto results = of_type("tool_result");
  BOOST_REQUIRE(results.size() == 2u);
  BOOST_TEST(results.back()->content.find("2020 Marcel La Pierre") != std::string::npos);
  BOOST_TEST(text_at(results.back()->metadata, "status") == "ok");
  BOOST_TEST(of_type("error_alert").empty());
  BOOST_TEST(noticed_by("wine_search").empty());

  auto logged = [&](std::string_view operation, std::string_view status) {
    auto found = entries(operation, status);
    return found.size() == 1 && found.front().turn_id == turn.turn_id
           && found.front().source == "wine_search";
  };
  BOOST_TEST(logged("add_observation", "invalid_observation"));
  BOOST_TEST(logged("add_observation", "unknown_type"));
  BOOST_TEST(logged("store_report", "invalid_observation"));
}

// -- numbers out of range -------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_confidence_out_of_range_is_clamped_with_a_warning, tool_team, *label("TS_f3")) {
  add_reporter("wine_search", {R"([
    {"type": "observation", "content": "Too sure", "confidence": 1.0001},
    {"type": "observation", "content": "Less than unsure", "confidence": -7},
    {"type": "observation", "content": "Fine", "confidence": 0.7}])"});
  start();
  use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 3u);
  BOOST_TEST(stored[0]->confidence == 1.0);
  BOOST_TEST(stored[1]->confidence == 0.0);
  BOOST_TEST(stored[2]->confidence == 0.7);
  BOOST_TEST(warns(entry_about(stored[0]), "confidence: 1.0001"));
  BOOST_TEST(warns(entry_about(stored[1]), "confidence: -7"));
  BOOST_TEST(!entry_about(stored[2]).detail.contains("warnings"));

  auto answer = add(as_tool("wine_search"), draft("observation", "Too sure again", 2));
  BOOST_TEST(answer.observation->confidence == 1.0);
  BOOST_REQUIRE(answer.warnings.size() == 1u);
  BOOST_TEST(answer.warnings.front().starts_with("confidence:"));
}

BOOST_FIXTURE_TEST_CASE(
  an_invalid_ttl_becomes_the_default_with_a_warning, tool_team, *label("TS_f4")) {
  add_reporter("wine_search", {R"([
    {"type": "observation", "content": "Negative", "ttl_minutes": -1},
    {"type": "observation", "content": "Too long", "ttl_minutes": 525601},
    {"type": "observation", "content": "A year", "ttl_minutes": 525600},
    {"type": "observation", "content": "Null", "ttl_minutes": null}])"});
  setup.config.page.default_ttl_minutes = 90;
  start();
  use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == 4u);
  for (size_t i : {0, 1, 3}) {
    BOOST_TEST(stored[i]->ttl_minutes == 90.0);
    BOOST_TEST(to_rfc3339(stored[i]->expires_at) == to_rfc3339(stored[i]->created_at + 90min));
  }
  BOOST_TEST(stored[2]->ttl_minutes == 525600.0);
  BOOST_TEST(warns(entry_about(stored[0]), "ttl_minutes: -1"));
  BOOST_TEST(warns(entry_about(stored[1]), "ttl_minutes: 525601"));
  BOOST_TEST(!entry_about(stored[2]).detail.contains("warnings"));
  BOOST_TEST(!entry_about(stored[3]).detail.contains("warnings"));

  auto endless = draft("observation", "Endless");
  endless.ttl_minutes = std::numeric_limits<double>::quiet_NaN();
  auto answer = add(as_tool("wine_search"), endless);
  BOOST_TEST(answer.observation->ttl_minutes == 90.0);
  BOOST_REQUIRE(answer.warnings.size() == 1u);
  BOOST_TEST(answer.warnings.front().starts_with("ttl_minutes:"));
}

} // namespace scratchpage::test
