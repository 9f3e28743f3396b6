#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

class turn_run;
struct turns_config;

using report_promise = caf::typed_response_promise<reported_call>;

/// What the turns of one agent share: the actors they ask, and the callbacks of their owner.
struct turn_context {
  turns_actor::pointer self;
  agent_context agent;
  const turns_config* config;
  uint64_t team; ///< the number of the ensemble's daemons that a turn waits for before it begins
  scratch_page_actor page;
  frontal_cortex_actor cortex;
  episodic_memory_actor episodes;
  tracer trace;
  std::shared_ptr<number_source> numbers;       ///< numbers the turns
  std::function<void(turn_run&)> on_begun = {}; ///< called when a turn has its id
  std::function<void(turn_run&)> on_held = {};  ///< called when a turn begins to be held
  /// Called when a turn has ended and its callers are answered. The result is null if the turn
  /// could not begin.
  std::function<void(turn_run&, const turn_result*)> on_ended = {};
  bool is_team_there = false;
  bool keeps_turns = false; ///< whether turns outlive the process

  /// The timeout of requests to the page and the memories.
  timespan timeout() const;
};

/// One turn, from its beginning to its answer. It adds the input to the page, waits until the page
/// is quiet for the turn, and closes it: goals are settled, the episode is stored, and the callers
/// get the result. A held turn stays open after the ensemble has done its part, until somebody
/// outside ends it.
class turn_run : public std::enable_shared_from_this<turn_run> {
public:
  /// `beginner` is the promise to the caller that begins the turn; nothing if nobody waits.
  /// @pre `in` outlives it
  turn_run(turn_context& in, begin_turn request, std::optional<turn_askers::promise> beginner);

  const begin_turn& request() const { return request_; }
  const std::string& id() const { return by_.turn_id; } ///< "" before it has one
  span_id cause() const { return by_.cause; }           ///< the trace entry `begin_turn`
  bool is_held() const { return is_held_; }
  turn_summary summary() const;

  void start();

  /// Goes on with a turn that was open when the process before ended. A held one is held again. One
  /// that was at work ends, and its result names the calls of which no result is known.
  void resume(const kept_turn& x);

  /// Answers `to` when the turn has ended. Errors are those of `turn_askers::join`.
  caf::error join(turn_askers::promise to, const std::optional<caller>& who);

  /// Ends the hold: the turn ends as soon as the page is quiet. A response, which `who` gave, goes
  /// to the page before.
  void let_go(std::string response = {}, std::optional<caller> who = {});

  /// Puts a call on the page that somebody outside has made. The form of the report was checked.
  void report(report_tool_call what, report_promise answer);

private:
  void await_team();
  void count_team(const subscriber_list& there);
  void keep();
  void open();
  void put_input();
  void find_input();
  void end_without_input();
  void tell_interruption(const std::vector<observation_ptr>& turn);
  void close_and_give_up(const caf::error& why);
  void watch_over();
  void answer_in_background();
  void keep_open();
  using on_alerts = std::function<void(std::vector<observation_ptr>)>;
  void read_alerts(
    std::vector<std::string> ids, std::vector<observation_ptr> found, on_alerts then);
  void find_goals_so_far(turn_result so_far);
  void tell_held(turn_result so_far);
  void answer_early(turn_result early);
  struct reporting;
  void put_response(std::string response, caller who);
  void put_noticed(const std::shared_ptr<reporting>& x);
  void await_recovery(const std::shared_ptr<reporting>& x, timespan pause);
  void release();
  void close();
  void settle();
  void find_waiting();
  void record();
  void finish();
  void give_up(const caf::error& err);

  observation_draft input() const;
  timespan time_left() const { return deadline_ - in_.agent.clock->steady(); }
  timespan timeout() const { return in_.timeout(); }
  caf::expected<std::string> make_id();
  kept_turn as_kept() const;
  void drop();

  turn_context& in_;
  begin_turn request_;
  turn_result result_;
  caller by_;
  timespan begun_{}; // steady time, as is the deadline
  timespan deadline_{};
  turn_askers askers_;                  // the callers that wait for the result
  bool is_resumed_ = false;             // whether it was open in a process before
  bool is_held_ = false;                // whether it waits for somebody outside to end it
  bool is_let_go_ = false;              // whether somebody has ended it
  bool is_responding_ = false;          // whether a response is on its way to the page
  observation_ptr said_;                // its input, once the page has it
  std::vector<observation_ptr> alerts_; // that concern its input
  std::set<std::string> reported_;      // ids of calls
  work_mark works_;                     // until it has ended
};

} // namespace scratchpage
