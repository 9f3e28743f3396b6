#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"

namespace scratchpage::mcp {

/// What a server offers, without the protocol. Definitions are as the protocol has
/// them, do not change their order, and live as long as the provider. Handlers answer
/// their call now or later, and run on the server's strand.
class provider {
public:
  using call_ptr = std::shared_ptr<call>;

  virtual ~provider() = default;

  /// Its name and version.
  virtual json::object server_info() const = 0;
  /// For a client's model; "": none.
  virtual std::string instructions() const = 0;
  /// As the protocol has them: what is not in there is not served.
  virtual json::object capabilities() const = 0;

  virtual const json::array& tools() const = 0;
  virtual const json::array& resources() const = 0;
  virtual const json::array& resource_templates() const = 0;
  virtual const json::array& prompts() const = 0;

  /// One of `tools`. A tool that fails gives a result with `isError`.
  virtual void call_tool(
    const std::string& name, const json::object& arguments, const call_ptr& by) = 0;
  /// Whether there can be something at that address, whatever there is just now.
  virtual bool is_resource(const std::string& uri) const = 0;
  /// Why a client may not read what is at that address, a resource, if it may not. Whoever may
  /// not read it is told of none of its changes either.
  virtual std::optional<error> check_reader(const client&, const std::string&) const { return {}; }
  /// Any address: refuses the call if there is nothing.
  virtual void read_resource(const std::string& uri, const call_ptr& by) = 0;
  /// One of `prompts`, with what it requires.
  virtual void get_prompt(
    const std::string& name, const json::object& arguments, const call_ptr& by) = 0;
  /// What an argument of a prompt or a template may be: `values`, at most 100.
  virtual void complete(const json::object& params, const call_ptr& by) = 0;

  /// Null: nothing changes.
  virtual change_feed* changes() = 0;
};

} // namespace scratchpage::mcp
