#pragma once

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage::test {

/// Makes every call on a model and on the tested store, and tests that both answer the same,
/// including the errors' codes and fields. Returns the tested store's answers.
class lockstep_store : public store {
public:
  lockstep_store(store& model, store& tested)
    : model_{&model},
      tested_{&tested} {}

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

  /// Tests that both have the same contents.
  void check_contents();

protected:
  void test_another(store& tested) { tested_ = &tested; }

private:
  template <class F>
  auto both(F f) -> decltype(f(std::declval<store&>()));
  template <class T, class Read>
  caf::error both_read(Read read, const visitor<T>& f);

  store* model_;
  store* tested_;
};

} // namespace scratchpage::test
