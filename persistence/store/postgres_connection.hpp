#pragma once

#include <chrono>
#include <string>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

/// Timeouts and durability of a connection.
struct postgres_options {
  /// Time to connect to each host, unless the connection string has one. libpq waits for at least
  /// two seconds.
  std::chrono::seconds connect_time{5};
  /// Time that the server gives a statement, including the wait for other writers.
  std::chrono::milliseconds statement_time{10'000};
  /// After between one and two of these without an answer the connection counts as lost, because
  /// the server hangs or the network is down. It is more than `statement_time`.
  std::chrono::milliseconds answer_time{15'000};
  /// Whether a commit waits until it is on the server's disk. If not, a crash of the server loses
  /// the last commits. If so, and the server is set to wait for more, a commit waits for that.
  bool synced = true;
  /// After this time the server ends a transaction in which nothing happens, because its process
  /// has stopped in the middle of it: others wait for its locks.
  std::chrono::milliseconds idle_time{5'000};
};

/// The connection string as key=value pairs, with the times of `options` and an application name
/// if it has none. Throws `failure`, which does not quote the string, because it may have a
/// password.
std::string with_defaults(const std::string& connection_string, const postgres_options& options);

/// Connects to a PostgreSQL server with a connection string of libpq (key=value pairs or
/// postgresql://…). Texts must be UTF-8 without NUL; others fail. The text of a failure has neither
/// the connection string nor rows. A server that only reads, because it became a standby, ends the
/// connection at the first write, so that the next call looks for the server that writes.
connector postgres(std::string connection_string, postgres_options options = {});

} // namespace scratchpage::sql
