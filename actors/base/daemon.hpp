#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// Limits of every daemon.
struct daemon_config {
  double request_ms = 30'000; ///< how long the answer to a request may take
  /// Drafts that storage has refused and that wait to be offered again in the next turn.
  uint64_t max_kept_drafts = 1'000;

  static constexpr auto fields(auto all) {
    using self = daemon_config;
    return all(optional("request_ms", &self::request_ms),
      optional("max_kept_drafts", &self::max_kept_drafts));
  }
};

/// The numbers of the components in the ids of trace entries (see `tracer`).
enum class component : uint32_t {
  scratch_page = 1,
  router,
  clarifier,
  executor,
  error_handler,
  evaluator,
  reflector,
  system_analyzer,
  frontal_cortex,
  consciousness,
  turns,
  tools,
  episodic_memory,
  semantic_memory,
  working_memory,
  housekeeping,
  scratchbooks,
  conversations,
  compactor,
  memories,
  models,
  stand_in,
  first_custom = 64, ///< daemons of those who embed
  first_tool_server = 1u << 18,
  first_thread = 1u << 19, ///< the scratchbooks of threads
};

/// What every daemon is given. A daemon knows the page, and no other daemon.
struct daemon_setup {
  agent_context agent;
  scratch_page_actor page;
  daemon_config limits;
  /// The number of a daemon of the embedding program. Each needs another one, because ids of trace
  /// entries begin with it.
  uint32_t number = static_cast<uint32_t>(component::first_custom);
  /// The change after which a daemon begins that takes over from somebody; empty: it begins now.
  std::optional<uint64_t> after = {};
  /// Called on the daemon's thread when it has subscribed, or could not. May be empty.
  std::function<void()> on_subscribed = {};
};

/// Calls a function when its last copy is destroyed. Reactions carry copies of it: the daemon
/// acknowledges a batch when all reactions to its events have ended, with or without success, and
/// releases a hold when the work under it is done.
///
/// The function runs on the thread that destroys the last copy and uses the daemon. So only the
/// daemon's own callbacks may have copies: those that it gives to the functions of `daemon`, to
/// `ask(…).then` and to its actor's timers. Work on another thread gets none. Let an actor do such
/// work, ask that actor, and capture the guard in the callback of `then`.
class ack_guard {
public:
  explicit ack_guard(std::function<void()> at_the_end)
    : guard_{std::make_shared<guard>(std::move(at_the_end))} {}

private:
  struct guard {
    explicit guard(std::function<void()> x)
      : at_the_end{std::move(x)} {}
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;
    ~guard() { at_the_end(); }
    std::function<void()> at_the_end;
  };
  std::shared_ptr<guard> guard_;
};

/// The wiring that all daemons share: it subscribes to the page, hands on events, asks the page,
/// publishes, and keeps what storage has refused until the next turn (contract 4). A daemon
/// derives from it, implements `interests` and `react`, and is spawned like any state class.
class daemon {
public:
  using handle = subscriber_actor;

  /// A daemon of the ensemble, with its number.
  daemon(handle::pointer self, daemon_setup setup, std::string name, uint32_t number);
  /// A daemon of the embedding program, with the number of its setup.
  daemon(handle::pointer self, const daemon_setup& setup, std::string name);
  daemon(const daemon&) = delete;
  daemon& operator=(const daemon&) = delete;
  virtual ~daemon() = default;

  handle::behavior_type make_behavior();

protected:
  /// The filters that select this daemon's events: an event is wanted if one of them matches its
  /// observation. An empty filter matches everything; without filters the daemon gets no events.
  virtual std::vector<observation_filter> interests() const = 0;

  /// Handles one event. The batch is acknowledged when the last copy of `done` is destroyed:
  /// capture it in every callback that continues the reaction, and pass it to no other thread (see
  /// `ack_guard`). What this function or a function that it gives to the functions below throws is
  /// traced as `react`. The reaction then ends, and the daemon goes on with the next event.
  virtual void react(const page_event& event, const ack_guard& done) = 0;

