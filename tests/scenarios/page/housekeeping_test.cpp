#include <boost/test/unit_test.hpp>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/durable_team.hpp"

/// Housekeeping compresses, purges and removes an agent's stored history over weeks (contract 12,
/// 13).

namespace scratchpage::test {

namespace {

constexpr std::chrono::hours day{24};

constexpr auto reported = R"([{"type": "contextual_insight", "confidence": 0.95,
  "content": "Perlmutter prefers quicksilver burgundy; write to anna.perlmutter@example.org",
  "tags": ["wine", "preference"], "context": {"goal_id": "trip", "mail": "anna@example.net"}}])";

observation_draft lesson(std::string content) {
  observation_draft x;
  x.type = "learning";
  x.content = std::move(content);
  return x;
}

/// A durable team whose tests let weeks of virtual time pass.
struct kept_team : durable_team {
  kept_team() {
    tool_manifest wine_search;
    wine_search.tool_id = "wine_search";
    wine_search.observation_types = {"contextual_insight"};
    recorded_response response;
    response.outputs = {{"found", 3}};
    auto said = value(parse_json(reported));
    for (auto& x : said.as_array())
      response.observations.push_back(std::move(x));
    add_tool(std::move(wine_search), {std::move(response)});
  }

  void restart() {
    end();
    begin();
  }

  std::string add_note(std::string content, std::vector<std::string> tags = {}) {
    return add(as_daemon("planner"), test::note(std::move(content), std::move(tags)))
      .observation->observation_id;
  }

  void archive(const std::string& id) {
    auto done = ask(host->page(), archive_observation{as_daemon("planner"), id});
    BOOST_REQUIRE(done);
  }

  /// The whole archive as lines of JSON, read in pages of `limit`.
  std::string listed(observation_filter filter = {}, uint32_t limit = 1000) {
    std::string result;
    list_archive request{as_daemon("reader"), std::move(filter), limit, ""};
    do {
      auto found = value(ask(host->page(), request));
      for (const auto& x : found.observations)
        result += text_of(*x) + "\n";
      request.cursor = found.next_cursor;
    } while (!request.cursor.empty());
    return result;
  }

  bool is_in_files(std::string_view text) const { return contains(stored_bytes(), text); }

  int64_t count(const std::string& statement) const {
    SQLite::Database db{(path() / "scratchpage.db").string(), SQLite::OPEN_READONLY};
    return db.execAndGet(statement).getInt64();
  }

  /// The stored groups of the journal. Checks that each begins after the end of the previous one.
  std::vector<journal_group> groups() const {
    std::vector<journal_group> result;
    auto err = disk->read_journal(setup.kept.owner.agent, 0, [&](journal_group&& x) {
      if (!result.empty())
        BOOST_TEST(x.first == result.back().last + 1);
      BOOST_TEST(static_cast<bool>(events_of(x)));
      result.push_back(std::move(x));
      return true;
    });
    BOOST_TEST(!err);
    return result;
  }
};

} // namespace

// -- compressing ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(what_left_a_week_ago_is_compressed_and_found_as_before, kept_team,
  *label("SP_compressed_archive")) {
  begin();
  for (int i = 0; i < 300; ++i)
    archive(add_note("The search for flight " + std::to_string(i) + " to Paris found seats",
      {i % 2 == 0 ? "even" : "odd"}));
  auto all = listed();
  auto even = listed(with_tags({"even"}), 7);
  advance(6 * day);
  BOOST_TEST(count("SELECT COUNT(*) FROM archive_pack") == 0);
  advance(2 * day);
  BOOST_TEST(count("SELECT COUNT(*) FROM archive_pack") == 2);
  BOOST_TEST(count("SELECT COUNT(*) FROM archive WHERE body <> ''") == 0);
  BOOST_TEST(traced("pack_archive") == 1u);
  BOOST_CHECK(listed() == all);
  BOOST_CHECK(listed({}, 100) == all);
  BOOST_CHECK(listed(with_tags({"even"}), 7) == even);
  BOOST_TEST(listed(with_tags({"neither"})) == "");
  restart();
  BOOST_CHECK(listed() == all);
}

BOOST_FIXTURE_TEST_CASE(
  a_store_that_fails_is_tried_again_in_the_next_round, kept_team, *label("SP_compressed_archive")) {
  begin();
  archive(add_note("first"));
  SQLite::Database{(path() / "scratchpage.db").string(), SQLite::OPEN_READWRITE}.exec(
    "ALTER TABLE archive_pack RENAME TO elsewhere");
  advance(7 * day + std::chrono::hours{1});
  BOOST_TEST(traced("pack_archive", "storage_unavailable") >= 1u);
  SQLite::Database{(path() / "scratchpage.db").string(), SQLite::OPEN_READWRITE}.exec(
    "ALTER TABLE elsewhere RENAME TO archive_pack");
  advance(std::chrono::hours{1});
  BOOST_TEST(count("SELECT COUNT(*) FROM archive_pack") == 1);
}

