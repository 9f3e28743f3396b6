#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// Numbers of calls, by how they ended.
struct call_counts {
  size_t succeeded = 0;
  size_t failed = 0;
  size_t skipped = 0;

  size_t total() const { return succeeded + failed + skipped; }
};

/// The Executor's plan of one turn (contract 7): which calls may start when.
/// `depends_on` waits for success, `after` for any end. Not thread-safe.
class call_plan {
public:
  call_plan() = default;

  /// Checks the calls, and gives those without an id `call_1`, `call_2`, … by their position.
  /// Error: `invalid_request` about the field, for an id that is used twice, an unknown id in
  /// `depends_on` or `after`, and a call that waits for itself.
  static caf::expected<call_plan> make(std::vector<planned_call> calls);

  /// The calls to start now, in order, so that at most `parallel_limit` run at a
  /// time. The pointers stay valid as long as the plan is not assigned to. Call
  /// `started` for each that was started.
  std::vector<const planned_call*> ready(size_t parallel_limit) const;

  /// Marks a waiting call as running. Returns false if it is not waiting.
  bool started(std::string_view call_id);

  /// Marks a waiting or running call as ended. If it did not succeed, the calls that depend on it
  /// are skipped. Returns false if it had ended before.
  bool ended(std::string_view call_id, call_outcome outcome);

  /// The ids of the calls that were skipped because of another call since the last `take_skipped`.
  std::vector<std::string> take_skipped();

  /// Lets a call that failed or was skipped wait again, and with it the calls that were skipped
  /// because of it. Returns false if the call neither failed nor was skipped.
  bool restart(std::string_view call_id);

  /// Whether the call has failed or was refused, and was not restarted since.
  bool has_failed(std::string_view call_id) const;

  /// Replaces the tool of a call. Returns false if there is no such call.
  bool replace_tool(std::string_view call_id, std::string tool_id);

  /// Adds a call at the end, without dependencies. Returns its id: its own, or a new one if that
  /// is taken or empty. Pointers into the plan become invalid.
  std::string append(planned_call call);

  /// Moves the calls for which `first` holds to the front, and what they wait
  /// for before them; otherwise the order stays.
  void prioritise(const std::function<bool(const planned_call&)>& first);

  /// Whether no call waits or runs.
  bool finished() const;

  size_t running() const;
  call_counts counts() const;
  bool empty() const { return slots_.empty(); }

  /// The calls with their ids, in the order in which they were given.
  std::vector<const planned_call*> calls() const;

  /// Null if there is no such call.
  const planned_call* find(std::string_view call_id) const;

private:
  enum class state : uint8_t { waiting, running, succeeded, failed, skipped };

  struct slot {
    planned_call call;
    std::vector<size_t> depends_on;
    std::vector<size_t> after;
    call_plan::state state = call_plan::state::waiting;
    bool by_another = false; ///< skipped because of another call
  };

  static constexpr size_t none = static_cast<size_t>(-1);

  size_t index_of(std::string_view call_id) const;
  caf::error name_calls();
  caf::error resolve(size_t at);
  caf::error find_cycle() const;
  bool may_start(const slot& x) const;
  bool is_lost(const slot& x) const;
  void skip_dependents();
  void revive_dependents(size_t of);
  void move_up(size_t at, std::vector<bool>& placed, std::vector<size_t>& order) const;
  static bool has_ended(const slot& x);

  std::vector<slot> slots_;
  std::vector<size_t> order_;
  std::vector<std::string> newly_skipped_;
};

} // namespace scratchpage
