#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/connection_pool.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/passing_connection.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage {

using namespace test;

namespace {

/// What the connections of a connector have in common.
struct connection_log {
  std::atomic<int> made = 0;
  std::atomic<int> open = 0;
  std::atomic<int> most_open = 0;
  std::atomic<bool> is_refused = false; ///< no further one is made
};

class logged_connection : public passing_connection {
public:
  logged_connection(std::unique_ptr<sql::connection> db, connection_log& log)
    : passing_connection{std::move(db)},
      log_{log} {
    auto open = ++log_.open;
    for (auto most = log_.most_open.load();
         most < open && !log_.most_open.compare_exchange_weak(most, open);)
      continue;
    ++log_.made;
  }
  logged_connection(const logged_connection&) = delete;
  logged_connection& operator=(const logged_connection&) = delete;
  ~logged_connection() override { --log_.open; }

  bool is_alive() const override { return !is_broken; }

  bool is_broken = false;

private:
  connection_log& log_;
};

sql::connector logged(sql::connector connect, connection_log& log) {
  return [connect = std::move(connect), &log]() -> std::unique_ptr<sql::connection> {
    if (log.is_refused)
      throw sql::failure{"no server"};
    return std::make_unique<logged_connection>(connect(), log);
  };
}

struct a_pool {
  temp_dir dir;
  connection_log log;
  sql::connection_pool pool;

  explicit a_pool(size_t most)
    : pool{logged(sql::sqlite(dir.path() / "pages.db"), log), most} {}
};

} // namespace

BOOST_AUTO_TEST_SUITE(a_connection_pool)

BOOST_AUTO_TEST_CASE(makes_a_connection_when_all_others_are_in_use) {
  a_pool x{3};
  BOOST_TEST(x.log.made == 0);
  for (int i = 0; i < 5; ++i)
    x.pool.use([](sql::connection&) {});
  BOOST_TEST(x.log.made == 1);
  x.pool.use([&](sql::connection& first) {
    x.pool.use([&](sql::connection& second) { BOOST_TEST(&first != &second); });
    x.pool.use([&](sql::connection& second) { BOOST_TEST(&first != &second); });
  });
  BOOST_TEST(x.log.made == 2);
}

BOOST_AUTO_TEST_CASE(replaces_a_connection_that_is_broken) {
  a_pool x{2};
  x.pool.use([](sql::connection& db) { dynamic_cast<logged_connection&>(db).is_broken = true; });
  x.pool.use([](sql::connection& db) { BOOST_TEST(db.is_alive()); });
  BOOST_TEST(x.log.made == 2);
  BOOST_TEST(x.log.open == 1);
}

BOOST_AUTO_TEST_CASE(has_all_its_places_after_failures) {
  a_pool x{1};
  x.log.is_refused = true;
  for (int i = 0; i < 3; ++i)
    BOOST_CHECK_THROW(x.pool.use([](sql::connection&) {}), sql::failure);
  x.log.is_refused = false;
  for (int i = 0; i < 3; ++i)
    BOOST_CHECK_THROW(
      x.pool.use([](sql::connection&) { throw std::runtime_error{"no"}; }), std::runtime_error);
  auto is_used = false;
  x.pool.use([&](sql::connection&) { is_used = true; });
  BOOST_TEST(is_used);
  BOOST_TEST(x.log.made == 1);
}

BOOST_AUTO_TEST_CASE(lets_callers_wait_when_all_connections_are_in_use) {
  a_pool x{2};
  x.pool.use([](sql::connection&) {}); // makes the database, as a store does before others read
  std::atomic<int> inside = 0, most_inside = 0, done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n)
        x.pool.use([&](sql::connection&) {
          auto now = ++inside;
          for (auto most = most_inside.load();
               most < now && !most_inside.compare_exchange_weak(most, now);)
            continue;
          ++done;
          --inside;
        });
    });
  for (auto& one : threads)
    one.join();
  BOOST_TEST(done == 1'200);
  BOOST_TEST(most_inside <= 2);
  BOOST_TEST(x.log.made <= 2);
}

BOOST_AUTO_TEST_CASE(of_readers_is_as_large_as_the_machine_needs) {
  BOOST_TEST(readers_for(1) == 2u);
  BOOST_TEST(readers_for(2) == 3u);
  BOOST_TEST(readers_for(64) == connection_limits::readers);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bounds_the_connections_of_a_store, Place, every_store) {
  Place place;
  connection_log log;
  auto pages = open(logged(place.connector(), log));
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 12; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 10; ++n) {
        auto owner = pages->claim("agent " + std::to_string(i));
        failures += owner && !append(*pages, next(*owner, static_cast<uint64_t>(n))) ? 0 : 1;
        failures += pages->agents() ? 0 : 1;
      }
    });
  for (auto& one : threads)
    one.join();
  BOOST_TEST(failures == 0);
  auto writers = place.connector()()->dialect() == sql::dialect::postgres
                   ? connection_limits::writers
                   : size_t{1};
  BOOST_TEST(static_cast<size_t>(log.most_open) <= writers + connection_limits::readers);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
