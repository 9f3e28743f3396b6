#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

/// When a page answers a change (docs/durability.md).
enum class durability : uint8_t {
  none,  ///< at once; nothing is stored
  async, ///< at once; the change is stored later, so a crash may lose the last changes
  sync,  ///< when the change is stored; before that it is neither delivered nor found
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<durability>{"none", "async", "sync"};

struct durability_config {
  scratchpage::durability durability = durability::sync;
  /// With `async`: changes that may be visible before they are stored. Further changes wait for the
  /// storage, as with `sync`.
  uint64_t async_changes = 10'000;
  /// Changes in one request to the journal. The changes of one operation are not divided.
  uint64_t max_batch = 4'096;
  /// Changes on their way to storage. Further changes are refused as `overloaded`.
  uint64_t max_unsaved = 100'000;
  double save_ms = 30'000; ///< how long the journal may take
  /// With `async`: for how long visible changes gather after others were stored, so that one commit
  /// stores many. Changes that a caller waits for are stored at once.
  double async_ms = 5;

  static constexpr auto fields(auto all) {
    using self = durability_config;
    return all(optional("durability", &self::durability),
      optional("async_changes", &self::async_changes), optional("max_batch", &self::max_batch),
      optional("max_unsaved", &self::max_unsaved), optional("save_ms", &self::save_ms),
      optional("async_ms", &self::async_ms));
  }
};

/// How many visible changes a crash may lose.
constexpr uint64_t unkept_changes(const durability_config& x) {
  return x.durability == durability::async ? x.async_changes : 0;
}

/// The settings of a page (contract 13), with their defaults. Bytes are bytes of memory, about.
struct page_config {
  /// The types of observations that are known at the start (contract 1).
  std::vector<std::string> types{"observation", "contextual_insight", "action_suggestion",
    "pattern_detected", "pending_confirmation", "dependency", "reminder", "risk_alert",
    "security_alert", "alert", "error_alert", "recovery_plan", "routing_decision", "execution_plan",
    "evaluation_result", "constraint_check", "learning", "tool_result", "user_input",
    "agent_response", "progress", "compaction"};
  /// The types that tools may add (contract 14). A tool's manifest may restrict them.
  std::vector<std::string> tool_types{"observation", "contextual_insight", "action_suggestion",
    "dependency", "reminder", "alert", "risk_alert", "security_alert", "pending_confirmation",
    "tool_result"};
  uint64_t max_observations = 10'000;     ///< on the page; beyond that observations are evicted
  uint64_t max_bytes = uint64_t{1} << 30; ///< of all observations; beyond that some are evicted
  /// For one source from outside: open questions, alerts and evidence, which are not evicted, and
  /// their bytes. Further questions and alerts are refused; further evidence may be evicted.
  uint64_t max_protected_per_source = 1'000;
  uint64_t max_bytes_per_source = uint64_t{256} << 20;
  double default_ttl_minutes = 10'080;
  uint64_t log_capacity = 16'384; ///< changes kept for subscribers that fall behind
  /// Bytes of the observations in these changes. Beyond that the oldest changes are forgotten.
  uint64_t log_bytes = uint64_t{64} << 20;
  uint64_t batch_size = 1'024;               ///< events in one batch
  uint64_t batch_bytes = uint64_t{16} << 20; ///< of its observations; a single one may have more
  double acknowledge_ms = 30'000;            ///< how long a subscriber may take for a batch
  /// Attempts to deliver a batch. After the last one a subscriber that answered with errors is
  /// dropped, and one that did not answer is set aside: nothing waits for it until it answers.
  uint32_t delivery_attempts = 3;
  uint64_t max_subscribers = 4'096;
  uint64_t max_subscribers_per_source = 1'024; ///< of one principal from outside
  /// Bytes of the filters of all subscribers from outside. One principal may use a quarter of them.
  uint64_t filter_bytes = uint64_t{16} << 20;
  uint64_t max_positions = 1'000; ///< kept positions of subscribers that give a name
  uint64_t max_open_turns = 1'000;
  /// Bytes of the observations that are kept for the results of open turns. Beyond that
  /// observations are left out of the results.
  uint64_t turn_bytes = uint64_t{128} << 20;
  uint64_t max_candidates = 10'000; ///< observations that wait for the Frontal Cortex
  uint64_t max_reviewed = 100;      ///< candidates that one turn offers to it again
  double query_deadline_ms = 50;    ///< of the work for one query
  uint64_t ranked_cursors = 16;     ///< orders of results that are kept for paging
  uint64_t expiry_chunk = 32;       ///< observations that expire before other requests are handled
  uint64_t archive_capacity = 100'000; ///< observations in the archive of a page without a store
  /// Bytes of these observations. Beyond that those that left the page first are forgotten.
  uint64_t archive_bytes = uint64_t{256} << 20;
  /// Bytes of the observations in one answer. Beyond that the answer ends with a `next_cursor`.
  uint64_t answer_bytes = answer_limits::bytes;
  bool auto_archive_resolved = true; ///< at the end of a turn
  /// Days without a change after which an observation is archived, unless it is protected from
  /// eviction. Checked once an hour. 0: never.
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
