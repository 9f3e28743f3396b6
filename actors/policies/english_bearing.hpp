#pragma once

#include <cstddef>

#include "scratchpage/actors/policies/wording_words.hpp"

/// How sure the classifier has to be that an English clause holds beyond its turn, by what its
/// grammar tells: "I report to …" is rather lasting, "I booked …" is not.

namespace scratchpage {

/// Whether the word stands before a verb and tells how often: "always", "no" of "no longer".
bool is_english_adverb(std::string_view word);

/// Of "I …" and "we …": `verb` is the position of the verb.
double english_need_of_deed(const policies::texts& lower, size_t verb);

/// Of "I'm …" and "we are …": `from` is the position after the verb.
double english_need_of_state(const policies::texts& lower, size_t from);

/// Of "I have …" and "I've …": `from` is the position after the verb.
double english_need_of_having(const policies::texts& lower, size_t from);

/// Of "my …" and "our …".
double english_need_of_possession(const policies::texts& lower);

/// Of a clause that is about nobody present.
double english_need_of_statement(const policies::texts& lower);

} // namespace scratchpage
