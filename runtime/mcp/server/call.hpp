#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"
#include "scratchpage/runtime/mcp/server/question.hpp"
#include "scratchpage/runtime/mcp/server/session.hpp"
#include "scratchpage/runtime/mcp/server/task_table.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

/// Signs what a client carries from one round to the next (`requestState`), so that it can neither
/// be changed nor used for another request. The client can read it. The key is random and lives as
/// long as this object.
class request_state {
public:
  request_state();

  /// `of` identifies the request that the content belongs to.
  std::string seal(const json::object& content, std::string_view of) const;

  /// The content; nothing if it was not sealed by this object for that request.
  std::optional<json::object> open(std::string_view sealed, std::string_view of) const;

private:
  std::string mac(std::string_view content, std::string_view of) const;

  std::array<unsigned char, 32> key_{};
};

/// The parts that all calls of a server share.
struct call_parts {
  std::shared_ptr<strand> on;
  json::object server_info;
  timespan timeout; ///< of a question to the client
  request_state states;
  std::shared_ptr<task_table> tasks = nullptr; ///< null: no call becomes a task
};

/// One request and all that its handler can do with it, in either generation of the protocol. A
/// handler answers it once, with `give` or `refuse`; later answers are ignored. Used on the strand.
class call : public std::enable_shared_from_this<call> {
public:
  struct setup {
    json_rpc::request asked; ///< with an id
    envelope said;
    principal who;
    std::shared_ptr<session> in; ///< null: the request belongs to no session
    std::shared_ptr<response_channel> back;
  };

  call(std::shared_ptr<const call_parts> parts, setup x)
    : parts_{std::move(parts)},
      x_{std::move(x)} {}

  protocol_generation spoken() const { return x_.said.spoken; }
  bool is_modern() const { return spoken() == protocol_generation::modern; }
  const std::string& method() const { return x_.asked.method; }
  const json::object& params() const { return x_.asked.params; }
  const json::value& id() const { return *x_.asked.id; }
  const principal& who() const { return x_.who; }
  const std::shared_ptr<session>& in() const { return x_.in; }
  const std::shared_ptr<strand>& on() const { return parts_->on; }

  /// "elicitation", "sampling", "roots", …
  bool client_can(std::string_view capability) const;
  /// Whether the client shows forms to its user.
  bool client_shows_forms() const;

  /// True if the client can do that; else refuses the call.
  bool require(std::string_view capability);

  // -- during the call
  /// Reports progress if the client wants it. `done` may only increase; `of` is the total.
  void progress(double done, std::optional<double> of = {}, std::string_view message = {});

  /// Sends a log message if the client wants that level.
  void log(log_level level, const json::value& data, std::string_view logger = {});

  /// Any other notification.
  void notify(std::string_view method, json::object params);

  /// The call stays open for notifications, and its answer may never come. Frees its parameters,
  /// which may be long.
  void stay_open();
  bool stays_open() const { return stays_open_; }

  /// `then` is called once if the client cancels the call.
  void on_cancel(std::function<void()> then) { when_cancelled_.push_back(std::move(then)); }

  // -- tasks
  /// Whether the client declares the extension of tasks with this request.
  bool declares_tasks() const;
  /// Whether the client takes a task instead of a result. A server must not make one for others.
  bool takes_task() const;
  /// True if the client takes a task; else refuses the call.
  bool require_task();
  /// Answers the request with a task, which gets the result, the questions and the cancellation of
  /// the call from now on. False if the client takes none or there is no room: then the call stays
  /// as it is. `message` says for people what is going on.
  bool become_task(std::string message = {});
  bool is_task() const { return task_ != nullptr; }
  /// Says for people what is going on. @pre `is_task()`
  void say(std::string message) { task_->say(std::move(message)); }
  /// What people are told if the client cancels the task. @pre `is_task()`
  void say_if_cancelled(std::string message);

  // -- asking the client
  enum class first_round : uint8_t {
    open,   ///< the first request may already have answers
    sealed, ///< only answers to earlier questions of this server count
  };

  /// Asks the client and passes its answers to `then`. A modern client gets the questions as the
  /// result and calls again: then the handler runs again from its beginning, with the earlier
  /// answers. The call is refused if the client cannot answer such a question, does not answer in
  /// time, or gives an answer of another form.
  void ask(const questions& what, const std::function<void(const answers&)>& then,
    first_round sealing = first_round::open);

  /// As above, for questions that need no answer: `then` gets those answers that come in time and
  /// have the form that their questions ask for, and the call is not refused. A modern client that
  /// has no task calls again: then the handler runs from its beginning, `kept` is what it gave
  /// here, and `arrived` are the answers.
  void ask_if_possible(
    const questions& what, json::object keep, const std::function<void(const answers&)>& then);

  /// What an earlier round of this request kept; nothing in the first round.
  const std::optional<json::object>& kept() const { return kept_; }
  const answers& arrived() const { return arrived_; }

  // -- the end of the call
  void give(json::object result);
  /// As `give`, for a complete result. `members` is its JSON without the braces.
  void give_members(std::string members);
  void refuse(const error& why);
  /// Refuses the call, since there is no such resource.
  void refuse_resource(const std::string& uri);
  /// The client does not wait for the answer any more.
  void cancel();
  bool is_over() const { return over_; }

  /// Reads the answers that come with a modern request. Returns an error if they are malformed.
  std::optional<error> read_input();

private:
  bool end_once();
  std::string identity() const;
  void ask_by_result(
    const questions& what, const std::function<void(const answers&)>& then, first_round sealing);
  void ask_by_requests(const questions& what, const std::function<void(const answers&)>& then);
  void ask_by_task(const questions& what, const std::function<void(const answers&)>& then);
  void request_if_possible(const questions& what, const std::function<void(const answers&)>& then);
  json::object sealed(const answers& partly) const;
  json::object as_result(json::object x) const;

  std::shared_ptr<const call_parts> parts_;
  setup x_;
  bool over_ = false;
  bool stays_open_ = false;
  std::vector<std::function<void()>> when_cancelled_;
  bool has_state_ = false;
  answers known_;   // of earlier rounds
  answers arrived_; // with this request
  std::optional<json::object> kept_;
  std::shared_ptr<task> task_;
};

} // namespace scratchpage::mcp
