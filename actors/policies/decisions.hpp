#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/turn.hpp"

/// The decisions of the daemons' policies, and the facts that they are given.

namespace scratchpage {

// -- the Router ---------------------------------------------------------------------

/// How urgent an input is.
struct urgency_assessment {
  urgency level = urgency::low;
  std::vector<std::string> reasons;  ///< for people, the strongest first
  std::vector<std::string> requests; ///< the separate requests in the input, in order
  /// The ids of live alerts that touch the input, those of persons first. The response of the turn
  /// begins with their warnings.
  std::vector<std::string> alerts = {};

  static constexpr auto fields(auto all) {
    using self = urgency_assessment;
    return all(required("level", &self::level), required("reasons", &self::reasons),
      required("requests", &self::requests), optional("alerts", &self::alerts));
  }
};

// -- the Clarifier ------------------------------------------------------------------

/// What the Clarifier asks the user.
struct question {
  std::string text;
  std::string call_id; ///< "" if the question is about the input itself
  std::string tool_id; ///< likewise
  std::string field;   ///< the input that the call lacks; likewise
  std::string reason;

  static constexpr auto fields(auto all) {
    using self = question;
    return all(required("text", &self::text), optional("call_id", &self::call_id),
      optional("tool_id", &self::tool_id), optional("field", &self::field),
      optional("reason", &self::reason));
  }
};

// -- the Error Handler --------------------------------------------------------------

/// What kind of failure it was (contract 7, Error Handler).
enum class error_class : uint8_t {
  timeout,       ///< no answer in time
  transient,     ///< the same call may work in a moment
  invalid_input, ///< the inputs have to be changed
  permission,    ///< the call is not allowed
  not_found,     ///< the tool did not find what it was asked for
  other,
};

template <>
inline constexpr std::array<std::string_view, 6> enum_names<error_class>{
  "timeout", "transient", "invalid_input", "permission", "not_found", "other"};

enum class severity : uint8_t { low, medium, high };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<severity>{"low", "medium", "high"};

/// What is done about a failure (contract 7, Error Handler).
enum class recovery_action : uint8_t {
  retry,           ///< call the same tool again, after the backoff
  alternative,     ///< call another tool, which the manifest names
  partial,         ///< go on with the outputs that the tool gave
  escalate,        ///< ask the user to say or to change something
  fail_gracefully, ///< go on without the call
};

template <>
inline constexpr std::array<std::string_view, 5> enum_names<recovery_action>{
  "retry", "alternative", "partial", "escalate", "fail_gracefully"};

/// A call that did not succeed, as the Error Handler sees it.
struct failure {
  std::string call_id;
  std::string tool_id; ///< the tool that failed
  tool_status status = tool_status::error;
  std::string error;              ///< its text
  json::object outputs;           ///< what the tool answered in spite of the failure
  double timeout_ms = 0;          ///< of the failed attempt; 0: the manifest's
  std::vector<std::string> tried; ///< tools that were already called for this call
  /// Whether the call may be made again, as the one who reported it says. Of a tool that has a
  /// manifest, the manifest tells it.
  std::optional<bool> idempotent = {};
  std::vector<std::string> alternatives = {}; ///< tools that can stand in for it, likewise

  static constexpr auto fields(auto all) {
    using self = failure;
    return all(optional("call_id", &self::call_id), required("tool_id", &self::tool_id),
      required("status", &self::status), optional("error", &self::error),
      optional("outputs", &self::outputs), optional("timeout_ms", &self::timeout_ms),
      optional("tried", &self::tried), optional("idempotent", &self::idempotent),
      optional("alternatives", &self::alternatives));
  }
};

/// The Error Handler's plan.
struct recovery {
  scratchpage::error_class error_class = scratchpage::error_class::other;
  scratchpage::severity severity = scratchpage::severity::low;
  recovery_action action = recovery_action::fail_gracefully;
  timespan backoff{0};     ///< to wait before a retry
  double timeout_ms = 0;   ///< of the next attempt; 0: the manifest's
  std::string alternative; ///< the tool to call instead, "" if none
  std::string description; ///< one sentence for people
  double confidence = 0;

  static constexpr auto fields(auto all) {
    using self = recovery;
    return all(required("error_class", &self::error_class), required("severity", &self::severity),
      required("action", &self::action), optional("backoff_ms", &self::backoff),
      optional("timeout_ms", &self::timeout_ms), optional("alternative", &self::alternative),
      optional("description", &self::description), optional("confidence", &self::confidence));
  }
};

// -- calls, as they went ------------------------------------------------------------

/// How a planned call ended. `skipped`: it was not made, for example because a call that it
/// depends on did not succeed. `unanswered`: it was made, and nobody knows its result.
enum class call_outcome : uint8_t { succeeded, failed, skipped, unanswered };

template <>
inline constexpr std::array<std::string_view, 4> enum_names<call_outcome>{
  "succeeded", "failed", "skipped", "unanswered"};

/// How one planned call of a turn went, retries and alternatives included.
struct call_record {
  std::string call_id;
  std::string planned_tool; ///< the tool in the plan
  std::string tool_id;      ///< the tool that was called last
  call_outcome outcome = call_outcome::succeeded;
  uint32_t attempts = 1;                    ///< with all tools together
  double duration_ms = 0;                   ///< of all attempts together
  std::string error;                        ///< of the last failed attempt, "" if none failed
  std::optional<error_class> kind;          ///< the class of that error
  std::optional<recovery_action> action;    ///< the last one that was planned
  std::vector<std::string> observation_ids; ///< its error_alerts and recovery_plans
  json::object inputs = {};                 ///< of the last attempt
  json::object outputs = {};                ///< what the tool answered; empty if it did not

