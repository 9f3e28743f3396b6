#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/conversation/conversations.hpp"
#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/actors/cortex/consciousness.hpp"
#include "scratchpage/actors/cortex/frontal_cortex.hpp"
#include "scratchpage/actors/daemons/clarifier_config.hpp"
#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/memory/long_term_memory.hpp"
#include "scratchpage/actors/memory/working_memory.hpp"
#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"
#include "scratchpage/actors/policies/execution_policy.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/actors/policies/reflection_policy.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/actors/storage/housekeeping.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/runtime/config/settings.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"
#include "scratchpage/runtime/models/model_config.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/telemetry/telemetry_config.hpp"

namespace scratchpage {

/// How much memory the host of agents may use.
struct memory_config {
  /// Resident bytes of the process. Above that, requests that need more memory are refused. 0: half
  /// of the memory that the system allows the process, and at most 4 GiB.
  uint64_t max_bytes = 0;

  static constexpr auto fields(auto all) {
    return all(optional("max_bytes", &memory_config::max_bytes));
  }
};

/// The agents of a host.
struct host_config {
  /// Agents that may be open at a time. 0: as many as the memory allows.
  uint64_t max_agents = 0;
  /// An agent that nobody has asked for so long is put to rest. 0: only when others need its place.
  double rest_minutes = 10;

  static constexpr auto fields(auto all) {
    return all(optional("max_agents", &host_config::max_agents),
      optional("rest_minutes", &host_config::rest_minutes));
  }
};

/// All settings, one member for each section. The values for the daemons' decisions are in
/// runtime/config/defaults.json, with a comment on each. Limits have their defaults in their
/// structs. `dump_config` prints both.
struct config {
  urgency_config urgency;
  ambiguity_config ambiguity;
  consent_config consent;
  execution_config execution;
  protected_data_config protected_data;
  recovery_config recovery;
  evaluation_config evaluation;
  reflection_config reflection;
  latency_config latency;
  promotion_config promotion;
  goal_progress_config goal_progress;
  mandate_config mandates;
  page_config page;
  durability_config durability;
  journal_config journal;
  type_weights weights;
  text_config text;
  daemon_config daemons;
  clarifier_config clarifier;
  executor_config executor;
  frontal_cortex_config frontal_cortex;
  turns_config turns;
  toolbox_config tools;
  episodic_config episodic;
  semantic_config semantic;
  semantic_memory_config semantic_memory;
  working_memory_config working_memory;
  profile_config profile;
  prompt_config prompt;
  conversation_config conversation;
  scratchbook_config scratchbook;
  privacy_config privacy;
  housekeeping_config housekeeping;
  trace_config trace;
  telemetry::telemetry_config telemetry;
  http::server_config http;
  memory_config memory;
  host_config host;
  models::model_config models;            ///< who decides, and the endpoint that is asked
  mcp_client::server_configs mcp_servers; ///< `mcpServers`, as in clients of MCP

  static constexpr auto fields(auto all) {
    using self = config;
    return all(required("urgency", &self::urgency), required("ambiguity", &self::ambiguity),
      required("consent", &self::consent), required("execution", &self::execution),
      required("protected_data", &self::protected_data), required("recovery", &self::recovery),
      required("evaluation", &self::evaluation), required("reflection", &self::reflection),
      required("latency", &self::latency), required("promotion", &self::promotion),
      required("goal_progress", &self::goal_progress), required("mandates", &self::mandates),
      optional("page", &self::page), optional("durability", &self::durability),
      optional("journal", &self::journal), optional("weights", &self::weights),
      optional("text", &self::text), optional("daemons", &self::daemons),
      optional("clarifier", &self::clarifier), optional("executor", &self::executor),
      optional("frontal_cortex", &self::frontal_cortex), optional("turns", &self::turns),
      optional("tools", &self::tools), optional("episodic", &self::episodic),
      optional("semantic", &self::semantic), optional("semantic_memory", &self::semantic_memory),
      optional("working_memory", &self::working_memory), optional("profile", &self::profile),
      optional("prompt", &self::prompt), optional("conversation", &self::conversation),
      optional("scratchbook", &self::scratchbook), optional("privacy", &self::privacy),
      optional("housekeeping", &self::housekeeping), optional("trace", &self::trace),
      optional("telemetry", &self::telemetry), optional("http", &self::http),
      optional("memory", &self::memory), optional("host", &self::host),
      optional("models", &self::models), optional("mcpServers", &self::mcp_servers));
  }
};

/// Checks ranges, and other rules that types do not express. The error names the path.
caf::error validate(const config& x);

/// Checks that limits have values with which the program works. For the sections whose structs have
/// only defaults. The error names the path.
caf::error validate_limits(const config& x);

/// The settings of traces. They are not kept longer than personal data if they contain any.
trace_config trace_as_private(const config& x);

/// The built-in configuration.
const config& default_config();

/// As `read_config`, but the result can be changed.
caf::expected<config> load_config(std::string_view user_json_text);

/// As above, of several layers that are parsed already; later ones win.
caf::expected<config> load_config(const std::vector<json::object>& layers);

} // namespace scratchpage
