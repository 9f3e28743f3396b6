#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage {

/// How many connections to a database one process opens at most: those of one store, one for its
/// trace, and one for each download that reads from one state. A connection is opened when a call
/// needs it and all others are in use.
struct connection_limits {
  /// For calls that read. A host with few cores has fewer (`readers_for`).
  static constexpr size_t readers = 4;
  /// For calls that write to PostgreSQL. SQLite has one writer at a time, so there it is one.
  static constexpr size_t writers = 4;
};

/// More readers than cores would only wait for each other; one more uses the core while another
/// waits for the disk or the server.
inline size_t readers_for(size_t cores) {
  return std::min(connection_limits::readers, cores + 1);
}

inline size_t usual_readers() {
  return readers_for(std::thread::hardware_concurrency());
}

} // namespace scratchpage

namespace scratchpage::sql {

/// Connections to one database, of which each call has one for itself. Any thread may use it.
class connection_pool {
public:
  /// With at most `most` connections, of which the first is made by the first call.
  connection_pool(connector connect, size_t most);
  connection_pool(const connection_pool&) = delete;
  connection_pool& operator=(const connection_pool&) = delete;

  /// Calls `f` with a connection. It waits while all are in use. A connection that is broken is
  /// replaced before the call. Throws what connecting and `f` throw.
  template <class F>
  void use(F f) {
    loan x{*this};
    f(x.connection());
  }

private:
  /// A connection that is taken as long as the object exists.
  class loan {
  public:
    explicit loan(connection_pool& of)
      : of_{of},
        db_{of.take()} {}
    loan(const loan&) = delete;
    loan& operator=(const loan&) = delete;
    ~loan() { of_.put_back(std::move(db_)); }

    /// The connection, which is made if there is none or it is broken.
    sql::connection& connection();

  private:
    connection_pool& of_;
    std::unique_ptr<sql::connection> db_;
  };

  std::unique_ptr<connection> take();
  void put_back(std::unique_ptr<connection> x);

  connector connect_;
  const size_t most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  size_t taken_ = 0;
  /// Connections that are not in use. The last one was used last, and is taken first: the others
  /// stay unopened or idle as long as one is enough.
  std::vector<std::unique_ptr<connection>> free_;
};

} // namespace scratchpage::sql
