#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/consent_questions.hpp"
#include "scratchpage/runtime/mcp/server/provider.hpp"
#include "scratchpage/runtime/mcp/server/turn_calls.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"

namespace scratchpage::mcp {

/// The operation that reads a resource.
struct resource_source {
  const operation* what;
  json::object arguments;
};

/// The operation for an address; nothing if no operation's resource has it. The address of a
/// resource that is read in parts may have a cursor, as in
/// `scratchpage://turns/ID/trace?cursor=CURSOR`.
std::optional<resource_source> source_of(std::string_view address);

namespace uri = scratchpage::uri;

/// Offers an agent to clients: its operations as tools; its page, its goals, the client's
/// scratchbook and the traces of turns as resources; prompts with what the agent knows.
class agent_provider : public provider {
public:
  /// `perform` calls back on the strand. Without `changes` resources cannot be subscribed to.
  /// Without `person` clients are not asked for the consent of their users.
  explicit agent_provider(perform_operation perform, std::shared_ptr<change_feed> changes = nullptr,
    person_at person = nullptr);

  json::object server_info() const override;
  std::string instructions() const override;
  json::object capabilities() const override;
  bool has_tasks() const override { return true; }

  const json::array& tools() const override { return tools_; }
  const json::array& tools_for(const principal& who) const override {
    return who.simple_tools ? simple_tools_ : tools_;
  }
  std::string instructions_for(const principal& who) const override;
  std::string unknown_tool(const principal& who, std::string_view name) const override;
  const json::array& resources() const override { return resources_; }
  const json::array& resource_templates() const override { return templates_; }
  const json::array& prompts() const override { return prompts_; }

  void call_tool(
    const std::string& name, const json::object& arguments, const call_ptr& by) override;
  bool is_resource(const std::string& uri) const override;
  std::optional<error> check_reader(const principal& who, const std::string& uri) const override;
  void read_resource(const std::string& uri, const call_ptr& by) override;
  void get_prompt(
    const std::string& name, const json::object& arguments, const call_ptr& by) override;
  void complete(const json::object& params, const call_ptr& by) override;
  change_feed* changes() override { return changes_.get(); }

private:
  /// Performs an operation. `then` gets its result; if it fails, the call is refused.
  void run(const call_ptr& by, std::string operation, json::object arguments,
    std::function<void(const json::value&)> then);
  void hand_off(const call_ptr& by);

  perform_operation perform_;
  std::shared_ptr<change_feed> changes_;
  std::shared_ptr<turn_calls> turns_;
  json::array tools_;
  json::array simple_tools_;
  json::array resources_;
  json::array templates_;
  json::array prompts_;
};

/// Wraps `perform` so that answers come on a strand. An answer counts in `answers` until it has
/// been passed on; null: answers are not counted.
perform_operation on_strand(std::shared_ptr<strand> on, perform_operation perform,
  std::shared_ptr<http::answer_budget> answers = nullptr);

} // namespace scratchpage::mcp
