#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What the caller of `retention::step` has to do next.
enum class retention_step : uint8_t {
  done, ///< nothing, until more is due
  more, ///< call `step` again
  /// Something has to be purged. First advance the snapshot beyond `last_sequence` and let every
  /// actor drop what `command` names; then call `step` again.
  tell,
};

/// Purges observations that left an agent's page long ago and had personal data (contract 12). It
/// removes them from everything in the store except the latest snapshot, which the journal actor
/// writes. It works in steps, so that others can use the store in between. Whoever stops in the
/// middle begins again with a new object and loses nothing.
class retention {
public:
  /// The shortest time until an observation is purged. By then the episode of its turn is certainly
  /// written.
  static constexpr timespan least_age = std::chrono::hours{1};

  /// `config` is valid. If there are ids of observations in `forgotten`, these alone are purged,
  /// however old they are and whatever they contain.
  retention(std::shared_ptr<store> in, const ownership& by, privacy_config config,
    std::set<std::string> forgotten = {});

  /// Does the next step. Errors: those of the store; after an error the object must not be used.
  caf::expected<retention_step> step(timestamp now);

  /// After `done`: when `step` has something to do next if nothing is archived meanwhile; nothing
  /// if it has not. Errors: those of the store.
  caf::expected<std::optional<timestamp>> next_due() const;

  /// What has to be purged; valid after `tell`.
  const purge_observations& command() const { return command_; }

  /// How many observations that were archived have been purged.
  uint64_t purged() const { return purged_; }

  /// The sequence with which the last of these observations left the page.
  uint64_t last_sequence() const { return last_sequence_; }

private:
  enum class phase : uint8_t {
    begin,
    judge,
    look_back,
    episodes,
    goals,
    facts,
    snapshot,
    journal,
    archive
  };

  caf::expected<retention_step> begin();
  caf::expected<retention_step> judge(timestamp now);
  caf::expected<retention_step> look_back();
  caf::expected<retention_step> purge_episodes();
  caf::expected<retention_step> purge_snapshot();
  caf::expected<retention_step> purge_journal();
  caf::expected<retention_step> purge_archive();
  template <class T>
  caf::expected<retention_step> purge_documents(std::string_view collection, phase next);

  void judge(const archive_row& row);
  void look_at(const observation& x, uint64_t number);
  void note(const observation& x);
  caf::expected<bool> read_groups(const std::function<caf::error(journal_group&)>& f);
  std::string purged_line(const journal_line& line, const purger& what) const;
  caf::expected<retention_step> go_on(phase next);
  caf::error scrub();
  caf::error keep_cursor();
  timespan age() const;

  std::shared_ptr<store> store_;
  ownership by_;
  privacy_config config_;
  privacy_policy policy_;
  pii_detector detector_;
  phase phase_ = phase::begin;
  std::set<std::string> forgotten_;
  uint64_t judged_ = 0;      ///< sequence up to which the archive was examined
  uint64_t kept_judged_ = 0; ///< as it is stored, when some are forgotten
  uint64_t purged_ = 0;
  bool must_scrub_ = false;

  // the observations that are examined now
  std::map<uint64_t, std::string> due_; ///< ids by number
  std::set<std::string> whole_;         ///< ids whose revisions are all purged
  std::set<std::string> turns_;         ///< turns whose episodes have some of them
  std::set<std::string> aged_;          ///< ids of which only revisions with personal data go
  std::set<std::string> contents_;      ///< their contents
  std::set<std::string> held_;          ///< the personal data in them
  std::vector<uint64_t> archived_;      ///< sequences of archived rows to remove
  uint64_t last_sequence_ = 0;
  uint64_t position_ = 0; ///< in the journal
  purge_observations command_;
};

} // namespace scratchpage
