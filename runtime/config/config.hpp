#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/conversation/conversations.hpp"
#include "scratchpage/actors/conversation/profile.hpp"
#include "scratchpage/actors/conversation/system_prompt.hpp"
#include "scratchpage/actors/cortex/frontal_cortex.hpp"
#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/memory/semantic_memory.hpp"
#include "scratchpage/actors/memory/working_memory.hpp"
#include "scratchpage/actors/page/durability.hpp"
#include "scratchpage/actors/page/index/text_config.hpp"
#include "scratchpage/actors/page/index/type_weights.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"
#include "scratchpage/actors/policies/execution_policy.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"
#include "scratchpage/actors/policies/mandates.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/actors/policies/protected_data_policy.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/actors/policies/reflection_policy.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/actors/storage/housekeeping_config.hpp"
#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/actors/tools/toolbox.hpp"
#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/privacy/privacy_config.hpp"
#include "scratchpage/persistence/trace/kept_trace.hpp"
#include "scratchpage/runtime/config/memory_config.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/telemetry/telemetry_config.hpp"

namespace scratchpage {

/// Everything that can be set, one member a section. What the daemons decide by
/// has its values in runtime/config/defaults.json, with a comment each; limits have
/// theirs in their structs, and `dump_config` prints both.
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
  mcp_client::server_configs mcp_servers; ///< `mcpServers`, as MCP's clients call it

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
      optional("executor", &self::executor), optional("frontal_cortex", &self::frontal_cortex),
      optional("turns", &self::turns), optional("tools", &self::tools),
      optional("episodic", &self::episodic), optional("semantic", &self::semantic),
      optional("semantic_memory", &self::semantic_memory),
      optional("working_memory", &self::working_memory), optional("profile", &self::profile),
      optional("prompt", &self::prompt), optional("conversation", &self::conversation),
      optional("scratchbook", &self::scratchbook), optional("privacy", &self::privacy),
      optional("housekeeping", &self::housekeeping), optional("trace", &self::trace),
      optional("telemetry", &self::telemetry), optional("http", &self::http),
      optional("memory", &self::memory), optional("mcpServers", &self::mcp_servers));
  }
};

/// Ranges and whatever else a type does not say; the error names the path.
caf::error validate(const config& x);

/// How traces are kept: no longer than personal data is, if they hold any.
trace_config trace_as_private(const config& x);

/// The configuration that is built in.
const config& default_config();

/// Reads a user's file over the built-in configuration: objects are merged at
/// any depth, lists and values replace, null takes a member away. JSON, where
/// comments and a comma before a closing bracket are allowed. An error names
/// the path of what is unknown, malformed or out of range.
caf::expected<config> load_config(std::string_view user_json_text);

/// As above, of several layers that are parsed already; later ones win.
caf::expected<config> load_config(const std::vector<json::object>& layers);

/// The effective values as JSON, which `load_config` reads again.
std::string dump_config(const config& x);

/// The built-in file itself, comments included.
std::string_view default_config_text();

} // namespace scratchpage
