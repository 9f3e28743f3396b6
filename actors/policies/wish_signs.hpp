#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What `wish_title.hpp` looks at to tell a wish from what only sounds like one.

namespace scratchpage {

/// Whether most letters of a text are of a script that the policies read.
bool is_readable(std::string_view text);

/// Whether words, without the beginning of a wish, begin like a story or a remark: "Recently
/// experienced a delay", "There has to be some way".
bool begins_story(const std::vector<std::string>& core);

/// Whether words tell of a journey to come, which somebody has to plan: "travelling to Rome".
bool begins_journey(const std::vector<std::string>& core);

/// Whether words name a thing beside the verb: "cancel the trip", and not "double-check that".
bool names_thing(const std::vector<std::string>& core);

/// Whether words tell how a wish is to be fulfilled, or ask to go on with it: "use my credit card",
/// "confirm the dates".
bool names_means(const std::vector<std::string>& core);

/// Whether the title of a wish asks to know something, so that an answer fulfils it: "Find out how
/// many bags I can take".
bool asks_to_know(std::string_view title);

/// Whether the title of a wish does not say yet what is wanted: "Make some changes to my flight".
bool is_vague(std::string_view title);

/// The verb that "changing" is a form of when it begins a phrase: "change". "" if it is none.
std::string verb_of_gerund(std::string_view word, std::string_view next);

/// `text` in at most `bytes` bytes, without what trails after the thing, and never ending within a
/// phrase.
std::string_view whole_phrases(std::string_view text, size_t bytes);

/// Whether a name that an agent has said tells a person which thing is meant: "Nora's", and not
/// "ID" or "If".
bool is_telling_name(std::string_view name);

} // namespace scratchpage