  /// This daemon as a caller, in the turn of the event and with the event as the cause.
  caller as_me(const page_event& event) const;

  /// Stores a draft. `then` is called in any case, with a null observation if the draft was not
  /// stored. If storage fails, the draft is kept and offered again in the next turn. If the page
  /// refuses the draft, that is a defect of the daemon, and it is traced.
  using on_stored = std::function<void(const receipt&)>;
  void publish(
    caller by, observation_draft draft, const ack_guard& done, const on_stored& then = {});

  /// Asks an actor. A query that fails does not make the decision fail (contract 3): `then` gets
  /// an empty answer, and the error is traced.
  template <class Answer, class Request, class Handle, class F>
  void query(const Handle& from, Request request, const ack_guard& done, F then) {
    auto by = caller_of(request);
    ask(self_, from, request_timeout(), std::move(request))
      .then([this, done, then, by](Answer& answer) mutable { guarded(by, [&] { then(answer); }); },
        [this, done, then, by](const caf::error& err) mutable {
          trace_.write_error("consult", by, err);
          Answer nothing{};
          guarded(by, [&] { then(nothing); });
        });
  }

  /// Reads observations that have left the page. `then` gets no list if the list would not be
  /// complete, or if the request fails.
  using on_archived = std::function<void(std::optional<std::vector<observation_ptr>>)>;
  void read_archive(list_archive request, const ack_guard& done, on_archived then);

  /// Sends the page a request whose answer is empty. `then` is called in any case.
  template <class Request>
  void command(Request request, const ack_guard& done, const std::function<void()>& then = {}) {
    auto by = request.by;
    ask(self_, setup_.page, request_timeout(), std::move(request))
      .then([this, done, then, by] { guarded(by, then); },
        [this, done, then, by](const caf::error& err) {
          trace_.write_error("order", by, err);
          guarded(by, then);
        });
  }

  /// Holds the event's turn and then calls `work` with a guard. The hold is released when the last
  /// copy of the guard is destroyed. `done` is dropped as soon as the turn is held. If the turn has
  /// ended meanwhile, `work` is not called.
  void hold_turn_and(
    const caller& by, const ack_guard& done, std::function<void(const ack_guard&)> work);

  /// A guard that releases a hold which this daemon has already.
  ack_guard releasing(const caller& by);

  /// A guard that calls the function at its end, unless this daemon has ended before. As with every
  /// guard, all copies have to be destroyed on this daemon's actor.
  ack_guard at_the_end(std::function<void()> then);

  /// Changes an observation. `then` is told whether it was changed.
  void update(
    update_observation request, const ack_guard& done, const std::function<void(bool)>& then = {});

  /// How long this daemon waits for an answer.
  timespan request_timeout() const { return from_milliseconds(setup_.limits.request_ms); }

  const scratch_page_actor& page() const { return setup_.page; }
  const daemon_setup& setup() const { return setup_; }

  handle::pointer self_;
  tracer trace_;

private:
  struct kept_draft {
    caller by;
    observation_draft draft;
  };

  template <class Request>
  caller caller_of(const Request& request) const {
    if constexpr (requires { request.by; })
      return request.by;
    else
      return as_daemon(name_);
  }

  /// Calls a function of the derived class, which may throw.
  void guarded(const caller& by, const std::function<void()>& f);

  void subscribe_to_page();
  void work(event_batch& batch, const ack_guard& done);
  void keep(kept_draft x);
  void offer_again(const std::string& turn_id, const ack_guard& done);

  daemon_setup setup_;
  std::string name_;
  std::vector<observation_filter> interests_;
  std::string latest_turn_;
  std::deque<kept_draft> kept_;
  work_flag keeps_drafts_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true); ///< for guards that outlive it
};

} // namespace scratchpage
