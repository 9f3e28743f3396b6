#include <functional>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/tests/persistence/store/counted_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/read_all.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/persistence/store/store_text.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"

/// What writing to PostgreSQL costs, and what happens when others are in the way.

namespace scratchpage {

using namespace test;

namespace {

/// A connection that does something before each statement, which it may change.
class prepared_connection : public passing_connection {
public:
  using preparation = std::function<void(sql::connection& db, std::string& statement)>;

  prepared_connection(std::unique_ptr<sql::connection> db, preparation before)
    : passing_connection{std::move(db)},
      before_{std::move(before)} {}

  int64_t run(const std::string& statement, std::span<const sql::argument> arguments,
    const std::function<void(const sql::row&)>& f) override {
    auto changed = statement;
    before_(*this, changed);
    return passing_connection::run(changed, arguments, f);
  }

private:
  preparation before_;
};

sql::connector prepared(sql::connector connect, prepared_connection::preparation before) {
  return [connect = std::move(connect), before = std::move(before)] {
    return std::make_unique<prepared_connection>(connect(), before);
  };
}

/// A store in PostgreSQL that counts, and connections beside it.
struct counted_writes {
  std::string address = private_postgres::shared().new_schema();
  std::shared_ptr<connection_counts> counts = std::make_shared<connection_counts>();
  /// Statements for each new connection of the store.
  std::string settings;
  std::unique_ptr<sql_store> pages;

  explicit counted_writes(std::string with = "SELECT 1")
    : settings{std::move(with)},
      pages{open(counted(
        [this] {
          auto db = sql::postgres(address)();
          db->script(settings);
          return db;
        },
        counts))} {}

  std::unique_ptr<sql::connection> another() const { return sql::postgres(address)(); }

  /// Returns when a statement waits for a lock.
  void await_lock() const {
    auto db = another();
    for (auto waits = false; !waits;)
      db->run("SELECT 1 FROM pg_locks WHERE NOT granted", {}, [&](const auto&) { waits = true; });
  }

