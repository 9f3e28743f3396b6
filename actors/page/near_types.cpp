#include "scratchpage/actors/page/near_types.hpp"

#include <array>

#include "scratchpage/messages/text/near_names.hpp"

namespace scratchpage {

namespace {

/// What callers that have not seen the list of types call them.
constexpr std::array other_types{
  other_name{"appointment", "reminder"},
  other_name{"ask", "pending_confirmation"},
  other_name{"blocker", "dependency risk_alert"},
  other_name{"bug", "error_alert"},
  other_name{"caution", "alert risk_alert"},
  other_name{"comment", "observation"},
  other_name{"conclusion", "contextual_insight learning"},
  other_name{"confirm", "pending_confirmation"},
  other_name{"confirmation", "pending_confirmation"},
  other_name{"constraint", "constraint_check contextual_insight"},
  other_name{"context", "contextual_insight"},
  other_name{"critical", "alert"},
  other_name{"danger", "risk_alert alert"},
  other_name{"deadline", "reminder"},
  other_name{"decision", "observation contextual_insight"},
  other_name{"error", "error_alert"},
  other_name{"event", "observation"},
  other_name{"exception", "error_alert"},
  other_name{"fact", "contextual_insight observation"},
  other_name{"fail", "error_alert"},
  other_name{"failure", "error_alert"},
  other_name{"feedback", "contextual_insight observation"},
  other_name{"finding", "observation pattern_detected"},
  other_name{"habit", "pattern_detected contextual_insight"},
  other_name{"hint", "action_suggestion contextual_insight"},
  other_name{"idea", "action_suggestion"},
  other_name{"incident", "alert error_alert"},
  other_name{"info", "observation"},
  other_name{"information", "observation"},
  other_name{"insight", "contextual_insight"},
  other_name{"issue", "error_alert risk_alert"},
  other_name{"knowledge", "contextual_insight observation"},
  other_name{"lesson", "learning"},
  other_name{"log", "observation progress"},
  other_name{"memory", "observation contextual_insight"},
  other_name{"message", "observation"},
  other_name{"next_step", "action_suggestion"},
  other_name{"note", "observation"},
  other_name{"notice", "observation"},
  other_name{"notification", "alert observation"},
  other_name{"pattern", "pattern_detected"},
  other_name{"plan", "action_suggestion"},
  other_name{"preference", "contextual_insight"},
  other_name{"prerequisite", "dependency"},
  other_name{"problem", "error_alert risk_alert"},
  other_name{"proposal", "action_suggestion"},
  other_name{"query", "pending_confirmation"},
  other_name{"question", "pending_confirmation"},
  other_name{"recommendation", "action_suggestion"},
  other_name{"request", "action_suggestion observation"},
  other_name{"requirement", "dependency contextual_insight"},
  other_name{"result", "tool_result observation"},
  other_name{"risk", "risk_alert"},
  other_name{"schedule", "reminder"},
  other_name{"security", "security_alert"},
  other_name{"status", "progress observation"},
  other_name{"suggestion", "action_suggestion"},
  other_name{"summary", "contextual_insight observation"},
  other_name{"task", "action_suggestion reminder"},
  other_name{"text", "observation"},
  other_name{"thought", "contextual_insight observation"},
  other_name{"threat", "security_alert risk_alert"},
  other_name{"tip", "action_suggestion"},
  other_name{"to_do", "action_suggestion reminder"},
  other_name{"todo", "action_suggestion reminder"},
  other_name{"tool", "tool_result"},
  other_name{"trend", "pattern_detected"},
  other_name{"update", "observation progress"},
  other_name{"user_preference", "contextual_insight"},
  other_name{"vulnerability", "security_alert"},
  other_name{"waiting", "dependency"},
  other_name{"warn", "alert risk_alert"},
  other_name{"warning", "alert risk_alert"},
};

} // namespace

std::vector<std::string> near_types(std::string_view given, const std::vector<std::string>& known) {
  constexpr size_t most = 3;
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::vector<std::string> result;
  for (auto x : near_names(given, names, other_types, most))
    result.emplace_back(x);
  return result;
}

} // namespace scratchpage
