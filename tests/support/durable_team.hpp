#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/tests/support/faulty_store.hpp"
#include "scratchpage/tests/support/team.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// A team whose page, goals and memories are in an SQLite file. Its store can be told to let
/// writes fail. `begin` starts the team.
struct durable_team : temp_dir, team {
  std::shared_ptr<sql_store> disk;
  std::shared_ptr<faulty_store> storage;
  journal_actor journal;
  std::shared_ptr<keepsakes> kept; ///< of the team since `begin`

  durable_team();
  ~durable_team();

  /// Recovers the agent from the file and starts the team.
  void begin();
  /// Puts the team to rest and wakes it after that time, as a host does: the claim goes on, and the
  /// actors keep what they remember. It is woken for what is due meanwhile. It has to be idle.
  void rest(timespan span = {});
  /// The same in two steps, between which nothing wakes it.
  void fall_asleep();
  void wake_up();
  /// Ends the team in an orderly way; the file stays.
  void end();

  /// The bytes of the database and of its write-ahead log.
  std::string stored_bytes() const;

private:
  std::optional<timestamp> due_; ///< while it is at rest: when it has to be awake
  uint64_t log_after_ = 0;
};

} // namespace scratchpage::test
