#pragma once

#include <chrono>
#include <string>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

/// How long is waited, before a call fails.
struct postgres_options {
  /// To connect, for each of the hosts, unless the connection string says how
  /// long. In libpq it is at least two seconds.
  std::chrono::seconds connect_time{5};
  /// What the server gives a statement, the wait for other writers included.
  std::chrono::milliseconds statement_time{10'000};
  /// After between one and two of these without an answer the server counts as
  /// lost: it hangs, or the network between is cut. More than `statement_time`.
  std::chrono::milliseconds answer_time{15'000};
  /// Whether a commit waits until it is on the server's disk. False: a server that
  /// crashes takes the last ones.
  bool synced = true;
};

/// Connects to a PostgreSQL server, with a connection string of libpq's (key=value
/// pairs or postgresql://…). Texts are UTF-8 without NUL; others fail. What a failure says holds
/// neither the connection string nor rows.
connector postgres(std::string connection_string, postgres_options options = {});

} // namespace scratchpage::sql
