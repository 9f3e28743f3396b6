#pragma once

#include <string_view>

namespace scratchpage {

/// The infinitive of a past tense or a past participle of an irregular English verb, in lower case:
/// "went" and "gone" become "go". Any other word is returned as it is; so is a form that is more
/// often another word, such as "rose", and one of "be", "do" and "have". The result is valid as
/// long as `word`.
std::string_view infinitive_of(std::string_view word);

} // namespace scratchpage
