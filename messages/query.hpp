#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Selects observations (contract 3). Members are ANDed, values within `type`, `status`, `source`
/// and `owner` are ORed, and all `tags` must be there. An empty member filters nothing, except that
/// an empty `status` selects live observations only.
struct observation_filter {
  std::vector<std::string> type;
  std::vector<scratchpage::status> status;
  std::vector<std::string> source; ///< names of tools, daemons or users
  std::vector<std::string> owner;
  std::vector<std::string> tags;
  std::optional<double> min_confidence;
  std::map<std::string, json::value> context; ///< dotted path to scalar
  std::optional<std::string> turn_id;
  std::optional<timestamp> created_after;  ///< exclusive
  std::optional<timestamp> created_before; ///< exclusive

  static constexpr auto fields(auto all) {
    using self = observation_filter;
    return all(one_or_many("type", &self::type), one_or_many("status", &self::status),
      one_or_many("source", &self::source), one_or_many("owner", &self::owner),
      one_or_many("tags", &self::tags), optional("min_confidence", &self::min_confidence),
      optional("context", &self::context), optional("turn_id", &self::turn_id),
      optional("created_after", &self::created_after),
      optional("created_before", &self::created_before));
  }

  /// Whether there is no condition. A query with a text then selects instead of ranking.
  bool empty() const {
    return type.empty() && status.empty() && source.empty() && owner.empty() && tags.empty()
           && !min_confidence && context.empty() && !turn_id && !created_after && !created_before;
  }
};

/// Two or more live observations of one subject that say different things.
struct contradiction {
  std::string subject; ///< what they are about, for people
  std::vector<std::string> observation_ids;

  static constexpr auto fields(auto all) {
    return all(required("subject", &contradiction::subject),
      required("observation_ids", &contradiction::observation_ids));
  }
};

/// The answer to a query: the newest first, or by relevance if the query has a text.
struct query_result {
  std::vector<observation_ptr> observations;
  uint64_t total_count = 0; ///< all matches, whatever the limit
  double query_time_ms = 0;
  std::string next_cursor; ///< "" when this was the last page
  bool partial = false;    ///< the deadline passed before everything was examined
  std::vector<contradiction> conflicts;

  static constexpr auto fields(auto all) {
    using self = query_result;
    return all(required("observations", &self::observations),
      required("total_count", &self::total_count), optional("query_time_ms", &self::query_time_ms),
      optional("next_cursor", &self::next_cursor), optional("partial", &self::partial),
      optional("conflicts", &self::conflicts));
  }
};

/// Whether `x` matches `filter` (contract 3). An empty `status` means any status here: a caller
/// that wants live observations only names their statuses. The function reads no clock, so the
/// caller checks expiry. It allocates nothing.
bool matches(const observation_filter& filter, const observation& x);

/// Whether a subscriber with these filters gets the event (contract 5), because one of them
/// matches. If the event ends the observation's time on the page, the status is not compared.
bool is_wanted(const page_event& x, std::span<const observation_filter> filters);

/// Whether every one of `wanted` is among `tags`.
bool has_all_tags(const std::vector<std::string>& tags, const std::vector<std::string>& wanted);

/// Whether some scalar of `in` has the dotted `path` and equals `wanted`. A dot may separate
/// members or be part of a member's name; both are tried.
bool has_scalar(const json::object& in, std::string_view path, const json::value& wanted);

/// Equality of scalars: 1 equals 1.0 and nothing but numbers equals a number.
/// Lists and objects equal nothing, not even themselves.
bool equal_scalars(const json::value& a, const json::value& b);

} // namespace scratchpage
