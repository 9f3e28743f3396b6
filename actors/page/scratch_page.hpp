#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <boost/container/small_vector.hpp>

#include <caf/typed_response_promise.hpp>
#include <caf/unit.hpp>

#include "scratchpage/actors/base/fair_queue.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/page/delivery.hpp"
#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/durability.hpp"
#include "scratchpage/actors/page/event_log.hpp"
#include "scratchpage/actors/page/eviction_order.hpp"
#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/actors/page/index/ranked_cursors.hpp"
#include "scratchpage/actors/page/index/type_weights.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/actors/page/promotion_queue.hpp"
#include "scratchpage/actors/page/source_shares.hpp"
#include "scratchpage/actors/page/turn_ledger.hpp"
#include "scratchpage/actors/page/type_registry.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/unhurried_clock.hpp"
#include "scratchpage/persistence/memories/archive.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What a page is made of.
struct page_setup {
  page_config limits;
  type_weights weights;
  text_config text;
  promotion_config promotion;
  durability_config durability;
  journal_actor journal; ///< null: nothing is kept
  archive_actor archive; ///< null: what left the page is known only to this page
  ownership owner;       ///< of the agent's history in the journal's store
  std::shared_ptr<const recovered_page> recovered; ///< null: the page begins empty
  /// Masks personal data in all that arrives, before anything else sees it; null:
  /// it stays.
  std::shared_ptr<const pii_masker> masker = nullptr;
  /// What all pages may take together; null: this one has its own limits only.
  std::shared_ptr<page_memory> memory = nullptr;
};

