#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/call_record.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

struct evaluation_config {
  double review_min_confidence;            ///< from here on what is under review is resolved
  std::vector<recovery_action> settled_by; ///< failures that leave nothing to do
  double complete_confidence;              ///< all calls succeeded
  double partial_confidence;               ///< complete, but only after failures
  double talk_confidence;                  ///< complete, nothing was planned
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

enum class evaluation_outcome : uint8_t { complete, more_work };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<evaluation_outcome>{
  "complete", "more_work"};

/// What a turn was about and what came of it.
struct evaluation_input {
  bool is_known = true; ///< whether all that the ensemble did in the turn could be read
  std::string input;
  std::vector<call_record> calls; ///< in the order of the plan
  bool parallel = false;          ///< whether calls ran beside each other
  double duration_ms = 0;         ///< of the execution
  std::vector<std::string> open_questions;
  std::vector<std::string> unheard; ///< why answers of the user settled no question
  std::vector<observation_ptr> pending_review;
};

enum class review_decision : uint8_t {
  resolve,   ///< it holds: `resolved`
  send_back, ///< it needs work: `active` again
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<review_decision>{
  "resolve", "send_back"};

struct review {
  std::string observation_id;
  review_decision decision = review_decision::resolve;
  std::string reason;

  static constexpr auto fields(auto all) {
    using self = review;
    return all(required("observation_id", &self::observation_id),
      required("decision", &self::decision), optional("reason", &self::reason));
  }
};

struct evaluation {
  evaluation_outcome outcome = evaluation_outcome::complete;
  double confidence = 0;
  std::string summary; ///< one sentence
  std::vector<std::string> reasons;
  std::vector<review> reviews; ///< one for each observation under review

  static constexpr auto fields(auto all) {
    using self = evaluation;
    return all(required("outcome", &self::outcome), required("confidence", &self::confidence),
      required("summary", &self::summary), required("reasons", &self::reasons),
      required("reviews", &self::reviews));
  }
};

/// The Evaluator's decision (contract 7): complete or more work. A failed call
/// is made good when a later one of the same tool succeeded.
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
