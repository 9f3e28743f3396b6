#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

struct several_meant_limits {
  static constexpr size_t input_bytes = 200; ///< an input that is longer says which
  static constexpr size_t input_words = 24;  ///< and so does one of more words
  static constexpr size_t candidates = 4;    ///< that a question names
  static constexpr size_t named_bytes = 80;  ///< of a candidate that a question names
};

/// The things that an input may mean, if it asks to do something with one thing ("it", "the
/// meeting", a first name), several of those that were listed just before fit, and nothing in the
/// input tells which. `earlier` are the texts of the thread before it, the newest last, which did
/// not end with a question. Nothing, or at least two; in doubt nothing.
std::vector<std::string> several_meant(
  std::string_view input, const std::vector<std::string>& earlier);

/// "Which one do you mean: A, B or C?"
std::string question_which(const std::vector<std::string>& candidates);

} // namespace scratchpage