/// The SCRATCH PAGE of one agent: owns the observations, their lifetimes and
/// the log of changes; tells subscribers, forwards candidates for promotion,
/// and knows when a turn is quiet. Every change is validated, then durable as
/// far as `durability` says, then applied, traced, delivered and answered, in
/// that order. What concerns an observation that has a change on its way to
/// storage waits for it.
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
    size_t bytes = 0;                ///< that `after` takes, if who planned it has counted them
    /// By how much what is protected of its source grows: counted while it is on its way.
    int64_t protected_bytes = 0;
    bool is_from_outside = false; ///< whether somebody from outside adds it
  };
  using changes = boost::container::small_vector<change, 1>; // most operations have one

  /// What an operation that was found valid will do, all of it or nothing.
  template <class T>
  struct plan {
    std::string_view operation;
    changes todo;
    T answer{};
    std::function<void()> afterwards = {}; ///< once it is done; empty: nothing
  };
  template <class T, class Request>
  using planner = caf::expected<plan<std::conditional_t<std::is_void_v<T>, caf::unit_t, T>>> (
    scratch_page_state::*)(Request&);

  /// A commit that is not applied yet, and who wants to hear of it.
  using on_committed = std::function<void(const caf::error&)>;
  struct staged_commit {
    changes todo;
    caller by;
    std::string_view operation;
    on_committed done;
    int64_t growth = 0; ///< of the page, in bytes
  };

  /// Changes that go to the journal together: first those that are visible
  /// already (`async`), then those of `commits`.
  struct flight {
    std::vector<page_event> events;
    std::vector<staged_commit> commits;
    size_t visible = 0; ///< how many of `events` are
  };

  /// Drafts that came together, and what has become of them.
  struct batch {
    add_observations request;
    caf::typed_response_promise<add_outcomes> answer;
    std::string turn_id; ///< which is not quiet before all are added
    add_outcomes result{};
    size_t next = 0; ///< draft that is looked at
    size_t open = 0; ///< drafts that have no outcome yet

    /// One of them has its outcome.
    void settle();
  };

  /// Who waits for a turn's quiet.
  struct waiting {
    caf::typed_response_promise<void> promise;
    caf::actor_addr asker;
  };

  // -- operations (contract 3) ------------------------------------------------------

  caf::expected<plan<receipt>> plan_add(add_observation& request);
  caf::expected<plan<receipt>> plan_update(update_observation& request);
  caf::expected<plan<caf::unit_t>> plan_archive(archive_observation& request);
  caf::expected<plan<caf::unit_t>> plan_clear(clear_resolved& request);
  caf::result<void> add_type(const register_type& request);
  caf::error purge(const purge_observations& request);

  // -- several at once (scratch_page_batches.cpp) ----------------------------------------

  caf::result<add_outcomes> add_all(add_observations& request);
  void refuse_early(batch& all);
  void add_some();
  void add_next(const std::shared_ptr<batch>& all);

  // -- who may look when (scratch_page_looks.cpp) ----------------------------------------

  /// A request that only looks at the page.
  template <class T, class Request>
  using look = caf::expected<T> (scratch_page_state::*)(Request&);

  /// Looks now, or, for somebody from outside, when those who came before had their turn.
  template <class T, class Request>
  caf::result<T> look_or_wait(std::string_view operation, Request& x, look<T, Request> how);
  bool do_others_wait() const;
  void note_look(timespan begun);
  void look_on();
  std::function<bool()> end_of_look(const query_observations& request, timespan begun) const;

  // -- what only reads (scratch_page_reads.cpp) -----------------------------------------

  caf::expected<uint64_t> begin_to_tell(subscribe& request);
  caf::expected<query_result> query(query_observations& request);
  index_query as_index_query(
    const query_observations& request, const ranked_cursors::position& from, timespan begun) const;
  std::function<bool()> after(timespan deadline) const;
  std::vector<uint64_t> match(const query_observations& request, const index_query& wanted,
    const ranked_cursors::position& from, query_result& result);
  std::vector<uint64_t> match_ranked(const query_observations& request, const index_query& wanted,
    const ranked_cursors::position& from, query_result& result);
  std::vector<uint64_t> take_kept(const std::vector<uint64_t>& kept, size_t& offset,
    const index_query& wanted, query_result& to,
    const std::function<bool(const observation&)>& is_meant) const;
  std::vector<contradiction> contradictions(
    std::span<const uint64_t> numbers, const caller& by, const index_query& wanted, bool& partial);
  observation_ptr get(const get_observation& request);
  caf::expected<query_result> active(get_active_observations& request);
  caf::error take_all_active(const get_active_observations& request, query_result& to) const;
  caf::error take_active(const get_active_observations& request, query_result& to);
  caf::result<query_result> ask_archive(list_archive& request);
  caf::expected<query_result> list_archived(list_archive& request);
  page_stats stats() const;

  // -- evidence of goals (scratch_page_goals.cpp) ---------------------------------------

  caf::expected<plan<linked_observations>> plan_link(link_observations& request);
  void note_links(const std::string& goal_id, bool undo, const std::vector<uint64_t>& numbers);
  void protect_as_evidence(const std::string& goal_id, uint64_t number);
  bool may_protect(const std::set<uint64_t>& evidence, uint64_t number, const observation& x);
  void no_evidence(const std::string& goal_id, uint64_t number);
  caf::error unprotect(const goal_closed& request);
  void unprotect(uint64_t number);

  // -- what is never evicted, and for whom it counts (scratch_page_protection.cpp) ------

  static bool is_protected_type(const observation& x);
  bool is_protected(uint64_t number, const observation& x) const;
  bool is_open(uint64_t number, const observation& x) const;
  bool is_evidence(uint64_t number, const observation& x) const;
  void update_protection(uint64_t number, const observation& x);
  void let_go_of_grown(uint64_t number, const observation& x);
  bool has_room_for_evidence(source_shares::share of, size_t bytes) const;
  caf::error check_share(const observation& x, size_t bytes, const caller& by);
  caf::error check_growth(
    change& planned, const observation& before, int64_t growth, const caller& by);
  caf::error check_bytes(
    source_shares::share of, const source& x, int64_t growth, std::string_view field) const;
  std::string whose(source_shares::share of, const source& x) const;
  source_shares::share share_of(const source& x, const caller& by);
  uint64_t open_by(source_shares::share x) const;
  uint64_t evidence_by(source_shares::share x) const;
  uint64_t bytes_by(source_shares::share x) const;
  turn_ledger::payer payer_of(const open_turn& x);
  std::string program_of(const observation& x, bool is_restored);
  turn_ledger::payer speaks_for(const observation& x, bool is_restored);
  void note_protected(change& planned, const caller& by);
  void charge_asker(const change& planned, const caller& by);
  void charge(source_shares::share payer, uint64_t number, int64_t bytes);
  void charge_restored(uint64_t number, const observation& x, int64_t bytes);
  void forget_charge(uint64_t number);

  // -- turns (scratch_page_turns.cpp) ---------------------------------------------------

  caf::error hold(const hold_turn& request);
  caf::error release(const release_turn& request);
  caf::result<void> wait(const await_quiet& request);
  caf::result<turn_so_far> tell(const read_turn& request);
  caf::result<observation_list> close(const close_turn& request);
  changes plan_auto_archive();
  observation_list finish_close(const caller& by);
  void answer_waiters();
  void answer_turns_waiters();
  uint64_t acknowledged() const;
  bool is_quiet();

  // -- commits (scratch_page_commits.cpp) ----------------------------------------------

  /// Does what `prepare` makes of the request, and answers when it is done.
  template <class T, class Request>
  caf::result<T> carry_out(Request& x, planner<T, Request> prepare);
  template <class T, class Request>
  void attempt(Request x, planner<T, Request> prepare, caf::typed_response_promise<T> answer);
  std::optional<uint64_t> busy_one(std::span<const std::string> observation_ids) const;
  void park(uint64_t number, std::function<void()> attempt);
  void wake(const changes& arrived);

  /// Makes the changes durable and visible, in the order that the durability
  /// asks for, and tells `done`: all of them happened or, with the error, none.
  void commit(changes todo, const caller& by, std::string_view operation, on_committed done);
  /// Whether what is committed now is visible at once.
  bool is_visible_at_once() const;
  void commit_at_once(changes& todo, const caller& by, std::string_view operation);
  void stage(changes todo, const caller& by, std::string_view operation, on_committed done);
  page_event make_event(const change& x, const caller& by, timestamp at);
  timestamp next_change() const;
  void count_staged(const staged_commit& x, int64_t sign);
  void send(size_t arrived = 0);
  size_t most_together(size_t arrived) const;
  flight take_gathered(size_t most);
  void on_saved();
  void on_not_saved(const caf::error& err);
  void refuse(const std::vector<staged_commit>& commits, const caf::error& err);
  void watch_flight();
  void gather();
  void rest(const caf::error& err);

  // -- changes (scratch_page_changes.cpp) -----------------------------------------------

  void apply(std::span<change> todo, const caller& by, std::string_view operation,
    std::span<page_event> events);
  void apply(const change& x, page_event event);
  void judge(uint64_t number, const page_event& event);
  void trace_kept(const page_event& event, const promotion_decision& decision);
  /// Adds to `todo` who has to leave so that so many more, and bytes, have room; never `spared`.
  caf::error make_room(changes& todo, int64_t more, int64_t bytes, uint64_t spared = 0);
  caf::error evict_one(changes& todo, const std::set<uint64_t>& spared);
  double claim_of(source_shares::share x) const;
  int64_t growth_by(const change& x, size_t bytes) const;
  uint64_t most_bytes() const;
  double bytes_with_index(int64_t of_observations) const;
  void share_memory();
  /// Ends what is due, a chunk at a time.
  void expire();
  /// Archives what has not changed for long.
  void archive_aged();
  void keep_overdue(const std::vector<uint64_t>& numbers);
  /// After every handler that may have changed something: delivers, forwards
  /// candidates, answers who waits, sets the timer.
  void settle();
  void forward_candidates();
  bool must_hold_candidates();
  void arm_timer();
  void arm_aging();
  void keep_positions();

  // -- the beginning (scratch_page_recovery.cpp) ----------------------------------------

  /// Takes over what a store had.
  void restore(const recovered_page& from);
  /// Goes on from there.
  void resume(const recovered_page& from);

  // -- helpers ------------------------------------------------------------------------

  timestamp now() const;
  std::string make_id(uint64_t number, timestamp at);
  /// The observation if it is on the page and not past its end.
  observation_ptr find_current(const std::string& observation_id) const;
  caf::error refuse(std::string_view operation, const caller& by, const caf::error& err);
  caf::error join_turn(caller& by, const observation_draft& draft) const;
  caf::error check_writer(const add_observation& request) const;
  caf::error check_unsaved() const;
  change archive_of(uint64_t number) const;
  void put_in_order(uint64_t number, const observation& x, source_shares::share share);
  caf::error may_change(const caller& by, const observation& x) const;
  caf::error check_guarded(
    const caller& by, const observation& x, std::string_view field = "observation_id") const;
  caf::error cannot_find(const update_observation& request) const;
  void watch_once(const caf::actor& who);
  void on_down(const caf::actor_addr& who);

  handle::pointer self_;
  agent_context agent_;
  unhurried_clock ages_{agent_.clock}; // by which things grow old
  page_setup setup_;
  tracer trace_;
  type_registry types_;
  write_rules writers_;
  promotion_rules promotion_;
  observation_index index_;
  eviction_order eviction_;
  event_log log_;
  archive archive_;
  turn_ledger turns_;
  promotion_queue candidates_;
  ranked_cursors cursors_;
  kept_positions positions_;
  bool keeping_positions_ = false; // some are on their way
  delivery delivery_;
  frontal_cortex_actor cortex_;
  std::deque<std::shared_ptr<batch>> batches_; // the first of them is being added
  fair_queue looks_{query_limits::waiting};    // of principals from outside
  timespan looked_for_{};                      // in a row, while others waited
  bool gives_way_ = false;                     // to others, before there is another look

  uint64_t last_number_ = 0;
  uint64_t applied_number_ = 0; // last_number_ without what is on its way
  flight sent_;                 // at the journal; empty if nothing is
  std::shared_ptr<const std::vector<page_event>>
    sent_events_;   // of `sent_`, shared with the journal
  flight gathered_; // goes when `sent_` has arrived
  uint64_t next_sequence_ = 1;
  uint64_t not_visible_ = 0;  // changes that are on their way and not applied
  source_shares shares_;      // of the page, by source
  int64_t bytes_ = 0;         // about, of what is on the page
  page_memory::share memory_; // of all pages
  int64_t staged_growth_ = 0; // of the page, by what is not applied
  int64_t staged_bytes_ = 0;  // the same in bytes
  std::set<uint64_t> busy_;   // numbers with a change on its way, one at a time
  std::map<uint64_t, std::deque<std::function<void()>>> parked_; // by what they wait for
  std::optional<uint64_t> forward_after_; // candidates wait for what was on its way with them
  uint64_t flight_ = 0;                   // the number of that
  timespan save_by_{};                    // when it counts as lost, on the steady clock
  bool watches_flight_ = false;
  bool is_resting_ = false;             // after a failure, with changes that are visible
  bool is_gathering_ = false;           // more of those, before they are saved
  std::vector<page_event> events_;      // of the commit at hand; kept for their room
  std::chrono::sys_days id_day_;        // of the prefix
  std::string id_prefix_;               // "obs_<yyyymmdd>_"
  std::vector<uint64_t> overdue_;       // due, but the journal refused their end
  bool is_aging_soon_ = false;          // what is old is looked for
  timespan retry_overdue_{};            // when they are offered again, on the steady clock
  std::optional<timestamp> timer_for_;  // the deadline the one timer waits for
  uint64_t timer_epoch_ = 0;            // a late timer of an older epoch does nothing
  std::map<uint64_t, waiting> waiting_; // by waiter's token
  std::vector<caf::typed_response_promise<void>>
    waiting_for_page_; // to be quiet, whatever the turn
  uint64_t last_token_ = 0;
  std::map<caf::actor_addr, std::set<std::string>> holders_;
  std::set<caf::actor_addr> watched_;
  std::map<std::string, std::set<uint64_t>> protected_by_goal_;
  /// What the ensemble asks and reports in turns of somebody outside: the share that it counts
  /// for, and the bytes.
  std::map<uint64_t, std::pair<source_shares::share, int64_t>> charged_;
  std::set<uint64_t> beyond_share_; // the same, and evictable since that share has enough of it
  uint64_t expired_ = 0;
  uint64_t evicted_ = 0;
};

} // namespace scratchpage
