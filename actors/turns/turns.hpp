#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/turns/turn_askers.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/number_source.hpp"

namespace scratchpage {

/// Limits of an agent's turns (contract 7, 13).
struct turns_config {
  double deadline_ms = 120'000;      ///< of a turn that names none
  double held_deadline_ms = 600'000; ///< of one that is held and names none
  uint64_t max_queued = 1'000;       ///< sequential turns that wait for their thread
  uint64_t kept_results = 256;       ///< of ended turns, for `await_turn`
  /// About what those may take; the newest alone may have more.
  uint64_t kept_bytes = uint64_t{64} << 20;
  double request_ms = 30'000;        ///< how long the page and the memories may take to answer
  uint64_t max_open_per_asker = 100; ///< turns that one principal may have open or queued

  static constexpr auto fields(auto all) {
    using self = turns_config;
    return all(optional("deadline_ms", &self::deadline_ms),
      optional("held_deadline_ms", &self::held_deadline_ms),
      optional("max_queued", &self::max_queued), optional("kept_results", &self::kept_results),
      optional("kept_bytes", &self::kept_bytes), optional("request_ms", &self::request_ms),
      optional("max_open_per_asker", &self::max_open_per_asker));
  }
};

/// TURNS of one agent (contract 7): puts the input on the page, waits until the
/// page is quiet for it, and then closes the turn: goals are settled, the story
/// goes to episodic memory, and the result to whoever asked. One that is held it
/// keeps open, when all have done their part, for whoever works on it outside. It
/// counts no messages and knows no daemon.
class turns_state {
public:
  using handle = turns_actor;
  static constexpr const char* name = "turns";

  /// `team` is how many subscribers the page must have before a turn begins.
  turns_state(handle::pointer self, agent_context agent, turns_config config, uint64_t team,
    scratch_page_actor page, frontal_cortex_actor cortex, episodic_memory_actor episodes,
    std::shared_ptr<number_source> numbers);

  handle::behavior_type make_behavior();

private:
  struct turn {
    explicit turn(turn_askers::promise beginner)
      : askers{std::move(beginner)} {}

    begin_turn request;
    turn_result result;
    caller by;
    timespan begun{}; ///< on the clock that nobody sets, as the deadline
    timespan deadline{};
    turn_askers askers;     ///< who wants the result
    bool is_held = false;   ///< until somebody outside ends it
    bool is_let_go = false; ///< somebody has
  };
  using turn_ptr = std::shared_ptr<turn>;

  /// The sequential turns of a thread that have not ended, in the order in which they began or
  /// came.
  struct thread_turns {
    std::vector<turn_ptr> begun;
    std::vector<turn_ptr> waiting;
  };

  /// Why a turn cannot be begun, if so.
  caf::error check(const begin_turn& request) const;
  caf::error check_share(const begin_turn& request) const;
  caf::error check_queue(const begin_turn& request) const;
  /// Null if it waits for none of its thread that is held.
  turn_ptr held_before(const begin_turn& request) const;
  /// Whether an earlier turn of its thread that it waits for has not ended.
  bool must_wait(const begin_turn& request) const;
  /// The same of a turn that has only so many of those that wait before it.
  static bool must_wait(const begin_turn& request, const thread_turns& others, size_t before);
  caf::result<turn_result> begin(begin_turn request);
  caf::result<turn_result> await(const await_turn& request);
  caf::result<turn_result> await_end_of(turn& x, const std::optional<caller>& who, caller by);
  caf::result<turn_result> end(const end_turn& request);
  caf::result<turn_list> list(const list_turns& request);
  std::vector<turn_summary> open_turns() const;

  void start(const turn_ptr& x);
  void await_team(const turn_ptr& x);
  void open(const turn_ptr& x);
  void put_input(const turn_ptr& x);
  void watch_over(const turn_ptr& x);
  void answer_in_background(const turn_ptr& x);
  void keep_open(const turn_ptr& x);
  void find_goals_so_far(const turn_ptr& x, turn_result so_far);
  void tell_held(const turn_ptr& x, turn_result so_far);
  void answer_early(const turn_ptr& x, turn_result early);
  void let_go(const turn_ptr& x);
  void release(const turn_ptr& x);
  void close(const turn_ptr& x);
  void settle(const turn_ptr& x);
  void record(const turn_ptr& x);
  void finish(const turn_ptr& x);
  void keep(const turn_result& x);
  void give_up(const turn_ptr& x, const caf::error& err);
  void leave(const turn_ptr& x);
  void start_waiting(const std::string& thread_id);

  observation_draft input_of(const turn& x) const;
  timespan patience() const;
  caf::expected<std::string> make_id();

  handle::pointer self_;
  agent_context agent_;
  turns_config config_;
  uint64_t team_;
  bool is_team_there_ = false;
  scratch_page_actor page_;
  frontal_cortex_actor cortex_;
  episodic_memory_actor episodes_;
  tracer trace_;
  std::map<std::string, turn_ptr> running_;     // by id
  std::map<std::string, thread_turns> threads_; // by id; present while one has turns
  uint64_t queued_ = 0;
  std::deque<turn_result> ended_;
  uint64_t kept_bytes_ = 0; // about, of those
  std::shared_ptr<number_source> numbers_;
};

} // namespace scratchpage
