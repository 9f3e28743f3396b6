#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::test {

/// Wraps a store that works, and fails on demand with `storage_unavailable`. Only calls that
/// write fail; claims count as writes. Faults can be set from any thread.
class faulty_store : public store {
public:
  explicit faulty_store(store& under)
    : under_{under} {}

  /// The `nth` write from now (1 is the next) fails without writing anything.
  void fail_before(uint64_t nth);
  /// The `nth` write from now reports an error although everything is written.
  void fail_after(uint64_t nth);
  /// While the disk is full, every write fails without writing anything.
  void set_disk_full(bool full);
  /// Calls `f` before each write, on the writing thread; an `f` that blocks makes
  /// the commit slow. An empty `f` removes the call.
  void before_write(std::function<void()> f);
  /// Number of writes, including failed ones.
  uint64_t writes() const;

  caf::expected<ownership> claim(const std::string& agent_id) override;
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
  enum class fate { works, fails_before, fails_after };

  fate next_fate();
  template <class F>
  auto write(F f) -> decltype(f());

  store& under_;
  mutable std::mutex mutex_;
  uint64_t writes_ = 0;
  std::optional<uint64_t> fails_before_; // number of the write, counted from the first
  std::optional<uint64_t> fails_after_;
  bool is_full_ = false;
  std::function<void()> before_write_;
};

} // namespace scratchpage::test
