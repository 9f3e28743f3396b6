#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scratchpage/actors/policies/fact_wording.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

/// What the wordings of German, Spanish and French have in common (`european_wording.hpp`).

namespace scratchpage::policies::european {

constexpr double rather = 0.2;  ///< how probable what is lasting by its grammar has to be
constexpr double likely = 0.25; ///< the same for possessions
constexpr double open = 0.5;    ///< the classifier decides

/// The third person of a verb that was found in a table, or "" if the table has none.
std::string irregular_form(const policies::pairs& table, const std::string& verb);

/// Whether the clause is about what was before, and is no more.
bool tells_of_before(const policies::texts& lower);
bool tells_of_now(const policies::texts& lower);

policies::texts words_until(const policies::texts& words, size_t end);
void leave_out_first(policies::texts& words, const policies::known_words& list);

/// The position of the first word of the list, or the number of words.
size_t position_of(
  const policies::texts& words, const policies::known_words& list, size_t from = 0);

/// How sure the classifier has to be about a clause of the speaker's own, by its verb.
double need_of(const policies::texts& lower, const std::string& verb);

/// Whether the speaker tells how they feel now, and not how they are: "I am tired".
bool tells_mood(const policies::texts& lower);

/// Whether something named is left: "de Gmail a Proton".
bool leaves_a_name(const policies::texts& words, const policies::texts& lower);

/// The words from one position up to another, as they stand within a sentence: a small word at
/// the beginning is not capital.
std::string within(
  const policies::texts& words, size_t from, size_t to, const policies::pairs& replaced);

retold demanded(std::string statement, double needed);

/// The speaker's own words, where no good third person can be made of them: "Der Nutzer sagt: …".
/// `says` is what leads to them.
retold quoted(std::string_view says, std::string_view clause, double needed);

bool is_capital(const std::string& word);

} // namespace scratchpage::policies::european
