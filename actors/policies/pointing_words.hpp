#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// How an input asks to do something with one thing.

namespace scratchpage {

enum class pointing {
  nothing, ///< in particular, or more than one thing
  thing,   ///< "it"
  one,     ///< "that one"
  amount,  ///< "two more"
  noun,    ///< "the meeting"
};

struct pointed_thing {
  pointing by = pointing::nothing;
  std::string noun; ///< of `pointing::noun`
  size_t begin = 0; ///< of the words that point, in the clause
  size_t end = 0;   ///< behind them
  std::string verb; ///< what is to be done
};

/// Where the request begins in the words of a clause, behind "please, can you"; the size of the
/// clause if it asks to do nothing.
size_t deed_in(const std::vector<std::string>& clause);

/// What the request at `deed` points at.
pointed_thing pointed_at(const std::vector<std::string>& clause, size_t deed);

/// Whether a word asks to do something with a thing that is there: "cancel".
bool is_deed(const std::string& word);

/// Whether a word tells which or that it does not matter: "both", "first", "whichever".
bool tells_which(const std::string& word);

/// Whether a word stands before a thing that is known: "the".
bool is_definite(const std::string& word);

/// Whether a word stands before one thing of a kind: "a".
bool is_indefinite(const std::string& word);

} // namespace scratchpage
