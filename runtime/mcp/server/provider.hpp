#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"

namespace scratchpage::mcp {

/// Defines what a server offers, independently of the protocol's generation. Definitions have the
/// protocol's form and a fixed order, and live as long as the provider. Handlers run on the
/// server's strand and answer their call now or later.
class provider {
public:
  using call_ptr = std::shared_ptr<call>;

  virtual ~provider() = default;

  /// Its name and version.
  virtual json::object server_info() const = 0;
  /// Instructions for the client's model; "": none.
  virtual std::string instructions() const = 0;
  /// In the protocol's form. The server does not serve methods without their capability.
  virtual json::object capabilities() const = 0;
  /// Whether calls of tools may become tasks.
  virtual bool has_tasks() const { return false; }

  virtual const json::array& tools() const = 0;
  virtual const json::array& resources() const = 0;
  virtual const json::array& resource_templates() const = 0;
  virtual const json::array& prompts() const = 0;

  /// What this client is offered: `tools` or some of them, and the instructions that fit them.
  virtual const json::array& tools_for(const principal&) const { return tools(); }
  virtual std::string instructions_for(const principal&) const { return instructions(); }
  /// The error about a tool that the client is not offered.
  virtual std::string unknown_tool(const principal&, std::string_view name) const {
    return "Unknown tool: " + shown_name(name);
  }

  /// Calls one of `tools`. If the tool fails, the result has `isError`.
  virtual void call_tool(
    const std::string& name, const json::object& arguments, const call_ptr& by) = 0;
  /// Whether there can be a resource at that address, whether or not there is one now.
  virtual bool is_resource(const std::string& uri) const = 0;
  /// The error for a client that may not read the resource at that address; nothing if it may. A
  /// client that may not read a resource is not notified of its changes either.
  virtual std::optional<error> check_reader(const principal&, const std::string&) const {
    return {};
  }
  /// Reads any address. Refuses the call if there is nothing.
  virtual void read_resource(const std::string& uri, const call_ptr& by) = 0;
  /// Gives one of `prompts`. Its required arguments are there.
  virtual void get_prompt(
    const std::string& name, const json::object& arguments, const call_ptr& by) = 0;
  /// Suggests `values` for an argument of a prompt or a template, at most 100.
  virtual void complete(const json::object& params, const call_ptr& by) = 0;

  /// Reports changes of what is offered. Null: nothing changes.
  virtual change_feed* changes() = 0;
};

} // namespace scratchpage::mcp
