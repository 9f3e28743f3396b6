#pragma once

#include <string>
#include <string_view>

/// How texts look to somebody who knows the letters of ASCII: a word is read as the same word in
/// wide letters, or with a Cyrillic letter in it.

namespace scratchpage {

/// `text` with small letters of ASCII in the place of those that are forms of them or look like
/// them, without marks above and below letters and without what is invisible, and with one blank
/// for each run of white space, none at the beginning. Other letters stay as they are.
std::string in_plain_letters(std::string_view text);

/// What is left of that for comparing with another text: no blanks, no punctuation and no pictures,
/// and one letter for those that are hard to tell apart, such as `l`, `i` and `1`. Two texts that
/// have the same look alike; nobody is shown it.
std::string skeleton_of(std::string_view text);

} // namespace scratchpage
