#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// The error in a tool's answer to a model: a text that begins with "Error", or the member `error`
/// of a JSON object. Nothing if the answer reports no error.
std::optional<std::string> failure_in(std::string_view text);

/// As above, for an answer that is parsed already.
std::optional<std::string> failure_in(const json::object& answer);

/// How errors of one class are recognised, and what is done about them.
struct error_class_config {
  scratchpage::severity severity;
  std::vector<std::string> words;       ///< phrases in the error's text; none: by status only
  std::vector<recovery_action> actions; ///< the first that is possible is planned

  static constexpr auto fields(auto all) {
    using self = error_class_config;
    return all(required("severity", &self::severity), required("words", &self::words),
      required("actions", &self::actions));
  }
};

struct recovery_config {
  uint32_t max_attempts;          ///< of one tool for one call, the first included
  double backoff_ms;              ///< before the second attempt
  double backoff_factor;          ///< by which it grows with each further attempt
  double max_backoff_ms;          ///< upper bound
  double timeout_factor;          ///< by which the timeout grows after each timeout
  double max_timeout_ms;          ///< upper bound
  std::vector<error_class> order; ///< in which the words of the classes are searched
  std::map<std::string, error_class_config> classes; ///< by name; has every class
  std::map<std::string, double> confidence;          ///< of a plan, by the name of its action

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

/// The Error Handler's rules (contract 7). A retry requires an idempotent tool and an attempt that
/// is left. Each alternative is tried once. A call that is not idempotent and of which nobody knows
/// whether it was done is asked about, whatever the actions of its class are.
class recovery_policy {
public:
  explicit recovery_policy(recovery_config config);

  /// The class of an error, by its status, the configured words, and else by what its text says by
  /// itself (error_reading.hpp).
  scratchpage::error_class classify(tool_status status, std::string_view error) const;

  /// `manifest` is null if the tool is unknown; then `what` may tell whether the call may be made
  /// again and what can stand in for it. `attempts_so_far` counts the attempts with this
  /// tool for this planned call, the failed one included.
  recovery decide(
    const failure& what, const tool_manifest* manifest, unsigned attempts_so_far) const;

  /// The plan with an action that somebody else has chosen, and the class that they see. Nothing if
  /// these rules would not allow it for such a call, whatever its error means.
  std::optional<recovery> plan_for(scratchpage::error_class kind, recovery_action action,
    const failure& what, const tool_manifest* manifest, unsigned attempts_so_far) const;

private:
  void plan_first_possible(recovery& plan, const failure& what, const tool_manifest* manifest,
    unsigned attempts_so_far) const;
  bool fill(
    recovery& plan, const failure& what, const tool_manifest* manifest, unsigned attempts) const;
  bool plan_retry(
    recovery& plan, const failure& what, const tool_manifest* manifest, unsigned attempts) const;

  recovery_config config_;
  std::map<scratchpage::error_class, phrase_list> words_;
};

} // namespace scratchpage
