#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

struct evaluation_config {
  double review_min_confidence;            ///< from here on, reviewed observations are resolved
  std::vector<recovery_action> settled_by; ///< a failure with one of these plans is settled
  double complete_confidence;              ///< complete, and all calls succeeded at once
  double partial_confidence;               ///< complete, after retries or settled failures
  double talk_confidence;                  ///< complete, and nothing was planned
  double more_work_confidence;

  static constexpr auto fields(auto all) {
    using self = evaluation_config;
    return all(required("review_min_confidence", &self::review_min_confidence),
      required("settled_by", &self::settled_by),
      required("complete_confidence", &self::complete_confidence),
      required("partial_confidence", &self::partial_confidence),
      required("talk_confidence", &self::talk_confidence),
      required("more_work_confidence", &self::more_work_confidence));
  }
};

caf::error validate(const evaluation_config& x, std::string_view path);

/// The Evaluator's rules (contract 7): a turn is complete, or needs more work. A failed call does
/// not count if a later call of the same tool succeeded.
class evaluation_policy {
public:
  explicit evaluation_policy(evaluation_config config)
    : config_{std::move(config)} {}

  evaluation evaluate(const evaluation_input& turn) const;

private:
  bool is_settled(const call_record& call) const;
  review judge(const observation& x, const evaluation_input& turn) const;

  evaluation_config config_;
};

} // namespace scratchpage