  static std::string lock(const ownership& x) {
    return "UPDATE agent SET epoch = epoch WHERE agent = " + std::to_string(x.agent);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(writing_to_postgres)

BOOST_AUTO_TEST_CASE(a_commit_is_one_round_trip_however_many_agents_it_is_for) {
  counted_writes x;
  std::vector<journal_append> xs;
  for (int i = 0; i < 64; ++i)
    xs.push_back(next(claim(*x.pages, std::to_string(i)), 0, 2, {archived(1), archived(2)}));
  x.counts->round_trips = 0;
  for (const auto& verdict : x.pages->append(xs))
    BOOST_TEST(!verdict);
  BOOST_TEST(x.counts->round_trips == 1u);
  for (auto& one : xs)
    one = next(one.by, 2);
  for (const auto& verdict : x.pages->append(xs))
    BOOST_TEST(!verdict);
  BOOST_TEST(x.counts->round_trips == 2u);
  BOOST_TEST(*x.pages->end_of_journal(xs[63].by.agent) == 3u);
}

BOOST_AUTO_TEST_CASE(only_agents_that_are_refused_or_replaced_cost_more) {
  counted_writes x;
  auto ada = claim(*x.pages, "ada");
  auto bob = claim(*x.pages, "bob");
  std::vector xs{next(ada, 0), next(bob, 7)};
  BOOST_TEST(texts_of(x.pages->append(xs)) == "ok,internal sequence,");
  x.counts->round_trips = 0;
  std::vector again{next(ada, 1), next(bob, 0)};
  BOOST_TEST(texts_of(x.pages->append(again)) == "ok,ok,");
  BOOST_TEST(x.counts->round_trips == 1u);
}

BOOST_AUTO_TEST_CASE(a_claim_is_one_round_trip_and_waits_for_no_other_claim) {
  counted_writes x;
  auto other = x.another();
  other->begin(true);
  other->run("INSERT INTO agent (agent, agent_id, epoch, last_sequence) VALUES (1, 'a', 1, 0)");
  x.counts->round_trips = 0;
  BOOST_TEST(claim(*x.pages, "ada").epoch == 1u);
  BOOST_TEST(claim(*x.pages, "ada").epoch == 2u);
  BOOST_TEST(x.counts->round_trips == 2u);
  other->rollback();
}

BOOST_AUTO_TEST_CASE(a_thousand_claims_are_looked_at_in_one_round_trip) {
  counted_writes x;
  std::vector<ownership> claims(1'500, claim(*x.pages, "ada"));
  claims[3].epoch = claims[1'400].epoch = 7;
  x.counts->round_trips = 0;
  BOOST_TEST(x.pages->lost(claims)->size() == 2u);
  BOOST_TEST(x.counts->round_trips == 2u);
}

BOOST_AUTO_TEST_CASE(a_new_agent_whose_key_is_taken_draws_another_one) {
  in_postgres place;
  auto ada = claim(*open(place.connector()), "ada");
  int taken = 2; // draws that give a key that is taken
  auto draw = [&](sql::connection&, std::string& statement) {
    if (!statement.starts_with("INSERT INTO agent") || taken-- <= 0)
      return;
    auto key = statement.find("SELECT ") + 7;
    statement.replace(key, statement.find(", $1") - key, std::to_string(ada.agent));
  };
  auto pages = open(prepared(place.connector(), draw));
  auto bob = claim(*pages, "bob");
  BOOST_TEST(bob.agent != ada.agent);
  BOOST_TEST(taken == -1);
  BOOST_TEST(claim(*pages, "ada").agent == ada.agent);
  taken = 1'000'000;
  BOOST_TEST(!pages->claim("eve"));
  BOOST_TEST(taken >= 999'990);
}

BOOST_AUTO_TEST_CASE(a_deadlock_is_tried_again_at_once) {
  counted_writes x{"SET deadlock_timeout = '2s'"}; // the store's statement is the one that ends
  auto ada = claim(*x.pages, "ada");
  auto bob = claim(*x.pages, "bob");
  auto& last = ada.agent < bob.agent ? bob : ada;
  auto& first = ada.agent < bob.agent ? ada : bob;
  auto other = x.another();
  other->script("SET deadlock_timeout = '60s'");
  other->begin(false);
  other->run(x.lock(last));
  x.counts->round_trips = 0;
  std::string answers;
  std::thread writer{[&] {
    std::vector xs{next(ada, 0), next(bob, 0)};
    answers = texts_of(x.pages->append(xs));
  }};
  x.await_lock();
  other->run(x.lock(first)); // waits for the store, which waits for `other`
  other->commit();
  writer.join();
  BOOST_TEST(answers == "ok,ok,");
  BOOST_TEST(x.counts->round_trips >= 2u); // more if the second one came before `other` had ended
}

BOOST_AUTO_TEST_CASE(a_serialization_failure_is_tried_again_at_once) {
  counted_writes x{"SET default_transaction_isolation = 'repeatable read'"};
  auto ada = claim(*x.pages, "ada");
  auto other = x.another();
  for (const auto& [change, trips] :
    std::initializer_list<std::pair<std::function<caf::error()>, size_t>>{
      {[&] { return append(*x.pages, next(ada, 0)); }, 2},
      {[&] { return put(*x.pages, ada, doc("goals", "tea", "{}")); }, 3}}) {
    other->begin(false);
    other->run(x.lock(ada));
    x.counts->round_trips = 0;
    std::string answer;
    std::thread writer{[&, &write = change] { answer = text_of(write()); }};
    x.await_lock();
    other->commit();
    writer.join();
    BOOST_TEST(answer == "ok");
    BOOST_TEST(x.counts->round_trips >= trips);
  }
}

BOOST_AUTO_TEST_CASE(what_fails_again_and_again_is_given_up) {
  in_postgres place;
  int attempts = 0;
  auto fails = false;
  auto pages = open(prepared(place.connector(), [&](sql::connection&, std::string&) {
    attempts += fails ? 1 : 0;
    if (fails)
      throw sql::try_again{"a deadlock"};
  }));
  auto ada = claim(*pages);
  fails = true;
  BOOST_TEST(text_of(append(*pages, next(ada, 0))) == "storage_unavailable");
  BOOST_TEST(attempts == 5);
  BOOST_TEST(text_of(put(*pages, ada, doc("goals", "tea", "{}"))) == "storage_unavailable");
  BOOST_TEST(!pages->claim("bob"));
  BOOST_TEST(attempts == 15);
  fails = false;
  BOOST_TEST(!append(*pages, next(ada, 0)));
}

/// As after a failover: the server became a standby, and the address leads to another one.
BOOST_AUTO_TEST_CASE(a_server_that_only_reads_is_left_at_once) {
  in_postgres place;
  auto is_standby = false;
  auto pages = open(prepared(place.connector(), [&](sql::connection& db, std::string&) {
    if (is_standby)
      db.script("SET transaction_read_only = on; SET default_transaction_read_only = on");
  }));
  auto ada = claim(*pages);
  for (const auto& write :
    std::initializer_list<std::function<caf::error()>>{[&] { return append(*pages, next(ada, 0)); },
      [&] { return put(*pages, ada, doc("goals", "tea", "{}")); },
      [&]() -> caf::error {
        auto again = pages->claim("ada");
        if (again)
          ada = *again;
        return again ? caf::error{} : again.error();
      }}) {
    is_standby = true;
    auto err = write();
    BOOST_TEST(text_of(err) == "storage_unavailable");
    BOOST_TEST(contains(describe(err), "read-only"), describe(err));
    is_standby = false;
    BOOST_TEST(!write()); // with the same connection it would fail again
  }
}

BOOST_AUTO_TEST_CASE(agents_of_different_connections_do_not_wait_for_each_other) {
  counted_writes x;
  auto ada = claim(*x.pages, "ada");
  auto bob = claim(*x.pages, "bob");
  auto lane = [](const ownership& by) { return lane_of(by.agent, connection_limits::writers); };
  for (int i = 0; lane(ada) == lane(bob); ++i)
    bob = claim(*x.pages, "bob " + std::to_string(i));
  auto other = x.another();
  other->begin(false);
  other->run(x.lock(ada));
  std::string answer;
  std::thread writer{[&] { answer = text_of(append(*x.pages, next(ada, 0))); }};
  x.await_lock();
  BOOST_TEST(!append(*x.pages, next(bob, 0)));
  other->commit();
  writer.join();
  BOOST_TEST(answer == "ok");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
