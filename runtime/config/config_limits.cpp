#include "scratchpage/runtime/config/config.hpp"

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

namespace {

// Times are in milliseconds, unless their names say otherwise.
constexpr double a_minute = 60'000;
constexpr double a_week = 7 * 24 * 60 * a_minute;
constexpr double a_century_in_days = 100.0 * 365;

// No machine has room for more.
constexpr double some = 100'000;
constexpr double many = 100'000'000;
constexpr double a_megabyte = 1 << 20;
constexpr double a_lot_of_memory = 1e12; // bytes

caf::error check(const page_config& x) {
  return config_check{"page"}
    .range("max_observations", static_cast<double>(x.max_observations), 1, many)
    .range("max_bytes", static_cast<double>(x.max_bytes), a_megabyte, a_lot_of_memory)
    .range("default_ttl_minutes", x.default_ttl_minutes, 0, draft_limits::max_ttl_minutes)
    .range("log_capacity", static_cast<double>(x.log_capacity), 1, many)
    .range("max_protected_per_source", static_cast<double>(x.max_protected_per_source), 1, many)
    .range("max_bytes_per_source", static_cast<double>(x.max_bytes_per_source), a_megabyte,
      a_lot_of_memory)
    .range("log_bytes", static_cast<double>(x.log_bytes), a_megabyte, a_lot_of_memory)
    .range("batch_size", static_cast<double>(x.batch_size), 1, some)
    .range("batch_bytes", static_cast<double>(x.batch_bytes), a_megabyte, a_lot_of_memory)
    .range("acknowledge_ms", x.acknowledge_ms, 1, a_week)
    .range("delivery_attempts", x.delivery_attempts, 1, some)
    .range("max_subscribers", static_cast<double>(x.max_subscribers), 1, many)
    .range("max_subscribers_per_source", static_cast<double>(x.max_subscribers_per_source), 1, many)
    .range("filter_bytes", static_cast<double>(x.filter_bytes), a_megabyte, a_lot_of_memory)
    .range("max_positions", static_cast<double>(x.max_positions), 0, many)
    .range("max_open_turns", static_cast<double>(x.max_open_turns), 1, many)
    .range("turn_bytes", static_cast<double>(x.turn_bytes), a_megabyte, a_lot_of_memory)
    .range("max_candidates", static_cast<double>(x.max_candidates), 1, many)
    .range("max_reviewed", static_cast<double>(x.max_reviewed), 1, many)
    .range("query_deadline_ms", x.query_deadline_ms, 0, a_week)
    .range("ranked_cursors", static_cast<double>(x.ranked_cursors), 0, some)
    .range("expiry_chunk", static_cast<double>(x.expiry_chunk), 1, many)
    .range("archive_capacity", static_cast<double>(x.archive_capacity), 0, many)
    .range("archive_bytes", static_cast<double>(x.archive_bytes), 0, a_lot_of_memory)
    .range("answer_bytes", static_cast<double>(x.answer_bytes), a_megabyte, a_lot_of_memory)
    .range("archive_after_days", x.archive_after_days, 0, a_century_in_days)
    .error();
}

caf::error check(const durability_config& x) {
  return config_check{"durability"}
    .range("save_ms", x.save_ms, 1, a_week)
    .range("async_ms", x.async_ms, 0, a_minute)
    .error();
}

caf::error check(const journal_config& x) {
  return config_check{"journal"}
    .range("fold_after", static_cast<double>(x.fold_after), 1, many)
    .range("fold_idle_ms", x.fold_idle_ms, 0, a_week)
    .range("fold_by_force", static_cast<double>(x.fold_by_force), 1, many)
    .range("fold_at_once", static_cast<double>(x.fold_at_once), 1, many)
    .range("retry_ms", x.retry_ms, 1, a_week)
    .range("longest_retry_ms", x.longest_retry_ms, 1, a_week)
    .range("claims_ms", x.claims_ms, 100, a_week)
    .error();
}

caf::error check(const text_config& x) {
  constexpr double hardly_any = 1e-6, a_lot = 1'000;
  return config_check{"text"}
    .range("k1", x.k1, hardly_any, a_lot)
    .range("b", x.b, 0, 1)
    .range("cached_words", static_cast<double>(x.cached_words), 0, many)
    .error();
}

caf::error check(const daemon_config& x) {
  return config_check{"daemons"}
    .range("request_ms", x.request_ms, 1, a_week)
    .range("max_kept_drafts", static_cast<double>(x.max_kept_drafts), 0, many)
    .error();
}

caf::error check(const executor_config& x) {
  return config_check{"executor"}
    .range("result_bytes", static_cast<double>(x.result_bytes), 1, draft_limits::content_bytes)
    .range("result_ttl_minutes", x.result_ttl_minutes, 0, draft_limits::max_ttl_minutes)
    .range("error_ttl_minutes", x.error_ttl_minutes, 0, draft_limits::max_ttl_minutes)
    .range("max_executions", static_cast<double>(x.max_executions), 1, many)
    .range("max_backoff_ms", x.max_backoff_ms, 0, a_week)
    .error();
}

caf::error check(const clarifier_config& x) {
  return config_check{"clarifier"}
    .range("give_up_after_turns", x.give_up_after_turns, 1, 1'000)
    .error();
}

caf::error check(const frontal_cortex_config& x) {
  return config_check{"frontal_cortex"}
    .range("max_goals", static_cast<double>(x.max_goals), 1, many)
    .range("max_goals_per_source", static_cast<double>(x.max_goals_per_source), 1, many)
    .range("max_bytes", static_cast<double>(x.max_bytes), a_megabyte, a_lot_of_memory)
    .range("max_bytes_per_source", static_cast<double>(x.max_bytes_per_source), a_megabyte,
      a_lot_of_memory)
    .range("max_waiting", static_cast<double>(x.max_waiting), 1, many)
    .range("max_watchers", static_cast<double>(x.max_watchers), 0, many)
    .range("stale_days", x.stale_days, 0.001, 36'500)
    .range("request_ms", x.request_ms, 1, a_week)
    .error();
}

caf::error check(const memory_config& x) {
  constexpr double least = 64 * a_megabyte; // the program does not work with less
  return config_check{"memory"}
    .range(
      "max_bytes", static_cast<double>(x.max_bytes), x.max_bytes == 0 ? 0 : least, a_lot_of_memory)
    .error();
}

caf::error check(const host_config& x) {
  return config_check{"host"}
    .range("max_agents", static_cast<double>(x.max_agents), 0, many)
    .range("rest_minutes", x.rest_minutes, 0, 100'000)
    .error();
}

caf::error check(const turns_config& x) {
  return config_check{"turns"}
    .range("deadline_ms", x.deadline_ms, 1, begin_turn::longest_ms)
    .range("held_deadline_ms", x.held_deadline_ms, 1, begin_turn::longest_ms)
    .range("max_queued", static_cast<double>(x.max_queued), 0, many)
    .range("kept_results", static_cast<double>(x.kept_results), 0, many)
    .range("kept_bytes", static_cast<double>(x.kept_bytes), a_megabyte, a_lot_of_memory)
    .range("request_ms", x.request_ms, 1, a_week)
    .range("max_open_per_asker", static_cast<double>(x.max_open_per_asker), 1, many)
    .error();
}

caf::error check(const toolbox_config& x) {
  return config_check{"tools"}
    .range("max_in_flight", static_cast<double>(x.max_in_flight), 1, many)
    .range("list_ms", x.list_ms, 1, a_week)
    .error();
}

caf::error check(const episodic_config& x) {
  return config_check{"episodic"}
    .range("max_episodes", static_cast<double>(x.max_episodes), 1, many)
    .range("max_observations", static_cast<double>(x.max_observations), 1, many)
    .range("max_bytes", static_cast<double>(x.max_bytes), a_megabyte, a_lot_of_memory)
    .range("max_memory_bytes", static_cast<double>(x.max_memory_bytes), a_megabyte, a_lot_of_memory)
    .error();
}

caf::error check(const semantic_config& x) {
  return config_check{"semantic"}
    .range("max_facts", static_cast<double>(x.max_facts), 1, many)
    .range("max_bytes", static_cast<double>(x.max_bytes), a_megabyte, a_lot_of_memory)
    .range("initial_confidence", x.initial_confidence, 0, 1)
    .range("success_rate", x.success_rate, 0, 1)
    .range("failure_rate", x.failure_rate, 0, 1)
    .range("contradiction_rate", x.contradiction_rate, 0, 1)
    .range("max_observation_ids", static_cast<double>(x.max_observation_ids), 0, some)
    .range("max_tags", static_cast<double>(x.max_tags), 0, some)
    .error();
}

caf::error check(const semantic_memory_config& x) {
  return config_check{"semantic_memory"}
    .range("subscribe_attempts", x.subscribe_attempts, 1, some)
    .range("max_waiting", static_cast<double>(x.max_waiting), 0, many)
    .error();
}

caf::error check(const working_memory_config& x) {
  constexpr double max_listed = 1'000;
  return config_check{"working_memory"}
    .range("max_observations", x.max_observations, 1, max_listed)
    .range("max_facts", x.max_facts, 1, max_listed)
    .range("max_episodes", x.max_episodes, 1, max_listed)
    .range("max_in_flight", x.max_in_flight, 1, some)
    .range("max_in_flight_per_source", x.max_in_flight_per_source, 1, some)
    .error();
}

} // namespace

caf::error validate_limits(const config& x) {
  return config_check{""}
    .also(check(x.page))
    .also(check(x.durability))
    .also(check(x.journal))
    .also(check(x.text))
    .also(check(x.daemons))
    .also(check(x.executor))
    .also(check(x.clarifier))
    .also(check(x.frontal_cortex))
    .also(check(x.turns))
    .also(check(x.memory))
    .also(check(x.host))
    .also(check(x.tools))
    .also(check(x.episodic))
    .also(check(x.semantic))
    .also(check(x.semantic_memory))
    .also(check(x.working_memory))
    .error();
}

} // namespace scratchpage