  static constexpr auto fields(auto all) {
    using self = call_record;
    return all(required("call_id", &self::call_id), optional("planned_tool", &self::planned_tool),
      required("tool_id", &self::tool_id), required("outcome", &self::outcome),
      optional("attempts", &self::attempts), optional("duration_ms", &self::duration_ms),
      optional("error", &self::error), optional("error_class", &self::kind),
      optional("action", &self::action), optional("observation_ids", &self::observation_ids),
      optional("inputs", &self::inputs), optional("outputs", &self::outputs));
  }
};

// -- the Evaluator ------------------------------------------------------------------

/// The Evaluator's judgement of a turn (contract 14).
enum class evaluation_outcome : uint8_t {
  complete,  ///< what was asked is done
  more_work, ///< something is left to do
  waiting,   ///< a person has to answer first
  failed,    ///< what was asked was tried, and it did not work
  unjudged,  ///< nothing tells whether it is done
};

template <>
inline constexpr std::array<std::string_view, 5> enum_names<evaluation_outcome>{
  "complete", "more_work", "waiting", "failed", "unjudged"};

/// What a turn was about, and what happened in it.
struct evaluation_input {
  bool is_known = true; ///< whether everything that the ensemble did in the turn could be read
  std::string input;
  std::vector<call_record> calls; ///< in the order of the plan
  bool parallel = false;          ///< whether calls ran at the same time
  double duration_ms = 0;         ///< of the execution
  std::vector<std::string> open_questions;
  std::vector<std::string> unheard; ///< texts that say why answers of the user were not taken
  std::vector<observation_ptr> pending_review;
  std::string response = {}; ///< what the agent answered; "" if it did not, or is not known
  /// What tools noticed in the turn, in the order in which it was added.
  std::vector<observation_ptr> noticed = {};
  caller by = {}; ///< the daemon in its turn, and the trace entry that led to the question
};

enum class review_decision : uint8_t {
  resolve,   ///< the observation is right, and becomes `resolved`
  send_back, ///< the observation needs work, and becomes `active` again
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

// -- the Reflector ------------------------------------------------------------------

struct reflector_limits {
  static constexpr size_t reports = 64; ///< from outside, of no turn, that are read with one turn
};

/// What happened in a turn, for the Reflector.
struct turn_story {
  std::string turn_id;
  std::string input;
  std::vector<call_record> calls;
  std::vector<observation_ptr> observations; ///< of the turn, in their last revision
  evaluation_outcome outcome = evaluation_outcome::complete;
  caller by = {}; ///< the daemon in its turn, and the trace entry that led to the question
  /// What was reported from outside, in no turn, since the story before: the latest first.
  std::vector<observation_ptr> heard = {};
};

/// What a lesson does to the fact that it is about (contract 7): a success raises the fact's
/// confidence, a failure or a contradiction lowers it.
enum class lesson_effect : uint8_t { success, failure, contradiction };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<lesson_effect>{
  "success", "failure", "contradiction"};

struct turn_lesson {
  std::string type;      ///< "learning" or "pattern_detected"
  std::string statement; ///< "User prefers Burgundy wines"
  std::vector<std::string> tags;
  std::vector<std::string> observation_ids; ///< the latest ones that it is based on
  double confidence = 0;
  std::string fact_key; ///< equal for all lessons about one fact
  lesson_effect effect = lesson_effect::success;
  uint64_t turns = 1; ///< the number of turns in which it was seen
  std::string fact;   ///< the fact in the words in which it was first said; "": the statement
  /// Who said it in these words, as text of `said_by`. For a pattern: the sources of its
  /// observations, the latest last.
  std::vector<std::string> sources = {};
  /// What the fact is about; a fact that is learnt ends others with the same attribute. "": none.
  std::string attribute = {};

  static constexpr auto fields(auto all) {
    using self = turn_lesson;
    return all(required("type", &self::type), required("statement", &self::statement),
      required("tags", &self::tags), required("observation_ids", &self::observation_ids),
      required("confidence", &self::confidence), required("fact_key", &self::fact_key),
      required("effect", &self::effect), required("turns", &self::turns),
      optional("fact", &self::fact), optional("sources", &self::sources),
      optional("attribute", &self::attribute));
  }
};

} // namespace scratchpage
