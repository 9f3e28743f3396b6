#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/time.hpp"

/// What people and agents ask of memories from outside (contract 14).

namespace scratchpage {

/// Adds a fact that the caller states. If it is known, it is confirmed. The answer is the fact.
struct add_fact {
  caller by;
  std::string statement;
  std::string user_id; ///< the user whose words these are; "": the caller's own
  std::vector<std::string> tags;
  std::optional<double> confidence;    ///< in [0, 1]
  std::optional<timestamp> valid_from; ///< absent: now

  static constexpr auto fields(auto all) {
    using self = add_fact;
    return all(required("by", &self::by), required("statement", &self::statement),
      optional("user_id", &self::user_id), one_or_many("tags", &self::tags),
      optional("confidence", &self::confidence), optional("valid_from", &self::valid_from));
  }
};

/// Corrects a fact, or says that it no longer holds. Absent members stay as they are. The answer is
/// the fact.
struct update_fact {
  caller by;
  std::string fact_id;
  std::optional<std::string> statement;
  std::optional<double> confidence; ///< in [0, 1]
  std::optional<std::vector<std::string>> tags;
  std::optional<timestamp> valid_until; ///< since when it does not hold
  bool ended = false;                   ///< it does not hold from now on

  static constexpr auto fields(auto all) {
    using self = update_fact;
    return all(required("by", &self::by), required("fact_id", &self::fact_id),
      optional("statement", &self::statement), optional("confidence", &self::confidence),
      optional("tags", &self::tags), optional("valid_until", &self::valid_until),
      optional("ended", &self::ended));
  }
};

// -- searching ------------------------------------------------------------------------

/// Where something is remembered.
enum class memory_part : uint8_t { page, archive, episodes, facts };

template <>
inline constexpr std::array<std::string_view, 4> enum_names<memory_part>{
  "page", "archive", "episodes", "facts"};

/// Searches several memories, with one ranking for all of them.
struct search_memory {
  caller by;
  std::string query;
  std::vector<memory_part> in; ///< empty: everywhere
  uint32_t limit = 10;

  static constexpr auto fields(auto all) {
    using self = search_memory;
    return all(required("by", &self::by), required("query", &self::query),
      one_or_many("in", &self::in), optional("limit", &self::limit));
  }
};

/// Something that was found. One of the three ids at least is set.
struct memory_hit {
  memory_part in = memory_part::page;
  std::string text;
  double score = 0;   ///< in (0, 1], comparable within an answer
  std::string source; ///< who said it, in the form of `said_by`
  timestamp at;       ///< when it was said
  std::string observation_id;
  std::string fact_id;
  std::string turn_id;

  static constexpr auto fields(auto all) {
    using self = memory_hit;
    return all(required("in", &self::in), required("text", &self::text),
      required("score", &self::score), optional("source", &self::source), optional("at", &self::at),
      optional("observation_id", &self::observation_id), optional("fact_id", &self::fact_id),
      optional("turn_id", &self::turn_id));
  }
};

struct memory_hits {
  std::vector<memory_hit> hits; ///< the closest first
  uint64_t total_count = 0;     ///< of all that was found, whatever the limit
  bool partial = false;         ///< some of what is remembered was not searched

  static constexpr auto fields(auto all) {
    using self = memory_hits;
    return all(required("hits", &self::hits), optional("total_count", &self::total_count),
      optional("partial", &self::partial));
  }
};

// -- forgetting -----------------------------------------------------------------------

/// Removes what one of these ids names, for the owner of the agent. Exactly one of them is set.
struct forget {
  caller by;
  std::optional<std::string> observation_id;
  std::optional<std::string> fact_id;
  std::optional<std::string> turn_id; ///< with all observations of the turn

  static constexpr auto fields(auto all) {
    using self = forget;
    return all(required("by", &self::by), optional("observation_id", &self::observation_id),
      optional("fact_id", &self::fact_id), optional("turn_id", &self::turn_id));
  }
};

/// What was removed.
struct forgotten {
  std::vector<std::string> observation_ids;
  std::vector<std::string> fact_ids;
  std::vector<std::string> turn_ids;

  static constexpr auto fields(auto all) {
    using self = forgotten;
    return all(optional("observation_ids", &self::observation_ids),
      optional("fact_ids", &self::fact_ids), optional("turn_ids", &self::turn_ids));
  }
};

/// Has the HOUSEKEEPING remove these observations, which have left the page, from everything that
/// is stored and from all copies in memory.
struct forget_observations {
  caller by;
  std::vector<std::string> observation_ids;

  static constexpr auto fields(auto all) {
    using self = forget_observations;
    return all(required("by", &self::by), required("observation_ids", &self::observation_ids));
  }
};

} // namespace scratchpage
