#pragma once

#include <cstdio>
#include <string>

#include <sys/types.h>

#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// A PostgreSQL server for this test program, over a socket in a folder that goes
/// with it (private_postgres.sh). Throws std::runtime_error, with a sentence, if
/// there is none or it does not do as it is told.
class private_postgres {
public:
  private_postgres();
  private_postgres(const private_postgres&) = delete;
  private_postgres& operator=(const private_postgres&) = delete;
  ~private_postgres();

  /// The one that all tests of the program share.
  static private_postgres& shared();

  /// A connection string to tables that nobody else has; there are none yet.
  std::string new_schema();

  void start() { tell("start"); } ///< returns when it takes connections
  void stop() { tell("stop"); }
  /// Kills it and what it has started, as a defect would.
  void crash() { tell("crash"); }
  /// It keeps its connections and answers nothing, until it is thawed.
  void freeze() { tell("freeze"); }
  void thaw() { tell("thaw"); }

private:
  void tell(const std::string& verb);
  void expect_ok();
  void launch();
  void end();

  temp_dir dir_;
  pid_t script_ = 0;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  int schemas_ = 0;
};

} // namespace scratchpage::test
