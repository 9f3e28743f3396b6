#pragma once

#include <cstdint>
#include <deque>
#include <functional>
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

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/base/owned_timer.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/page/commit_pipeline.hpp"
#include "scratchpage/actors/page/deadline_timer.hpp"
#include "scratchpage/actors/page/delivery.hpp"
#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/event_log.hpp"
#include "scratchpage/actors/page/heap_ahead.hpp"
#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/actors/page/index/observation_index.hpp"
#include "scratchpage/actors/page/index/ranked_cursors.hpp"
#include "scratchpage/actors/page/observation_ids.hpp"
#include "scratchpage/actors/page/page_change.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/page/page_keepsake.hpp"
#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/actors/page/promotion_queue.hpp"
#include "scratchpage/actors/page/protection.hpp"
#include "scratchpage/actors/page/read_scheduler.hpp"
#include "scratchpage/actors/page/request_keys.hpp"
#include "scratchpage/actors/page/request_marks.hpp"
#include "scratchpage/actors/page/source_shares.hpp"
#include "scratchpage/actors/page/turn_ledger.hpp"
#include "scratchpage/actors/page/turn_waiters.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/memories/archive.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// What a page is made of.
struct page_setup {
  page_config limits;
  shared_settings<type_weights> weights;
  shared_settings<text_config> text;
  shared_settings<promotion_config> promotion;
  durability_config durability;
  journal_actor journal; ///< null: nothing is stored
  archive_actor archive; ///< null: the page keeps its archive in memory
  ownership owner;       ///< of the agent's history in the journal's store
  std::shared_ptr<const recovered_page> recovered; ///< null: the page begins empty
  /// Masks personal data in drafts and changes before anything else reads them; null: nothing is
  /// masked.
  std::shared_ptr<const pii_masker> masker = nullptr;
  /// The memory that all pages share; null: only the page's own limits count.
  std::shared_ptr<page_memory> memory = nullptr;
};

/// The SCRATCH PAGE of one agent. It owns the observations, their lifetimes and the log of changes,
/// tells subscribers, forwards candidates for promotion, and knows when a turn is quiet. Every
/// change is validated, stored as the `durability` demands, applied, traced, delivered and
/// answered, in that order. Operations on an observation that has a change on its way to storage
/// wait for that change.
class scratch_page_state {
public:
  using handle = scratch_page_actor;
  static constexpr const char* name = "scratch-page";

  scratch_page_state(handle::pointer self, agent_context agent, page_setup setup);
  scratch_page_state(const scratch_page_state&) = delete;
  scratch_page_state& operator=(const scratch_page_state&) = delete;

  /// Leaves a keepsake for the page that takes its place after a rest, if nothing is unfinished.
  ~scratch_page_state();

  handle::behavior_type make_behavior();

private:
  /// The changes of a valid operation. All of them are made, or none.
  template <class T>
  struct plan {
    std::string_view operation;
    page_changes todo;
    T answer{};
    std::function<void()> afterwards = {}; ///< called when the changes are made; may be empty
  };
  template <class T, class Request>
  using planner = caf::expected<plan<std::conditional_t<std::is_void_v<T>, caf::unit_t, T>>> (
    scratch_page_state::*)(Request&);

  /// Called when a commit was made, or with the error if it was refused.
  using on_committed = std::function<void(const caf::error&)>;

  /// The events of one commit. Most commits have one change, and perhaps another that makes room.
  using commit_events = boost::container::small_vector<page_event, 2>;

  /// The drafts of one `add_observations`, and their outcomes.
  struct batch {
    add_observations request;
    caf::typed_response_promise<add_outcomes> answer;
    std::string turn_id; ///< this turn is not quiet until all drafts are handled
    add_outcomes result{};
    size_t next = 0; ///< the draft that is handled next
    size_t open = 0; ///< drafts without an outcome

    /// One more draft has its outcome. Answers the request when all have.
    void settle();
  };

