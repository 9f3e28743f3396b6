#include "scratchpage/persistence/store/sql_commits.hpp"

#include "scratchpage/persistence/store/sql_statements.hpp"

namespace scratchpage::sql {

namespace {

/// A database that has lost all, or never had any, has no such table.
bool counts_commits(connection& db) {
  auto columns = 0;
  select(db, "SELECT 1 FROM pragma_table_info('agent') WHERE name = 'commits'",
    [&](const row&) { ++columns; });
  return columns > 0;
}

} // namespace

std::vector<committed_end> committed_ends(connection& db) {
  std::vector<committed_end> result;
  select(db, "SELECT agent, commits, last_sequence, agent_id FROM agent ORDER BY agent",
    [&](const row& x) {
      result.push_back({number_at(x, 0), number_at(x, 1), number_at(x, 2), x.text(3)});
    });
  return result;
}

uint64_t end_of(connection& db, uint64_t agent) {
  uint64_t last = 0;
  select(
    db, "SELECT last_sequence FROM agent WHERE agent = $1",
    [&](const row& x) { last = number_at(x, 0); }, stored(agent));
  return last;
}

caf::error check_mark(connection& db, commit_mark& mark) {
  auto wanted = mark.read();
  auto found = counts_commits(db) ? committed_ends(db) : std::vector<committed_end>{};
  mark.expect(found);
  auto missing = missing_in(found, wanted);
  if (missing.empty())
    return {};
  db.leave_files();
  return tell_missing(mark.database(), missing);
}

} // namespace scratchpage::sql
