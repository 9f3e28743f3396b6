#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/fields.hpp"

/// What models answer, before it is checked. `schema_of` makes the schemas of these.

namespace scratchpage::models {

struct router_answer {
  urgency level = urgency::low;
  std::vector<std::string> reasons;
  std::vector<std::string> requests;
  std::vector<std::string> alert_ids;
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = router_answer;
    return all(required("level", &self::level), required("reasons", &self::reasons),
      required("requests", &self::requests), required("alert_ids", &self::alert_ids),
      required("confidence", &self::confidence));
  }
};

struct asked_question {
  std::string text;
  std::string reason;

  static constexpr auto fields(auto all) {
    using self = asked_question;
    return all(required("text", &self::text), required("reason", &self::reason));
  }
};

struct clarifier_answer {
  std::vector<asked_question> questions;
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = clarifier_answer;
    return all(required("questions", &self::questions), required("confidence", &self::confidence));
  }
};

struct error_handler_answer {
  scratchpage::error_class error_class = scratchpage::error_class::other;
  recovery_action action = recovery_action::fail_gracefully;
  std::string alternative;
  std::string description;
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = error_handler_answer;
    return all(required("error_class", &self::error_class), required("action", &self::action),
      required("alternative", &self::alternative), required("description", &self::description),
      required("confidence", &self::confidence));
  }
};

struct judged_review {
  std::string observation_id;
  review_decision decision = review_decision::send_back;
  std::string reason;

  static constexpr auto fields(auto all) {
    using self = judged_review;
    return all(required("observation_id", &self::observation_id),
      required("decision", &self::decision), required("reason", &self::reason));
  }
};

struct evaluator_answer {
  evaluation_outcome outcome = evaluation_outcome::unjudged;
  std::string summary;
  std::vector<std::string> reasons;
  std::vector<judged_review> reviews;
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = evaluator_answer;
    return all(required("outcome", &self::outcome), required("summary", &self::summary),
      required("reasons", &self::reasons), required("reviews", &self::reviews),
      required("confidence", &self::confidence));
  }
};

struct quoted_lesson {
  std::string statement;
  std::string quote;
  std::string observation_id;
  std::vector<std::string> tags;
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = quoted_lesson;
    return all(required("statement", &self::statement), required("quote", &self::quote),
      required("observation_id", &self::observation_id), required("tags", &self::tags),
      required("confidence", &self::confidence));
  }
};

struct reflector_answer {
  std::vector<quoted_lesson> lessons;
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = reflector_answer;
    return all(required("lessons", &self::lessons), required("confidence", &self::confidence));
  }
};

} // namespace scratchpage::models
