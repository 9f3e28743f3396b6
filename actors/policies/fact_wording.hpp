#pragma once

#include <string>
#include <string_view>

#include "scratchpage/actors/policies/spoken_language.hpp"

namespace scratchpage {

/// How a clause of a user was retold.
struct retold {
  std::string statement; ///< "User lives in Porto"; "" if the clause tells nothing of its own
  /// How probable it has to be for the classifier that the clause holds beyond its turn: 0 if a
  /// pattern has understood it, `never` for what tells of the moment.
  double needed = 0.5;
  std::string attribute;  ///< of a pattern: "lives", "seat"; else ""
  bool is_demand = false; ///< it tells how the user wants to be served

  static constexpr double never = 2;
};

/// Retells a user's clause in the third person. `said_before` is the clause before it in the
/// sentence, or "": it gives the verb of "now only tea" and the person of "he".
retold retell(std::string_view clause, std::string_view said_before, spoken_language in);

} // namespace scratchpage
