#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/result.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/cortex/candidate_groups.hpp"
#include "scratchpage/actors/cortex/consciousness.hpp"
#include "scratchpage/actors/cortex/goal_book.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// Turns candidates into goals, or into evidence of existing goals (contract 8): asks the
/// Consciousness, has the page link the observations, and then commits the goal. The Consciousness
/// is asked again when an observation that joins a goal, or has changed in it, brings tags or
/// names that mandates decide by. What fails is undone and tried again at the next turn.
class goal_promotion {
public:
  /// The actors it asks, and the timeout of its requests.
  struct peers {
    frontal_cortex_actor::pointer self;
    scratch_page_actor page;
    consciousness_actor consciousness;
    timespan timeout;
    work_count work = {};
  };

  /// @pre the references outlive it
  goal_promotion(peers with, const promotion_rules& rules, goal_book& goals,
    candidate_groups& groups, goal_settlement& settlement, tracer& trace);

  /// Answers when every group of the batch is done.
  caf::result<promotion_report> promote(const promotion_batch& batch);

private:
  using group_ptr = candidate_group_ptr;

  /// One batch. Its answer is delivered when the last pointer to it is gone.
  struct work;
  using work_ptr = std::shared_ptr<work>;

  candidate_batch group_up(const promotion_batch& batch, const work_ptr& all);
  void wait_for_more(const group_ptr& x);
  void deal_with(const group_ptr& x, const work_ptr& batch);
  void obey(const group_ptr& x, goal draft, const verdict& said, const work_ptr& batch);
  void judge_joining(const group_ptr& x, const goal& to, const work_ptr& batch);
  void obey_joining(const group_ptr& x, const goal& to, const verdict& said, const work_ptr& batch);
  void judge_halves(const group_ptr& x, const goal& to, const work_ptr& batch);
  void make_goal(const group_ptr& x, goal draft, const work_ptr& batch);
  bool leave_out_beyond(const group_ptr& x, const goal& to);
  void link(const group_ptr& x, goal draft, const work_ptr& batch);
  void on_linked(
    const group_ptr& x, goal draft, const linked_observations& linked, const work_ptr& batch);
  void found_goal(const group_ptr& x, goal draft, const work_ptr& batch);
  void join(const group_ptr& x, const goal& to, const work_ptr& batch);
  void unlink_beyond(const group_ptr& x, const goal& full, const work_ptr& batch);
  void unlink(const group_ptr& x, const std::string& goal_id, std::vector<std::string> ids,
    const work_ptr& batch);
  void undo(const link_observations& request, const work_ptr& batch);
  void on_refused(const group_ptr& x, const caf::error& err, const work_ptr& batch);
  void try_again(const group_ptr& x, const work_ptr& batch);
  void refresh_evidence(const observation_ptr& x, const work_ptr& batch);
  void refresh(const goal& of, const observation& x, const verdict& said);

  peers with_;
  goal_judge judge_;
  const promotion_rules& rules_;
  goal_book& goals_;
  candidate_groups& groups_;
  goal_settlement& settlement_;
  tracer& trace_;
  std::vector<link_observations> to_undo_;
  work_flag undoes_; ///< while there is something to undo
};

} // namespace scratchpage
