#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/page/source_shares.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"

namespace scratchpage {

/// Limits of turns and of requests about turns.
struct turn_limits {
  static constexpr size_t id_bytes = reading_limits::id_bytes; ///< of `thread_id` and of `user_id`
  /// Calls that wait for one turn, besides the one that began it; and those of one principal.
  static constexpr size_t askers = 64;
  static constexpr size_t askers_of_one = 32;
  static constexpr int64_t wait_ms = 600'000; ///< for how long a call from outside waits for a turn
  /// Observations that all callers from outside together add to a turn that others began.
  static constexpr size_t additions_of_others = 1'000;
};

/// The part of a limit for all turns that the turns of programs from outside may use together. The
/// rest is for persons and for the embedding program.
constexpr uint64_t share_of_programs(uint64_t limit) {
  return limit - limit / 4;
}

/// Whether the caller is a program from outside. The embedding program is not one: it has no
/// `caller`.
bool is_program(const std::optional<caller>& x);

/// Whether both are the same principal. Embedding programs, which have no `caller`, never are.
bool is_same_principal(const std::optional<caller>& a, const std::optional<caller>& b);

/// Whether both share one limit: the same principal, or two programs whose names were not checked.
bool counts_with(const std::optional<caller>& a, const std::optional<caller>& b);

/// The state of the open turns of a page: the last change of each turn, who holds it, who waits
/// until it is quiet, and what was added to it. Decides when a turn is quiet
/// (docs/architecture.md). Knows no actors.
class turn_ledger {
public:
  /// A request that waits. The owner finds its answer by `token`.
  struct waiter {
    std::string holder;
    quiet_stage stage;
    uint64_t token;
  };

  /// The share of the caller from outside that began a turn; empty: it was not begun from outside.
  using payer = std::optional<source_shares::share>;

  /// Who began a turn.
  struct beginner {
    std::optional<caller> by; ///< a caller from outside; empty: the embedding program
    std::string speaker;      ///< the source of the turn's input
  };

  /// Who adds an observation to a turn; `none`: the observation exists already and has changed.
  enum class addition : uint8_t { of_ensemble, of_others, none };

  /// At most `max_open` turns are open. The observations that are kept for all of them take about
  /// `max_bytes`.
  explicit turn_ledger(size_t max_open, size_t max_bytes = SIZE_MAX)
    : max_open_{max_open},
      max_bytes_{max_bytes} {}

  /// Changes the bytes that the observations may take. Those that are kept already stay.
  void keep_within(size_t max_bytes) { max_bytes_ = max_bytes; }

  /// The bytes, about, that the kept observations take.
  size_t bytes() const { return bytes_; }

  /// Opens a turn; nothing changes if it is open. Errors: `overloaded` if too many turns are open,
  /// in all or of programs from outside; `invalid_request` without an id.
  caf::error open(const std::string& turn_id, payer paid_by = {}, beginner by = {});
  bool is_open(const std::string& turn_id) const { return turns_.contains(turn_id); }
  size_t size() const { return turns_.size(); }

  /// The share that pays for the questions and alerts of the ensemble in a turn. Known for open
  /// turns and for the last turns that were closed, in which daemons may still work; otherwise
  /// null.
  const payer* payer_of(const std::string& turn_id) const;

  /// Notes a change that the turn `causing_turn` has caused. If `x` belongs to an open turn, keeps
  /// its latest revision, as long as there is room for its bytes. Some room is reserved for what
  /// the ensemble adds, and some for the turns of persons.
  void note(const std::string& causing_turn, uint64_t sequence, uint64_t number,
    const observation_ptr& x, addition as = addition::of_ensemble);

  /// Whether a caller from outside may add one more observation to an open turn that it did not
  /// begin. Error: `overloaded` about `turn_id`.
  caf::error check_addition(const std::string& turn_id, const caller& by) const;
  void count_addition(const std::string& turn_id, const caller& by);

  /// Whether `by` may not change the observation. What the ensemble adds to a turn records what was
  /// done in it. Until the turn ends, callers from outside may neither change nor archive it,
  /// except the person whose turn it is and the owner of the agents.
  bool is_guarded(uint64_t number, const observation& x, const caller& by) const;

  /// A change that the turn has caused was sent to storage, and has arrived there or failed. The
  /// turn is not quiet in between. Both ignore turns that are not open.
  void expect(const std::string& causing_turn);
  void settle(const std::string& causing_turn);

  /// Holds are counted. Both return `not_found` if the turn is not open.
  caf::error hold(const std::string& turn_id, const std::string& holder);
  caf::error release(const std::string& turn_id, const std::string& holder);
  /// Releases all holds of `holder`, in all turns.
  void release_all(const std::string& holder);

  /// Adds a waiter. Error: `not_found` if the turn is not open.
  caf::error wait(const std::string& turn_id, waiter x);
  /// Removes the waiter with that token.
  void forget(uint64_t token);

  /// Takes out the waiters whose turns are quiet. `acknowledged` is the sequence up to which all
  /// subscribers have acknowledged. Waiters of the earliest stage come first. A waiter of a stage
  /// that comes with a hold holds the turn from then on.
  std::vector<waiter> take_ready(uint64_t acknowledged);

  /// What was added to an open turn so far. Error: `not_found`.
  caf::expected<turn_so_far> so_far(const std::string& turn_id) const;

  /// A turn that was closed: the observations that were added, in order, and who still waits.
  struct closed {
    std::vector<observation_ptr> observations;
    uint64_t left_out = 0;     ///< changes of observations for which there was no room
    uint64_t own_left_out = 0; ///< those among them that the ensemble made
    std::vector<waiter> waiters;
  };
  closed close(const std::string& turn_id);

  /// Who pays for the last turns that were closed, as `restore` takes it over into a new ledger.
  std::string packed() const;
  void restore(std::string_view packed);

private:
  /// The observations that the ensemble, or others, have added to a turn.
  struct part {
    std::map<uint64_t, observation_ptr> revisions; // the latest, by number; null: had no room
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
  void keep(turn& x, uint64_t number, const observation_ptr& revision, addition as);
  bool has_room(const turn& x, bool is_of_others, size_t before, size_t after) const;
  void count(const turn& x, bool is_of_others, size_t before, size_t after);

  void remember(const std::string& turn_id, payer paid_by);

  static void take_ready(turn& x, uint64_t acknowledged, std::vector<waiter>& ready);

  size_t max_open_;
  size_t max_bytes_;
  size_t bytes_ = 0;             // about, of all kept observations
  size_t bytes_of_programs_ = 0; // of these: in turns of programs, or added by others
  size_t bytes_of_others_ = 0;   // of these: added by others
  std::map<std::string, turn> turns_;
  std::map<std::string, payer> closed_;     // of the last turns that were closed
  std::deque<std::string> closed_in_order_; // the oldest first
};

} // namespace scratchpage
