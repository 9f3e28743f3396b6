#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/turns/turn_queue.hpp"
#include "scratchpage/actors/turns/turn_results.hpp"
#include "scratchpage/actors/turns/turn_run.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"

namespace scratchpage {

/// Limits of an agent's turns (contract 7, 13).
struct turns_config {
  double deadline_ms = 120'000;      ///< of a turn that has no deadline of its own
  double held_deadline_ms = 600'000; ///< of a held turn that has no deadline of its own
  uint64_t max_queued = 1'000;       ///< sequential turns that wait for their thread
  uint64_t kept_results = 256;       ///< results of ended turns that are kept for `await_turn`
  /// Approximate memory of these results; the newest one is always kept.
  uint64_t kept_bytes = uint64_t{64} << 20;
  double request_ms = 30'000;        ///< timeout of requests to the page and the memories
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

/// TURNS of one agent (contract 7): decides which turns may begin, and when, runs them, and answers
/// requests for their results. It counts no messages and knows no daemons.
class turns_state {
public:
  using handle = turns_actor;
  static constexpr const char* name = "turns";

  /// `team` is the number of the ensemble's daemons that a turn waits for before it begins.
  turns_state(handle::pointer self, const agent_context& agent, turns_config config, uint64_t team,
    scratch_page_actor page, frontal_cortex_actor cortex, episodic_memory_actor episodes,
    std::shared_ptr<number_source> numbers);
  turns_state(const turns_state&) = delete;
  turns_state& operator=(const turns_state&) = delete;
  ~turns_state();

  handle::behavior_type make_behavior();

private:
  /// What is kept during a rest.
  struct kept_turns {
    turn_results ended;
    uint64_t last_number;
    bool keeps_turns;
  };

  void resume_kept();
  void resume(const kept_turn& x);
  /// Whether the turn may be begun.
  caf::error check(const begin_turn& request) const;
  caf::error check_share(const begin_turn& request) const;
  caf::error check_queue(const begin_turn& request) const;
  caf::result<turn_result> begin(begin_turn request);
  caf::result<turn_result> await(const await_turn& request);
  caf::result<turn_result> await_end_of(turn_run& x, const std::optional<caller>& who, caller by);
  caf::result<turn_result> end(const end_turn& request);
  caf::result<reported_call> report(const report_tool_call& request);
  caf::result<turn_list> list(const list_turns& request);
  std::vector<turn_summary> open_turns() const;
  void on_ended(turn_run& x, const turn_result* result);

  turns_config config_;
  turn_context with_;
  turn_queue<turn_run> queue_;
  std::map<std::string, std::shared_ptr<turn_run>> running_; // by id
  turn_results ended_;
  bool is_after_rest_ = false; // no turn was open then
};

} // namespace scratchpage
