#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A store in an SQL database. It has two connections, so that long reads do not delay commits. A
/// broken connection is made again at the next call.
class sql_store : public store {
public:
  /// Connects and migrates the tables. With the mark of an SQLite database it first checks that all
  /// commits are there, and then records each commit in the mark. Errors: `storage_unavailable`;
  /// `internal`, which says what is missing, and then nothing was written.
  static caf::expected<std::unique_ptr<sql_store>> open(
    sql::connector connect, std::shared_ptr<commit_mark> mark = {});

  /// A store that only reads, from the state that the database has now. Others may write meanwhile.
  /// The database exists and has the tables of this version. While the store exists, SQLite's log
  /// grows with all that is written. Error: `storage_unavailable`, also if the connection breaks.
  static caf::expected<std::unique_ptr<sql_store>> open_consistent(sql::connector connect);

  /// The number of documents of a collection.
  caf::expected<uint64_t> count_documents(uint64_t agent, const std::string& collection);

  caf::expected<ownership> claim(const std::string& agent_id) override;
  caf::expected<bool> holds(const ownership& by) override;
  caf::expected<std::optional<uint64_t>> find_agent(const std::string& agent_id) override;
  caf::expected<std::vector<std::string>> agents() override;
  caf::error append(std::span<const journal_append> xs) override;
  caf::error read_journal(uint64_t agent, uint64_t after, const visitor<journal_group>& f) override;
  caf::expected<uint64_t> end_of_journal(uint64_t agent) override;
  caf::expected<uint64_t> sum_of_documents(uint64_t agent, const std::string& collection) override;
  caf::expected<uint64_t> sum_of_archive(uint64_t agent) override;
  caf::error cut_journal(const ownership& by, uint64_t after) override;
  caf::error forget_journal(const ownership& by, uint64_t until) override;
  caf::error rewrite_journal(const ownership& by, std::span<const journal_group> xs) override;
  caf::expected<snapshot_head> find_snapshot(uint64_t agent, snapshot_kind kind) override;
  caf::error read_snapshot(
    uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) override;
  caf::error move_snapshot(const ownership& by, snapshot_kind kind, const snapshot_head& head,
    std::span<const snapshot_row> changed) override;
  caf::error put(const ownership& by, std::span<const document> xs) override;
  caf::error read_documents(
    uint64_t agent, const std::string& collection, const visitor<document>& f) override;
  caf::error find_documents(uint64_t agent, const std::string& collection,
    const document_range& range, const visitor<document>& f) override;
  caf::error read_archive(
    uint64_t agent, const archive_range& range, const visitor<archive_row>& f) override;
  caf::expected<uint64_t> pack_archive(
    const ownership& by, timestamp left_before, uint64_t most) override;
  caf::error remove_archived(const ownership& by, std::span<const uint64_t> sequences) override;
  caf::error scrub() override;
  caf::expected<std::vector<std::string>> collections(uint64_t agent) override;
  caf::error begin_journal(const ownership& by, uint64_t after) override;
  caf::error add_archived(const ownership& by, std::span<const archive_row> xs) override;

private:
  /// A connection and the mutex that guards it.
  struct line {
    std::mutex mutex;
    std::unique_ptr<sql::connection> db;
  };

  sql_store(sql::connector connect, std::shared_ptr<commit_mark> mark);

  template <class F>
  caf::error use(line& by, F f);
  template <class F>
  caf::error change(F f, bool exclusive = false);
  template <class T, class Read>
  caf::error read_all(Read read_some, const visitor<T>& f);

  // In a transaction of `change`:
  void check(sql::connection& db, const ownership& by);
  void set_end(sql::connection& db, uint64_t agent, uint64_t last);
  uint64_t cut(sql::connection& db, uint64_t agent, uint64_t after);
  bool move_end(sql::connection& db, const journal_append& x);
  void replace_end(sql::connection& db, const journal_append& x);

  sql::connector connect_;
  std::shared_ptr<commit_mark> mark_; // may be null
  line writer_;
  std::vector<committed_end> changed_; // by the current transaction of the writer
  line reader_;
};

} // namespace scratchpage
