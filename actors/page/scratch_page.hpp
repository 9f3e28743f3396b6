#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/page/delivery.hpp"
#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/event_log.hpp"
#include "scratchpage/actors/page/eviction_order.hpp"
#include "scratchpage/actors/page/observation_index.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/promotion_queue.hpp"
#include "scratchpage/actors/page/ranked_cursors.hpp"
#include "scratchpage/actors/page/turn_ledger.hpp"
#include "scratchpage/actors/page/type_registry.hpp"
#include "scratchpage/actors/page/type_weights.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/archive.hpp"
#include "scratchpage/persistence/journal.hpp"

namespace scratchpage {

/// What a page is made of.
struct page_setup {
  page_config limits;
  type_weights weights;
  text_config text;
  promotion_config promotion;
  std::shared_ptr<scratchpage::journal> journal; ///< null: nothing is kept
};

/// The SCRATCH PAGE of one agent: owns the observations, their lifetimes and
/// the log of changes; tells subscribers, forwards candidates for promotion,
/// and knows when a turn is quiet. Every change is validated, then journaled,
/// then applied, traced and delivered, in that order.
class scratch_page_state {
public:
  using handle = scratch_page_actor;
  static constexpr const char* name = "scratch-page";

  scratch_page_state(handle::pointer self, agent_context agent, page_setup setup);

  handle::behavior_type make_behavior();

private:
  /// A change that is valid and not yet committed.
  struct change {
    event_kind kind;
    uint64_t number;
    observation_ptr after;
    json::object detail = {};        ///< for the trace, beyond what every change says
    std::string_view operation = {}; ///< for the trace, if not that of the whole commit
  };

  /// Who waits for a turn's quiet.
  struct waiting {
    caf::typed_response_promise<void> promise;
    caf::actor_addr asker;
  };

  // -- operations (contract 3) ------------------------------------------------------

  caf::expected<receipt> add(const caller& by, observation_draft draft);
  caf::result<receipt> answer(caf::expected<receipt> x) const;
  caf::expected<query_result> query(const query_observations& request);
  observation_ptr get(const get_observation& request);
  observation_list active(const get_active_observations& request);
  caf::expected<receipt> update(update_observation request);
  caf::error archive_one(const archive_observation& request);
  caf::error clear(const clear_resolved& request);
  caf::expected<query_result> archived(const list_archive& request);
  caf::error add_type(const register_type& request);
  caf::expected<linked_observations> link(const link_observations& request);
  caf::error unprotect(const goal_closed& request);
  void unprotect(uint64_t number);
  page_stats stats() const;

  // -- turns --------------------------------------------------------------------------

  caf::error hold(const hold_turn& request);
  caf::error release(const release_turn& request);
  caf::result<void> wait(const await_quiet& request);
  caf::expected<observation_list> close(const close_turn& request);
  void answer_waiters();
  uint64_t acknowledged() const;

  // -- changes ------------------------------------------------------------------------

  /// Journals, applies, logs and traces; all of `changes` or, with the error,
  /// none. Subscribers hear of it at the next `settle()`.
  caf::error commit(
    std::span<change> changes, const caller& by, std::string_view operation, timestamp at);
  void apply(const change& x, page_event event);
  void judge(uint64_t number, const page_event& event);
  void trace_kept(const page_event& event, const promotion_decision& decision);
  /// Adds to `changes` who has to leave so that one more has room.
  caf::error make_room(std::vector<change>& changes);
  /// Ends what is due, a chunk at a time.
  void expire();
  /// After every handler that may have changed something: delivers, forwards
  /// candidates, answers who waits, sets the timer.
  void settle();
  void forward_candidates();
  void arm_timer();

  // -- helpers ------------------------------------------------------------------------

  timestamp now() const;
  std::string make_id(uint64_t number, timestamp at);
  /// The observation if it is on the page and not past its end.
  observation_ptr find_current(const std::string& observation_id) const;
  caf::error refuse(std::string_view operation, const caller& by, const caf::error& err);
  caf::error may_change(const caller& by, const observation& x) const;
  caf::error cannot_find(const update_observation& request) const;
  bool is_protected(const observation& x) const;
  std::vector<uint64_t> match(
    const query_observations& request, const ranked_cursors::position& from, query_result& result);
  std::vector<contradiction> contradictions(std::span<const uint64_t> numbers, const caller& by);
  void watch_once(const caf::actor& who);
  void on_down(const caf::actor_addr& who);

  handle::pointer self_;
  agent_context agent_;
  page_setup setup_;
  tracer trace_;
  type_registry types_;
  promotion_rules promotion_;
  observation_index index_;
  eviction_order eviction_;
  event_log log_;
  archive archive_;
  turn_ledger turns_;
  promotion_queue candidates_;
  ranked_cursors cursors_;
  delivery delivery_;
  frontal_cortex_actor cortex_;

  uint64_t last_number_ = 0;
  std::vector<change> changes_;         // of the addition at hand; kept for their room
  std::vector<page_event> events_;      // of the commit at hand; likewise
  std::chrono::sys_days id_day_;        // of the prefix
  std::string id_prefix_;               // "obs_<yyyymmdd>_"
  timestamp last_created_;              // creation times never fall,
  timestamp last_change_;               // nor do those of the changes
  std::vector<uint64_t> overdue_;       // due, but the journal refused their end
  std::optional<timestamp> timer_for_;  // the deadline the one timer waits for
  uint64_t timer_epoch_ = 0;            // a late timer of an older epoch does nothing
  std::map<uint64_t, waiting> waiting_; // by waiter's token
  uint64_t last_token_ = 0;
  std::map<caf::actor_addr, std::set<std::string>> holders_;
  std::set<caf::actor_addr> watched_;
  std::map<std::string, std::set<uint64_t>> protected_by_goal_;
  uint64_t expired_ = 0;
  uint64_t evicted_ = 0;
};

} // namespace scratchpage
