#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/memories/stored_memories.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/tests/persistence/transfer/export_text.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// An export has everything, and its import gives the same again.

namespace scratchpage::test {

namespace {

auto steps(int most = 13) {
  return rc::gen::container<std::vector<history_step>>(
    rc::gen::tuple(rc::gen::inRange(0, most), rc::gen::inRange(0, 100), rc::gen::inRange(0, 100)));
}

/// Steps with additions, updates and ends, and a document of each kind.
std::vector<history_step> some_steps() {
  std::vector<history_step> result;
  for (int i = 0; i < 40; ++i)
    result.emplace_back((i * 5) % 13, i, i + 1);
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(exports)

BOOST_AUTO_TEST_CASE(out_and_in_and_out_again_gives_the_same_bytes) {
  pii_masker masker;
  BOOST_TEST(rc::check("on SQLite, masked and not, from the beginning and from later on", [&] {
    temp_dir dir;
    sql::sqlite_options quick{.synced = false}; // no crash is simulated
    auto first = open(sql::sqlite(dir.path() / "first.db", quick));
    random_history ada{*first, "ada"}, bob{*first, "bob"};
    ada.play(*steps());
    bob.play(*steps());
    if (*rc::gen::arbitrary<bool>())
      ada.forget();
    ada.play(*steps());
    const auto* with = *rc::gen::arbitrary<bool>() ? &masker : nullptr;
    auto text = exported(*first, with);
    auto second = sql::sqlite(dir.path() / "second.db", quick);
    RC_ASSERT(imported(text, second) == "none");
    RC_ASSERT(exported(*open(second), with) == text);
  }));
}

BOOST_AUTO_TEST_CASE(how_changes_were_committed_is_not_in_it) {
  BOOST_TEST(rc::check("one by one and all at once", [] {
    auto plan = *steps(8);
    memory_store together, apart;
    random_history one{together}, other{apart};
    one.play(plan);
    for (const auto& x : plan)
      other.play(std::vector{x});
    RC_ASSERT(exported(together) == exported(apart));
  }));
}

BOOST_AUTO_TEST_CASE(postgres_takes_and_gives_the_same_bytes) {
  temp_dir dir;
  auto first = open(sql::sqlite(dir.path() / "first.db"));
  random_history ada{*first};
  ada.play(some_steps());
  ada.forget();
  ada.play(some_steps());
  auto text = exported(*first);
  auto server = sql::postgres(private_postgres::shared().new_schema());
  BOOST_TEST(imported(text, server) == "none");
  BOOST_TEST(exported(*open(server)) == text);
}

BOOST_AUTO_TEST_CASE(the_page_that_comes_of_it_is_the_same) {
  memory_store first, second;
  random_history ada{first};
  ada.play(some_steps());
  ada.forget();
  ada.play(some_steps());
  BOOST_TEST(import_lines(lines_in(exported(first)), second) == "none");
  auto wanted = recover(first, *first.claim("ada"), 100);
  auto got = recover(second, *second.claim("ada"), 100);
  BOOST_REQUIRE(wanted);
  BOOST_REQUIRE(got);
  BOOST_TEST(got->damage == "");
  BOOST_TEST(got->sequence == wanted->sequence);
  BOOST_TEST(got->last_number == wanted->last_number);
  BOOST_TEST(got->expired == wanted->expired);
  BOOST_TEST(got->evicted == wanted->evicted);
  BOOST_TEST(got->observations.size() == wanted->observations.size());
  BOOST_TEST(got->epochs.size() == 1u);
}

BOOST_AUTO_TEST_CASE(episodes_are_found_again_by_what_they_are_about) {
  memory_store first;
  random_history{first}.play({{11, 0, 0}, {11, 1, 0}});
  auto second = std::make_shared<memory_store>();
  BOOST_TEST(import_lines(lines_in(exported(first)), *second) == "none");
  auto episodes = stored_episodes::open(second, *second->claim("ada"));
  BOOST_REQUIRE(episodes);
  query_episodes what;
  what.text = "something";
  BOOST_TEST((*episodes)->query(what)->episodes.size() == 2u);
}

BOOST_AUTO_TEST_CASE(numbers_that_were_given_and_lost_are_not_given_elsewhere) {
  memory_store first, second;
  random_history ada{first};
  ada.play(some_steps());
  BOOST_REQUIRE(recover(first, ada.owner(), 1, 500)); // skips the numbers of up to 500 lost changes
  auto text = exported(first);
  BOOST_TEST(import_lines(lines_in(text), second) == "none");
  BOOST_TEST(exported(second) == text);
  auto wanted = recover(first, *first.claim("ada"), 1);
  auto got = recover(second, *second.claim("ada"), 1);
  BOOST_REQUIRE(wanted);
  BOOST_REQUIRE(got);
  BOOST_TEST(got->last_number == wanted->last_number);
}

BOOST_AUTO_TEST_CASE(masked_it_holds_no_personal_data_but_all_ids) {
  memory_store kept;
  random_history ada{kept};
  ada.play(some_steps());
  pii_masker masker;
  auto plain = exported(kept);
  auto text = exported(kept, &masker);
  BOOST_TEST(plain.find("ada@example.org") != std::string::npos);
  BOOST_TEST(plain.starts_with(
    R"({"line":"header","format":"scratchpage export","version":1,"masked":false})"));
  BOOST_TEST(text.find("\"masked\":true") != std::string::npos);
  for (auto secret : {"ada@example.org", "4111 1111", "555-2671", "a@b.org"})
    BOOST_TEST(text.find("\"by\":\"" + std::string{secret}) == std::string::npos, secret);
  for (auto secret : {"ada@example.org\",", "card 4111", "me at 415"})
    BOOST_TEST(text.find(secret) == std::string::npos, secret);
  BOOST_TEST(lines_in(text).size() == lines_in(plain).size());
  for (auto id : {"obs_20251105_1", "goal_0", "fact_1", "turn_1"})
    BOOST_TEST(text.find(id) != std::string::npos, id);
}

BOOST_AUTO_TEST_CASE(what_is_damaged_is_not_exported_but_told) {
  memory_store kept;
  random_history ada{kept};
  auto wrong = document{"goals", "goal_1", "{}", 7};
  BOOST_REQUIRE(!kept.put(ada.owner(), {&wrong, 1}));
  exporter lines{[](std::string_view) { return caf::error{}; }};
  BOOST_TEST(describe(lines.add(kept, "ada"))
             == "internal: goals/goal_1 is damaged; `scratchpage repair` recovers intact data "
                "into a new directory");
}

BOOST_AUTO_TEST_CASE(a_sink_that_fails_ends_it) {
  memory_store kept;
  random_history{kept}.play(some_steps());
  auto written = 0;
  exporter lines{[&](std::string_view) {
    return ++written < 5 ? caf::error{} : fail(errc::storage_unavailable, "", "the disk is full");
  }};
  BOOST_TEST(describe(lines.add(kept, "ada")) == "storage_unavailable: the disk is full");
  BOOST_TEST(written == 5);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct some_export {
  memory_store from;
  std::string text;

  some_export() {
    random_history ada{from};
    ada.play(some_steps());
    ada.forget();
    ada.play(some_steps());
    text = exported(from);
  }

  /// The refusal of an export in which the first line of that kind is changed.
  std::string refusal(
    const std::string& kind, std::string_view from_text, std::string_view to_text) const {
    auto number = first_line_of(text, kind);
    auto line = replaced(lines_in(text)[number - 1], from_text, to_text);
    memory_store to;
    auto answer = import_lines(with_line(text, number, line), to);
    auto expected = std::to_string(number) + ": ";
    BOOST_TEST(answer.starts_with(expected), answer);
    return answer.substr(std::min(answer.size(), expected.size()));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(imports, some_export)

BOOST_AUTO_TEST_CASE(a_file_that_ends_early_is_refused_wherever_it_ends) {
  auto lines = lines_in(text);
  BOOST_REQUIRE(lines.size() > 2u);
  for (size_t count = 0; count < lines.size(); ++count) {
    memory_store to;
    BOOST_TEST(import_lines({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)}, to)
               == "invalid_request: expected an end line as the last one; the file is incomplete");
  }
}

BOOST_AUTO_TEST_CASE(a_file_without_one_of_its_lines_is_refused) {
  auto lines = lines_in(text);
  BOOST_REQUIRE(lines.size() > 2u);
  for (size_t i = 0; i < lines.size(); ++i) {
    auto fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    memory_store to;
    BOOST_TEST(import_lines(fewer, to) != "none", lines[i]);
  }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_told_with_the_line_and_the_field) {
  const std::vector<std::array<std::string, 4>> all{
    {"header", "scratchpage export", "somebody's", "format: expected 'scratchpage export'"},
    {"header", "\"version\":1", "\"version\":2", "version: expected 1, which this"},
    {"header", "\"masked\"", "\"marked\"", "marked: unknown field"},
    {"agent", "\"ada\"", "\"\"", "agent_id: expected an agent's id"},
    {"agent", "\"ada\"", "7", "agent_id: expected a text"},
    {"snapshot", "\"sequence\":", "\"sequence\":0,\"x\":", "x: unknown field"},
    {"snapshot", "{", "[", "expected valid JSON"},
    {"observation", "\"number\":", "\"number\":9", "number: expected the number of"},
    {"observation", "\"kind\":\"", "\"kind\":\"x", "event.kind: expected one of"},
    {"event", "\"content\"", "\"contents\"", "event.observation.contents: unknown field"},
    {"event", "\"sequence\":", "\"sequence\":1", "event.sequence: expected "},
    {"event", "\"line\":\"event\"", "\"line\":\"even\"", "line: expected one of header"},
    {"event", "\"line\":\"event\"", "\"line\":\"header\"", "line: expected one header"},
    {"archived", "\"sequence\":", "\"sequence\":9", "sequence: expected decreasing sequences"},
    {"archived", "\"type\"", "\"typ\"", "observation.typ: unknown field"},
    {"document", "\"collection\":\"counters\"", "\"collection\":\"epochs\"",
      "collection: expected"},
    {"document", "\"reserved\":100", "\"reserved\":-1", "body.reserved: expected a whole number"},
    {"document", "\"key\":\"turns\"", "\"key\":\"urns\"", "key: expected turns"},
    {"end", "\"agents\":1", "\"agents\":2", "agents: expected 1, the number before"},
    {"end", "\"checksum\":\"", "\"checksum\":\"0", "checksum: expected "}};
  for (const auto& [kind, from_text, to_text, expected] : all) {
    auto answer = refusal(kind, from_text, to_text);
    BOOST_TEST(answer.find(expected) != std::string::npos, answer + " instead of " + expected);
  }
}

BOOST_AUTO_TEST_CASE(what_was_not_checked_is_not_stored_under_a_second_or_an_escaped_name) {
  constexpr auto expected = "line: expected names of members that are not escaped, each once";
  const std::vector<std::array<std::string, 3>> all{
    {"event", "\"event\":{", R"("event":{"kind":"added"},"\u0065vent":{)"},
    {"event", "\"event\":{", R"("event":{"kind":"added"},"event":{)"},
    {"event", "\"event\":{", R"("\u0065vent":{)"},
    {"observation", "\"event\":{", R"("\u0065vent":{)"},
    {"archived", "\"observation\":{", R"("observation":{},"\u006fbservation":{)"},
    {"document", "\"body\":", R"("body":"{}","bo\u0064y":)"},
    {"document", "\"key\":", R"("key":"x","key":)"}};
  for (const auto& [kind, from_text, to_text] : all) {
    auto answer = refusal(kind, from_text, to_text);
    BOOST_TEST(answer.find(expected) != std::string::npos, answer);
  }
}

BOOST_AUTO_TEST_CASE(a_change_of_nothing_but_a_letter_does_not_fit_the_checksum) {
  memory_store to;
  auto number = first_line_of(text, "event");
  auto line = replaced(lines_in(text)[number - 1], "trip", "trap");
  auto answer = import_lines(with_line(text, number, line), to);
  BOOST_TEST(answer.find("checksum: expected ") != std::string::npos, answer);
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_there_is_refused_with_a_sentence) {
  auto answer = import_lines(lines_in(text), from);
  BOOST_TEST(answer
             == "2: conflict: agent_id: expected an agent that is not there yet, but there is "
                "'ada' already");
}

BOOST_AUTO_TEST_CASE(nothing_follows_the_end) {
  auto lines = lines_in(text);
  lines.push_back(lines[1]);
  memory_store to;
  BOOST_TEST(
    import_lines(lines, to)
    == std::to_string(lines.size()) + ": invalid_request: line: expected nothing after the end");
}

BOOST_AUTO_TEST_CASE(what_is_refused_leaves_nothing_behind) {
  temp_dir dir;
  auto connect = sql::sqlite(dir.path() / "pages.db");
  random_history{*open(connect), "bob"}.play(some_steps());
  auto before = exported(*open(connect));
  auto cut = text.substr(0, text.rfind("{\"line\":\"end\""));
  BOOST_TEST(imported(cut, connect) != "none");
  BOOST_TEST(exported(*open(connect)) == before);
  BOOST_TEST(imported(text, connect) == "none");
  BOOST_TEST(open(connect)->agents()->size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
