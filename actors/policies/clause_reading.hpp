#pragma once

#include <string_view>
#include <vector>

#include "scratchpage/actors/policies/spoken_language.hpp"

namespace scratchpage {

/// The sentences of a text, each with the mark that ends it.
std::vector<std::string_view> sentences_in(std::string_view text);

/// The clauses of a sentence that can be understood each by itself. What has no subject of its own
/// belongs to the clause before it, and what only leads to a clause belongs to that one.
std::vector<std::string_view> clauses_in(std::string_view sentence, spoken_language in);

/// Whether the clause gives a reason or a consequence of the clause before it, or speaks on about
/// its subject.
bool follows_on(std::string_view clause);

} // namespace scratchpage