  /// The counters of a page.
  struct counts {
    int64_t bytes = 0;    ///< memory that the observations on the page take, about
    uint64_t expired = 0; ///< observations that expired since the page began
    uint64_t evicted = 0; ///< observations that were evicted since the page began
  };

  /// What the agent's own actors ask when they take up their work after a rest. It is not traced,
  /// since they seem never to have left.
  struct returning {
    std::multiset<std::string> subscribers = {};
    bool is_cortex = false;
    bool is_wait_for_quiet = false; ///< of the program that opens the agent

    bool take(const caller& subscriber) {
      auto found = subscribers.find(subscriber.name);
      if (subscriber.outside || found == subscribers.end())
        return false;
      subscribers.erase(found);
      return true;
    }
  };

  // -- operations (contract 3) ------------------------------------------------------

  caf::expected<plan<receipt>> plan_add(add_observation& request);
  caf::expected<plan<receipt>> plan_update(update_observation& request);
  caf::expected<plan<caf::unit_t>> plan_archive(archive_observation& request);
  caf::expected<plan<caf::unit_t>> plan_clear(clear_resolved& request);
  caf::result<void> add_type(const register_type& request);
  caf::error purge(const purge_observations& request);

  // -- work in slices (scratch_page_slices.cpp) ------------------------------------------

  caf::result<add_outcomes> add_all(add_observations& request);
  void refuse_early(batch& all);
  void add_some();
  void add_next(const std::shared_ptr<batch>& all);
  void add_one(const std::shared_ptr<batch>& all, size_t i, add_observation one);

  /// A request that only reads the page.
  template <class T, class Request>
  using reader = caf::expected<T> (scratch_page_state::*)(Request&);

  /// Reads now. A request from outside may have to wait for its turn.
  template <class T, class Request>
  caf::result<T> read_or_wait(std::string_view operation, Request& x, reader<T, Request> read);
  bool do_others_wait() const;
  void note_read(timespan begun);
  void continue_reading();
  void index_texts();
  void index_texts_after(timespan pause);
  std::function<bool()> end_of_query(const query_observations& request, timespan begun) const;

  // -- reading (scratch_page_reads.cpp) -------------------------------------------------

  caf::expected<uint64_t> add_subscriber(subscribe& request);
  caf::expected<query_result> query(query_observations& request);
  index_query as_index_query(
    const query_observations& request, const ranked_cursors::position& from, timespan begun) const;
  std::function<bool()> after(timespan deadline) const;
  std::vector<uint64_t> match(const query_observations& request, const index_query& wanted,
    const ranked_cursors::position& from, query_result& result);
  void lengthen(kept_order& order, size_t offset, const index_query& wanted, query_result& to,
    const std::function<bool(const observation&)>& is_meant);
  std::vector<uint64_t> match_ranked(const query_observations& request, const index_query& wanted,
    const ranked_cursors::position& from, query_result& result);
  std::vector<uint64_t> take_kept(const std::vector<uint64_t>& kept, size_t& offset,
    const index_query& wanted, query_result& to,
    const std::function<bool(const observation&)>& is_meant) const;
  std::vector<contradiction> contradictions(
    std::span<const uint64_t> numbers, const caller& by, const index_query& wanted, bool& partial);
  observation_ptr get(const get_observation& request);
  caf::expected<query_result> active(get_active_observations& request);
  caf::error take_all_active(const get_active_observations& request, query_result& to);
  caf::error take_active(const get_active_observations& request, query_result& to);
  caf::result<query_result> ask_archive(list_archive& request);
  caf::expected<query_result> list_archived(list_archive& request);
  page_stats stats() const;

  // -- evidence of goals (scratch_page_plans.cpp) ----------------------------------------

  caf::expected<plan<linked_observations>> plan_link(link_observations& request);
  void note_links(const std::string& goal_id, bool undo, const std::vector<uint64_t>& numbers);
  caf::error close_goal(const goal_closed& request);
  void update_protection(uint64_t number);

