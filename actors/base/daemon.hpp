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
  double request_ms = 30'000;       ///< how long the answer to a question may take
  uint64_t max_kept_drafts = 1'000; ///< that storage refused and that wait for the next turn

  static constexpr auto fields(auto all) {
    using self = daemon_config;
    return all(optional("request_ms", &self::request_ms),
      optional("max_kept_drafts", &self::max_kept_drafts));
  }
};

/// What every daemon is given. It knows the page, and none of the others.
struct daemon_setup {
  agent_context agent;
  scratch_page_actor page;
  daemon_config limits;
};

/// The numbers of the components in span ids (tracer.hpp), one home for all.
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
  first_custom = 64, ///< daemons of those who embed
  first_tool_server = 1u << 18,
  first_thread = 1u << 19, ///< the scratchbooks of threads
};

/// Calls a function when its last copy is gone. Reactions carry copies of it
/// along: a batch is acknowledged when every reaction to its events has come to
/// its end, well or not; a hold is released when the work under it is done.
class token {
public:
  explicit token(std::function<void()> at_the_end)
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

/// The wiring that all daemons share: subscribing, reacting to events, asking
/// the page, publishing, and keeping what storage refused until the next turn
/// (contract 4). A daemon derives from it, is spawned like any state class, and
/// implements `react`.
class daemon {
public:
  using handle = subscriber_actor;

  daemon(handle::pointer self, daemon_setup setup, std::string name, uint32_t number);
  daemon(const daemon&) = delete;
  daemon& operator=(const daemon&) = delete;
  virtual ~daemon() = default;

  handle::behavior_type make_behavior();

protected:
  /// Which events it wants: those of what one of the filters selects. An empty filter
  /// selects everything, no filter nothing.
  virtual std::vector<observation_filter> interests() const = 0;

  /// Deals with one event. The batch is acknowledged when every copy of `done`
  /// is gone: capture it in whatever goes on later.
  virtual void react(const page_event& event, const token& done) = 0;

  /// This daemon, acting in the event's turn and because of it.
  caller as_me(const page_event& event) const;

  /// Stores a draft; `then` is called either way, with a null observation if it
  /// was not stored. When storage fails the draft is kept and offered again at
  /// the next turn; when the page refuses it, that is traced: a defect here.
  using on_stored = std::function<void(const receipt&)>;
  void publish(caller by, observation_draft draft, const token& done, const on_stored& then = {});

  /// A question whose failure never fails a decision (contract 3): `then` gets
  /// an empty answer instead, and the trace the error.
  template <class Answer, class Request, class Handle, class F>
  void consult(const Handle& whom, Request request, const token& done, F then) {
    auto by = caller_of(request);
    ask(self_, whom, patience(), std::move(request))
      .then([done, then](Answer& answer) mutable { then(answer); },
        [this, done, then, by](const caf::error& err) mutable {
          trace_.write_error("consult", by, err);
          Answer nothing{};
          then(nothing);
        });
  }

  /// What has left the page; `then` gets nothing if some of it is missing, for whatever reason.
  using on_archived = std::function<void(std::optional<std::vector<observation_ptr>>)>;
  void read_archive(list_archive request, const token& done, on_archived then);

  /// A request whose answer is empty; `then` is called either way.
  template <class Request>
  void order(Request request, const token& done, const std::function<void()>& then = {}) {
    auto by = request.by;
    ask(self_, setup_.page, patience(), std::move(request))
      .then(
        [done, then] {
          if (then)
            then();
        },
        [this, done, then, by](const caf::error& err) {
          trace_.write_error("order", by, err);
          if (then)
            then();
        });
  }

  /// Holds the event's turn and then works on it: `work` gets a token, and the
  /// turn is let go when its last copy is gone. Nothing happens if the turn has
  /// ended meanwhile. `done` is let go as soon as the hold is there.
  void hold_turn_and(const caller& by, const token& done, std::function<void(const token&)> work);

  /// A token that lets go of a hold that is already there.
  token releasing(const caller& by);

  /// A token that calls the function at the end, unless this daemon has ended before.
  token at_the_end(std::function<void()> then);

  /// As `order`, for changes; `then` hears whether it was made.
  void change(
    update_observation request, const token& done, const std::function<void(bool)>& then = {});

  /// How long it waits for an answer.
  timespan patience() const { return from_milliseconds(setup_.limits.request_ms); }

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

  void subscribe_to_page();
  void work(event_batch& batch, const token& done);
  void keep(kept_draft x);
  void offer_again(const std::string& turn_id, const token& done);

  daemon_setup setup_;
  std::string name_;
  std::vector<observation_filter> interests_;
  std::string latest_turn_;
  std::deque<kept_draft> kept_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true); ///< for tokens that outlive it
};

} // namespace scratchpage
