#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// What a statement in the third person says of whom, as far as words tell: "User's son takes the
/// bus to school" has the subject "son", the relation "travels" and the object "bus school".
struct statement_frame {
  std::string subject;             ///< stems of what stands before the verb; "" is the user
  std::string relation;            ///< a verb, or what verbs of its kind have in common
  bool is_denied = false;          ///< "does not", "no longer", or "dislikes" for "likes"
  std::vector<std::string> object; ///< stems in order, without small words and times
  std::set<std::string> times;     ///< numbers and words of time in the object
  std::set<std::string> kinds;     ///< of known values: "drink" of "tea"
  bool is_proper = false;          ///< the object is a name: "Dr Vogel"
  std::string named;               ///< what the statement gives the value of: "lives", "diet"
};

/// What a word is one value of, "seat" for "aisle"; "" if it is of no known kind.
std::string_view kind_of_word(std::string_view word);

statement_frame frame_of(std::string_view statement);

/// Whether two statements cannot both hold, whatever was said around them.
bool contradicts(const statement_frame& later, const statement_frame& earlier);

/// How well the later statement takes the place of the earlier one if its speaker tells of a
/// change: at least 1 if it does. `is_strong`: they say that something else is at its place
/// ("instead", "no longer").
double replacement(const statement_frame& later, const statement_frame& earlier, bool is_strong);

/// Whether the statement only tells that something does not hold any more.
bool is_ending(std::string_view statement);

} // namespace scratchpage
