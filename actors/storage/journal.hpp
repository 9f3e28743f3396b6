#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "scratchpage/actors/storage/snapshot_progress.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/claim_list.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

struct journal_config {
  /// A page's snapshot is advanced when it is `fold_after` changes behind and nothing was written
  /// for `fold_idle_ms`. When it is `fold_by_force` changes behind, it is advanced in any case.
  uint64_t fold_after = 1'024;
  double fold_idle_ms = 50;
  uint64_t fold_by_force = 262'144;
  /// Changes that one step advances a snapshot by. Commits wait for the end of a step.
  uint64_t fold_at_once = 1'024;
  double retry_ms = 100; ///< pause after the first failure; doubled after each further one
  double longest_retry_ms = 10'000;
  double claims_ms = 2'000; ///< interval of the check that this process still owns its agents

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

/// The JOURNAL of all pages of a store. It commits all requests that wait in one call of the store,
/// and then answers each with its own verdict. When the store fails, requests are refused at once
/// until a pause is over; each further failure doubles the pause. This actor blocks its thread:
/// spawn it detached.
class journal_state {
public:
  using handle = journal_actor;
  static constexpr const char* name = "journal";

  /// Called on the journal's thread when the store begins to fail, and when it works again.
  using on_health = std::function<void(const journal_stats&)>;

  /// Called on the journal's thread when nothing more can be stored for an agent: another process
  /// owns the agent by now, or its page is ahead of the store. May be called several times for one
  /// agent.
  using on_lost = std::function<void(const ownership& by, const caf::error& why)>;

  /// The claims that are checked, and the function that is told when one is lost. Both may be
  /// null.
  struct claim_watch {
    std::shared_ptr<const claim_list> claims;
    on_lost tell;
  };

  /// With `low_priority`, a journal that is spawned detached lowers the priority of its thread: for
  /// processes in which hardly any caller waits for commits.
  journal_state(handle::pointer self, std::shared_ptr<store> to,
    std::shared_ptr<const scratchpage::clock> clock, journal_config config,
    bool low_priority = false, on_health tell = {}, claim_watch watch = {});

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

  template <class Request, class Queue>
  caf::result<void> enqueue(Request& x, Queue& to);
  void commit_soon();
  void commit();
  void commit_events();
  std::vector<waiting_events> commit_first_of_each(std::vector<waiting_events> all);
  void deliver(std::vector<waiting_events>& xs, const std::vector<journal_append>& appends,
    const std::vector<caf::error>& verdicts);
  void commit_documents();
  caf::error judge(const ownership& by, const caf::error& err);
  void check_claims();
  void note(const journal_append& x);
  void note_success();
  void note_failure(const caf::error& err);
  bool may_try() const;
  journal_stats stats() const;
  const snapshot_progress::agent* furthest_behind() const;
  void advance_when_idle();
  void advance_while_idle(uint64_t agent);
  void advance_by_force(uint64_t agent, uint64_t written);
  uint64_t advance(const snapshot_progress::agent& x, uint64_t max_changes);
  caf::result<uint64_t> advance_for(const fold_journal& x);

  handle::pointer self_;
  std::shared_ptr<store> store_;
  std::shared_ptr<const scratchpage::clock> clock_;
  journal_config config_;
  bool low_priority_;
  on_health tell_;
  claim_watch watch_;
  std::vector<waiting_events> events_;
  std::vector<waiting_documents> documents_;
  bool is_committing_soon_ = false;
  snapshot_progress progress_;
  uint64_t commits_ = 0; // so far, also those that failed
  journal_stats stats_;
  bool is_waiting_for_idle_ = false;
  uint64_t written_ = 0; ///< changes since the last check of the snapshots
  int64_t owed_ = 0;     ///< changes by which a snapshot is to be advanced by force
  caf::error last_failure_;
  timespan next_try_{}; ///< on the steady clock
  timespan pause_{};
};

} // namespace scratchpage
