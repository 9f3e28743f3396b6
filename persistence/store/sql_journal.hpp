#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// The rows of agents and their journals in an SQL database. Only `sql_store` uses them. Failures
/// are exceptions.

namespace scratchpage::sql {

/// Thrown to roll back; `why` becomes the answer of the store.
struct refused {
  caf::error why;
};

/// A transaction that writes.
struct transaction {
  connection& db;
  /// The ends of histories as the transaction leaves them, for the mark. An agent may have several,
  /// of which the last counts.
  std::vector<committed_end> ends = {};
};

// -- agents -----------------------------------------------------------------------------

/// As a store's `claim`, in one statement. The caller of it on SQLite has begun a transaction that
/// is exclusive.
ownership claim(transaction& in, const std::string& agent_id);

/// Whether `by` is the owner. If so, nobody else can claim the agent until the transaction ends.
bool owns(transaction& in, const ownership& by);

/// Throws `refused` unless `by` is the owner. As `owns`.
void check(transaction& in, const ownership& by);

/// Which of the claims are the latest of their agents. Asks PostgreSQL in one statement.
std::vector<bool> held(connection& db, std::span<const ownership> xs);

/// As a store's `agents_after`.
std::vector<std::string> agents_after(connection& db, const std::string& after, uint64_t most);

/// Creates what `agents_after` needs to be fast. Any version of the program can use the database
/// with and without it.
void index_agents(connection& db);

// -- journals ---------------------------------------------------------------------------

/// Appends a group to a journal, and removes what a commit that seemed to fail has left there.
/// If there is an error, the journal is as it was.
caf::error append(transaction& in, const journal_append& x);

/// Appends groups to journals of PostgreSQL in one statement, which is a transaction of its own
/// unless the caller has begun one. Returns which of `xs` were appended. The others were not
/// touched: `append` finds out why. At most one of `xs` is of the same agent.
std::vector<bool> append_at_once(connection& db, std::span<const journal_append> xs);

/// Reads some of the groups in order. The first part begins with the group that contains the change
/// after `after`, the next parts behind the group that was read last.
class journal_reading {
public:
  journal_reading(uint64_t agent, uint64_t after)
    : agent_{agent},
      after_{after} {}

  /// Empty if there are no more.
  std::vector<journal_group> next(connection& db);

private:
  uint64_t agent_;
  uint64_t after_; ///< groups that begin after it are read next
  bool has_begun_ = false;
};

/// As a store's `cut_journal`.
void cut_journal(transaction& in, uint64_t agent, uint64_t after);

/// As a store's `forget_journal`.
void forget_journal(transaction& in, uint64_t agent, uint64_t until);

/// As a store's `rewrite_journal`.
void rewrite_journal(transaction& in, uint64_t agent, std::span<const journal_group> xs);

/// As a store's `begin_journal`. Throws `refused`.
void begin_journal(transaction& in, uint64_t agent, uint64_t after);

} // namespace scratchpage::sql
