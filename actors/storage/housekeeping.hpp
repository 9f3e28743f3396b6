#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <caf/disposable.hpp>
#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/privacy/retention.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The maintenance of an agent's stored history (docs/durability.md).
struct housekeeping_config {
  /// Minutes from the end of a round to the next one. The first round is at the start. An agent at
  /// rest is woken for a round once a day, and when a retention ends. In [1, 100000].
  double every_minutes = 60;
  /// Observations that left the page so many days ago are stored compressed. In [0, 36500].
  double pack_after_days = 7;
  /// For how many days past states of a page can be read. Older changes are deleted from the
  /// journal. 0: only what the next start needs is kept. In [0, 36500].
  double history_days = 30;

  static constexpr auto fields(auto all) {
    using self = housekeeping_config;
    return all(optional("every_minutes", &self::every_minutes),
      optional("pack_after_days", &self::pack_after_days),
      optional("history_days", &self::history_days));
  }
};

inline caf::error validate(const housekeeping_config& x, std::string_view path) {
  constexpr double century = 36'500; // days
  return config_check{path}
    .range("every_minutes", x.every_minutes, 1, 100'000)
    .range("pack_after_days", x.pack_after_days, 0, century)
    .range("history_days", x.history_days, 0, century)
    .error();
}

/// The history that a HOUSEKEEPING maintains, and the actors that have copies of parts of it.
struct housekeeping_setup {
  housekeeping_config config;
  privacy_config privacy;
  std::shared_ptr<scratchpage::store> store; ///< not null
  ownership owner;
  journal_actor journal;
  scratch_page_actor page;
  frontal_cortex_actor cortex;
  episodic_memory_actor episodes;
  semantic_memory_actor facts;
};

/// The HOUSEKEEPING of one agent's stored history. In each round it compresses observations that
/// left the page some time ago, purges observations with personal data whose retention has ended,
/// and deletes old changes from the journal. It works in small steps, between which others can
/// write. A step that fails is traced, and tried again in the next round. Between two rounds it
/// forgets observations on request. This actor blocks its thread: spawn it detached.
class housekeeping_state {
public:
  using handle = housekeeping_actor;
  static constexpr const char* name = "housekeeping";

  housekeeping_state(handle::pointer self, const agent_context& agent, housekeeping_setup setup);
  housekeeping_state(const housekeeping_state&) = delete;
  housekeeping_state& operator=(const housekeeping_state&) = delete;
  ~housekeeping_state();

  handle::behavior_type make_behavior();

private:
  enum class stage : uint8_t { pack, purge, truncate, forget, rest };

  /// What is kept while the agent is at rest.
  struct kept_round {
    std::shared_ptr<const scratchpage::clock> clock;
    timespan next; ///< when the next round begins, on the steady clock
    timespan due;  ///< the same of the round for which the agent is woken
  };

  /// Observations to forget, and who waits for it.
  struct waiting_order {
    std::vector<std::string> observation_ids;
    caf::typed_response_promise<uint64_t> promise;
  };

  void step();
  void pack();
  void purge();
  void truncate();
  void rest();
  void wait_for_round();
  void skip_rounds();
  void note_retention();
  caf::result<uint64_t> take_order(forget_observations& request);
  void forget();
  void work_off(stage now);
  void end_order(const caf::error& err);
  void advance_snapshot(uint64_t until, uint64_t before, std::function<void()> then);
  void purge_copies();
  template <class Handle>
  void purge_copy(const Handle& who, const std::shared_ptr<uint64_t>& missing);
  void go_on(stage next);
  void give_up(std::string_view operation, const caf::error& err);
  timestamp days_ago(double days) const;
  void trace(std::string_view operation, json::object detail);

  handle::pointer self_;
  std::shared_ptr<keepsakes> kept_; ///< null if the agent never rests
  std::shared_ptr<const scratchpage::clock> clock_;
  housekeeping_setup setup_;
  tracer trace_;
  stage stage_ = stage::pack;
  timespan next_round_{};                // on the steady clock
  timespan due_{};                       // of the round for which an agent at rest is woken
  caf::disposable timer_;                // for it
  work_flag works_;                      // while it does not wait for it
  std::deque<waiting_order> orders_;     // the first one is carried out in the stage `forget`
  bool is_round_due_ = false;            // the time for the next round came in that stage
  std::unique_ptr<retention> retention_; // these four are of this round
  uint64_t packed_ = 0;                  // observations
  bool has_advanced_ = false;            // the snapshot, so that more can be truncated
  bool has_truncated_ = false;
};

} // namespace scratchpage
