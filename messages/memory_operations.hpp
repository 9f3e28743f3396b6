#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
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

} // namespace scratchpage
