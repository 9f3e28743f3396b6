#pragma once

#include <string_view>

#include "scratchpage/actors/policies/wording_words.hpp"

/// How English clauses begin, before they are retold (`english`).

namespace scratchpage {

/// "I", "we've": the word for the one who speaks.
bool is_english_speaker(std::string_view word);

/// Brings a clause into the form in which it is read: without what only leads to it ("by the way",
/// "weird one but"), with the verb that hides in a noun ("standup's at ten" → "standup is at ten"),
/// and with the speaker where people leave them out ("can't stand jazz" → "I can't stand jazz").
void open_english_clause(policies::texts& words);

} // namespace scratchpage
