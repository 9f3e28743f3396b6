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
#include "scratchpage/actors/cortex/goal_settlement.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

struct frontal_cortex_config {
  uint64_t max_goals = 1'000;          ///< beyond, goals that are over are forgotten, oldest first
  uint64_t max_goals_per_source = 100; ///< open ones of one program from outside
  uint64_t max_bytes = 64u << 20;      ///< about, that all goals take in memory
  uint64_t max_bytes_per_source = 8u << 20; ///< open ones of one program from outside
  uint64_t max_waiting = 1'000;             ///< candidates and resolved observations kept in mind
  uint64_t max_watchers = 64;               ///< actors that are told of every change
  double request_ms = 30'000;               ///< how long the page may take to answer

  static constexpr auto fields(auto all) {
    using self = frontal_cortex_config;
    return all(optional("max_goals", &self::max_goals),
      optional("max_goals_per_source", &self::max_goals_per_source),
      optional("max_bytes", &self::max_bytes),
      optional("max_bytes_per_source", &self::max_bytes_per_source),
      optional("max_waiting", &self::max_waiting), optional("max_watchers", &self::max_watchers),
      optional("request_ms", &self::request_ms));
  }
};

/// What the FRONTAL CORTEX is made of.
struct frontal_cortex_setup {
  frontal_cortex_config limits;
  promotion_config promotion;
  goal_progress_config progress;
  consent_config answers;            ///< what a person's answer says
  std::shared_ptr<goal_store> store; ///< null: nothing is kept
  std::vector<goal> goals = {};      ///< that the store had
  /// Masks personal data in what callers say; null: it stays.
  std::shared_ptr<const pii_masker> masker = nullptr;
};

/// The FRONTAL CORTEX (contract 8): makes goals of candidates that the page
/// forwards, groups related ones, asks the Consciousness, links the evidence
/// with the page before a goal exists, and moves goals when turns end. An
/// observation that ended meanwhile makes no goal, since it cannot be linked;
/// links to a goal that could not be kept are undone.
class frontal_cortex_state {
public:
  using handle = frontal_cortex_actor;
  static constexpr const char* name = "frontal-cortex";

  frontal_cortex_state(handle::pointer self, const agent_context& agent, frontal_cortex_setup setup,
    scratch_page_actor page, consciousness_actor consciousness);
  frontal_cortex_state(const frontal_cortex_state&) = delete; // its parts know each other
  frontal_cortex_state& operator=(const frontal_cortex_state&) = delete;

  handle::behavior_type make_behavior();

private:
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
  caf::error purge(const purge_observations& request);
  caf::result<void> add_watcher(const watch_goals& request);
  void announce(const caller& by, const goal& now, bool ends);
  void hear(const event_batch& batch);

  handle::pointer self_;
  scratch_page_actor page_;
  consciousness_actor consciousness_;
  timespan patience_; ///< how long it waits for an answer
  tracer trace_;
  /// Long lists, which the end of a turn, whose goals are settled here, must not wait for.
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
};

} // namespace scratchpage
