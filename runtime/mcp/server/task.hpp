#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/question.hpp"
#include "scratchpage/runtime/mcp/server/resource_places.hpp"

namespace scratchpage::mcp {

/// Tasks and what is kept of them.
struct task_limits {
  static constexpr size_t of_client = 256;                   ///< tasks of one client
  static constexpr size_t of_all_clients = 4'096;            ///< tasks of all clients
  static constexpr size_t result_bytes = 1u << 20;           ///< of the result of one task
  static constexpr size_t client_result_bytes = 8u << 20;    ///< of all results of one client
  static constexpr size_t all_result_bytes = 64 << 20;       ///< of the results of all tasks
  static constexpr size_t questions = 32;                    ///< that a task waits for at a time
  static constexpr timespan kept = std::chrono::minutes{15}; ///< how long after its end
  static constexpr timespan poll = std::chrono::seconds{1};  ///< the pause between two `tasks/get`
};

enum class task_status : uint8_t { working, input_required, completed, failed, cancelled };

} // namespace scratchpage::mcp

namespace scratchpage {

template <>
inline constexpr std::array<std::string_view, 5> enum_names<mcp::task_status>{
  "working", "input_required", "completed", "failed", "cancelled"};

} // namespace scratchpage

namespace scratchpage::mcp {

/// The state of one task (the extension `io.modelcontextprotocol/tasks`): of a request that is
/// answered before it is done. Used on the strand.
class task : public std::enable_shared_from_this<task> {
public:
  /// Gets the answers that have the form that their questions ask for.
  using on_answers = std::function<void(const answers&)>;
  using on_change = std::function<void(const task&)>;

  struct setup {
    std::string id;
    principal who; ///< who began it
    std::shared_ptr<strand> on;
    std::shared_ptr<resource_places> room; ///< in bytes of results
    timespan timeout;                      ///< of questions
    std::function<void(const std::string& id)> on_end;
    std::shared_ptr<const void> place; ///< among the tasks of its client
  };

  explicit task(setup x);
  task(const task&) = delete;
  task& operator=(const task&) = delete;

  const std::string& id() const { return x_.id; }
  const principal& who() const { return x_.who; }
  task_status status() const { return status_; }
  bool is_over() const { return status_ > task_status::input_required; }

  /// What a client gets when the task begins, and what it gets of each state, as the JSON of an
  /// object without its braces.
  json::object summary() const;
  std::string detailed() const;

  /// For people: what is going on.
  void say(std::string message);

  // -- the end; only the first one counts
  /// `result` is the JSON of an object. The task fails if there is no room for it.
  void complete(std::string result);
  void fail(const error& why);
  void cancel();

  /// The server ends, so nothing comes of the task any more.
  void abandon();

  /// Called once, if the client cancels the task.
  void on_cancel(std::function<void()> then) { when_cancelled_ = std::move(then); }
  /// The client asks for the end of the task, which is over already or does what `on_cancel` said.
  void ask_to_cancel();

  // -- questions to the client
  /// Asks, and calls `then` once: when all questions are answered, or with the answers that are
  /// there when the time is over. The client sees names that no other question of the task has.
  void ask(const questions& what, on_answers then);
  /// Takes answers. Those to questions that are not open are ignored. Returns an error, and takes
  /// none, if one has another form than its question asks for.
  std::optional<error> update(const answers& given);

  /// Calls `then` after each change of the state, while the returned object exists.
  std::shared_ptr<void> watch(on_change then);

private:
  /// Questions that were asked together.
  struct round {
    std::map<std::string, std::string> names; ///< by those that the client sees
    answers got;
    on_answers then;
  };

  void end(task_status how);
  void take(const std::string& name, const json::object& x);
  void settle(uint64_t number);
  void close_round(std::map<uint64_t, round>::iterator which);
  std::string unused_name(const std::string& name);
  void tell();

  setup x_;
  task_status status_ = task_status::working;
  std::string message_;
  timestamp created_;
  timestamp updated_;
  std::optional<int64_t> ttl_ms_;    ///< known when the task is over
  std::string outcome_;              ///< `"result":…` or `"error":…`
  std::shared_ptr<const void> held_; ///< of `room`
  std::function<void()> when_cancelled_;
  questions open_;                   ///< by the names that the client sees
  std::map<uint64_t, round> rounds_; ///< with open questions
  std::set<std::string> used_;       ///< names that the client has seen
  uint64_t last_round_ = 0;
  std::map<uint64_t, on_change> watchers_;
  uint64_t last_watcher_ = 0;
};

} // namespace scratchpage::mcp