// -- purging ----------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(personal_data_in_the_archive_is_purged_for_good_after_its_retention,
  kept_team, *label("SP_retention")) {
  begin();
  auto turn = say("Which wine?", {call("wine_search")});
  auto found = of_type("contextual_insight");
  BOOST_REQUIRE(found.size() == 1u);
  auto id = found.front()->observation_id;
  BOOST_TEST(goals().size() == 1u);
  auto plain = add_note("Nobody in particular likes cheese");
  archive(plain);
  archive(id);
  const std::vector<std::string> words{
    "anna.perlmutter", "anna@example.net", "quicksilver", "Perlmutter"};
  for (const auto& word : words)
    BOOST_TEST(is_in_files(word), word);

  advance(20 * day);
  BOOST_TEST(count("SELECT COUNT(*) FROM archive WHERE body <> ''") == 0); // all are packed
  BOOST_TEST(contains(listed(), "anna.perlmutter"));
  advance(11 * day);
  for (const auto& word : words)
    BOOST_TEST(!is_in_files(word), word);
  BOOST_TEST(!contains(listed(), id));
  BOOST_TEST(contains(listed(), "Nobody in particular"));
  BOOST_TEST(traced("purge_observations", "storage_unavailable") == 0u);

  auto goal = to_text(to_json(goals().at(0)));
  BOOST_TEST(contains(goal, id)); // the goal keeps the id of its observation
  BOOST_TEST(contains(goal, "[purged]"));
  auto before = listed();
  auto last = groups().back().last;
  restart();
  BOOST_TEST(listed() == before);
  BOOST_TEST(groups().back().last >= last);
  for (const auto& word : words)
    BOOST_TEST(!contains(to_text(to_json(goals())) + to_text(to_json(facts())), word), word);
  add_note("and life goes on");
  for (const auto& word : words)
    BOOST_TEST(!is_in_files(word), word);
}

BOOST_FIXTURE_TEST_CASE(
  what_is_purged_in_memory_does_not_come_back, kept_team, *label("SP_retention")) {
  setup.config.privacy.archive_retention_days = 1;
  setup.config.housekeeping.history_days = 1000;
  begin();
  auto id = add(as_daemon("reflector", "turn_1"),
    lesson("Quicksilver burgundy is what anna.perlmutter@example.org likes"))
              .observation->observation_id;
  BOOST_TEST(facts().size() == 1u);
  archive(id);
  advance(2 * day);
  BOOST_TEST(!is_in_files("anna.perlmutter"));
  BOOST_REQUIRE(facts().size() == 1u);
  BOOST_TEST(facts().front().statement == "Quicksilver burgundy is what [email] likes");
  add(as_daemon("reflector", "turn_2"), // writes the fact again
    lesson("Quicksilver burgundy is what [email] likes"));
  BOOST_TEST(facts().size() == 1u);
  BOOST_TEST(!is_in_files("anna.perlmutter"));
  auto sequence = groups().back().last;
  BOOST_TEST(groups().front().first == 1u);
  restart();
  BOOST_TEST(groups().back().last == sequence);
  BOOST_TEST(facts().size() == 1u); // purged observations make no facts
  for (const auto& x : facts())
    BOOST_TEST(!contains(x.statement, "purged"));
}

BOOST_FIXTURE_TEST_CASE(
  an_earlier_form_that_held_personal_data_is_purged_alone, kept_team, *label("SP_retention")) {
  setup.config.privacy.archive_retention_days = 1;
  begin();
  auto id = add_note("Call anna.perlmutter@example.org about the burgundy");
  update_observation change;
  change.by = as_daemon("planner");
  change.observation_id = id;
  change.changes.content = "Call Anna about the burgundy";
  BOOST_REQUIRE(ask(host->page(), change));
  archive(id);
  BOOST_TEST(is_in_files("anna.perlmutter"));
  advance(2 * day);
  BOOST_TEST(!is_in_files("anna.perlmutter"));
  BOOST_TEST(contains(listed(), "Call Anna about the burgundy"));
}

BOOST_FIXTURE_TEST_CASE(
  a_change_of_the_rules_judges_everything_anew, kept_team, *label("SP_retention")) {
  setup.config.privacy.archive_retention_days = 1;
  setup.config.privacy.kinds = {pii_kind::iban};
  begin();
  archive(add_note("Write to anna.perlmutter@example.org"));
  advance(3 * day);
  BOOST_TEST(contains(listed(), "anna.perlmutter"));
  setup.config.privacy.kinds = all_pii_kinds();
  restart();
  BOOST_TEST(!contains(listed(), "anna.perlmutter"));
  BOOST_TEST(!is_in_files("anna.perlmutter"));
}

// -- removing the history ---------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(changes_before_the_horizon_are_forgotten_and_the_page_stays, kept_team) {
  setup.config.page.archive_after_days = 0;
  setup.config.housekeeping.history_days = 3;
  begin();
  auto by = as_daemon("planner");
  auto kept = add(by, lasting(100 * 24 * 60, note("stays"))).observation->observation_id;
  archive(add_note("leaves"));
  advance(2 * day);
  add(by, lasting(100 * 24 * 60, note("comes later")));
  BOOST_TEST(groups().front().first == 1u);
  advance(2 * day);
  BOOST_TEST(groups().front().first == 4u);
  BOOST_TEST(traced("forget_journal") == 1u);
  advance(2 * day);
  BOOST_TEST(groups().empty());
  auto before = numbers(query({}));
  BOOST_TEST(before == "3 1");
  restart();
  BOOST_TEST(numbers(query({})) == before);
  BOOST_TEST(contains(listed(), "leaves"));
  add_note("goes on");
  BOOST_TEST(groups().front().first == 5u);
  restart();
  BOOST_TEST(numbers(query({})) == "4 3 1");
  BOOST_TEST(kept == id(1));
}

} // namespace scratchpage::test
