#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/connection_pool.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_journal.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A store in an SQL database. Calls that read and calls that write have connections of their own,
/// so that long reads do not delay commits, and a few of each (`connection_limits`). A broken
/// connection is made again at the next call. A transaction that the database has rolled back
/// because of another one is tried again.
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

  /// The ids of the agents that have documents of a collection, in any order. It looks at each
  /// agent's collections, half a second for a million agents, but at no document.
  caf::expected<std::vector<std::string>> agents_with(const std::string& collection);

  /// The number of documents of a collection.
  caf::expected<uint64_t> count_documents(uint64_t agent, const std::string& collection);

  caf::expected<ownership> claim(const std::string& agent_id) override;
  caf::expected<bool> holds(const ownership& by) override;
  caf::expected<std::vector<ownership>> lost(std::span<const ownership> xs) override;
  caf::expected<std::optional<uint64_t>> find_agent(const std::string& agent_id) override;
  caf::expected<std::vector<std::string>> agents() override;
  caf::expected<std::vector<std::string>> agents_after(
    const std::string& after, uint64_t most) override;
  std::vector<caf::error> append(std::span<const journal_append> xs) override;
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
  sql_store(sql::connector connect, std::shared_ptr<commit_mark> mark, size_t readers);

  sql::connection_pool& add_writer();
  sql::connection_pool& writer_of(uint64_t agent);
  template <class F>
  caf::error use(sql::connection_pool& of, F f);
  template <class F>
  caf::error write(sql::connection_pool& of, F f, bool exclusive = false);
  template <class F>
  caf::error change(const ownership& by, F f);
  template <class T, class Read>
  caf::error read_all(Read read_some, const visitor<T>& f);
  template <class F>
  void claim_at_once(sql::connection& db, F claim_it);
  caf::error append_in_order(std::span<const journal_append> xs, std::vector<caf::error>& verdicts);
  caf::error append_at_once(std::span<const journal_append> xs, std::vector<caf::error>& verdicts);
  std::vector<caf::error> append_one_by_one(std::span<const journal_append> xs);

  sql::connector connect_;
  std::shared_ptr<commit_mark> mark_; // may be null; with it there is one writer
  sql::dialect dialect_ = sql::dialect::sqlite;
  sql::connection_pool readers_;
  std::vector<std::unique_ptr<sql::connection_pool>> writers_; // of one connection each
  std::atomic<uint64_t> claims_ = 0; // total; the writers take turns with them
};

} // namespace scratchpage
