#pragma once

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

/// The version that this program writes.
int64_t schema_version();

/// The tables of a store, the same for SQLite and PostgreSQL. A database of an
/// older version is brought up to `version`, in one transaction; one of a newer
/// version than this program's is refused, with a sentence that says so. Throws
/// `failure`.
void bring_up_to(connection& db, int64_t version = schema_version());

} // namespace scratchpage::sql
