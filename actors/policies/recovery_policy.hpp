#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// What kind of failure it was (contract 7, Error Handler).
enum class error_class : uint8_t {
  timeout,       ///< no answer in time
  transient,     ///< may well work in a moment
  invalid_input, ///< what was sent cannot work; somebody has to change it
  permission,    ///< not allowed as things stand
  not_found,     ///< what was asked for does not exist
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
  retry,           ///< the same tool again, after the backoff
  alternative,     ///< another tool that the manifest names
  partial,         ///< go on with what the tool did give
  escalate,        ///< the user has to say or to change something
  fail_gracefully, ///< go on without it
};

template <>
inline constexpr std::array<std::string_view, 5> enum_names<recovery_action>{
  "retry", "alternative", "partial", "escalate", "fail_gracefully"};

/// How one class is told apart and dealt with.
struct error_class_config {
  scratchpage::severity severity;
  std::vector<std::string> words;       ///< in the error's text; none: only by status
  std::vector<recovery_action> actions; ///< the first that can be done is done

  static constexpr auto fields(auto all) {
    using self = error_class_config;
    return all(required("severity", &self::severity), required("words", &self::words),
      required("actions", &self::actions));
  }
};

struct recovery_config {
  uint32_t max_attempts;          ///< of one tool for one call, the first included
  double backoff_ms;              ///< before the second attempt
  double backoff_factor;          ///< for each further one
  double max_backoff_ms;          ///< at most
  double timeout_factor;          ///< how much longer each attempt after a timeout may take
  double max_timeout_ms;          ///< at most
  std::vector<error_class> order; ///< in which the classes' words are looked for
  std::map<std::string, error_class_config> classes; ///< by name, all of them
  std::map<std::string, double> confidence;          ///< in a plan, by its action's name

  static constexpr auto fields(auto all) {
    using self = recovery_config;
    return all(required("max_attempts", &self::max_attempts),
      required("backoff_ms", &self::backoff_ms), required("backoff_factor", &self::backoff_factor),
      required("max_backoff_ms", &self::max_backoff_ms),
      required("timeout_factor", &self::timeout_factor),
      required("max_timeout_ms", &self::max_timeout_ms), required("order", &self::order),
      required("classes", &self::classes), required("confidence", &self::confidence));
  }
};

caf::error validate(const recovery_config& x, std::string_view path);

/// A call that did not succeed, as the Error Handler learns of it.
struct failure {
  std::string call_id;
  std::string tool_id; ///< that failed
  tool_status status = tool_status::error;
  std::string error;              ///< the text of it
  json::object outputs;           ///< what it gave all the same
  double timeout_ms = 0;          ///< that the failed attempt had; 0: the manifest's
  std::vector<std::string> tried; ///< tools that were already called for this call

  static constexpr auto fields(auto all) {
    using self = failure;
    return all(optional("call_id", &self::call_id), required("tool_id", &self::tool_id),
      required("status", &self::status), optional("error", &self::error),
      optional("outputs", &self::outputs), optional("timeout_ms", &self::timeout_ms),
      optional("tried", &self::tried));
  }
};

/// What the Error Handler plans.
struct recovery {
  scratchpage::error_class error_class = scratchpage::error_class::other;
  scratchpage::severity severity = scratchpage::severity::low;
  recovery_action action = recovery_action::fail_gracefully;
  timespan backoff{0};     ///< to wait before a retry
  double timeout_ms = 0;   ///< for the next attempt; 0: the tool's own
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

/// The Error Handler's decision (contract 7). A retry needs an idempotent tool
/// and attempts that are left; each alternative is tried once.
class recovery_policy {
public:
  explicit recovery_policy(recovery_config config);

  /// By the status and the words of the error's text.
  scratchpage::error_class classify(tool_status status, std::string_view error) const;

  /// `manifest` is null for a tool that nobody knows. `attempts_so_far` counts
  /// the calls of this tool for this planned call, the failed one included.
  recovery decide(
    const failure& what, const tool_manifest* manifest, unsigned attempts_so_far) const;

private:
  bool fill(
    recovery& plan, const failure& what, const tool_manifest* manifest, unsigned attempts) const;
  bool plan_retry(
    recovery& plan, const failure& what, const tool_manifest* manifest, unsigned attempts) const;

  recovery_config config_;
  std::map<scratchpage::error_class, phrase_list> words_;
};

} // namespace scratchpage
