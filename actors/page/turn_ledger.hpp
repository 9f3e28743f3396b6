#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/page/source_shares.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"

namespace scratchpage {

/// What a page knows of the turns that are open: their last change, who holds
/// them, who waits for their quiet, what they added. Decides when a turn is
/// quiet (architecture, "Quiet"); knows no actors.
class turn_ledger {
public:
  /// Somebody who waits; `token` is whatever the owner needs to answer.
  struct waiter {
    std::string holder;
    quiet_stage stage;
    uint64_t token;
  };

  /// The share of whoever began a turn, if they came from outside.
  using payer = std::optional<source_shares::share>;

  /// Whose turn it is.
  struct beginner {
    std::optional<caller> by; ///< whom an edge has let in; absent: the embedding program
    std::string speaker;      ///< whose words the input is
  };

  /// Who adds an observation to a turn; `none`: it is there already, and has changed.
  enum class addition : uint8_t { of_ensemble, of_others, none };

  /// `most_bytes`, about: of the observations that are kept for all open turns.
  explicit turn_ledger(size_t max_open, size_t most_bytes = SIZE_MAX)
    : max_open_{max_open},
      most_bytes_{most_bytes} {}

  /// From now on nothing is kept beyond so many bytes.
  void keep_within(size_t most_bytes) { most_bytes_ = most_bytes; }

  /// About what is kept.
  size_t bytes() const { return bytes_; }

  /// `overloaded` if too many are open, in all or of programs from outside, `invalid_request`
  /// without a turn's id. Opening an open turn changes nothing.
  caf::error open(const std::string& turn_id, payer paid_by = {}, beginner by = {});
  bool is_open(const std::string& turn_id) const { return turns_.contains(turn_id); }
  size_t size() const { return turns_.size(); }

  /// Whose is what the ensemble has to ask and to report in a turn. Known of turns that are open
  /// and of the last that were closed, in which somebody may still be at work; null: not known.
  const payer* payer_of(const std::string& turn_id) const;

  /// Notes a change that the turn caused, and keeps the last form of what the
  /// turn added, as long as there is room for its bytes. What the ensemble adds
  /// has room that nobody else takes, and that of a person's turn has room that
  /// turns of programs do not take.
  void note(const std::string& causing_turn, uint64_t sequence, uint64_t number,
    const observation_ptr& x, addition as = addition::of_ensemble);

  /// Whether somebody from outside may add one more to an open turn: whoever has not begun it
  /// adds only so many. Error: `overloaded` about `turn_id`.
  caf::error check_addition(const std::string& turn_id, const caller& by) const;
  void count_addition(const std::string& turn_id, const caller& by);

  /// Whether `by` has to leave an observation as it is. What the ensemble put into a turn tells
  /// what was done in it: until the turn ends, nobody from outside changes or archives that, but
  /// for the person whose turn it is and the owner of the agents.
  bool is_guarded(uint64_t number, const observation& x, const caller& by) const;

  /// A change that the turn caused is on its way to storage, and has arrived or
  /// failed: until then the turn is not quiet. Turns that are not open are
  /// passed over.
  void expect(const std::string& causing_turn);
  void settle(const std::string& causing_turn);

  /// Holds are counted. Both answer `not_found` if the turn is not open.
  caf::error hold(const std::string& turn_id, const std::string& holder);
  caf::error release(const std::string& turn_id, const std::string& holder);
  /// Lets go of every hold of `holder`, in every turn.
  void release_all(const std::string& holder);

  /// `not_found` if the turn is not open.
  caf::error wait(const std::string& turn_id, waiter x);
  /// Whoever has that token waits no longer.
  void forget(uint64_t token);

  /// Takes out those whose moment has come, given how far every subscriber has
  /// acknowledged. Those of the earliest stage go first; who is let into one that
  /// comes with a hold holds the turn from then on.
  std::vector<waiter> take_ready(uint64_t acknowledged);

  /// What an open turn has added. Error: `not_found`.
  caf::expected<turn_so_far> so_far(const std::string& turn_id) const;

  /// Forgets the turn: what it added, in order, and who still waits.
  struct closed {
    std::vector<observation_ptr> observations;
    uint64_t left_out = 0;     ///< changes of what had no room
    uint64_t own_left_out = 0; ///< those of them that the ensemble made
    std::vector<waiter> waiters;
  };
  closed close(const std::string& turn_id);

private:
  /// What the ensemble has added to a turn, or others have.
  struct part {
    std::map<uint64_t, observation_ptr> forms; // by number; null: it had no room
    uint64_t left_out = 0;
  };

  struct turn {
    payer paid_by;
    beginner begun;
    uint64_t last_sequence = 0;
    uint64_t expected = 0; // changes on their way to storage
    std::map<std::string, unsigned> holds;
    std::vector<waiter> waiters;
    part own;
    part others;
    size_t additions_of_others = 0;
  };

  size_t turns_of_programs() const;
  static bool is_from_another(const turn& x, const caller& by);
  static part* part_of(turn& x, uint64_t number, addition as);
  void keep(turn& x, uint64_t number, const observation_ptr& form, addition as);
  bool has_room(const turn& x, bool is_of_others, size_t before, size_t after) const;
  void count(const turn& x, bool is_of_others, size_t before, size_t after);

  void remember(const std::string& turn_id, payer paid_by);

  static void take_ready(turn& x, uint64_t acknowledged, std::vector<waiter>& ready);

  size_t max_open_;
  size_t most_bytes_;
  size_t bytes_ = 0;             // about, of all that was added
  size_t bytes_of_programs_ = 0; // of that, what was added to their turns, and what others added
  size_t bytes_of_others_ = 0;   // of that, what others added
  std::map<std::string, turn> turns_;
  std::map<std::string, payer> closed_;     // of the last that were closed
  std::deque<std::string> closed_in_order_; // the oldest first
};

} // namespace scratchpage
