#pragma once

#include <string>
#include <vector>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// The six tools of the capability `scratchbook` (contract 11): `scratch_read`,
/// `scratch_add`, `scratch_update`, `scratch_complete`, `scratch_pin` and
/// `scratch_unpin`. They work on the scratchbook of the request's thread. The inputs of a call
/// cannot name a thread, so a model has no access to another one. The definitions are short because
/// they are part of every prompt. The caller of the operations is the program that planned the call
/// when it relayed the turn's input, and otherwise `as`.
std::vector<tool_definition> scratch_tools(
  const scratchbook_actor& books, const caller& as = as_daemon("agent"));

/// The manifests of these tools, for prompts and lists.
std::vector<tool_manifest> scratch_manifests();

/// Performs the calls of these tools.
class scratch_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "scratch_tool";

  scratch_tool_state(handle::pointer self, scratchbook_actor books, caller as);

  handle::behavior_type make_behavior();

private:
  caf::result<tool_response> call(const tool_request& request);
  template <class Answer, class Request>
  caf::result<tool_response> forward(const tool_request& call, Request x);
  template <class Request>
  caf::result<tool_response> forward_item(const tool_request& call, caf::expected<Request> x);

  handle::pointer self_;
  scratchbook_actor books_;
  caller as_;
};

} // namespace scratchpage
