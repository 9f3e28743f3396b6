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
#include "scratchpage/messages/purge.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What an agent's retention does next.
enum class retention_step : uint8_t {
  done, ///< until more is due
  more, ///< call again
  /// Something is to go: first the snapshot has to be beyond `last_sequence`, and
  /// everybody to have dropped what `order` names; then call again.
  tell,
};

/// Purges what left an agent's page long ago and held personal data (contract
/// 12), from everything that its store has but the latest snapshot, which others
/// write. Step by step, so that others get their turn; who stops in the middle
/// begins again with a new object, and nothing is lost by it.
class retention {
public:
  /// How long it takes at least until something is purged: nobody writes a turn's
  /// story any more by then.
  static constexpr timespan least_age = std::chrono::hours{1};

  /// `config` is valid.
  retention(std::shared_ptr<store> in, const ownership& by, privacy_config config);

  /// Errors: those of the store. Then this object is of no use any more.
  caf::expected<retention_step> step(timestamp now);

  /// What was found; after `tell`.
  const purge_observations& order() const { return order_; }

  /// In which the last of it left the page.
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
  uint64_t judged_ = 0; ///< sequence up to which the archive was looked at
  bool must_scrub_ = false;

  // what is being looked at
  std::map<uint64_t, std::string> due_; ///< ids by number
  std::set<std::string> whole_;         ///< ids of which every form goes
  std::set<std::string> turns_;         ///< whose stories have some of them
  std::set<std::string> aged_;          ///< ids of which forms go that hold something
  std::set<std::string> contents_;      ///< what they said
  std::set<std::string> held_;          ///< the personal data in it
  std::vector<uint64_t> archived_;      ///< sequences of rows that go
  uint64_t last_sequence_ = 0;
  uint64_t position_ = 0; ///< in the journal
  purge_observations order_;
};

} // namespace scratchpage
