#pragma once

#include <cstdio>
#include <string>

#include <sys/types.h>

#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// A PostgreSQL server for this test program (private_postgres.sh). It listens on a socket in a
/// temporary folder. Functions throw std::runtime_error with a description if PostgreSQL is not
/// installed or the server does not obey.
class private_postgres {
public:
  /// With `synced`, commits are written to the disk, as they are by a server that is no test's.
  explicit private_postgres(bool synced = false);
  private_postgres(const private_postgres&) = delete;
  private_postgres& operator=(const private_postgres&) = delete;
  ~private_postgres();

  /// The server that all tests of the program share.
  static private_postgres& shared();

  /// A connection string to a new, empty schema.
  std::string new_schema();

  void start() { tell("start"); } ///< returns when it accepts connections
  void stop() { tell("stop"); }
  /// Kills the server and its child processes, as a crash would.
  void crash() { tell("crash"); }
  /// The server keeps its connections but answers nothing until `thaw`.
  void freeze() { tell("freeze"); }
  void thaw() { tell("thaw"); }

private:
  void tell(const std::string& verb);
  void expect_ok();
  void launch(bool synced);
  void end();

  temp_dir dir_;
  pid_t script_ = 0;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  int schemas_ = 0;
};

} // namespace scratchpage::test
