#pragma once

#include <memory>
#include <vector>

#include "scratchpage/runtime/mcp/server/provider.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"

namespace scratchpage::test {

/// Offers all fixtures of the conformance suite.
class fixtures : public mcp::provider {
public:
  fixtures();

  json::object server_info() const override;
  std::string instructions() const override { return "A server under test."; }
  json::object capabilities() const override;
  bool has_tasks() const override { return true; }

  const json::array& tools() const override { return tools_; }
  const json::array& resources() const override { return resources_; }
  const json::array& resource_templates() const override { return templates_; }
  const json::array& prompts() const override { return prompts_; }

  void call_tool(
    const std::string& name, const json::object& arguments, const call_ptr& by) override;
  bool is_resource(const std::string& uri) const override;
  void read_resource(const std::string& uri, const call_ptr& by) override;
  void get_prompt(
    const std::string& name, const json::object& arguments, const call_ptr& by) override;
  void complete(const json::object& params, const call_ptr& by) override;
  mcp::change_feed* changes() override { return feed_.get(); }
  /// Number of listeners for changes.
  size_t listeners() { return feed_->size(); }

private:
  std::shared_ptr<local_feed> feed_ = std::make_shared<local_feed>();
  tool_fixtures tool_fixtures_;
  std::vector<prompt_fixture> prompt_fixtures_ = prompt_fixtures();
  json::array tools_;
  json::array resources_;
  json::array templates_;
  json::array prompts_;
};

} // namespace scratchpage::test
