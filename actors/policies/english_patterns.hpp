#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scratchpage/actors/policies/fact_wording.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

/// What patterns understand of an English clause for certain: where somebody lives and works, what
/// they have one of, and what takes the place of what. `lower` are its words in their plain form,
/// `words` as they were written.

namespace scratchpage {

/// The place in "I have moved from Faro to Porto", "we live in Porto now"; "" if there is none.
/// `past` is the clause before it.
std::string home_of(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past);

/// The firm in "I work for Acme", and in "I'm at Acme now" after "I've changed jobs".
std::string employer_of(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past);

/// Aisle or window: one of the few things of which everybody wants one.
retold seat_of(const policies::texts& lower);

/// What "I'm …" tells and a person has one of: "age", "diet". `from` is the position after the
/// verb.
std::string attribute_of_state(const policies::texts& lower, size_t from);

/// What "my favourite colour is …" tells, and what there is one of.
std::string attribute_of_possession(const policies::texts& lower);

/// "We switched from Jira to Linear": what is used now. `whose` is "User" or "User's team".
retold switched_to(
  const policies::texts& lower, const policies::texts& words, const std::string& whose);

/// "New number, it ends in 31"
retold renewed(const policies::texts& lower, const policies::texts& words);

/// "It's Jon, not John"
retold corrected_name(const policies::texts& lower, const policies::texts& words);

/// "There's a baby in the house now", "there are two dogs at home"
retold there_is(const policies::texts& lower, const policies::texts& words);

/// "He", "she's": a person who was named before.
bool is_personal_pronoun(std::string_view word);

} // namespace scratchpage
