#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Which observations are meant (contract 3). Members are ANDed, values within
/// `type`, `status`, `source` and `owner` are ORed, `tags` must all be there.
/// An empty member filters nothing, but an empty `status` means: live only.
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

  /// Whether nothing is asked for; then a text query selects instead of ranks.
  bool empty() const {
    return type.empty() && status.empty() && source.empty() && owner.empty() && tags.empty()
           && !min_confidence && context.empty() && !turn_id && !created_after && !created_before;
  }
};

/// Two or more live observations of one subject that say different things.
struct contradiction {
  std::string subject; ///< what they are about, readable
  std::vector<std::string> observation_ids;

  static constexpr auto fields(auto all) {
    return all(required("subject", &contradiction::subject),
      required("observation_ids", &contradiction::observation_ids));
  }
};

/// Answer to a query: newest first, or by relevance when there was a text.
struct query_result {
  std::vector<observation_ptr> observations;
  uint64_t total_count = 0; ///< all matches, whatever the limit
  double query_time_ms = 0;
  std::string next_cursor; ///< "" when this was the last page
  bool partial = false;    ///< the deadline passed before everything was looked at
  std::vector<contradiction> conflicts;

  static constexpr auto fields(auto all) {
    using self = query_result;
    return all(required("observations", &self::observations),
      required("total_count", &self::total_count), optional("query_time_ms", &self::query_time_ms),
      optional("next_cursor", &self::next_cursor), optional("partial", &self::partial),
      optional("conflicts", &self::conflicts));
  }
};

} // namespace scratchpage
