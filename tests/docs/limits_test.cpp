#define BOOST_TEST_MODULE limits
#include <boost/test/unit_test.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "scratchpage/actors/cortex/wish_goals.hpp"
#include "scratchpage/actors/language/text_features.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/actors/memory/memory_ranking.hpp"
#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/actors/policies/fact_reading.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"
#include "scratchpage/actors/policies/listed_things.hpp"
#include "scratchpage/actors/policies/recurring_events.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"
#include "scratchpage/actors/policies/several_meant.hpp"
#include "scratchpage/actors/policies/told_facts.hpp"
#include "scratchpage/actors/policies/wish_title.hpp"
#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/actors/turns/outside_work.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/actors/turns/turn_warnings.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/request_key.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/memories/archive.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/store/connection_pool.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/runtime/api/recollection.hpp"
#include "scratchpage/runtime/cli/io/log.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/evaluation/runner.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/mcp/client/session.hpp"
#include "scratchpage/runtime/mcp/client/tool_server.hpp"
#include "scratchpage/runtime/mcp/client/transport.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/consent_questions.hpp"
#include "scratchpage/runtime/mcp/server/resource_places.hpp"
#include "scratchpage/runtime/mcp/server/task.hpp"
#include "scratchpage/runtime/models/reply_store.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"
#include "scratchpage/runtime/server/agent_list.hpp"
#include "scratchpage/runtime/server/agent_overview.hpp"
#include "scratchpage/runtime/server/downloads.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/runtime/server/thread_list.hpp"
#include "scratchpage/runtime/simulation/report.hpp"
#include "scratchpage/runtime/simulation/transcript.hpp"
#include "scratchpage/runtime/telemetry/work_metrics.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/source_dir.hpp"

/// docs/limits.md has every limit of the code with its value.

