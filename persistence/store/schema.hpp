#pragma once

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

/// The tables of a store, the same for SQLite and PostgreSQL. A database of an
/// older version is brought up to date, in one transaction; one of a newer
/// version is refused, with a sentence that says so. Throws `failure`.
void bring_up_to_date(connection& db);

/// The version that this program writes.
int64_t schema_version();

} // namespace scratchpage::sql
