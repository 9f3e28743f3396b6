#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <caf/typed_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/policies.hpp"

namespace scratchpage {

/// The policies of one daemon.
template <class Policy>
struct policy_choice {
  std::shared_ptr<Policy> built_in;
  std::shared_ptr<Policy> own; ///< of the embedding program; null: the built-in one decides
  timespan within{};           ///< how long `own` may take for a decision
};

/// Makes both policies. If the factory is empty or returns null, there is no own policy. The own
/// policy gets a built-in one for itself, since it may use it on any thread.
template <class Policy, class F>
policy_choice<Policy> choice_of(
  const policy_factory<Policy>& own, const F& built_in, timespan within) {
  return {built_in(), own ? own(built_in()) : nullptr, within};
}

/// A decision that another thread may make. Thread-safe.
template <class Decision>
class awaited_decision {
public:
  /// Sets the decision, or, with nothing, says that there will be none. Only the first call counts.
  void put(std::optional<Decision> x) {
    std::function<void()> tell;
    {
      std::lock_guard lock{guard_};
      if (is_over_)
        return;
      is_over_ = true;
      decision_ = std::move(x);
      tell.swap(on_end_);
    }
    if (tell)
      tell();
  }

  /// Whether there is a decision to take.
  bool is_there() {
    std::lock_guard lock{guard_};
    return decision_.has_value();
  }

  /// Takes the decision, if there is one.
  std::optional<Decision> take() {
    std::lock_guard lock{guard_};
    return std::exchange(decision_, std::nullopt);
  }

  /// Calls `tell` once there is a decision, or it is known that there will be none.
  void when_over(std::function<void()> tell) {
    {
      std::lock_guard lock{guard_};
      if (!is_over_) {
        on_end_ = std::move(tell);
        return;
      }
    }
    tell();
  }

private:
  std::mutex guard_;
  bool is_over_ = false;
  std::optional<Decision> decision_;
  std::function<void()> on_end_;
};

/// The BELL interface: tells a daemon that a decision was made on some other thread.
using bell_actor = caf::typed_actor<
  // From a daemon; answered when the bell has rung.
  caf::result<void>(caf::get_atom),
  // From any thread: rings the bell.
  caf::result<void>(caf::ok_atom)>;

/// A daemon whose decisions can be made by policies of the embedding program.
class deciding_daemon : public daemon {
protected:
  using daemon::daemon;

  /// The error of a decision that the daemon cannot act on.
  template <class Policy>
  using decision_check = std::function<caf::error(const typename Policy::decision&)>;
  /// What the daemon does with a decision.
  template <class Policy>
  using on_decision = std::function<void(typename Policy::decision&, const ack_guard&)>;

  /// Asks the policy to decide `what`, and calls `then` with the decision and with a guard that it
  /// may pass on. The built-in policy decides before this returns. It also decides if the own
  /// policy throws, is late or gives no decision, or if `check` gives an error for its decision;
  /// the trace then has an entry `decide`. While an own policy decides, the event's batch is
  /// acknowledged and the turn is held; `is_held` says that `done` holds it already.
  template <class Policy>
  void decide(const policy_choice<Policy>& policy, const caller& by, typename Policy::question what,
    const ack_guard& done, decision_check<Policy> check, on_decision<Policy> then,
    bool is_held = false) {
    if (!policy.own)
      return decide_now(*policy.built_in, what, done, then);
    auto awaited = std::make_shared<awaited_decision<typename Policy::decision>>();
    if (!ask_policy(*policy.own, by, what, awaited))
      return decide_now(*policy.built_in, what, done, then);
    auto when_over = [awaited](std::function<void()> tell) { awaited->when_over(std::move(tell)); };
    auto use = [awaited, check = std::move(check), then](const ack_guard& work) {
      return use_decision(awaited->take(), work, check, then);
    };
    auto built_in = [built_in = policy.built_in, what = std::move(what), then](
                      const ack_guard& work) { decide_now(*built_in, what, work, then); };
    if (awaited->is_there())
      return finish(by, done, use, built_in);
    auto wait = [this, by, when_over, within = policy.within, use, built_in](
                  const ack_guard& work) {
      await_decision(by, when_over, within, work, use, built_in);
    };
    if (is_held || by.turn_id.empty())
      wait(done);
    else
      hold_turn_and(by, done, wait);
  }

  /// The error with which the page would refuse the draft, so that the decision behind it would be
  /// lost. Unlike the page, this also refuses metadata that is not UTF-8.
  static caf::error check_draft(observation_draft draft);

private:
  /// Passes the decision on, or says why not: there is none, or it is invalid.
  using use_of_decision = std::function<caf::error(const ack_guard&)>;
  using rules = std::function<void(const ack_guard&)>;

  template <class Decision, class Check, class F>
  static caf::error use_decision(
    std::optional<Decision> made, const ack_guard& work, const Check& check, const F& then) {
    if (!made)
      return fail(errc::internal, "policy", "expected a decision, got none");
    if (auto err = check(*made))
      return err;
    then(*made, work);
    return {};
  }

  /// Asks a policy that decides before it returns.
  template <class Policy, class F>
  static void decide_now(
    Policy& policy, const typename Policy::question& what, const ack_guard& work, const F& then) {
    typename Policy::decision result{};
    policy.decide(what, [&](typename Policy::decision x) { result = std::move(x); });
    then(result, work);
  }

  /// Asks the own policy. Returns false if it throws.
  template <class Policy, class Awaited>
  bool ask_policy(Policy& policy, const caller& by, const typename Policy::question& what,
    const std::shared_ptr<Awaited>& awaited) {
    // Ends the wait when the last copy of the callback is destroyed without a call.
    std::shared_ptr<void> no_answer{nullptr, [awaited](void*) { awaited->put(std::nullopt); }};
    try {
      policy.decide(
        what, [awaited, no_answer](typename Policy::decision x) { awaited->put(std::move(x)); });
      return true;
    } catch (const std::exception& x) {
      trace_no_decision(by, fail(errc::internal, "policy", x.what()));
    } catch (...) {
      trace_no_decision(by, fail(errc::internal, "policy", "an unknown exception"));
    }
    return false;
  }

  /// Waits until the decision is there or `within` has passed, and then finishes.
  void await_decision(const caller& by, const std::function<void(std::function<void()>)>& when_over,
    timespan within, const ack_guard& work, const use_of_decision& use, const rules& built_in);

  /// Uses the decision. If that cannot be, traces why, and `built_in` decides.
  void finish(
    const caller& by, const ack_guard& work, const use_of_decision& use, const rules& built_in);

  void trace_no_decision(const caller& by, const caf::error& why);
};

} // namespace scratchpage
