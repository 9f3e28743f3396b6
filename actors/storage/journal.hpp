#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/claim_list.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

struct journal_config {
  /// Changes after which a page's snapshot is moved on, once nothing was written
  /// for so long; and those at which it is moved on in any case.
  uint64_t fold_after = 1'024;
  double fold_idle_ms = 50;
  uint64_t fold_by_force = 262'144;
  /// Changes of one step of that, during which commits wait.
  uint64_t fold_at_once = 1'024;
  double retry_ms = 100; ///< after the first failure; doubled at each
  double longest_retry_ms = 10'000;
  double claims_ms = 2'000; ///< between two looks whether agents are still this process's

  static constexpr auto fields(auto all) {
    using self = journal_config;
    return all(optional("fold_after", &self::fold_after),
      optional("fold_idle_ms", &self::fold_idle_ms),
      optional("fold_by_force", &self::fold_by_force),
      optional("fold_at_once", &self::fold_at_once), optional("retry_ms", &self::retry_ms),
      optional("longest_retry_ms", &self::longest_retry_ms),
      optional("claims_ms", &self::claims_ms));
  }
};

/// The JOURNAL of all pages of a store: whatever waits is committed together,
/// and answered after. While the store fails, requests are refused at once and
/// the store is tried again after a pause that grows. Blocks its thread: spawn
/// it detached.
class journal_state {
public:
  using handle = journal_actor;
  static constexpr const char* name = "journal";

  /// Called on the journal's thread when the store has begun to fail, and when it works
  /// again.
  using on_health = std::function<void(const journal_stats&)>;

  /// Called on the journal's thread when an agent's page can keep nothing more: the agent is
  /// another process's by now, or its page is ahead of what the store has. Maybe several
  /// times for the same one.
  using on_lost = std::function<void(const ownership& by, const caf::error& why)>;

  /// Whose claims are looked after, and who is told when one is lost; there may be nobody.
  struct claim_watch {
    std::shared_ptr<const claim_list> claims;
    on_lost tell;
  };

  /// A thread of its own gives way to others if so it is said: where next to nobody waits
  /// for commits.
  journal_state(handle::pointer self, std::shared_ptr<store> to,
    std::shared_ptr<const scratchpage::clock> clock, journal_config config, bool gives_way = false,
    on_health tell = {}, claim_watch watch = {});

  handle::behavior_type make_behavior();

private:
  using promise = caf::typed_response_promise<void>;

  struct waiting_events {
    append_events request;
    promise answer;
  };
  struct waiting_documents {
    keep_documents request;
    promise answer;
  };

  /// How far an agent's snapshot is behind.
  struct progress {
    ownership by;
    uint64_t last = 0;   ///< sequence that is durable
    uint64_t folded = 0; ///< sequence that the snapshot has
  };

  template <class Request, class Queue>
  caf::result<void> enqueue(Request& x, Queue& to);
  void commit_soon();
  void commit();
  void commit_events();
  void commit_one_by_one(std::vector<waiting_events>& xs, std::vector<journal_append>& appends);
  void commit_documents();
  caf::error judge(const ownership& by, const caf::error& err);
  void look_after_claims();
  void note(const journal_append& x);
  void note_success();
  void note_failure(const caf::error& err);
  bool may_try() const;
  journal_stats stats() const;
  progress* furthest_behind();
  void fold_soon();
  void fold_on(progress& x);
  void keep_up(progress& x, uint64_t written);
  uint64_t fold_some(progress& x, uint64_t most);
  caf::result<uint64_t> fold_one(const fold_journal& x);

  handle::pointer self_;
  std::shared_ptr<store> store_;
  std::shared_ptr<const scratchpage::clock> clock_;
  journal_config config_;
  bool gives_way_;
  on_health tell_;
  claim_watch watch_;
  std::vector<waiting_events> events_;
  std::vector<waiting_documents> documents_;
  bool is_committing_soon_ = false;
  std::map<uint64_t, progress> progress_; // by agent
  uint64_t commits_ = 0;                  // so far, failed ones too
  journal_stats stats_;
  bool is_folding_soon_ = false;
  uint64_t written_ = 0; ///< changes since the snapshots were looked at last
  int64_t owed_ = 0;     ///< changes by which a snapshot is to be moved on by force
  caf::error last_failure_;
  timespan next_try_{}; ///< on the clock that nobody sets
  timespan pause_{};
};

} // namespace scratchpage
