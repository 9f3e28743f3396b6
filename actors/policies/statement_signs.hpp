#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Signs in a text that it is certainly no statement that lasts, and signs of what it does to
/// statements before it.

namespace scratchpage {

/// Jest, fiction, and what others have said or written.
bool is_in_jest(std::string_view text);

/// What is only supposed, wished for, or possible.
bool is_supposed(std::string_view sentence);

bool is_quoted(std::string_view text);
bool is_question(std::string_view sentence);

/// The words of a text without the "left" of a side, which tells of no leaving: "I'm left-handed".
std::vector<std::string> words_without_sides(std::string_view text);

/// What holds only today, or once.
bool is_passing(std::string_view clause);

/// Whether a clause tells of a day that is over, on which something may have begun that lasts:
/// "I got engaged yesterday".
bool is_of_yesterday(std::string_view clause);

/// Whether a text gives away a secret: a password, a PIN, a code of a door, a number of a card.
bool tells_secret(std::string_view text);

/// Whether the text tells that something is no longer as it was: "now", "not any more".
bool tells_change(std::string_view text);

/// Whether it tells that something else is at its place now: "instead", "not any more".
bool tells_replacement(std::string_view text);

/// Whether the text repeats what was said: "as always", "I said".
bool tells_again(std::string_view text);

/// Whether the text reports that something goes wrong: "slipped", "mixed up".
bool tells_mishap(std::string_view text);

} // namespace scratchpage
