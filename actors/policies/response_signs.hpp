#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What a response of an agent says by its words, in the supported languages.

namespace scratchpage {

/// The beginning of a text that is read, in lower case, with plain apostrophes.
std::string read_part(std::string_view text);

/// Whether a text has any sign of a question or a request to the person.
bool asks_at_all(std::string_view response);

/// Whether a text offers more help, which asks for nothing: "Is there anything else I can sort
/// out?"
bool offers_more_help(std::string_view text);

/// Whether a response plainly says that it was done, in languages that say so by a form of the
/// verb.
bool says_done(std::string_view response);

/// Whether a response plainly says that something did not work.
bool says_failed(std::string_view response);

/// Whether a response says that there was nothing to do.
bool says_needless(std::string_view response);

/// Whether a response tells the person to give something.
bool requests_of_person(std::string_view response);

/// Whether a response says that the matter is the person's now: "It needs your signature".
bool hands_to_person(std::string_view response);

/// Whether a response tells the person to do something, which is waited for if something is open:
/// "Please approve it in your app".
bool tells_person_to_act(std::string_view response);

/// Whether a response begins by promising to do something.
bool promises(std::string_view response);

/// Whether a response says that the agent does not want to do it, or must not.
bool refuses_to(std::string_view response);

/// Whether a response says that what it could not do can never be done, or was refused.
bool says_final(std::string_view response);

/// Whether a response says that something is still going on or left to do.
bool says_unfinished(std::string_view response);

/// Whether the agent says that it cannot or must not do something, and offers nothing instead.
bool says_unable(std::string_view response);

/// Whether a response does nothing but say so, or refuse: it asks the person for nothing.
bool only_refuses(std::string_view response);

/// Whether a response begins with "no", as answers to questions do.
bool begins_with_no(std::string_view response);

/// Whether a response begins by saying that it cannot be done.
bool begins_impossible(std::string_view response);

/// Whether a response begins by saying that it is done.
bool begins_done(std::string_view response);

/// Whether a response tells of another way that was taken and says of nothing that it failed.
bool made_do(std::string_view response);

/// Whether a response asks the person to do something, after which the agent goes on: "Please plug
/// it in, then I'll start it".
bool wants_deed_first(std::string_view response);

/// Whether the agent goes on when the person has done something: "Once you've signed in, I'll send
/// it".
bool goes_on_after_person(std::string_view response);

/// Whether a response speaks of all that was asked for at once: "Both are done."
bool speaks_of_all(std::string_view response);

} // namespace scratchpage
