#include <algorithm>
#include <random>

#include <boost/test/unit_test.hpp>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Traces that are stored with an agent's data.

namespace scratchpage::test {

namespace {

struct stopped_clock : scratchpage::clock {
  timestamp now() const override { return at; }
  timestamp at = *from_rfc3339("2025-11-05T10:00:00Z");
};

trace_entry entry(std::string turn_id, std::string operation, std::string status = "success") {
  trace_entry x;
  x.at = *from_rfc3339("2025-11-05T10:00:00Z");
  x.agent_id = "agent";
  x.turn_id = std::move(turn_id);
  x.component = "router";
  x.operation = std::move(operation);
  x.status = std::move(status);
  x.detail["n"] = 1;
  return x;
}

observation_ptr smoke(std::string content) {
  observation x;
  x.observation_id = "obs_20251105_001";
  x.type = "alert";
  x.content = std::move(content);
  x.source = {source_kind::tool, "sensor", "", {}};
  return observation_ptr{std::move(x)};
}

struct kept : temp_dir {
  std::shared_ptr<trace_store> open() {
    auto opened = trace_store::open(sql::sqlite(path() / "trace.db"));
    BOOST_REQUIRE(opened);
    return std::move(*opened);
  }

  std::shared_ptr<trace_store> store = open();
  std::shared_ptr<stopped_clock> clock = std::make_shared<stopped_clock>();

  void add(uint64_t epoch, std::vector<trace_entry> xs, const std::string& agent = "agent") {
    BOOST_REQUIRE(!store->add(agent, epoch, xs));
  }

