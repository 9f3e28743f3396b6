#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <caf/expected.hpp>
#include <caf/result.hpp>

#include "scratchpage/actors/base/work_marks.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The key under which the share of a principal is counted. All programs whose names were not
/// checked have the same key.
std::string principal_key(const caller& by);

/// Work for principals from outside that waits for its turn. The principals are served one after
/// another, one piece of work each, so that none of them delays the others by asking for much.
/// All programs whose names were not checked count as one principal.
class fair_queue {
public:
  using work = std::function<void()>;

  /// At most `max_waiting` pieces of work of one principal wait.
  explicit fair_queue(size_t max_waiting)
    : max_waiting_{max_waiting} {}

  bool has_room_for(const caller& by) const;

  void add(const caller& by, work x);

  /// Takes out the next piece of work; @pre not empty.
  work take();

  bool empty() const { return order_.empty(); }

private:
  size_t max_waiting_;
  std::map<std::string, std::deque<work>> waiting_; ///< by principal, none of them empty
  std::deque<std::string> order_;                   ///< the principals, the next one first
};

/// Requests from outside that take an actor long to answer. It answers one of them at a time, and
/// handles the other messages in its mailbox in between. So a request of the ensemble waits for
/// one of them at most. The principals that wait are served in the order of a `fair_queue`. A
/// request that has waited longer than its timeout is not worked on. `Self` is the pointer to the
/// actor, which owns this object.
template <class Self>
class outside_requests {
public:
  /// Called for each request that is refused because too many wait or because it has waited too
  /// long.
  using on_refused = std::function<void(const caller&, const caf::error&)>;

  /// `in` counts the work while requests wait.
  outside_requests(Self self, std::shared_ptr<const scratchpage::clock> clock,
    on_refused refused = {}, work_count in = {})
    : self_{self},
      clock_{std::move(clock)},
      refused_{std::move(refused)},
      works_{std::move(in)} {}

  /// Answers with the result of `work`, a `caf::expected<T>`: at once if the ensemble asks or if
  /// nothing else is to be done, otherwise when its turn has come. `timeout` is how long the caller
  /// waits for the answer. Errors: `overloaded` if too many requests of the principal wait;
  /// `deadline_exceeded` if the turn of the request comes after `timeout`.
  template <class T, class Work>
  caf::result<T> answer(const caller& by, timespan timeout, Work work) {
    if (!by.outside || is_idle())
      return as_result<T>(work());
    if (!waiting_.has_room_for(by))
      return refuse(by, too_many_wait(by));
    auto promise = self_->template make_response_promise<T>();
    auto end = clock_->steady() + timeout;
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
    works_.set(true);
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
        + principal_of(by) + " that wait to read stored data");
  }

  caf::error refuse(const caller& by, caf::error err) const {
    if (refused_)
      refused_(by, err);
    return err;
  }

  /// Goes on after the messages that are in the mailbox now.
  void go_on_soon() {
    self_->run_delayed(timespan::zero(), [this] { go_on(); });
  }

  void go_on() {
    waiting_.take()();
    if (!waiting_.empty())
      go_on_soon();
    works_.set(!waiting_.empty());
  }

  Self self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  on_refused refused_;
  fair_queue waiting_{query_limits::waiting_to_read};
  work_flag works_;
};

} // namespace scratchpage
