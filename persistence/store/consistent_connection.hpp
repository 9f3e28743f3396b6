#pragma once

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

/// A connector whose one connection reads from one state of the database, whatever others write
/// meanwhile: the state at the time of the connecting. It refuses to write, and to connect again
/// when the connection has broken, because a second connection would read from another state.
connector consistent(connector of);

} // namespace scratchpage::sql
