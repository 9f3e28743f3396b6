#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/conversation/rule_compactor.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/text/tokens.hpp"

namespace scratchpage {

/// A tool call of the compacting program.
struct compactor_call {
  std::string id; ///< chosen by the program
  std::string name;
  json::object arguments;

  static constexpr auto fields(auto all) {
    using self = compactor_call;
    return all(optional("id", &self::id), required("name", &self::name),
      optional("arguments", &self::arguments));
  }
};

/// A call that was made, and its result.
struct compactor_step {
  compactor_call call;
  tool_status status = tool_status::ok;
  json::object outputs;

  static constexpr auto fields(auto all) {
    using self = compactor_step;
    return all(required("call", &self::call), required("status", &self::status),
      required("outputs", &self::outputs));
  }
};

/// The inputs of the program. Each round sends all of them, so that the program needs no memory.
struct compactor_task {
  std::string task; ///< instructions
  std::string path; ///< the file that has the offloaded messages
  std::vector<chat_message> offloaded;
  std::vector<chat_message> kept;
  std::string view; ///< of the scratchbook, with the program's additions
  std::vector<goal> goals;
  std::vector<observation_ptr> pending;
  std::vector<tool_manifest> tools;
  std::vector<compactor_step> steps; ///< so far

  static constexpr auto fields(auto all) {
    using self = compactor_task;
    return all(required("task", &self::task), required("path", &self::path),
      required("offloaded", &self::offloaded), required("kept", &self::kept),
      required("view", &self::view), required("goals", &self::goals),
      required("pending", &self::pending), required("tools", &self::tools),
      required("steps", &self::steps));
  }
};

/// The program's answer: calls, whose results come with the next request, or the summary, which
/// ends the compaction. If it has both, the calls are made first.
struct compactor_reply {
  std::vector<compactor_call> calls;
  std::optional<std::string> summary;

  static constexpr auto fields(auto all) {
    using self = compactor_reply;
    return all(optional("calls", &self::calls), optional("summary", &self::summary));
  }
};

/// What an AGENT COMPACTOR is made with.
struct agent_compactor_setup {
  tool_definition program; ///< a tool whose inputs are a `compactor_task`
  compactor_program limits;
  file_keeper_actor files; ///< has the files of the conversation, which the program may read
  uint32_t page_tokens = 400;
  double timeout_ms = 30'000; ///< of all rounds together
  scratchbook_config scratchbook;
  rule_compactor_config rules; ///< for the title of the summary
  token_counter count = estimate_tokens;
  bool allow_threads = true;
};

/// The program as a tool.
tool_definition tool_of(const compactor_program& program);

/// The AGENT COMPACTOR: lets a program decide what to keep of a conversation (contract 11). The
/// program is a tool. It can call the six tools of a scratchbook and `read_back`, and no others.
/// They work on a copy of the scratchbook: the items that the program adds become the plan when it
/// finishes in time. It cannot change earlier items, and if it fails, nothing has changed.
class agent_compactor_state {
public:
  using handle = compactor_actor;
  static constexpr const char* name = "agent_compactor";

  agent_compactor_state(
    handle::pointer self, const agent_context& agent, agent_compactor_setup setup);
  ~agent_compactor_state();

  handle::behavior_type make_behavior();

private:
  struct session;
  using session_ptr = std::shared_ptr<session>;

  caf::result<compaction_plan> compact(compact_messages& x);
  void furnish(session& x);
  void begin_round(const session_ptr& x);
  void on_reply(const session_ptr& x, const tool_response& reply);
  void make_calls(const session_ptr& x, compactor_reply reply);
  void on_called(const session_ptr& x, compactor_reply reply, const tool_response& result);
  void finish(const session_ptr& x, const std::string& summary);
  void give_up(const session_ptr& x, const caf::error& why);
  double milliseconds_left(const session& x) const;

  handle::pointer self_;
  agent_context agent_;
  agent_compactor_setup setup_;
  tracer trace_;
  tool_actor program_;
  uint64_t sessions_ = 0; ///< so far
};

} // namespace scratchpage