  std::string read(const std::string& turn_id = "") {
    std::string result;
    auto err = store->read("agent", turn_id, [&](trace_entry&& x) {
      result.append(result.empty() ? "" : " ").append(x.operation);
      return true;
    });
    BOOST_REQUIRE(!err);
    return result;
  }
};

/// The same with PostgreSQL.
struct kept_on_postgres : kept {
  kept_on_postgres() {
    auto opened = trace_store::open(sql::postgres(private_postgres::shared().new_schema()));
    BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
    store = std::move(*opened);
  }
};

/// A part of a turn's trace: the entries, and their total number, as "a b of 3 …".
std::string part(const caf::expected<turn_trace>& x) {
  if (!x)
    return to_string(code_of(x.error())) + " " + field_of(x.error());
  std::string result;
  for (const auto& one : x->entries)
    result += one.operation + " ";
  return result + "of " + std::to_string(x->total_count) + (x->next_cursor.empty() ? "" : " …");
}

void check_parts(kept& x) {
  x.add(1, {entry("turn_1", "a")});
  x.add(2, {entry("turn_1", "b"), entry("turn_2", "x"), entry("turn_1", "c")});
  x.add(2, {entry("turn_1", "another's")}, "another");
  BOOST_TEST(part(x.store->turn("agent", {"turn_1"})) == "a b c of 3");
  auto first = x.store->turn("agent", {"turn_1", 2});
  BOOST_TEST(part(first) == "a b of 3 …");
  BOOST_TEST(part(x.store->turn("agent", {"turn_1", 2, first->next_cursor})) == "c of 3");
  BOOST_TEST(part(x.store->turn("agent", {"turn_3"})) == "not_found turn_id");
  for (const auto& none : {std::string{}, std::string(129, 'x'), std::string("a\0b", 3)})
    BOOST_TEST(part(x.store->turn("agent", {none})) == "invalid_request turn_id");
  BOOST_TEST(part(x.store->turn("agent", {std::string(128, 'x')})) == "not_found turn_id");
  BOOST_TEST(part(x.store->turn("agent", {"turn_1", 0})) == "invalid_request limit");
  BOOST_TEST(part(x.store->turn("agent", {"turn_1", 1'001})) == "invalid_request limit");
  for (const auto* cursor : {"x", "1", "1-", "1-2x", "-"})
    BOOST_TEST(part(x.store->turn("agent", {"turn_1", 2, cursor})) == "invalid_request cursor");
}

void check_order(kept& x) {
  auto first = entry("turn_1", "a");
  first.id = 7;
  first.parent = 3;
  first.source = "ada";
  first.duration_ms = 0.25;
  x.add(2, {first});
  x.add(1, {entry("turn_1", "of an earlier process")});
  x.add(2, {entry("turn_2", "b"), entry("turn_1", "c")});
  x.add(2, {entry("turn_1", "another's")}, "another");
  BOOST_TEST(x.read() == "of an earlier process a b c");
  BOOST_TEST(x.read("turn_1") == "of an earlier process a c");
  BOOST_TEST(x.read("turn_3") == "");
  auto latest = x.store->latest("agent", 3);
  BOOST_REQUIRE(latest);
  BOOST_REQUIRE(latest->size() == 3u);
  BOOST_TEST(to_text(to_json(latest->front())) == to_text(to_json(first)));
}

void check_turns(kept& x) {
  auto later = entry("turn_2", "b", "not_found");
  later.at += std::chrono::seconds{5};
  x.add(1, {entry("turn_1", "a"), entry("turn_1", "b", "warning"), entry("turn_1", "c", "partial"),
             entry("turn_2", "a"), later, entry("", "of no turn")});
  auto turns = x.store->turns("agent", 10);
  BOOST_REQUIRE(turns);
  BOOST_REQUIRE(turns->size() == 2u);
  BOOST_TEST(turns->at(0).turn_id == "turn_2");
  BOOST_TEST(turns->at(0).entries == 2u);
  BOOST_TEST(turns->at(0).failures == 1u);
  BOOST_TEST(in_milliseconds(turns->at(0).ended - turns->at(0).began) == 5000);
  BOOST_TEST(turns->at(1).failures == 0u);
  BOOST_TEST(x.store->turns("agent", 1)->size() == 1u);
}

void check_forgetting(kept& x) {
  auto young = entry("turn_1", "young");
  young.at += std::chrono::seconds{5};
  x.add(1, {entry("turn_1", "old"), young});
  x.add(1, {entry("turn_1", "another's")}, "another");
  BOOST_REQUIRE(!x.store->forget("agent", young.at));
  BOOST_TEST(x.read() == "young");
  BOOST_TEST(x.store->latest("another", 10)->size() == 1u);
}

void check_bytes(kept& x) {
  for (auto i = 0; i < 8; ++i)
    x.add(1, {entry("turn_" + std::to_string(i), std::to_string(i))});
  x.add(1, {entry("turn_1", "another's")}, "another");
  constexpr uint64_t everything = 1u << 20;
  BOOST_REQUIRE(!x.store->keep_newest("agent", everything));
  BOOST_TEST(x.read() == "0 1 2 3 4 5 6 7");
  BOOST_REQUIRE(!x.store->keep_newest("agent", 500)); // each takes more than 100 bytes
  BOOST_TEST(x.read().ends_with("6 7"));
  BOOST_TEST(x.read().size() < 8u);
  BOOST_TEST(x.store->latest("another", 10)->size() == 1u);
}

void check_bytes_of_ids(kept& x) {
  for (auto i = 0; i < 8; ++i) // the ids of the turns take nearly all bytes
    x.add(1, {entry(std::string(2'000, 'x') + std::to_string(i), std::to_string(i))});
  BOOST_REQUIRE(!x.store->keep_newest("agent", 20'000));
  BOOST_TEST(x.read() == "6 7");
}

} // namespace

BOOST_AUTO_TEST_SUITE(traces)

BOOST_FIXTURE_TEST_CASE(more_than_is_read_at_once_is_read_whole, kept) {
  std::vector<trace_entry> many;
  for (int i = 0; i < 600; ++i)
    many.push_back(entry(i % 2 == 0 ? "even" : "odd", std::to_string(i)));
  add(1, many);
  uint64_t expected = 0;
  auto err = store->read("agent", "even", [&](trace_entry&& x) {
    BOOST_TEST(x.operation == std::to_string(expected));
    expected += 2;
    return true;
  });
  BOOST_TEST(!err);
  BOOST_TEST(expected == 600u);
}

BOOST_FIXTURE_TEST_CASE(entries_come_back_as_they_were_and_in_their_order, kept) {
  check_order(*this);
}

BOOST_FIXTURE_TEST_CASE(also_on_a_server, kept_on_postgres) {
  check_order(*this);
}

BOOST_FIXTURE_TEST_CASE(turns_are_listed_with_what_went_wrong, kept) {
  check_turns(*this);
}

BOOST_FIXTURE_TEST_CASE(turns_are_listed_on_a_server_too, kept_on_postgres) {
  check_turns(*this);
}

BOOST_FIXTURE_TEST_CASE(a_turn_is_read_in_parts, kept) {
  check_parts(*this);
}

BOOST_FIXTURE_TEST_CASE(a_turn_is_read_in_parts_on_a_server_too, kept_on_postgres) {
  check_parts(*this);
}

BOOST_FIXTURE_TEST_CASE(a_part_is_not_large_but_for_one_entry, kept) {
  std::vector<trace_entry> all;
  for (const auto* name : {"a", "b", "c"}) {
    all.push_back(entry("turn_1", name));
    all.back().detail["text"] = std::string(700'000, 'x');
  }
  all.push_back(entry("turn_1", "d"));
  all.back().detail["text"] = std::string(2'000'000, 'x');
  add(1, std::move(all));
  std::string cursor;
  for (const auto* expected : {"a of 4 …", "b of 4 …", "c of 4 …", "d of 4"}) {
    auto next = store->turn("agent", {"turn_1", 100, cursor});
    BOOST_TEST(part(next) == expected);
    cursor = next->next_cursor;
  }
}

BOOST_FIXTURE_TEST_CASE(a_turn_is_read_with_what_was_just_written, kept) {
  stored_trace trace{store, "agent", 4, clock, {}};
  for (int i = 0; i < 100; ++i) {
    trace.write(entry("turn_1", "x"));
    auto now = trace.read_turn({"turn_1", 1});
    BOOST_REQUIRE(now);
    BOOST_TEST(now->total_count == uint64_t(i + 1));
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_older_is_forgotten, kept) {
  check_forgetting(*this);
}

BOOST_FIXTURE_TEST_CASE(what_is_older_is_forgotten_on_a_server_too, kept_on_postgres) {
  check_forgetting(*this);
}

BOOST_FIXTURE_TEST_CASE(what_is_written_is_there_for_the_next_process, kept) {
  {
    stored_trace trace{store, "agent", 4, clock, {}};
    for (int i = 0; i < 2'500; ++i)
      trace.write(entry("turn_1", std::to_string(i)));
    trace.flush();
    BOOST_TEST(store->latest("agent", 5'000)->size() == 2'500u);
    trace.write(entry("turn_1", "last"));
  }
  store = open();
  BOOST_TEST(store->latest("agent", 1)->at(0).operation == "last");
}

BOOST_FIXTURE_TEST_CASE(what_an_entry_is_about_is_read_in_its_detail, kept) {
  auto about = entry("turn_1", "add_observation");
  about.observation = smoke("Smoke");
  auto bare = about;
  bare.detail.clear();
  add(1, {about, bare});
  auto there = store->latest("agent", 2);
  BOOST_REQUIRE(there);
  for (auto* x : {&about, &bare}) {
    complete(*x);
    const auto& read = there->at(x == &about ? 0 : 1);
    BOOST_TEST(to_text(to_json(read)) == to_text(to_json(*x)));
    BOOST_TEST(to_text(read.detail.at("observation")) == to_text(to_json(smoke("Smoke"))));
  }
}

BOOST_FIXTURE_TEST_CASE(personal_data_is_masked_before_anything_is_kept, kept) {
  auto about = entry("turn_1", "add_observation");
  about.detail["text"] = "ask ann@example.org";
  about.observation = smoke("call 555-867-5309 or ann@example.org");
  {
    stored_trace trace{store, "agent", 1, clock, {}};
    BOOST_TEST(trace.mask_with(std::make_shared<const pii_masker>(pii_detector{})));
    trace.write(about);
  }
  auto detail = store->latest("agent", 1)->at(0).detail;
  BOOST_TEST(detail.at("text").as_string() == "ask [email]");
  BOOST_TEST(detail.at("observation").at("content").as_string() == "call [phone] or [email]");
  BOOST_TEST(about.observation->content.ends_with("example.org")); // the caller's copy is unchanged
}

BOOST_FIXTURE_TEST_CASE(what_is_old_is_forgotten, kept) {
  trace_config week;
  {
    stored_trace trace{store, "agent", 1, clock, week};
    trace.write(entry("turn_1", "old"));
  }
  clock->at += std::chrono::hours{24 * 8};
  {
    stored_trace trace{store, "agent", 2, clock, week};
    auto young = entry("turn_2", "young");
    young.at = clock->at;
    trace.write(young);
  }
  BOOST_TEST(read() == "young");
}

BOOST_FIXTURE_TEST_CASE(what_a_store_cannot_take_is_told_with_the_next_that_it_can, kept) {
  stored_trace trace{store, "agent", 1, clock, {}};
  SQLite::Database behind_its_back{(path() / "trace.db").string(), SQLite::OPEN_READWRITE};
  behind_its_back.exec("DROP TABLE trace_block");
  trace.write(entry("turn_1", "lost"));
  trace.flush();
  open(); // creates the table again
  trace.write(entry("turn_1", "found"));
  trace.flush();
  auto there = store->latest("agent", 10);
  BOOST_REQUIRE(there);
  BOOST_REQUIRE(there->size() == 2u);
  BOOST_TEST(there->at(0).operation == "found");
  BOOST_TEST(there->at(1).operation == "drop_entries");
  BOOST_TEST(to_text(there->at(1).detail) == R"({"dropped":1})");
}

BOOST_FIXTURE_TEST_CASE(what_finds_no_room_is_dropped_and_told, kept) {
  trace_config small;
  small.max_waiting = 1;
  stored_trace trace{store, "agent", 1, clock, small};
  constexpr uint64_t written = 5'000;
  for (uint64_t i = 0; i < written; ++i)
    trace.write(entry("turn_1", "x"));
  trace.flush();
  trace.write(entry("turn_1", "last")); // reports the entries dropped so far
  trace.flush();
  uint64_t there = 0;
  uint64_t dropped = 0;
  auto err = store->read("agent", "", [&](trace_entry&& x) {
    if (x.operation == "drop_entries")
      dropped += x.detail.at("dropped").to_number<uint64_t>();
    else
      ++there;
    return true;
  });
  BOOST_TEST(!err);
  BOOST_TEST(there + dropped == written + 1);
}

BOOST_FIXTURE_TEST_CASE(what_waits_for_a_slow_store_is_bounded_in_bytes, kept) {
  trace_config small;
  small.max_waiting_bytes = 10'000;
  stored_trace trace{store, "agent", 1, clock, small};
  auto large = entry("turn_1", "large");
  large.observation = smoke(std::string(10'001, 'x'));
  trace.write(large);
  for (auto part : {&trace_entry::turn_id, &trace_entry::agent_id, &trace_entry::source}) {
    auto long_one = entry("turn_1", "long");
    long_one.*part = std::string(10'001, 'x');
    trace.write(long_one);
  }
  trace.write(entry("turn_1", "small"));
  trace.flush();
  BOOST_TEST(read() == "small drop_entries");
}

BOOST_FIXTURE_TEST_CASE(beyond_its_bytes_the_oldest_is_forgotten, kept) {
  check_bytes(*this);
}

BOOST_FIXTURE_TEST_CASE(
  beyond_its_bytes_the_oldest_is_forgotten_on_a_server_too, kept_on_postgres) {
  check_bytes(*this);
}

BOOST_FIXTURE_TEST_CASE(the_ids_of_turns_count_among_its_bytes, kept) {
  check_bytes_of_ids(*this);
}

BOOST_FIXTURE_TEST_CASE(the_ids_of_turns_count_among_its_bytes_on_a_server_too, kept_on_postgres) {
  check_bytes_of_ids(*this);
}

BOOST_FIXTURE_TEST_CASE(a_trace_that_is_written_on_and_on_stays_within_its_bytes, kept) {
  trace_config small;
  small.max_bytes = 1u << 20;
  std::mt19937_64 random{7}; // random data cannot be compressed
  {
    stored_trace trace{store, "agent", 1, clock, small};
    for (auto i = 0; i < 3'000; ++i) {
      auto x = entry("turn_1", std::to_string(i));
      for (auto j = 0; j < 64; ++j)
        x.detail.emplace(std::to_string(j), random());
      trace.write(x);
      if (i % 500 == 0)
        trace.flush();
    }
  }
  auto there = read();
  BOOST_TEST(there.ends_with(" 2999"));
  BOOST_TEST(std::count(there.begin(), there.end(), ' ') < 2'000);
}

BOOST_AUTO_TEST_CASE(settings_are_checked) {
  trace_config x;
  BOOST_TEST(!validate(x, "trace"));
  x.days = -1;
  BOOST_TEST(describe(validate(x, "trace")).find("trace.days") != std::string::npos);
  x = {};
  x.max_waiting = 0;
  BOOST_TEST(describe(validate(x, "trace")).find("trace.max_waiting") != std::string::npos);
  x = {};
  x.max_bytes = 1'000;
  BOOST_TEST(describe(validate(x, "trace")).find("trace.max_bytes") != std::string::npos);
  x = {};
  x.max_waiting_bytes = 0;
  BOOST_TEST(describe(validate(x, "trace")).find("trace.max_waiting_bytes") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
