#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"

/// What an input asks for, and which calls speak to it.

namespace scratchpage {

/// How something that was asked for is satisfied.
enum class asked_kind : uint8_t {
  deed,   ///< by a call that changes something: "Book a table"
  look,   ///< by a call that looks, or by an answer: "Find three papers"
  words,  ///< by an answer alone: "Explain it in one sentence"
  answer, ///< a question, likewise
};

/// One of the things that an input asks for.
struct asked_thing {
  std::string text; ///< as it was said
  asked_kind kind = asked_kind::deed;
  std::set<size_t> topics;     ///< what it is about; empty if that is not known
  std::optional<size_t> count; ///< how many are wanted: "three papers"
  bool is_beside = false;      ///< a thing named beside another one: "and a parking space"
};

/// The number that a word is, such as "three" and "3"; nothing if it is none or above 999.
std::optional<size_t> number_of_word(const std::string& word);

/// Numbers and codes that an input lists, such as those of "orders 301, 302 and 303": of each row
/// of two and more.
std::vector<std::string> listed_values(std::string_view input);

/// Names that an input lists, such as "Ines" and "Omar", in lower case. A name of several words and
/// the first word of a sentence are none.
std::vector<std::string> listed_names(std::string_view input);

/// What an input asks for, in its order. Empty if it asks for nothing.
std::vector<asked_thing> things_asked(std::string_view input);

/// Whether an input is nothing but thanks, a greeting, a farewell or an agreement.
bool is_small_talk(std::string_view input);

/// Whether a call has to do with a thing. A call or a thing of which nobody knows what it is about
/// may have.
bool speaks_to(const call_record& call, const asked_thing& thing);

/// Whether a text, such as a response, has words about a thing. True if nobody knows what the thing
/// is about.
bool speaks_of(std::string_view text, const asked_thing& thing);

/// Whether a call did no more than look, by its tool's id and what it gave.
bool only_looks(const call_record& call);

/// How many numbered entries a text has: "1. … 2. …"
size_t numbered_entries(std::string_view text);

} // namespace scratchpage
