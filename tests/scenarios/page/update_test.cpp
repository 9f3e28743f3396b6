#include <limits>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// `update_observation`, and concurrent updates (contract 3).

namespace scratchpage::test {

namespace {

struct one_note : page_fixture {
  one_note() {
    start();
    add(note("The train leaves at ten", {"train"}));
  }

  caf::expected<receipt> try_update_of(uint64_t revision, observation_changes changes,
    on_conflict then = on_conflict::last_write_wins, std::string who = "planner") {
    update_observation request;
    request.by = as_daemon(std::move(who), "turn_2");
    request.observation_id = id(1);
    request.changes = std::move(changes);
    request.expected_revision = revision;
    request.on_conflict = then;
    return ask(page, std::move(request));
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(whatever_may_change_can_be_changed, one_note) {
  advance(std::chrono::minutes{1});
  auto before = *get(id(1));
  auto after = update(id(1), {.status = status::pending_review,
                               .content = "The train leaves at eleven",
                               .confidence = 0.75,
                               .tags = std::vector<std::string>{"train", "late"},
                               .context = json::object{{"goal_id", "trip"}},
                               .metadata = json::object{{"key", "departure"}},
                               .owner = "user",
                               .ttl_minutes = 30});
  auto expected = before;
  expected.status = status::pending_review;
  expected.content = "The train leaves at eleven";
  expected.confidence = 0.75;
  expected.tags = {"train", "late"};
  expected.context = {{"goal_id", "trip"}};
  expected.metadata = {{"key", "departure"}};
  expected.owner = "user";
  expected.ttl_minutes = 30;
  expected.updated_at = now();
  expected.expires_at = now() + std::chrono::minutes{30};
  expected.revision = 2;
  BOOST_TEST(text_of(*after) == text_of(expected));
  BOOST_TEST(text_of(*get(id(1))) == text_of(expected));
}

BOOST_FIXTURE_TEST_CASE(the_new_form_is_found_and_the_old_one_is_not, one_note) {
  update(id(1), {.content = "A ship", .tags = std::vector<std::string>{"ship"}});
  BOOST_TEST(numbers(query(asking(with_tags({"ship"})))) == "1");
  BOOST_TEST(numbers(query(asking(with_tags({"train"})))) == "");
  BOOST_TEST(numbers(query(asking({}, "ship"))) == "1");
  BOOST_TEST(numbers(query(asking({}, "train"))) == "");
}

BOOST_AUTO_TEST_CASE(any_other_field_is_immutable) {
  for (auto* field : {"observation_id", "type", "source", "created_at", "updated_at", "expires_at",
         "revision", "linked_goal_ids", "linked_to_goal", "colour"}) {
    auto text = R"({"content": "new", ")" + std::string{field} + R"(": "x"})";
    BOOST_CHECK_MESSAGE(
      refused(from_json_text<observation_changes>(text), errc::immutable_field, field), field);
  }
  BOOST_CHECK(refused(from_json_text<observation_changes>(R"({"confidence": "high"})"),
    errc::invalid_observation, "confidence"));
}

BOOST_FIXTURE_TEST_CASE(a_refused_change_changes_nothing, one_note) {
  auto before = text_of(*get(id(1)));
  auto watcher = watch_page();
  observation_changes changes{
    .content = "new", .confidence = std::numeric_limits<double>::quiet_NaN()};
  BOOST_CHECK(refused(try_update(id(1), changes), errc::invalid_observation, "confidence"));
  BOOST_TEST(text_of(*get(id(1))) == before);
  BOOST_TEST(stats().sequence == 1u);
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(traced("update_observation", "invalid_observation").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(what_is_unknown_cannot_be_updated, one_note) {
  BOOST_CHECK(refused(try_update(id(2), {.content = "new"}), errc::not_found, "observation_id"));
  BOOST_TEST(stats().sequence == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_warning_about_a_change_stands_in_answer_and_trace, one_note) {
  auto changed = value(try_update(id(1), {.confidence = 3, .ttl_minutes = -5}));
  BOOST_TEST(changed.warnings.size() == 2u);
  BOOST_TEST(changed.observation->confidence == 1);
  auto entries = traced("update_observation", "success");
  BOOST_REQUIRE(entries.size() == 1u);
  const auto* warnings = entries.front().detail.if_contains("warnings");
  BOOST_REQUIRE(warnings != nullptr);
  BOOST_TEST(to_text(*warnings) == to_text(to_json(changed.warnings)));
}

BOOST_FIXTURE_TEST_CASE(
  the_last_write_wins_and_the_loser_is_in_the_trace, one_note, *label("SP_update_conflict")) {
  // Both daemons have read revision 1.
  auto first = value(try_update_of(1, {.content = "It leaves at eleven"}, {}, "router"));
  auto second = value(try_update_of(1, {.content = "It leaves at noon"}, {}, "evaluator"));
  BOOST_TEST(first.observation->revision == 2u);
  BOOST_TEST(second.observation->revision == 3u);
  BOOST_TEST(get(id(1))->content == "It leaves at noon");
  auto conflicts = traced("conflict", "conflict");
  BOOST_REQUIRE(conflicts.size() == 1u);
  const auto& entry = conflicts.front();
  BOOST_TEST(entry.component == "scratch_page");
  BOOST_TEST(entry.source == "evaluator");
  BOOST_TEST(entry.turn_id == "turn_2");
  BOOST_TEST(to_text(entry.detail.at("observation_id")) == to_text(to_json(id(1))));
  BOOST_TEST(to_text(entry.detail.at("lost_revision")) == "2");
  BOOST_TEST(to_text(entry.detail.at("lost_content")) == "\"It leaves at eleven\"");
  BOOST_TEST(traced("update_observation", "success").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(
  no_conflict_is_traced_where_nothing_is_lost, one_note, *label("SP_update_conflict")) {
  value(try_update_of(1, {.content = "new"}));
  value(try_update(id(1), {.content = "newer"}));
  BOOST_TEST(traced("conflict").empty());
}

BOOST_FIXTURE_TEST_CASE(
  who_asks_for_it_gets_a_conflict_instead, one_note, *label("SP_update_conflict")) {
  value(try_update_of(1, {.content = "It leaves at eleven"}));
  auto before = text_of(*get(id(1)));
  auto watcher = watch_page();
  auto answer = try_update_of(1, {.content = "It leaves at noon"}, on_conflict::reject);
  BOOST_CHECK(refused(answer, errc::conflict, "expected_revision"));
  BOOST_TEST(text_of(*get(id(1))) == before);
  BOOST_TEST(stats().sequence == 2u);
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(traced("update_observation", "conflict").size() == 1u);
  auto retried = try_update_of(2, {.content = "It leaves at noon"}, on_conflict::reject);
  BOOST_TEST(value(retried).observation->revision == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_write_that_storage_refuses_conflicts_with_nothing, one_note) {
  value(try_update_of(1, {.content = "It leaves at eleven"}));
  journal->left = 0;
  auto answer = try_update_of(1, {.content = "It leaves at noon"});
  BOOST_CHECK(refused(answer, errc::storage_unavailable, ""));
  BOOST_TEST(traced("conflict").empty());
}

} // namespace scratchpage::test
