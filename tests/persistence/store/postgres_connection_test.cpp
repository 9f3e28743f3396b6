#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"

/// Connections to a PostgreSQL server, which may end at any time.

namespace scratchpage {

using namespace test;
using namespace std::chrono_literals;

namespace {

private_postgres& server() {
  return private_postgres::shared();
}

/// Short timeouts, only for calls that must fail: on a busy machine other calls would fail too.
constexpr sql::postgres_options impatient{2s, 100ms, 10s};

std::string value_of(sql::connection& db, const std::string& setting) {
  std::string result;
  db.run("SHOW " + setting, {}, [&](const sql::row& x) { result = x.text(0); });
  return result;
}

std::string process_of(sql::connection& db) {
  std::string result;
  db.run("SELECT pg_backend_pid()", {},
    [&](const sql::row& x) { result = std::to_string(x.integer(0)); });
  return result;
}

/// The text of the failure; "" if there is none.
template <class F>
std::string failure_of(F f) {
  try {
    f();
    return "";
  } catch (const sql::failure& x) {
    return x.what();
  }
}

/// A store with one group in it.
struct a_store {
  std::string address = server().new_schema();
  std::unique_ptr<sql_store> pages = open(sql::postgres(address));
  ownership owner = claim(*pages);

  a_store() { BOOST_REQUIRE(!append(*pages, next(owner, 0))); }

