#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/actors/tracer.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/goal_store.hpp"

namespace scratchpage {

struct frontal_cortex_config {
  uint64_t max_goals = 1'000;   ///< beyond, goals that are over are forgotten, oldest first
  uint64_t max_waiting = 1'000; ///< candidates and resolved observations kept in mind
  double request_ms = 30'000;   ///< how long the page may take to answer

  static constexpr auto fields(auto all) {
    using self = frontal_cortex_config;
    return all(optional("max_goals", &self::max_goals), optional("max_waiting", &self::max_waiting),
      optional("request_ms", &self::request_ms));
  }
};

/// What the FRONTAL CORTEX is made of.
struct frontal_cortex_setup {
  frontal_cortex_config limits;
  promotion_config promotion;
  goal_progress_config progress;
  std::shared_ptr<goal_store> store; ///< null: nothing is kept
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

  frontal_cortex_state(handle::pointer self, agent_context agent, frontal_cortex_setup setup,
    scratch_page_actor page, consciousness_actor consciousness);

  handle::behavior_type make_behavior();

private:
  /// Related candidates that make a goal together or join one.
  struct group {
    const promotion_rule* rule = nullptr; ///< null: they only name the goal
    std::string goal_id;                  ///< of an existing goal, "" for a new one
    std::vector<observation_ptr> observations;
    caller by;
  };
  using group_ptr = std::shared_ptr<group>;

  /// The answer to one batch, given when every group of it has come to its end.
  struct work;
  using work_ptr = std::shared_ptr<work>;

  /// An observation that is linked and has not moved its goal yet.
  struct unsettled {
    std::string goal_id;
    observation_ptr observation;
  };

  // -- promotion ---------------------------------------------------------------------
  caf::result<promotion_report> promote(const promotion_batch& batch);
  std::vector<group_ptr> group_up(const promotion_batch& batch);
  void add_to_group(const promotion_candidate& x, std::vector<group_ptr>& groups);
  bool is_complete(const group& x);
  void wait_for_more(const group_ptr& x);
  void deal_with(const group_ptr& x, const work_ptr& batch);
  void make_goal(const group_ptr& x, goal draft, const work_ptr& batch);
  void link(const group_ptr& x, goal draft, const work_ptr& batch);
  void on_linked(
    const group_ptr& x, goal draft, const linked_observations& linked, const work_ptr& batch);
  void join(const group_ptr& x, goal& to, const work_ptr& batch);
  void unlink(const group_ptr& x, const std::string& goal_id, std::vector<std::string> ids,
    const work_ptr& batch);
  void try_again(const group_ptr& x, const work_ptr& batch);
  void refresh_evidence(const observation& x);

  // -- goals -------------------------------------------------------------------------
  caf::result<goal> create(const create_goal& request);
  goal_list list(const list_goals& request) const;
  caf::expected<goal> update(const update_goal& request);
  caf::expected<goal> complete(const complete_action& request);
  goal_list settle(const settle_goals& request);
  void settle_links(const settle_goals& request, std::vector<std::string>& moved);
  void settle_resolved(const settle_goals& request, std::vector<std::string>& moved);
  void hear(const event_batch& batch);

  /// Keeps the next revision of a goal: in the store first, then here.
  caf::error commit(goal next, const caller& by, std::string_view operation, json::object detail);
  caf::error make_room();
  void prepare(goal& x);
  goal* find(const std::string& goal_id);
  static bool is_over(const goal& x);

  handle::pointer self_;
  agent_context agent_;
  frontal_cortex_setup setup_;
  scratch_page_actor page_;
  consciousness_actor consciousness_;
  promotion_rules rules_;
  goal_progress progress_;
  tracer trace_;
  std::map<std::string, goal> goals_;
  std::vector<std::string> order_; // ids, oldest first
  std::vector<group_ptr> waiting_; // too few observations so far
  std::vector<unsettled> unsettled_;
  std::vector<observation_ptr> resolved_; // since the last turn's end
  uint64_t last_number_ = 0;
};

} // namespace scratchpage
