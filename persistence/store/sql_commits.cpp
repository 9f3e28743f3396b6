#include "scratchpage/persistence/store/sql_commits.hpp"

#include <string>

#include "scratchpage/persistence/store/sql_statements.hpp"

namespace scratchpage::sql {

namespace {

/// The column that counts the commits, which has another name in a database of form 4; "": a
/// database that has lost all, or never had any, has no such table.
std::string column_of_commits(connection& db) {
  std::string result;
  select(db,
    "SELECT name FROM pragma_table_info('agent') WHERE name IN ('commit_count', 'commits')",
    [&](const row& x) { result = x.text(0); });
  return result;
}

std::vector<committed_end> ends_by(connection& db, const std::string& column) {
  std::vector<committed_end> result;
  db.run("SELECT agent, " + column + ", last_sequence, agent_id FROM agent ORDER BY agent", {},
    [&](const row& x) {
      result.push_back({number_at(x, 0), number_at(x, 1), number_at(x, 2), x.text(3)});
    });
  return result;
}

} // namespace

std::vector<committed_end> committed_ends(connection& db) {
  return ends_by(db, "commit_count");
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
  auto column = column_of_commits(db);
  auto found = column.empty() ? std::vector<committed_end>{} : ends_by(db, column);
  mark.expect(found);
  auto missing = missing_in(found, wanted);
  if (missing.empty())
    return {};
  db.leave_files();
  return tell_missing(mark.database(), missing);
}

} // namespace scratchpage::sql
