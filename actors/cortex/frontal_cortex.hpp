#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/cortex/candidate_groups.hpp"
#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/actors/cortex/goal_promotion.hpp"
#include "scratchpage/actors/cortex/wish_goals.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

struct frontal_cortex_config {
  uint64_t max_goals = 1'000;               ///< above it, ended goals are dropped, oldest first
  uint64_t max_goals_per_source = 100;      ///< open goals of one outside program
  uint64_t max_bytes = 64u << 20;           ///< approximate memory of all goals
  uint64_t max_bytes_per_source = 8u << 20; ///< approximate memory of its open goals
  uint64_t max_waiting = 1'000;             ///< waiting groups; links; resolved observations
  uint64_t max_watchers = 64;               ///< actors that are told of every change
  double request_ms = 30'000;               ///< timeout of requests to page and Consciousness
  double stale_days = 30; ///< after so many days without a change, a goal from a wish is abandoned

  static constexpr auto fields(auto all) {
    using self = frontal_cortex_config;
    return all(optional("max_goals", &self::max_goals),
      optional("max_goals_per_source", &self::max_goals_per_source),
      optional("max_bytes", &self::max_bytes),
      optional("max_bytes_per_source", &self::max_bytes_per_source),
      optional("max_waiting", &self::max_waiting), optional("max_watchers", &self::max_watchers),
      optional("request_ms", &self::request_ms), optional("stale_days", &self::stale_days));
  }
};

/// What a FRONTAL CORTEX is made with.
struct frontal_cortex_setup {
  frontal_cortex_config limits;
  shared_settings<promotion_config> promotion;
  goal_progress_config progress;
  consent_config answers;            ///< how a person's answers are read
  std::shared_ptr<goal_store> store; ///< null: goals are not stored
  std::vector<goal> goals = {};      ///< those in the store, in the order in which they were made
  /// Masks personal data in requests; null: nothing is masked.
  std::shared_ptr<const pii_masker> masker = nullptr;
};

/// The FRONTAL CORTEX (contract 8): groups candidates that the page forwards, asks the
/// Consciousness about each group, has the page link the evidence, and then stores the goal. When
/// a turn ends, it updates progress and status of goals. An observation that has left the page
/// cannot be linked, and makes no goal. If a goal cannot be stored, its links are undone.
class frontal_cortex_state {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "frontal-cortex";

  frontal_cortex_state(handle::pointer self, const agent_context& agent, frontal_cortex_setup setup,
    scratch_page_actor page, consciousness_actor consciousness);
  frontal_cortex_state(const frontal_cortex_state&) = delete; // its members refer to each other
  frontal_cortex_state& operator=(const frontal_cortex_state&) = delete;
  ~frontal_cortex_state();

  handle::behavior_type make_behavior();

private:
  /// What is kept during a rest, beside the stored goals.
  struct kept_thoughts {
    uint64_t last_number = 0; ///< of a goal
    goal_settlement::unsettled unsettled;
    wish_goals::last_words last_words;
    candidate_groups::kept_groups groups;

    uint64_t bytes() const;
  };

  void restore(kept_thoughts x);
  caf::error check(const create_goal& request);
  caf::result<goal> create(create_goal& request);
  caf::expected<goal> keep(goal draft, const caller& by, const verdict& said);
  caf::expected<goal> get(const get_goal& request);
  caf::expected<goal_list> list(const list_goals& request);
  caf::expected<goal> update(update_goal& request);
  caf::expected<goal> complete(const complete_action& request);
  caf::expected<goal> refuse(const refuse_action& request);
  template <class Request, class Decision>
  caf::expected<goal> decide(
    const Request& request, std::string_view operation, action_status wanted, Decision decision);
  caf::expected<goal_list> settle(const settle_goals& request);
  void link(const caller& by, const goal& begun);
  caf::error purge(const purge_observations& request);
  caf::result<void> add_watcher(const watch_goals& request);
  void announce(const caller& by, const goal& now, bool ends);
  void on_events(const event_batch& batch);

  handle::pointer self_;
  std::shared_ptr<keepsakes> kept_; ///< null if the agent never rests
  scratch_page_actor page_;
  consciousness_actor consciousness_;
  timespan timeout_; ///< of its requests
  tracer trace_;
  work_count work_;
  /// Lists goals for outside callers without delaying the turns that end meanwhile.
  outside_requests<handle::pointer> outside_;
  promotion_rules rules_;
  goal_progress progress_;
  std::shared_ptr<const pii_masker> masker_;
  uint64_t max_watchers_;
  std::vector<goal_watcher_actor> watchers_;
  goal_book goals_;
  candidate_groups groups_;
  goal_settlement settlement_;
  goal_promotion promotion_;
  wish_goals wishes_;
};

} // namespace scratchpage
