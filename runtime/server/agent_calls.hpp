#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/work_queue.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"

namespace scratchpage {

/// Checks a call that may create its agent. An agent is created by the first change that is
/// accepted; a refused change must leave nothing behind, so it is checked before the agent exists.
/// The agent checks it again.
///
/// Gives nothing if the operation cannot be an agent's first one, because it only reads or changes
/// something that exists. Otherwise gives the error with which a new agent would refuse the call,
/// or no error.
std::optional<caf::error> check_first_change(const call_operation& x, const config& with);

} // namespace scratchpage

namespace scratchpage::server {

/// Limits the calls that each principal has in progress at each agent. All programs without a token
/// count as one principal. Otherwise the queue of an agent could grow without end, and everybody
/// would wait behind the client with the most calls. May be used from any thread.
class calls_under_way {
public:
  /// Calls of one principal at one agent.
  static constexpr size_t max_calls = 512;

  /// A permit for one call, which counts until its last copy is destroyed. Null if the principal
  /// has reached its limit. May outlive this object.
  std::shared_ptr<const void> enter(const std::string& agent_id, const caller& by);

  /// The error for a principal without a permit: `overloaded`.
  static caf::error refusal(const caller& by);

private:
  struct counts {
    std::mutex guard;
    /// By agent and principal; never 0.
    std::unordered_map<std::string, size_t, keyed_text_hash, std::equal_to<>> by_principal;
  };

  std::shared_ptr<counts> counts_ = std::make_shared<counts>();
};

/// Opens agents for the services of a server, which may end before their host, and does work that
/// waits for a disk on a thread of its own.
class agent_opener {
public:
  /// Called once, also before `with` returns if the agent is open already. It must not wait. Not
  /// called if this object ends first.
  using on_agent = agent_host::on_opened;

  /// Pieces of work that wait; one more is `overloaded`.
  static constexpr size_t max_waiting = 256;

  explicit agent_opener(agent_host& host);
  agent_opener(const agent_opener&) = delete;
  agent_opener& operator=(const agent_opener&) = delete;
  ~agent_opener();

  /// Opens an agent for `by`; no program may open all agents that a host can have.
  void with(const std::string& id, open_mode what, const caller& by, on_agent then);

  /// Adds a piece of work. False if it will not be done.
  bool later(std::function<void()> work) { return work_.later(std::move(work)); }

private:
  /// Lets no agent in after the end.
  struct gate {
    std::shared_mutex guard;
    bool is_open = true;
  };

  agent_host& host_;
  std::shared_ptr<gate> gate_ = std::make_shared<gate>();
  work_queue work_; // last, so that its work ends before the other members
};

/// Calls operations of the agents of a host, which are given by id. Opens an agent if it is not
/// open. Only the first change that is accepted creates an agent. May be used from any thread.
class agent_calls {
public:
  /// All three have to outlive this object.
  agent_calls(agent_host& host, agent_opener& opener, const operation_caller& operations)
    : host_{host},
      opener_{opener},
      operations_{operations} {}

  /// Calls an operation of the agent `who.agent_id`; with `who.may_begin`, the call may create the
  /// agent. `then` is called once, on any thread, which it must not block. Errors: `not_found`
  /// about `agent` if there is no such agent, `overloaded` if the caller has too many calls in
  /// progress.
  void perform(
    const principal& who, std::string operation, json::object arguments, on_answer then) const;

  /// `perform` as a function, which this object has to outlive.
  perform_operation performer() const;

private:
  void call(const hosted_agent_ptr& agent, call_operation request, on_answer then) const;

  agent_host& host_;
  agent_opener& opener_;
  const operation_caller& operations_;
  mutable calls_under_way under_way_;
};

} // namespace scratchpage::server
