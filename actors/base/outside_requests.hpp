#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <caf/expected.hpp>
#include <caf/result.hpp>

#include "scratchpage/actors/base/fair_queue.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The requests from outside that an actor takes long to answer. It works on one of them at a
/// time, and between two of them on whatever else is in its mailbox, so what the ensemble asks
/// waits for one of them and not for all. The principals that wait are served one after another,
/// and what nobody waits for any more is not worked on. `Self` is the pointer to the actor, which
/// this lives in.
template <class Self>
class outside_requests {
public:
  /// Hears of each request that was refused, since too many wait or since it has waited too long.
  using on_refused = std::function<void(const caller&, const caf::error&)>;

  outside_requests(
    Self self, std::shared_ptr<const scratchpage::clock> clock, on_refused refused = {})
    : self_{self},
      clock_{std::move(clock)},
      refused_{std::move(refused)} {}

  /// Gives what `work` gives, a `caf::expected<T>`: at once if the ensemble asks or nothing else
  /// is to do, else in its turn. Errors: `overloaded`, if as many requests of that principal wait
  /// as may; `deadline_exceeded`, if its turn has not come after `patience`, which is how long
  /// whoever asks waits for an answer.
  template <class T, class Work>
  caf::result<T> answer(const caller& by, timespan patience, Work work) {
    if (!by.outside || is_idle())
      return as_result<T>(work());
    if (!waiting_.has_room_for(by))
      return refuse(by, too_many_wait(by));
    auto promise = self_->template make_response_promise<T>();
    auto end = clock_->steady() + patience;
    if (waiting_.empty())
      go_on_soon();
    waiting_.add(by, [this, by, end, promise, work = std::move(work)]() mutable {
      if (clock_->steady() > end) {
        promise.deliver(
          refuse(by, fail(errc::deadline_exceeded, "", "expected an answer in time")));
        return;
      }
      auto found = work();
      if (found)
        promise.deliver(std::move(*found));
      else
        promise.deliver(std::move(found.error()));
    });
    return promise;
  }

private:
  bool is_idle() const { return waiting_.empty() && self_->mailbox().empty(); }

  template <class T>
  static caf::result<T> as_result(caf::expected<T> x) {
    if (!x)
      return std::move(x.error());
    return std::move(*x);
  }

  static caf::error too_many_wait(const caller& by) {
    return fail(errc::overloaded, "",
      "expected at most " + std::to_string(query_limits::waiting_to_read) + " requests of "
        + principal_of(by) + " that wait for what is kept to be read");
  }

  caf::error refuse(const caller& by, caf::error err) const {
    if (refused_)
      refused_(by, err);
    return err;
  }

  /// When what is in the mailbox now had its turn.
  void go_on_soon() {
    self_->run_delayed(timespan::zero(), [this] { go_on(); });
  }

  void go_on() {
    waiting_.take()();
    if (!waiting_.empty())
      go_on_soon();
  }

  Self self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  on_refused refused_;
  fair_queue waiting_{query_limits::waiting_to_read};
};

} // namespace scratchpage