  // -- turns (scratch_page_turns.cpp) ---------------------------------------------------

  caf::error open(const open_turn& request);
  void gather_turn(const std::string& turn_id);
  caf::error hold(const hold_turn& request);
  caf::error release(const release_turn& request);
  caf::result<void> wait(const await_quiet& request);
  caf::result<turn_so_far> tell(const read_turn& request);
  caf::result<observation_list> close(const close_turn& request);
  page_changes plan_auto_archive();
  observation_list finish_close(const caller& by);
  void answer_waiters();
  void answer_waiters_for_turns();
  uint64_t acknowledged() const;
  bool is_quiet();

  // -- requests with keys (scratch_page_requests.cpp) -------------------------------------

  request_mark mark(const add_observation& x, uint32_t part = 0) const;
  request_mark mark(const update_observation& x) const;
  template <class Request>
  request_mark mark(const Request& x) const {
    return mark_of(x);
  }
  caf::expected<const request_keys::known*> look_up(const request_mark& mark) const;
  void begin_request(page_changes& todo, request_mark& mark);
  void end_request(const request_mark& mark, const caf::error& err);
  void trace_repeated(const request_mark& mark, const request_keys::known& known, const caller& by);

  // -- commits (scratch_page_commits.cpp) ----------------------------------------------

  /// Commits the plan that `prepare` makes of the request, and answers when that is done.
  template <class T, class Request>
  caf::result<T> carry_out(Request& x, planner<T, Request> prepare);
  template <class T, class Request>
  void attempt(Request x, planner<T, Request> prepare, caf::typed_response_promise<T> answer);
  void wake(const page_changes& arrived);

  /// Stores and applies the changes, in the order that the durability demands. Then calls `done`:
  /// without an error all of them were made, with an error none.
  void commit(page_changes todo, const caller& by, std::string_view operation, on_committed done);
  void commit_at_once(page_changes& todo, const caller& by, std::string_view operation);
  void stage(page_changes todo, const caller& by, std::string_view operation, on_committed done);
  commit_events make_events(const page_changes& todo, const caller& by);
  timestamp next_change() const;
  void settle(const commit_pipeline::commit& x);
  void send(size_t arrived = 0);
  void watch_flight();
  void on_saved();
  void on_not_saved(const caf::error& err);
  void refuse(const std::vector<commit_pipeline::commit>& commits, const caf::error& err);
  void rest(const caf::error& err, size_t visible);

  // -- changes (scratch_page_changes.cpp) -----------------------------------------------

  void apply(std::span<page_change> todo, const caller& by, std::string_view operation,
    std::span<page_event> events);
  void apply(const page_change& x, page_event event);
  void forget(const page_change& x, timestamp at);
  void judge(uint64_t number, const page_event& event);
  void trace_kept(const page_event& event, const promotion_decision& decision);
  /// Adds evictions to `todo` so that there is room for `more` observations and `bytes`. The
  /// observation `spared` is not evicted. Error: `overloaded`.
  caf::error make_room(page_changes& todo, int64_t more, int64_t bytes, uint64_t spared = 0);
  caf::error evict_one(page_changes& todo, const std::set<uint64_t>& spared);
  double claim_of(source_shares::share x) const;
  int64_t growth_by(const page_change& x, size_t bytes) const;
  uint64_t max_bytes() const;
  double bytes_with_index(int64_t of_observations) const;
  void share_memory();
  /// Ends observations that have expired, at most `expiry_chunk` of them.
  void expire();
  /// Ends these observations; `time_of` gives the time of each end, empty: now.
  void end_expired(
    const std::vector<uint64_t>& due, const std::function<timestamp(const observation&)>& time_of);
  /// Archives observations that have not changed for `archive_after_days` by then.
  void archive_aged(timestamp at);
  timespan aging_age() const;
  /// The observations that are archived when they are old enough, and were created before a time.
  std::vector<uint64_t> unguarded(std::optional<timestamp> created_before, timestamp at);
  /// Called at the end of every handler that may have changed something: delivers events, forwards
  /// candidates, answers requests that wait, and sets the timer.
  void settle();
  void forward_candidates();
  void arm_timer();
  bool becomes_empty() const;
  void arm_aging();
  void start_aging();
  void keep_positions();

