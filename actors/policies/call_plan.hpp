#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// How a planned call ended. `skipped`: something it depends on did not succeed.
enum class call_outcome : uint8_t { succeeded, failed, skipped };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<call_outcome>{
  "succeeded", "failed", "skipped"};

/// How many calls ended in which way.
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

  /// Checks the calls and names the nameless ones `call_1`, `call_2`, … by their
  /// place. `invalid_request` names the field of a duplicate id, of an unknown
  /// one in `depends_on` or `after`, and of a call that waits for itself.
  static caf::expected<call_plan> make(std::vector<planned_call> calls);

  /// The calls to start now, in order, so that at most `parallel_limit` run at a
  /// time. The pointers stay valid as long as the plan is not assigned to. Call
  /// `started` for each that was started.
  std::vector<const planned_call*> ready(size_t parallel_limit) const;

  /// A waiting call runs now; false if it is not waiting.
  bool started(std::string_view call_id);

  /// A waiting or running call has ended; if it did not succeed, whatever
  /// depends on it is skipped. False if it had ended before.
  bool ended(std::string_view call_id, call_outcome outcome);

  /// The ids that were skipped since the last asking because of another call.
  std::vector<std::string> take_skipped();

  /// Lets a call that failed or was skipped wait again, and with it the calls
  /// that were skipped because of it. False if it had not.
  bool restart(std::string_view call_id);

  /// Whether the call was made, or refused, without success, and does not wait or run again.
  bool has_failed(std::string_view call_id) const;

  /// Another tool makes the call from now on; false if there is no such call.
  bool replace_tool(std::string_view call_id, std::string tool_id);

  /// Adds a call at the end that waits for nothing. It keeps its id if that is
  /// free; the answer says which it has. Pointers into the plan become invalid.
  std::string append(planned_call call);

  /// Moves the calls for which `first` holds to the front, and what they wait
  /// for before them; otherwise the order stays.
  void prioritise(const std::function<bool(const planned_call&)>& first);

  /// Nothing waits and nothing runs.
  bool finished() const;

  size_t running() const;
  call_counts counts() const;
  bool empty() const { return slots_.empty(); }

  /// In the order of the plan as it was given, with ids.
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
