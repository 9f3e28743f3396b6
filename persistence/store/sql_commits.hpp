#pragma once

#include <cstdint>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

/// What has been committed to an SQL database. For `sql_store` only: failures are exceptions.

namespace scratchpage::sql {

/// Where the history of each agent ends.
std::vector<committed_end> committed_ends(connection& db);

/// Where that of one agent ends.
uint64_t end_of(connection& db, uint64_t agent);

/// Whether all is there that the database's mark claims. Error: `internal`, which says what is
/// missing; the files are left as they are then.
caf::error check_mark(connection& db, commit_mark& mark);

} // namespace scratchpage::sql
