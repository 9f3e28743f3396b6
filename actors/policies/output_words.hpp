#pragma once

#include <string_view>
#include <vector>

#include "scratchpage/actors/policies/request_words.hpp"

/// The words by which outputs of tools are read, in lower case. To teach another member or another
/// state, add it here.

namespace scratchpage::policies {

/// Members whose `false`, null or emptiness says that it did not work.
const word_set& proofs();

/// Members that say what went wrong, if they say something.
const word_set& complaints();

/// Members that name what a deed brought: null says that there is none.
const word_set& receipts();

/// Members that are often null without any harm.
const word_set& nothings();

/// Members whose text is a state.
const word_set& states();

/// Members whose text says why or tells what happened.
const word_set& tellings();

/// Members whose `false` is good news, or none.
const word_set& harmless();

/// Members that tell a person how it went, rather than being what was asked for.
const word_set& messages();

/// States that say that it did not work.
const word_set& bad_states();

/// Those of them that say so whatever the member is called.
const word_set& plainly_bad();

/// States that say that it is not done yet.
const word_set& unfinished_states();
/// Values that say so whatever their member is called: "not started".
const word_set& plainly_unfinished();
/// Members with what is left to do.
const word_set& leftovers();

/// Those of them that are as good as done where a call was to begin something.
const word_set& counting_states();

/// States that say that it worked.
const word_set& good_states();

/// Texts within a line that say that it did not work, in lower case.
const std::vector<std::string_view>& failing();

/// Likewise, where nothing is wrong although a word looks like it.
const std::vector<std::string_view>& excused();

} // namespace scratchpage::policies
