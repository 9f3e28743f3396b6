#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// A store in memory for tests. It is also the model with which the other stores are compared.
class memory_store : public store {
public:
  caf::expected<ownership> claim(const std::string& agent_id) override;
  caf::expected<bool> holds(const ownership& by) override;
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

  /// Takes over the keys of an agent and of its claim, which have random bits, from the store of
  /// which this one is the model.
  void adopt(const std::string& agent_id, const ownership& by);

private:
  struct snapshot {
    snapshot_head head;
    std::map<uint64_t, snapshot_row> rows; // by number
  };

  /// A row and whether it counts as packed; nothing is compressed.
  struct archived {
    archive_row row;
    bool is_packed = false;
  };

  struct kept_document {
    document value; // without its index
    std::optional<document_index> index;
    uint64_t place = 0; // numbers the documents with an index in the order of writing
  };

  struct agent_history {
    std::string agent_id;
    uint64_t epoch = 0;
    claim_key claim;
    uint64_t last = 0;                        // sequence
    std::map<uint64_t, journal_group> groups; // by first sequence
    std::map<snapshot_kind, snapshot> snapshots;
    std::map<std::pair<std::string, std::string>, kept_document> documents;
    uint64_t last_place = 0;              // among the documents with an index
    std::map<uint64_t, archived> archive; // by sequence
  };

  agent_history* find(uint64_t agent);
  ownership begin_epoch(uint64_t agent, agent_history& x);
  caf::expected<agent_history*> owned(const ownership& by);
  static uint64_t end_of_cut(const agent_history& x, uint64_t after);
  static void cut(agent_history& x, uint64_t after);
  caf::error append_to(const journal_append& x);
  static kept_document keep(agent_history& of, document x);

  std::mutex mutex_;
  uint64_t claims_ = 0; ///< total
  std::map<uint64_t, agent_history> agents_;
};

} // namespace scratchpage
