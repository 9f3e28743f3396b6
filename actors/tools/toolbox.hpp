#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

struct toolbox_config {
  size_t max_in_flight = 256; ///< calls without an answer; above: overloaded
  uint64_t seed = 0;          ///< of recorded tools' latencies
  bool allow_threads = true;  ///< false under virtual time
  double list_ms = 25'000;    ///< how long a source may take to say what it has

  static constexpr auto fields(auto all) {
    using self = toolbox_config;
    return all(optional("max_in_flight", &self::max_in_flight), optional("seed", &self::seed),
      optional("allow_threads", &self::allow_threads), optional("list_ms", &self::list_ms));
  }
};

/// Where further tools come from: a toolbox of its own, which may change what it
/// has. All of its tools' ids begin with `prefix`; others of it are passed over.
struct tool_source {
  std::string prefix;
  toolbox_actor tools;
};

/// The TOOLBOX: every tool of an agent by its id (contract 6). Checks inputs
/// against the manifest, keeps the time, makes a tool on its first use and again
/// after it died, and always answers with a status and the request's own id.
/// Sources are asked for their tools each time somebody asks for all; one that is
/// late has those that it had. A source that tells the same manifests again costs
/// no more than finding that out.
class toolbox_state {
public:
  using handle = toolbox_actor;
  static constexpr const char* name = "toolbox";

  /// `trace_number` tells this component apart from the agent's others. Tools
  /// that `validate` refuses end the actor with that error.
  toolbox_state(handle::pointer self, const agent_context& agent, uint32_t trace_number,
    std::vector<tool_definition> tools, toolbox_config config,
    std::vector<tool_source> sources = {});
  ~toolbox_state();

  handle::behavior_type make_behavior();

private:
  struct slot {
    tool_definition definition;
    manifest_ptr manifest; ///< the definition's, for everybody who asks
    tool_actor actor;      ///< null until its first use, and after it died
  };

  /// A source and what it had when it was last asked.
  struct known_source {
    tool_source from;
    manifest_list told; ///< by the source itself
    std::map<std::string, manifest_ptr> tools;
  };

  /// A question for all tools, until every source has answered.
  struct listing {
    list_tools request;
    caf::typed_response_promise<tool_list> answer;
    size_t missing = 0;
  };
  using listing_ptr = std::shared_ptr<listing>;

  /// One call, from the request to its answer.
  struct call {
    tool_request request;
    caf::typed_response_promise<tool_response> answer;
    timespan started{}; ///< on the clock that nobody sets
    bool retried = false;
  };

  caf::result<tool_response> accept(tool_request request);
  caf::result<tool_list> list(const list_tools& request);
  void ask_source(known_source& source, const listing_ptr& x);
  void take_tools(known_source& source, manifest_list found);
  void list_all();
  void finish(const listing_ptr& x);
  known_source* source_of(const std::string& tool_id);
  caf::error check(const tool_request& request, const tool_manifest* manifest) const;
  caf::error start(slot& tool) const;
  void forward(slot& tool, call x);
  void pass_on(const known_source& source, const tool_manifest* manifest, call x);
  void on_failure(slot& tool, const tool_actor& asked, call x, const caf::error& err);
  void finish(call x, tool_response response);
  tool_response refuse(const tool_request& request, tool_failure why, std::string_view text);
  tool_response unknown(const tool_request& request);
  void trace(const tool_request& request, const tool_response& response, timespan started);

  handle::pointer self_;
  std::shared_ptr<const scratchpage::clock> clock_;
  tracer tracer_;
  toolbox_config config_;
  caf::error invalid_; ///< what is wrong with the tools, if anything
  std::map<std::string, slot> tools_;
  std::vector<known_source> sources_; ///< never fewer or more
  manifest_list all_;                 ///< of them and its own, by their ids
  size_t in_flight_ = 0;
};

} // namespace scratchpage