  std::string append_after(uint64_t last) { return text_of(append(*pages, next(owner, last))); }
  std::string journal() { return read_journal(*pages, owner.agent); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(a_postgres_connection)

BOOST_AUTO_TEST_CASE(syncs_every_commit_whatever_the_default_is) {
  auto address = server().new_schema();
  sql::postgres(address)()->script("ALTER ROLE scratchpage SET synchronous_commit = off;"
                                   "ALTER ROLE scratchpage SET default_transaction_isolation = "
                                   "'serializable'");
  auto connection = sql::postgres(address)();
  BOOST_TEST(value_of(*connection, "synchronous_commit") == "on");
  BOOST_TEST(value_of(*connection, "default_transaction_isolation") == "read committed");
  connection->script("ALTER ROLE scratchpage RESET ALL");
}

BOOST_AUTO_TEST_CASE(waits_for_no_less_than_the_server_is_set_to) {
  auto address = server().new_schema();
  auto of_role = [&](const std::string& setting) {
    sql::postgres(address)()->script("ALTER ROLE scratchpage SET synchronous_commit = " + setting);
  };
  for (const auto& [set, wanted] : std::initializer_list<std::pair<std::string, std::string>>{
         {"local", "on"}, {"remote_write", "on"}, {"on", "on"}, {"remote_apply", "remote_apply"}}) {
    of_role(set);
    BOOST_TEST(value_of(*sql::postgres(address)(), "synchronous_commit") == wanted, set);
  }
  sql::postgres(address)()->script("ALTER ROLE scratchpage RESET ALL");
  auto hasty = sql::postgres(address, {.synced = false})();
  BOOST_TEST(value_of(*hasty, "synchronous_commit") == "off");
}

BOOST_AUTO_TEST_CASE(that_can_never_keep_a_value_refuses_it_alone_and_is_well) {
  in_postgres place;
  auto pages = open(place.connector());
  auto owner = claim(*pages);
  const std::string nul{"a\0b", 3};
  auto row = archived(1);
  row.owner = nul;
  BOOST_TEST(text_of(append(*pages, next(owner, 0, 1, {row}))) == "invalid_request");
  BOOST_TEST(text_of(put(*pages, owner, doc("goals", nul, "{}"))) == "invalid_request");
  auto story = doc("stories", "turn_1", "{}");
  story.index = {at_millisecond(1), {"t:" + nul}};
  BOOST_TEST(text_of(put(*pages, owner, story)) == "invalid_request");
  BOOST_TEST(!append(*pages, next(owner, 0, 1, {archived(1)})));
  BOOST_TEST(!put(*pages, owner, doc("goals", "tea", "{}")));
}

BOOST_AUTO_TEST_CASE(has_times_for_everything) {
  auto connection = sql::postgres(server().new_schema())();
  BOOST_TEST(value_of(*connection, "statement_timeout") == "10s");
  BOOST_TEST(value_of(*connection, "idle_in_transaction_session_timeout") == "5s");
  auto address = sql::with_defaults("host=a", {});
  for (const auto* wanted : {"connect_timeout='5'", "tcp_user_timeout='15000'"})
    BOOST_TEST(contains(address, wanted), address);
  auto given = sql::with_defaults("host=a connect_timeout=9 tcp_user_timeout=100", {});
  for (const auto* wanted : {"connect_timeout='9'", "tcp_user_timeout='100'"})
    BOOST_TEST(contains(given, wanted), given);
}

BOOST_AUTO_TEST_CASE(that_stops_in_the_middle_of_a_transaction_lets_others_go_on) {
  a_store x;
  auto stopped = sql::postgres(x.address, {.idle_time = 100ms})();
  stopped->begin(false);
  stopped->run("UPDATE agent SET epoch = epoch + 1");
  BOOST_TEST(x.append_after(1) == "ok");
  BOOST_TEST(failure_of([&] { stopped->commit(); }) != "");
  BOOST_TEST(!stopped->is_alive());
}

BOOST_AUTO_TEST_CASE(counts_the_rows_that_were_changed) {
  auto db = sql::postgres(server().new_schema())();
  db->script("CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1), (2), (3)");
  sql::argument two = int64_t{2};
  BOOST_TEST(db->run("UPDATE t SET n = n WHERE n >= $1", {&two, 1}) == 2);
  BOOST_TEST(db->run("DELETE FROM t WHERE n > $1 + 5", {&two, 1}) == 0);
}

BOOST_AUTO_TEST_CASE(goes_on_after_a_statement_that_failed) {
  auto db = sql::postgres(server().new_schema())();
  BOOST_TEST(contains(failure_of([&] { db->script("SELECT * FROM nothing"); }), "does not exist"));
  db->begin(false);
  BOOST_TEST(failure_of([&] { db->run("SELECT 1 / 0"); }) != "");
  db->rollback();
  BOOST_TEST(db->is_alive());
  BOOST_TEST(db->run("SELECT 1") == 1);
}

BOOST_AUTO_TEST_CASE(refuses_a_text_with_nul) {
  a_store x;
  auto err = put(*x.pages, x.owner, doc("goals", std::string("a\0b", 3), "{}"));
  BOOST_TEST(text_of(err) == "invalid_request");
  BOOST_TEST(contains(describe(err), "U+0000"), describe(err));
  BOOST_TEST(x.append_after(1) == "ok");
}

BOOST_AUTO_TEST_CASE(does_not_tell_what_stands_in_rows) {
  auto db = sql::postgres(server().new_schema())();
  db->script("CREATE TABLE t (name TEXT UNIQUE); INSERT INTO t VALUES ('a secret')");
  auto why = failure_of([&] { db->script("INSERT INTO t VALUES ('a secret')"); });
  BOOST_TEST(contains(why, "duplicate key"));
  BOOST_TEST(!contains(why, "secret"));
}

BOOST_AUTO_TEST_CASE(does_not_tell_the_password) {
  for (const auto* address : {"host=/nowhere password=hunter2", "password=hunter2 hunter2 'hunter2",
         "postgresql://me:hunter2@/x?host=/nowhere", "postgresql://me:hunter2@[::1/x",
         "password=hunter2 hunter2=1"}) {
    auto why = failure_of([&] { sql::postgres(address)(); });
    BOOST_TEST(why != "");
    BOOST_TEST(!contains(why, "hunter2"));
  }
}

BOOST_AUTO_TEST_CASE(is_made_of_an_address_too) {
  auto pairs = server().new_schema();
  auto folder = pairs.substr(5, pairs.find(' ') - 5);
  auto db = sql::postgres("postgresql://scratchpage@/postgres?host=" + folder)();
  BOOST_TEST(value_of(*db, "application_name") == "scratchpage");
}

BOOST_AUTO_TEST_CASE(waits_for_another_writer_only_for_a_while) {
  a_store x;
  auto other = sql::postgres(x.address)();
  auto hasty = sql::postgres(x.address, impatient)();
  auto change = "UPDATE agent SET epoch = epoch";
  other->begin(false);
  other->run(change);
  BOOST_TEST(contains(failure_of([&] { hasty->run(change); }), "timeout"));
  other->rollback();
  BOOST_TEST(x.append_after(1) == "ok");
}

BOOST_AUTO_TEST_CASE(is_exclusive_for_others_that_are) {
  auto address = server().new_schema();
  auto db = sql::postgres(address)();
  auto other = sql::postgres(address)();
  auto hasty = sql::postgres(address, impatient)();
  db->begin(true);
  BOOST_TEST(contains(failure_of([&] { hasty->begin(true); }), "timeout"));
  other->begin(false);
  other->commit();
  db->commit();
  other->begin(true);
  other->rollback();
}

BOOST_AUTO_TEST_CASE(does_not_come_back_in_the_middle_of_a_transaction) {
  auto address = server().new_schema();
  sql::postgres(address)()->script("CREATE TABLE t (n BIGINT)");
  for (auto statement : {"INSERT INTO t VALUES (2)", "COMMIT"}) {
    auto db = sql::postgres(address)();
    db->begin(false);
    db->run("INSERT INTO t VALUES (1)");
    sql::postgres(address)()->script("SELECT pg_terminate_backend(" + process_of(*db) + ")");
    BOOST_TEST(failure_of([&] { db->script(statement); }) == "PostgreSQL: the connection is lost");
    BOOST_TEST(failure_of([&] { db->run("INSERT INTO t VALUES (3)"); }) != "");
    BOOST_TEST(failure_of([&] { db->commit(); }) != "");
    db->rollback();
    BOOST_TEST(!db->is_alive());
  }
  BOOST_TEST(sql::postgres(address)()->run("SELECT n FROM t") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(a_postgres_server)

BOOST_AUTO_TEST_CASE(may_be_started_again_and_nobody_notices) {
  a_store x;
  auto before = x.journal();
  server().stop();
  server().start();
  BOOST_TEST(x.journal() == before);
  BOOST_TEST(x.append_after(1) == "ok");
}

BOOST_AUTO_TEST_CASE(is_unavailable_while_it_is_away) {
  a_store x;
  server().stop();
  BOOST_TEST(x.append_after(1) == "storage_unavailable");
  BOOST_TEST(x.journal() == "storage_unavailable\n");
  BOOST_TEST(!x.pages->claim("ada"));
  server().start();
  BOOST_TEST(x.append_after(1) == "ok");
}

BOOST_AUTO_TEST_CASE(has_after_a_crash_what_was_acknowledged) {
  a_store x;
  for (uint64_t last = 1; last < 5; ++last)
    BOOST_TEST(x.append_after(last) == "ok");
  auto before = x.journal();
  auto other = sql::postgres(x.address)();
  other->begin(false);
  other->run("DELETE FROM journal");
  server().crash();
  server().start();
  BOOST_TEST(x.journal() == before);
  BOOST_TEST(x.append_after(5) == "ok");
}

BOOST_AUTO_TEST_CASE(that_hangs_is_given_up) {
  a_store x;
  auto hasty = open(sql::postgres(x.address, {.answer_time = 1s}));
  server().freeze();
  auto frozen = text_of(append(*hasty, next(x.owner, 1)));
  server().thaw();
  BOOST_TEST(frozen == "storage_unavailable");
  BOOST_TEST(x.append_after(1) == "ok");
  BOOST_TEST(x.journal() == text_of(std::vector{group(1, 1), group(2, 2)}));
}

BOOST_AUTO_TEST_CASE(that_hangs_is_not_waited_for_when_connecting) {
  auto address = server().new_schema();
  server().freeze();
  auto opened = sql_store::open(sql::postgres(address, impatient));
  server().thaw();
  BOOST_REQUIRE(!opened);
  BOOST_TEST(contains(describe(opened.error()), "timeout"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
