#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/page/turn_ledger.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The source of a turn's input: the user that the request names, relayed by the caller unless the
/// caller is that person.
caller asker_of(const begin_turn& x, std::string turn_id = {});

/// Checks a request for a turn by itself: whether the caller may make it and say what it says
/// (contract 14), and the form of each member.
caf::error check_request(const begin_turn& x);

/// Whether a person says which questions the turn's input answers, as the buttons of the page do.
bool answers_by_name(const begin_turn& x);

/// Whether a sequential turn waits for an earlier one of its thread, which is at work, is held, or
/// waits itself. Others cannot keep a person from speaking: a person's turn waits for that person's
/// turns only. A person's answer that names its questions waits only for a turn that is at work,
/// since a held turn may wait for that answer. Any other turn waits for all earlier ones.
bool waits_for(const begin_turn& later, const begin_turn& earlier, bool earlier_is_at_work);

/// Whether `by` may end a turn that `begun_by` has begun. The principal that has begun it may, and
/// the owner of the agent, and the embedding program. Error: `forbidden` about `turn_id`.
caf::error check_ender(const std::optional<caller>& begun_by, const std::optional<caller>& by);

/// The callers that wait for the result of a turn: the one that has begun it, and those that have
/// asked for it since. Each gets a copy of the result, so their number is limited, in all and for
/// each principal.
class turn_askers {
public:
  using promise = caf::typed_response_promise<turn_result>;

  /// `beginner` is the promise to the caller that begins the turn; nothing if nobody waits.
  explicit turn_askers(std::optional<promise> beginner)
    : beginner_{std::move(beginner)} {}

  /// Adds a caller. If its principal has too many calls waiting, its oldest call is answered with
  /// `overloaded`. Error: `overloaded` about `turn_id` if too many calls wait.
  caf::error join(promise to, const std::optional<caller>& by, timespan now);

  /// Answers the caller that has begun the turn before it ends. Returns false if it has an answer.
  bool answer_beginner(turn_result early);

  /// Answers all callers that have no answer yet.
  void deliver(const turn_result& x);
  void deliver(const caf::error& x);

private:
  struct asker {
    promise to;
    std::optional<caller> by;
    timespan since; ///< steady time
  };

  void end_overdue(timespan now);
  void make_way_for(const std::optional<caller>& by);
  template <class T>
  void deliver_all(const T& x);

  std::optional<promise> beginner_; ///< nothing once it has an answer
  std::vector<asker> later_;        ///< the longest waiting first
};

} // namespace scratchpage
