#include "scratchpage/tests/bench/postgres_adds.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/postgres_array.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/tests/bench/median.hpp"
#include "scratchpage/tests/persistence/store/counted_connection.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"

namespace scratchpage::bench {

namespace {

constexpr size_t agents = 64;

/// As long as the stored text of an observation is.
const std::string event =
  R"(added 1 {"sequence":1,"kind":"added","content":")" + std::string(500, 'x') + "\"}\n";

template <class F>
double milliseconds_of(F f) {
  auto began = std::chrono::steady_clock::now();
  f();
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  return took.count();
}

/// Agents in a store, each of which appends one event at a time.
class writing_agents {
public:
  writing_agents(store& in, size_t count, const std::string& name)
    : in_{in} {
    for (size_t i = 0; i < count; ++i) {
      auto by = in.claim(name + std::to_string(i));
      if (!by)
        throw std::runtime_error{describe(by.error())};
      next_.push_back({*by, 0, {1, 1, {}, event, checksum_of(event)}, {}});
    }
  }

  double commit_ms() {
    std::vector<caf::error> verdicts;
    auto took = milliseconds_of([&] { verdicts = in_.append(next_); });
    for (const auto& verdict : verdicts)
      if (verdict)
        throw std::runtime_error{describe(verdict)};
    for (auto& x : next_)
      x.group.first = x.group.last = ++x.after + 1;
    return took;
  }

private:
  store& in_;
  std::vector<journal_append> next_;
};

/// A table without indexes, to which one statement adds rows.
class bare_rows {
public:
  explicit bare_rows(std::unique_ptr<sql::connection> db)
    : db_{std::move(db)} {
    db_->script("CREATE TABLE bare_row (events TEXT NOT NULL)");
    sql::postgres_array rows;
    for (size_t i = 0; i < agents; ++i)
      rows.add(event);
    rows_ = rows.end();
  }

  double commit_ms() {
    sql::argument rows = &rows_;
    return milliseconds_of([&] {
      db_->run("INSERT INTO bare_row SELECT * FROM unnest($1::text[])", {&rows, 1});
    });
  }

private:
  std::unique_ptr<sql::connection> db_;
  std::string rows_;
};

} // namespace

postgres_figures postgres_adds(size_t commits) {
  test::private_postgres server{true};
  auto address = server.new_schema();
  auto counts = std::make_shared<test::connection_counts>();
  auto opened = sql_store::open(test::counted(sql::postgres(address), counts));
  if (!opened)
    throw std::runtime_error{describe(opened.error())};
  writing_agents all{**opened, agents, "agent "};
  writing_agents lone{**opened, 1, "lone "};
  bare_rows rows{sql::postgres(address)()};
  std::vector<double> of_all, of_lone, of_rows;
  for (size_t i = 0; i < commits; ++i) {
    of_rows.push_back(rows.commit_ms());
    of_all.push_back(all.commit_ms());
    of_lone.push_back(lone.commit_ms());
  }
  counts->round_trips = 0;
  all.commit_ms();
  return {
    static_cast<double>(counts->round_trips), median(of_all), median(of_lone), median(of_rows)};
}

} // namespace scratchpage::bench
