#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/runtime/mcp/server/consent_questions.hpp"

namespace scratchpage::mcp {

/// Calls of the tools that wait for a turn. A call that takes long becomes a task, if the client
/// takes tasks. If the turn puts a question for consent, the client is asked, if it can show forms
/// and its user is a person. Used on the strand.
class turn_calls : public std::enable_shared_from_this<turn_calls> {
public:
  /// After that time a call becomes a task.
  static constexpr timespan patience = std::chrono::seconds{1};

  turn_calls(perform_operation perform, person_at person)
    : perform_{std::move(perform)},
      consents_{std::move(person)} {}

  /// Whether the tool waits for a turn.
  static bool has(std::string_view tool);

  void begin(
    const std::string& tool, const json::object& arguments, const std::shared_ptr<call>& by);

private:
  using call_ptr = std::shared_ptr<call>;
  using answer_text = caf::expected<std::string>;

  void begin_task_later(const call_ptr& by) const;
  void take(const call_ptr& by, const answer_text& answer);
  void follow(const call_ptr& by, const std::string& turn_id);
  void let_go_if_cancelled(const call_ptr& by, const std::string& turn_id);
  void ask_for_consent(const call_ptr& by, const std::string& text, const json::object& turn);
  void go_on(const call_ptr& by);
  void settle(
    const call_ptr& by, const std::string& text, const asked_consents& asked, const answers& got);
  void let_go(const principal& who, const std::string& turn_id) const;

  perform_operation perform_;
  consent_questions consents_;
};

} // namespace scratchpage::mcp