  // -- recovery (scratch_page_commits.cpp) ----------------------------------------------

  /// Takes over the state that was read from a store.
  void restore(const recovered_page& from);
  /// Finishes the work that the end of the last process has interrupted.
  void resume(const recovered_page& from);

  void restore_log(const recovered_page& from, uint64_t begin);
  void count_restored(uint64_t number, const observation_ptr& x, const recovered_page& from);

  // -- a rest (scratch_page_rest.cpp) -----------------------------------------------------

  caf::result<rest_verdict> check_rest(const rest_check& request);
  std::string reason_to_stay(const std::vector<std::string>& own_subscribers);
  std::string_view unfinished() const;
  std::optional<timestamp> next_aging();
  page_keepsake keep();
  std::optional<page_keepsake> take_keepsake(const recovered_page& from);
  void go_on(page_keepsake kept);
  void restore_archive(std::string_view packed);
  void catch_up(timestamp last_change);
  void expire_until(timestamp until, timestamp last_change);

  // -- helpers ------------------------------------------------------------------------

  timestamp now() const;
  /// The observation if it is on the page and has not expired; otherwise null.
  observation_ptr find_current(const std::string& observation_id) const;
  caf::error refuse(std::string_view operation, const caller& by, const caf::error& err);
  caf::error join_turn(caller& by, const observation_draft& draft) const;
  caf::error check_writer(const add_observation& request) const;
  caf::error check_unsaved() const;
  page_change archive_of(uint64_t number, timestamp at) const;
  void put_in_order(uint64_t number, const observation& x, source_shares::share share);
  caf::error may_change(const caller& by, const observation& x) const;
  caf::error check_guarded(
    const caller& by, const observation& x, std::string_view field = "observation_id") const;
  caf::error prepare_update(update_observation& request, const observation_ptr& current) const;
  caf::error cannot_find(const update_observation& request) const;
  void watch_once(const caf::actor& who);
  void on_down(const caf::actor_addr& who);

  handle::pointer self_;
  agent_context agent_;
  page_setup setup_;
  tracer trace_;
  type_registry types_;
  write_rules writers_;
  promotion_rules promotion_;
  observation_ids ids_;
  observation_index index_;
  eviction_order eviction_;
  event_log log_;
  request_keys keys_;
  archive archive_;
  turn_ledger turns_;
  turn_waiters<caf::typed_response_promise<void>, caf::actor_addr> waiters_;
  protection protection_{setup_.limits, turns_, eviction_};
  promotion_queue candidates_;
  ranked_cursors cursors_;
  subscriber_positions positions_;
  bool keeping_positions_ = false;           // positions are on their way to the journal
  unsigned registering_ = 0;                 // types on their way to the journal
  bool was_at_rest_ = false;                 // the page goes on where another one rested
  std::vector<std::string> own_subscribers_; // at the last check that allowed a rest
  returning returning_;
  delivery delivery_;
  commit_pipeline commits_;
  deadline_timer timer_;
  owned_timer expiry_; // when `timer_` says so
  owned_timer aging_;  // likewise
  owned_timer flight_; // until the journal has to have answered
  frontal_cortex_actor cortex_;
  std::deque<std::shared_ptr<batch>> batches_; // the first one is being added
  read_scheduler reads_;                       // for requests from outside
  page_memory::share memory_;
  heap_ahead heap_;
  std::set<caf::actor_addr> watched_; // actors whose end this page is told of
  counts counts_;
};

} // namespace scratchpage
