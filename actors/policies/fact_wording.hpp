#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scratchpage {

/// The languages in which statements are retold.
enum class spoken_language : uint8_t { english, german, spanish, french, chinese, japanese };

/// The language of a text, by its script and its small words; English if nothing tells.
spoken_language language_of(std::string_view text);

/// How a clause of a user was retold.
struct retold {
  std::string statement;   ///< "User lives in Porto"; "" if the clause tells nothing of its own
  bool by_pattern = false; ///< a pattern has understood it, so that it is surely lasting
  std::string attribute;   ///< of a pattern: "lives", "seat"; else ""
};

/// Retells a user's clause in the third person. `said_before` is the clause before it in the
/// sentence, or "": it gives the verb of "now only tea" and the person of "he".
retold retell(std::string_view clause, std::string_view said_before, spoken_language in);

} // namespace scratchpage
