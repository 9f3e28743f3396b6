#include "scratchpage/actors/policies/wish_reading.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"
#include "scratchpage/actors/policies/wish_title.hpp"

namespace scratchpage {

namespace {

/// Words that tell that a wish comes beside another one.
bool adds(const std::string& word) {
  constexpr std::array<std::string_view, 8> all{
    "also", "additionally", "another", "besides", "too", "außerdem", "también", "aussi"};
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool is_addition(std::string_view sentence) {
  auto words = words_of(sentence);
  return std::any_of(words.begin(), words.end(), adds);
}

bool is_wish(std::string_view kind) {
  return kind == "wish" || kind == "search";
}

/// What is open when the input comes.
struct situation {
  bool needs_answer = false; ///< a question for a permission or for something that is missing
};

situation situation_of(std::string_view before, bool asked) {
  if (!asked)
    return {};
  auto waits = read_response(before).waits;
  return {!waits || *waits != waiting_kind::choice};
}

void add_wish(std::string_view sentence, wish_reading& to) {
  wish one{title_of_wish(sentence), topic_of_wish(sentence)};
  if (one.title.empty())
    return;
  auto same = std::any_of(to.wishes.begin(), to.wishes.end(),
    [&](const wish& x) { return x.topic == one.topic; });
  auto is_beside = to.wishes.empty() || is_addition(sentence);
  if (!same && is_beside)
    to.wishes.push_back(std::move(one));
}

} // namespace

wish_reading read_wishes(std::string_view input, std::string_view before, bool asked) {
  auto now = situation_of(before, asked);
  wish_reading result;
  for (auto sentence : sentences_of(input)) {
    auto kind = classifiers::wish().classify(with_names_masked(sentence)).name;
    result.drops = result.drops || kind == "drop";
    result.says_done = result.says_done || kind == "done";
    result.is_question = result.is_question || kind == "question";
    if (is_wish(kind) && (!now.needs_answer || is_addition(sentence)))
      add_wish(sentence, result);
  }
  return result;
}

} // namespace scratchpage
