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
  double list_ms = 25'000;    ///< how long a source may take to list its tools

  static constexpr auto fields(auto all) {
    using self = toolbox_config;
    return all(optional("max_in_flight", &self::max_in_flight), optional("seed", &self::seed),
      optional("allow_threads", &self::allow_threads), optional("list_ms", &self::list_ms));
  }
};

/// A source of further tools, whose list may change: another toolbox. Its tools' ids begin with
/// `prefix`; tools with other ids are ignored.
struct tool_source {
  std::string prefix;
  toolbox_actor tools;
};

/// The TOOLBOX: every tool of an agent by its id (contract 6). It checks inputs against the
/// manifest, keeps timeouts, spawns a tool on its first use and again after it has ended, and
/// always answers with a status and the id of the request. Each request for the list of tools asks
/// the sources for theirs; the last list of a source is used if it does not answer in time.
class toolbox_state {
public:
  using handle = toolbox_actor;
  static constexpr const char* name = "toolbox";

  /// `trace_number` is this component's number in the trace. If `validate` refuses a tool, the
  /// actor ends with that error.
  toolbox_state(handle::pointer self, const agent_context& agent, uint32_t trace_number,
    std::vector<tool_definition> tools, toolbox_config config,
    std::vector<tool_source> sources = {});
  ~toolbox_state();

  handle::behavior_type make_behavior();

private:
  struct slot {
    tool_definition definition;
    manifest_ptr manifest; ///< a shared copy of the definition's
    tool_actor actor;      ///< null until its first use, and after it has ended
  };

  /// A source and its last list of tools.
  struct known_source {
    tool_source from;
    manifest_list told; ///< the list as the source gave it, to notice that nothing has changed
    std::map<std::string, manifest_ptr> tools;
  };

  /// A request for the list of tools that waits for the sources.
  struct listing {
    list_tools request;
    caf::typed_response_promise<tool_list> answer;
    size_t missing = 0;
    work_mark works = {};
  };
  using listing_ptr = std::shared_ptr<listing>;

  /// One call, from the request to its answer.
  struct call {
    tool_request request;
    caf::typed_response_promise<tool_response> answer;
    timespan started{}; ///< steady time
    work_mark works = {};
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
  caf::error invalid_; ///< the error of `validate`, if any
  std::map<std::string, slot> tools_;
  std::vector<known_source> sources_; ///< fixed in number: callbacks refer to its elements
  manifest_list all_;                 ///< of all tools, sorted by id
  size_t in_flight_ = 0;
  work_count work_;
};

} // namespace scratchpage
