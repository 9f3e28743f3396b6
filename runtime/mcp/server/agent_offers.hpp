#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <caf/expected.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/mcp/server/provider.hpp"

namespace scratchpage::mcp {

/// Gets the JSON of the answer.
using on_operation = std::function<void(caf::expected<std::string>)>;

/// Makes an operation for a client, and calls back once, on the server's strand.
using run_operation = std::function<void(
  const client& who, std::string operation, json::object arguments, on_operation then)>;

namespace uri {
inline constexpr std::string_view page = "scratchpage://page";
inline constexpr std::string_view goals = "scratchpage://goals";
inline constexpr std::string_view scratchbook = "scratchpage://scratchbook";
inline constexpr std::string_view observations = "scratchpage://observations/"; ///< and an id
} // namespace uri

/// What an agent offers to clients: its operations as tools; its page, its goals, the
/// client's scratchbook and the traces of turns as resources; prompts that say what is known.
class agent_offers : public provider {
public:
  /// Without `changes` resources cannot be subscribed to.
  explicit agent_offers(run_operation run, std::shared_ptr<change_feed> changes = nullptr);

  json::object server_info() const override;
  std::string instructions() const override;
  json::object capabilities() const override;

  const json::array& tools() const override { return tools_; }
  const json::array& resources() const override { return resources_; }
  const json::array& resource_templates() const override { return templates_; }
  const json::array& prompts() const override { return prompts_; }

  void call_tool(
    const std::string& name, const json::object& arguments, const call_ptr& by) override;
  bool is_resource(const std::string& uri) const override;
  std::optional<error> check_reader(const client& who, const std::string& uri) const override;
  void read_resource(const std::string& uri, const call_ptr& by) override;
  void get_prompt(
    const std::string& name, const json::object& arguments, const call_ptr& by) override;
  void complete(const json::object& params, const call_ptr& by) override;
  change_feed* changes() override { return changes_.get(); }

private:
  /// Makes an operation; `then` gets its result, or the call is refused.
  void run(const call_ptr& by, std::string operation, json::object arguments,
    std::function<void(const json::value&)> then);
  void hand_off(const call_ptr& by);

  run_operation run_;
  std::shared_ptr<change_feed> changes_;
  json::array tools_;
  json::array resources_;
  json::array templates_;
  json::array prompts_;
};

} // namespace scratchpage::mcp
