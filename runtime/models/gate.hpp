#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <caf/actor_system.hpp>
#include <caf/disposable.hpp>
#include <caf/result.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/models/chat.hpp"
#include "scratchpage/runtime/models/model_access.hpp"
#include "scratchpage/runtime/models/model_config.hpp"

namespace scratchpage::models {

/// What became of a reply.
struct reply_use {
  bool by_model = false; ///< whether the model's decision is used; otherwise the rules decide
  std::string why = {};  ///< why it is not, in one line
};

/// A request, and who is told of the reply.
struct model_question {
  chat_request what;
  caller by; ///< the daemon, in its turn
  /// Called once, on the gate's thread, unless the agent ends before.
  std::function<reply_use(const chat_reply&)> then;
};

/// The MODEL GATE interface: asks a model on behalf of the daemons of one agent.
using model_gate_actor = caf::typed_actor<
  // From anywhere: there is something in the inbox.
  caf::result<void>(caf::ok_atom)>;

class model_gate_state;

/// The way into the gate, for any thread: functions that the gate runs. Closed once it has ended.
class gate_inbox {
public:
  using job = std::function<void(model_gate_state&)>;

  void put(job x);
  std::deque<job> take();
  void close();

private:
  std::mutex guard_;
  bool is_closed_ = false;
  std::deque<job> jobs_;
};

/// The tokens that turns have used. Questions outside turns have a budget each.
class token_budget {
public:
  explicit token_budget(uint64_t per_turn)
    : per_turn_{per_turn} {}

  /// Whether the turn has that many left, which are then taken.
  bool take(const std::string& turn_id, uint64_t tokens);
  /// Corrects what was taken to what was used.
  void settle(const std::string& turn_id, uint64_t taken, uint64_t used);

private:
  uint64_t per_turn_;
  std::map<std::string, uint64_t> used_;
  std::deque<std::string> in_order_;
};

/// The MODEL GATE of one agent. It lets a limited number of requests go at a time; further ones
/// wait, and for those that are too many, over the turn's budget or late the rules decide. Replies
/// are taken from the store of replies if it has them, after their recorded latency, and kept there
/// otherwise. Each question is traced as `ask_model`.
///
/// On real time an actor with a thread of its own asks the endpoint. On virtual time, where no time
/// passes while an actor works, the gate asks it itself and lets the latency pass afterwards. So a
/// run whose replies are recorded is the same as one in which they are replayed.
class model_gate_state {
public:
  using handle = model_gate_actor;
  static constexpr const char* name = "models";

  model_gate_state(handle::pointer self, const agent_context& agent, const model_config& with,
    model_access access, std::shared_ptr<gate_inbox> inbox, bool has_threads);
  ~model_gate_state();

  handle::behavior_type make_behavior();

  void take(model_question x);

private:
  struct request;
  using request_ptr = std::shared_ptr<request>;

  void note_work();
  void begin_next();
  void begin(const request_ptr& x);
  void ask_endpoint(const request_ptr& x);
  void ask_on_thread(const request_ptr& x);
  void wait_for(const request_ptr& x, chat_reply reply);
  void answered(const request_ptr& x, const chat_reply& reply);
  void finish(const request_ptr& x, const chat_reply& reply);
  timespan time_left(const request& x) const;
  void note(const request& x, const chat_reply& reply, const reply_use& end);

  handle::pointer self_;
  agent_context agent_;
  model_config config_;
  model_access access_;
  std::shared_ptr<gate_inbox> inbox_;
  bool has_threads_;
  tracer trace_;
  token_budget budget_;
  std::deque<request_ptr> waiting_;
  uint32_t running_ = 0;
  work_flag works_;
};

/// A gate for those who ask. Copies lead to the same gate.
class model_gate {
public:
  model_gate(caf::actor_system& system, const agent_context& agent, const model_config& with,
    model_access access, bool has_threads);

  /// From any thread. If the gate has ended, `x.then` is destroyed without a call.
  void ask(model_question x) const;

  const model_gate_actor& actor() const { return actor_; }

private:
  std::shared_ptr<gate_inbox> inbox_ = std::make_shared<gate_inbox>();
  model_gate_actor actor_;
};

} // namespace scratchpage::models
