#pragma once

#include <memory>
#include <vector>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"

namespace scratchpage {

/// The EVALUATOR: when nobody works on a turn any more it compares what was
/// asked with what happened, resolves or sends back what is under review, and
/// publishes an `evaluation_result`.
class evaluator_state : public daemon {
public:
  static constexpr const char* name = "evaluator";

  /// `longest_turn` is how long it waits for a turn to become quiet.
  evaluator_state(
    handle::pointer self, daemon_setup setup, evaluation_config config, timespan longest_turn);

private:
  struct heard_input {
    page_event event;
    timespan at; ///< on the clock that nobody sets
  };

  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void read(const heard_input& input, const token& work);
  void evaluate(const heard_input& input, const turn_so_far& turn,
    const std::vector<observation_ptr>& pending, const token& work);
  void settle_reviews(const caller& by, const std::vector<review>& reviews, const token& work);

  evaluation_policy policy_;
  timespan longest_turn_;
};

} // namespace scratchpage
