#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// Who said a text, as far as reading facts is concerned: a user speaks of themselves as "I";
/// daemons and tools speak of others.
enum class fact_speaker : uint8_t { user, other };

/// Something that was said and that holds beyond its turn.
struct stated_fact {
  std::string statement; ///< in the third person and the language of the text
  std::string subject;   ///< "user" or the first word of the statement
  /// What the statement is about, for two of the same subject that cannot both hold: "lives",
  /// "seat", or its words without negations and numbers. The later one ends the earlier one.
  std::string attribute;
  double confidence = 0; ///< that it holds beyond its turn, in [0, 1]
  bool is_named = false; ///< the attribute is a name as "lives", of which there is one value
  bool is_habit = false; ///< it tells a deed of once, and holds only if that comes again and again
};

struct fact_reading_limits {
  static constexpr size_t facts = 4; ///< of one text
  static constexpr size_t text_bytes = 1'024;
};

/// The lasting statements in a text: about people, things and ways of working. Never secrets,
/// one-off operational text, jest, quotations, questions, and what is only supposed. The classifier
/// `statement` decides about each clause, after rules have left out what certainly is no fact.
std::vector<stated_fact> read_facts(std::string_view text, fact_speaker who);

/// The key under which statements about the same thing are one fact or contradict each other.
std::string fact_key_of(const stated_fact& x);

} // namespace scratchpage