namespace scratchpage::test {

namespace {

using table = std::map<std::string, double>;

double milliseconds(timespan x) {
  return in_milliseconds(x);
}

/// The limits that are fixed in the code. A constant or a default that is added to any struct whose
/// name ends in `_limits` has to be added here and to docs/limits.md.
const table& fixed_limits() {
  using child = child_limits;
  using session = mcp_client::session_limits;
  using stdio = mcp_client::stdio_limits;
  static const table all{
    {"agent_list_limits::ids", server::agent_list_limits::ids},
    {"agent_list_limits::looked_at", server::agent_list_limits::looked_at},
    {"connection_limits::readers", connection_limits::readers},
    {"connection_limits::writers", connection_limits::writers},
    {"agent_host::max_agents", agent_host::max_agents},
    {"agent_host::openings_at_once", agent_host::openings_at_once},
    {"agent_host::max_openings", agent_host::max_openings},
    {"agent_host::max_copies", agent_host::max_copies},
    {"latest_entries_query::most", latest_entries_query::most},
    {"stored_trace::most_bytes", stored_trace::most_bytes},
    {"trace_writer::max_bytes_of_all", trace_writer::max_bytes_of_all},
    {"traced_turns_query::most", traced_turns_query::most},
    {"work_metrics::max_tools", telemetry::work_metrics::max_tools},
    {"agent_host::max_id_bytes", agent_host::max_id_bytes},
    {"calls_under_way::max_calls", server::calls_under_way::max_calls},
    {"listing_limits::items", listing_limits::items},
    {"listing_limits::text_bytes", listing_limits::text_bytes},
    {"mcp_service::max_sessions", server::mcp_service::max_sessions},
    {"json_rpc::max_id_bytes", json_rpc::max_id_bytes},
    {"json_rpc::max_in_batch", json_rpc::max_in_batch},
    {"page_memory::text_share", page_memory::text_share},
    {"overview_limits::goals", server::overview_limits::goals},
    {"service::max_long_bytes", server::service::max_long_bytes},
    {"service::max_long_bodies", server::service::max_long_bodies},
    {"analysis_limits::measurements", analysis_limits::measurements},
    {"analysis_limits::pause", milliseconds(analysis_limits::pause)},
    {"analysis_limits::suggestions", analysis_limits::suggestions},
    {"answer_limits::bytes", answer_limits::bytes},
    {"answer_limits::conflict_ids", answer_limits::conflict_ids},
    {"begin_turn::longest_ms", begin_turn::longest_ms},
    {"child_limits::grace", milliseconds(child{}.grace)},
    {"child_limits::max_backoff", milliseconds(child{}.max_backoff)},
    {"child_limits::max_line_bytes", child{}.max_line_bytes},
    {"child_limits::max_stderr_bytes", child{}.max_stderr_bytes},
    {"child_limits::min_backoff", milliseconds(child{}.min_backoff)},
    {"clear_resolved::most", clear_resolved::most},
    {"download_limits::piece_bytes", server::download_limits::piece_bytes},
    {"download_limits::rest_per_work", server::download_limits::rest_per_work},
    {"download_limits::stalled_ms", server::download_limits::stalled_ms},
    {"download_limits::stored_ms", server::download_limits::stored_ms},
    {"download_limits::total_ms", server::download_limits::total_ms},
    {"draft_limits::content_bytes", draft_limits::content_bytes},
    {"draft_limits::context_bytes", draft_limits::context_bytes},
    {"draft_limits::context_depth", draft_limits::context_depth},
    {"draft_limits::context_scalars", draft_limits::context_scalars},
    {"draft_limits::drafts", draft_limits::drafts},
    {"draft_limits::given_tags", draft_limits::given_tags},
    {"draft_limits::max_ttl_minutes", draft_limits::max_ttl_minutes},
    {"draft_limits::metadata_bytes", draft_limits::metadata_bytes},
    {"draft_limits::owner_bytes", draft_limits::owner_bytes},
    {"draft_limits::tag_characters", draft_limits::tag_characters},
    {"draft_limits::tags", draft_limits::tags},
    {"recall_limits::most", recall_limits::most},
    {"recall_limits::text_bytes", recall_limits::text_bytes},
    {"recall_limits::about_bytes", recall_limits::about_bytes},
    {"recall_limits::least_days", recall_limits::least_days},
    {"recall_limits::days", recall_limits::days},
    {"evaluation_limits::cases", evaluation_limits::cases},
    {"evaluation_limits::text_bytes", evaluation_limits::text_bytes},
    {"fact_reading_limits::facts", fact_reading_limits::facts},
    {"fact_reading_limits::text_bytes", fact_reading_limits::text_bytes},
    {"feature_limits::features", feature_limits::features},
    {"feature_limits::text_bytes", feature_limits::text_bytes},
    {"filter_limits::context_paths", filter_limits::context_paths},
    {"filter_limits::filters", filter_limits::filters},
    {"filter_limits::query_bytes", filter_limits::query_bytes},
    {"filter_limits::query_terms", filter_limits::query_terms},
    {"filter_limits::text_bytes", filter_limits::text_bytes},
    {"filter_limits::values", filter_limits::values},
    {"goal_limits::actions", goal_limits::actions},
    {"goal_limits::context_bytes", goal_limits::context_bytes},
    {"goal_limits::description_bytes", goal_limits::description_bytes},
    {"goal_limits::evidence_bytes", goal_limits::evidence_bytes},
    {"goal_limits::id_bytes", goal_limits::id_bytes},
    {"goal_limits::observations", goal_limits::observations},
    {"goal_limits::title_bytes", goal_limits::title_bytes},
    {"history_limits::at_once", history_limits::at_once},
    {"history_limits::read_ms", history_limits::read_ms},
    {"history_limits::waiting", history_limits::waiting},
    {"json_limits::max_bytes", json_limits{}.max_bytes},
    {"json_limits::max_depth", json_limits{}.max_depth},
    {"json_limits::max_members", json_limits{}.max_members},
    {"json_limits::members_of_results", json_limits::members_of_results},
    {"json_limits::max_values", static_cast<double>(json_limits{}.max_values)},
    {"listing_limits::max_pause", milliseconds(mcp_client::listing_limits::max_pause)},
    {"listing_limits::min_pause", milliseconds(mcp_client::listing_limits::min_pause)},
    {"log_limits::waiting_bytes", log_limits::waiting_bytes},
    {"episode_limits::answer_bytes", episode_limits::answer_bytes},
    {"episode_limits::bytes", episode_limits::bytes},
    {"episode_limits::listed_bytes", episode_limits::listed_bytes},
    {"fact_limits::statement_bytes", fact_limits::statement_bytes},
    {"fact_limits::text_bytes", fact_limits::text_bytes},
    {"fact_limits::values", fact_limits::values},
    {"fact_request_limits::id_bytes", fact_request_limits::id_bytes},
    {"fact_request_limits::tags", fact_request_limits::tags},
    {"search_limits::archived", search_limits::archived},
    {"search_limits::candidates", search_limits::candidates},
    {"search_limits::episodes", search_limits::episodes},
    {"search_limits::in_flight", search_limits::in_flight},
    {"search_limits::of_one", search_limits::of_one},
    {"search_limits::read_bytes", search_limits::read_bytes},
    {"search_limits::shown_bytes", search_limits::shown_bytes},
    {"search_limits::words", search_limits::words},
    {"several_meant_limits::candidates", several_meant_limits::candidates},
    {"several_meant_limits::input_bytes", several_meant_limits::input_bytes},
    {"several_meant_limits::input_words", several_meant_limits::input_words},
    {"several_meant_limits::named_bytes", several_meant_limits::named_bytes},
    {"stored_archive::max_bytes", stored_archive::max_bytes},
    {"stored_archive::max_looked_at", stored_archive::max_looked_at},
    {"stored_archive::max_ms", stored_archive::max_ms},
    {"list_goals::most", list_goals::most},
    {"list_turns::most", list_turns::most},
    {"max_query_limit", max_query_limit},
    {"model_limits::answer_bytes", models::model_limits::answer_bytes},
    {"model_limits::error_bytes", models::model_limits::error_bytes},
    {"model_limits::list_entries", models::model_limits::list_entries},
    {"model_limits::prompt_bytes", models::model_limits::prompt_bytes},
    {"model_limits::questions", models::model_limits::questions},
    {"model_limits::quote_bytes", models::model_limits::quote_bytes},
    {"model_limits::text_bytes", models::model_limits::text_bytes},
    {"model_limits::texts", models::model_limits::texts},
    {"model_limits::turns", models::model_limits::turns},
    {"reply_store_limits::file_bytes", models::reply_store_limits::file_bytes},
    {"reply_store_limits::replies", models::reply_store_limits::replies},
    {"outside_work_limits::calls", outside_work_limits::calls},
    {"outside_work_limits::error_bytes", outside_work_limits::error_bytes},
    {"outside_work_limits::name_bytes", outside_work_limits::name_bytes},
    {"outside_work_limits::object_bytes", outside_work_limits::object_bytes},
    {"outside_work_limits::response_bytes", outside_work_limits::response_bytes},
    {"plan_limits::calls", plan_limits::calls},
    {"plan_limits::dependencies", plan_limits::dependencies},
    {"plan_limits::id_bytes", plan_limits::id_bytes},
    {"plan_limits::inputs_bytes", plan_limits::inputs_bytes},
    {"plan_limits::plan_bytes", plan_limits::plan_bytes},
    {"query_limits::deadline_ms", query_limits::deadline_ms},
    {"query_limits::waiting", query_limits::waiting},
    {"query_limits::waiting_ms", query_limits::waiting_ms},
    {"query_limits::waiting_to_read", query_limits::waiting_to_read},
    {"recurring_events_limits::events", recurring_events_limits::events},
    {"recurring_events_limits::own_words", recurring_events_limits::own_words},
    {"recurring_events_limits::turns", recurring_events_limits::turns},
    {"recurring_events_limits::words", recurring_events_limits::words},
    {"reflector_limits::reports", reflector_limits::reports},
    {"transcript_limits::line_bytes", transcript_limits::line_bytes},
    {"transcript_limits::notices", transcript_limits::notices},
    {"thread_list_limits::threads", server::thread_list_limits::threads},
    {"told_facts_limits::facts", told_facts_limits::facts},
    {"reading_limits::id_bytes", reading_limits::id_bytes},
    {"reading_limits::input_bytes", reading_limits::input_bytes},
    {"reading_limits::live_bytes", reading_limits::live_bytes},
    {"reading_limits::observation_bytes", reading_limits::observation_bytes},
    {"reading_limits::quoted_bytes", reading_limits::quoted_bytes},
    {"reading_limits::reasons", reading_limits::reasons},
    {"reading_limits::source_bytes", reading_limits::source_bytes},
    {"report_limits::conversation_bytes", report_limits{}.conversation_bytes},
    {"report_limits::conversations", report_limits{}.conversations},
    {"report_limits::detail_bytes", report_limits{}.detail_bytes},
    {"report_limits::entries", report_limits{}.entries},
    {"report_limits::said_bytes", report_limits{}.said_bytes},
    {"report_limits::text_bytes", report_limits{}.text_bytes},
    {"report_tool_call::most_alternatives", report_tool_call::most_alternatives},
    {"report_tool_call::most_observations", report_tool_call::most_observations},
    {"report_limits::total_bytes", report_limits{}.total_bytes},
    {"mcp::max_id_bytes", mcp::max_id_bytes},
    {"rpc_target::id_bytes", server::rpc_target::id_bytes},
    {"sentence_limits::sentences", sentence_limits::sentences},
    {"sentence_limits::text_bytes", sentence_limits::text_bytes},
    {"subscription_limits::listening", mcp::subscription_limits::listening},
    {"subscription_limits::of_all_clients", mcp::subscription_limits::of_all_clients},
    {"subscription_limits::of_client", mcp::subscription_limits::of_client},
    {"subscription_limits::resources", mcp::subscription_limits::resources},
    {"subscription_limits::uri_bytes", mcp::subscription_limits::uri_bytes},
    {"task_limits::all_result_bytes", mcp::task_limits::all_result_bytes},
    {"task_limits::client_result_bytes", mcp::task_limits::client_result_bytes},
    {"task_limits::kept", milliseconds(mcp::task_limits::kept)},
    {"task_limits::of_all_clients", mcp::task_limits::of_all_clients},
    {"task_limits::of_client", mcp::task_limits::of_client},
    {"task_limits::poll", milliseconds(mcp::task_limits::poll)},
    {"task_limits::questions", mcp::task_limits::questions},
    {"task_limits::result_bytes", mcp::task_limits::result_bytes},
    {"elicitation_limits::message_bytes", mcp::elicitation_limits::message_bytes},
    {"elicitation_limits::of_turn", mcp::elicitation_limits::of_turn},
    {"elicitation_limits::remembered", mcp::elicitation_limits::remembered},
    {"session_limits::max_manifest_bytes", session{}.max_manifest_bytes},
    {"session_limits::max_message_bytes", session{}.max_message_bytes},
    {"session_limits::max_pages", session{}.max_pages},
    {"session_limits::max_result_bytes", session{}.max_result_bytes},
    {"session_limits::max_strays", session{}.max_strays},
    {"session_limits::max_tools", session{}.max_tools},
    {"stdio_limits::grace", milliseconds(stdio{}.grace)},
    {"stdio_limits::max_line_bytes", stdio{}.max_line_bytes},
    {"stdio_limits::max_queued_bytes", stdio{}.max_queued_bytes},
    {"stdio_limits::max_stderr_bytes", stdio{}.max_stderr_bytes},
    {"title_limits::bytes", title_limits::bytes},
    {"trace_limits::detail_bytes", trace_limits::detail_bytes},
    {"trace_limits::name_bytes", trace_limits::name_bytes},
    {"trace_limits::text_bytes", trace_limits::text_bytes},
    {"trace_query::most", trace_query::most},
    {"turn_id_limits::bytes", turn_id_limits::bytes},
    {"turn_limits::additions_of_others", turn_limits::additions_of_others},
    {"request_key_limits::characters", request_key_limits::characters},
    {"turn_limits::askers", turn_limits::askers},
    {"turn_limits::askers_of_one", turn_limits::askers_of_one},
    {"turn_limits::id_bytes", turn_limits::id_bytes},
    {"turn_limits::wait_ms", turn_limits::wait_ms},
    {"turn_summary::input_bytes", turn_summary::input_bytes},
    {"warning_limits::alerts", warning_limits::alerts},
    {"warning_limits::content_bytes", warning_limits::content_bytes},
    {"wish_limits::response_bytes", wish_limits::response_bytes},
    {"wish_limits::threads", wish_limits::threads},
    {"wish_limits::wishes", wish_limits::wishes},
  };
  return all;
}

/// Numbers of the configuration that are no limits.
const std::set<std::string> no_limits{"conversation.keep_share", "http.port", "models.sure_from",
  "semantic.contradiction_rate", "semantic.failure_rate", "semantic.initial_confidence",
  "semantic.success_rate", "text.b", "text.k1", "tools.seed"};

/// The sections with limits of what comes in or is kept. Numbers by which daemons decide are no
/// limits.
constexpr std::array sections{"page", "durability", "journal", "text", "daemons", "clarifier",
  "executor", "frontal_cortex", "turns", "tools", "episodic", "semantic", "semantic_memory",
  "working_memory", "conversation", "scratchbook", "host", "housekeeping", "trace", "telemetry",
  "http", "memory", "models"};

void find_numbers(const json::object& in, const std::string& path, table& out) {
  for (const auto& [key, value] : in) {
    auto here = path + "." + std::string{key};
    if (value.is_object())
      find_numbers(value.get_object(), here, out);
    else if (value.is_number() && !no_limits.contains(here))
      out[here] = value.to_number<double>();
  }
}

table configured_limits() {
  table result;
  auto all = to_json(default_config());
  for (const auto* section : sections)
    find_numbers(all.at(section).as_object(), section, result);
  return result;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in{path};
  BOOST_REQUIRE_MESSAGE(in, path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// The rows of docs/limits.md, which have the form "| `name` | value | … | … |".
table documented_limits() {
  static const std::regex row{R"(\| `([\w.:]+)` \| ([0-9.]+) \| [^|]+ \| [^|]+ \|)"};
  auto text = text_of_file(source_file("docs/limits.md"));
  table result;
  for (std::sregex_iterator i{text.begin(), text.end(), row}, end; i != end; ++i)
    BOOST_TEST(result.emplace((*i)[1], std::stod((*i)[2])).second, (*i)[1] << " has two rows");
  std::regex any{"\\n\\| `"};
  auto rows = std::distance(std::sregex_iterator{text.begin(), text.end(), any}, {});
  BOOST_TEST(result.size() == static_cast<size_t>(rows), "a row has another form");
  return result;
}

/// All members with a value of structs whose name ends in `_limits`, as "struct::member".
std::set<std::string> declared_limits() {
  static const std::regex start{R"(struct (\w+_limits) \{)"};
  static const std::regex member{R"(^  (?:static constexpr )?[\w:]+ (\w+) = )"};
  std::set<std::string> result;
  for (const auto* room : {"messages", "persistence", "actors", "runtime"})
    for (const auto& file : std::filesystem::recursive_directory_iterator{source_file(room)}) {
      if (file.path().extension() != ".hpp")
        continue;
      std::ifstream in{file.path()};
      std::string inside;
      std::smatch found;
      for (std::string line; std::getline(in, line);) {
        if (std::regex_search(line, found, start))
          inside = found[1];
        else if (line.starts_with("}"))
          inside.clear();
        else if (!inside.empty() && std::regex_search(line, found, member))
          result.insert(inside + "::" + std::string{found[1]});
      }
    }
  return result;
}

/// Whether the configuration has a key for the limit, and so docs/limits.md a row for the key.
bool is_configured(const std::string& name) {
  return name.starts_with("scratchbook_limits::");
}

} // namespace

BOOST_AUTO_TEST_CASE(every_limit_of_the_configuration_has_a_row_with_its_value) {
  auto documented = documented_limits();
  auto configured = configured_limits();
  BOOST_REQUIRE(!configured.empty());
  for (const auto& [name, value] : configured) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_REQUIRE_MESSAGE(documented.contains(name), name + " has no row in docs/limits.md");
      BOOST_TEST(documented.at(name) == value);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_fixed_limit_has_a_row_with_its_value) {
  auto documented = documented_limits();
  for (const auto& [name, value] : fixed_limits()) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_REQUIRE_MESSAGE(documented.contains(name), name + " has no row in docs/limits.md");
      BOOST_TEST(documented.at(name) == value);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_row_is_of_a_limit_that_there_is) {
  auto known = configured_limits();
  known.insert(fixed_limits().begin(), fixed_limits().end());
  auto documented = documented_limits();
  BOOST_REQUIRE(!documented.empty());
  for (const auto& [name, value] : documented)
    BOOST_TEST(known.contains(name), name << " is no limit of the code");
}

BOOST_AUTO_TEST_CASE(a_limit_that_somebody_adds_to_the_code_cannot_be_forgotten) {
  auto declared = declared_limits();
  BOOST_TEST(declared.contains("filter_limits::values"));
  BOOST_TEST(declared.contains("json_limits::max_depth"));
  for (const auto& name : declared)
    BOOST_TEST((is_configured(name) || fixed_limits().contains(name)),
      name << " is missing in this test and in docs/limits.md");
}

} // namespace scratchpage::test
