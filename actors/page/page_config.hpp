#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/filter_limits.hpp"

namespace scratchpage {

/// A page's limits and habits (contract 13). The values
/// here are the defaults and have no other home.
struct page_config {
  /// The registry to start with (contract 1).
  std::vector<std::string> types{"observation", "contextual_insight", "action_suggestion",
    "pattern_detected", "pending_confirmation", "dependency", "reminder", "risk_alert",
    "security_alert", "alert", "error_alert", "recovery_plan", "routing_decision", "execution_plan",
    "evaluation_result", "constraint_check", "learning", "tool_result", "user_input", "compaction"};
  /// What tools may add of them (contract 14); a tool's manifest may narrow it down.
  std::vector<std::string> tool_types{"observation", "contextual_insight", "action_suggestion",
    "dependency", "reminder", "alert", "risk_alert", "security_alert", "pending_confirmation",
    "tool_result"};
  uint64_t max_observations = 10'000; ///< on the page; beyond, the least worthy is evicted
  /// About what the observations on the page may take; beyond, others are evicted.
  uint64_t max_bytes = uint64_t{1} << 30;
  /// Open questions, alerts and evidence, which are not evicted, of one source from outside; and
  /// the bytes of that source with which no more of them are taken.
  uint64_t max_protected_per_source = 1'000;
  uint64_t max_bytes_per_source = uint64_t{256} << 20;
  double default_ttl_minutes = 10'080;
  uint64_t log_capacity = 16'384; ///< changes kept for subscribers that fell behind
  /// About what the observations of those may take; beyond, the oldest changes are forgotten.
  uint64_t log_bytes = uint64_t{64} << 20;
  uint64_t batch_size = 1'024;               ///< events in one batch at most
  uint64_t batch_bytes = uint64_t{16} << 20; ///< about, of their observations; one may have more
  double acknowledge_ms = 30'000;            ///< how long a subscriber may take over a batch
  /// Of one batch, before its subscriber is dropped, if it answers with errors, or set aside,
  /// if it is silent: then nobody waits for it until it answers.
  uint32_t delivery_attempts = 3;
  uint64_t max_subscribers = 4'096;
  uint64_t max_subscribers_per_source = 1'024; ///< of one principal from outside
  /// About what the filters of all subscribers from outside may take, a quarter of it those of one
  /// principal.
  uint64_t filter_bytes = uint64_t{16} << 20;
  uint64_t max_positions = 1'000; ///< of subscribers that have a name for theirs
  uint64_t max_open_turns = 1'000;
  /// About what is kept of what open turns have added, for their results; beyond, the rest is
  /// left out of these.
  uint64_t turn_bytes = uint64_t{128} << 20;
  uint64_t max_candidates = 10'000; ///< observations waiting for the Frontal Cortex
  uint64_t max_reviewed = 100; ///< of them offered again with one turn that could not be dealt with
  double query_deadline_ms = 50;       ///< of the work for one query
  uint64_t ranked_cursors = 16;        ///< relevance orders kept for paging
  uint64_t expiry_chunk = 256;         ///< observations expired before others get their turn
  uint64_t archive_capacity = 100'000; ///< in memory, of a page that is not kept
  /// About what the observations there may take; beyond, those that left first are forgotten.
  uint64_t archive_bytes = uint64_t{256} << 20;
  /// About what the observations of one answer may take; beyond, it ends there and its
  /// `next_cursor` goes on.
  uint64_t answer_bytes = answer_limits::bytes;
  bool auto_archive_resolved = true; ///< at a turn's end
  /// What has not changed for so long leaves the page, unless it may not be
  /// evicted either; looked for once an hour. 0: never.
  double archive_after_days = 7;

  static constexpr auto fields(auto all) {
    using self = page_config;
    return all(optional("types", &self::types), optional("tool_types", &self::tool_types),
      optional("max_observations", &self::max_observations),
      optional("max_bytes", &self::max_bytes),
      optional("max_protected_per_source", &self::max_protected_per_source),
      optional("max_bytes_per_source", &self::max_bytes_per_source),
      optional("default_ttl_minutes", &self::default_ttl_minutes),
      optional("log_capacity", &self::log_capacity), optional("log_bytes", &self::log_bytes),
      optional("batch_size", &self::batch_size), optional("batch_bytes", &self::batch_bytes),
      optional("acknowledge_ms", &self::acknowledge_ms),
      optional("delivery_attempts", &self::delivery_attempts),
      optional("max_subscribers", &self::max_subscribers),
      optional("max_subscribers_per_source", &self::max_subscribers_per_source),
      optional("filter_bytes", &self::filter_bytes),
      optional("max_positions", &self::max_positions),
      optional("max_open_turns", &self::max_open_turns), optional("turn_bytes", &self::turn_bytes),
      optional("max_candidates", &self::max_candidates),
      optional("max_reviewed", &self::max_reviewed),
      optional("query_deadline_ms", &self::query_deadline_ms),
      optional("ranked_cursors", &self::ranked_cursors),
      optional("expiry_chunk", &self::expiry_chunk),
      optional("archive_capacity", &self::archive_capacity),
      optional("archive_bytes", &self::archive_bytes),
      optional("answer_bytes", &self::answer_bytes),
      optional("auto_archive_resolved", &self::auto_archive_resolved),
      optional("archive_after_days", &self::archive_after_days));
  }
};

} // namespace scratchpage
