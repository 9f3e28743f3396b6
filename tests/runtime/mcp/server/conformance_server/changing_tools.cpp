#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"

namespace scratchpage::test {

namespace {

tool_fixture change_of(const std::shared_ptr<local_feed>& feed, std::string name,
  std::string description, mcp::change what) {
  return {std::move(name), std::move(description),
    [feed, what = std::move(what)](const json::object&, const call_ptr& by) {
      feed->tell(what);
      by->give(says("changed"));
    }};
}

} // namespace

tool_fixtures changing_tools(const std::shared_ptr<local_feed>& feed) {
  return {
    change_of(
      feed, "test_trigger_tool_change", "The list of tools changes", {mcp::change_kind::tools, {}}),
    change_of(feed, "test_trigger_prompt_change", "The list of prompts changes",
      {mcp::change_kind::prompts, {}}),
    change_of(feed, "test_trigger_resource_update", "A resource changes",
      {mcp::change_kind::resource, "test://watched-resource"}),
  };
}

} // namespace scratchpage::test
