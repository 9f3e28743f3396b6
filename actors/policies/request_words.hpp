#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/language/words.hpp"

/// The words by which requests are recognised, in all supported languages. To teach another verb or
/// another topic, add it here.

namespace scratchpage::policies {

using word_set = std::set<std::string, std::less<>>;

const word_set& openings();       ///< before the verb: "please", "could", "you"
const word_set& questioning();    ///< a clause that begins so is a question
const word_set& doing();          ///< verbs of deeds
const word_set& looking();        ///< verbs of looking
const word_set& telling();        ///< verbs that an answer in words satisfies
const word_set& infinitives();    ///< verbs of deeds that stand last
const word_set& wishing();        ///< "need", "want"
const word_set& units();          ///< nouns that a number measures, rather than counts
const word_set& before_amounts(); ///< words before such numbers: "at 5"
const word_set& talk();           ///< thanks, greetings, farewells
const word_set& around_talk();    ///< words beside them
const phrase_list& farewells();   ///< a short input that begins so is one

const std::vector<std::string_view>& unspaced_questions();
const std::vector<std::string_view>& unspaced_doing();
/// Deeds that may follow something else in one clause.
const std::vector<std::string_view>& unspaced_further();
const std::vector<std::string_view>& unspaced_looking();
const std::vector<std::string_view>& unspaced_telling();
const std::vector<std::string_view>& unspaced_talk();

/// Groups of words and stems about one thing.
const std::vector<std::vector<std::string>>& topics();

} // namespace scratchpage::policies
