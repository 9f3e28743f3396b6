#include "scratchpage/actors/policies/reply_reading.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"

namespace scratchpage {

namespace {

constexpr double sure_agreement = 0.4;
constexpr double sure_reply = 0.6; // that something is changed that was agreed to

/// What the sentences of an input do, each a class of `language::reply`.
struct reply_signs {
  bool agrees = false;
  bool refuses = false;
  bool changes = false;
  bool has_value = false;
};

/// Words that take an agreement back in part: "Yes, but make it 5".
bool turns(const std::string& word) {
  constexpr std::array<std::string_view, 6> all{"but", "except", "instead", "aber", "pero", "mais"};
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// Whether a question comes with an agreement before it: "Yes, that's right, what does it cost?"
bool begins_with_agreement(std::string_view sentence) {
  auto first = clauses_of(sentence).front();
  return first.size() < sentence.size()
         && language::reply().classify(with_names_masked(first)).name == "affirmed";
}

/// "No", and not "no problem" and the like.
bool begins_with_no(const std::vector<std::string>& words) {
  static const phrase_list no{{"no", "nope", "nah", "nein", "non"}};
  static const phrase_list agreement{
    {"no problem", "no worries", "no objection*", "no doubt", "no issue*", "no change*"}};
  return no.length_at(words, 0) > 0 && agreement.length_at(words, 0) == 0;
}

reply_signs signs_of(std::string_view input) {
  reply_signs result;
  for (auto sentence : sentences_of(input)) {
    auto masked = with_names_masked(sentence);
    auto [kind, probability] = language::reply().classify(masked);
    auto words = words_of(sentence);
    auto is_turned = std::any_of(words.begin(), words.end(), turns);
    if (kind == "changed" && result.agrees && probability < sure_reply)
      continue;
    if (kind == "affirmed" && probability < sure_agreement)
      continue;
    if (kind == "affirmed" && begins_with_no(words))
      kind = words.size() > 3 ? "changed" : "declined";
    if (kind == "wish" && has_details(masked))
      kind = "answered";
    if (kind == "affirmed" || (kind == "question" && begins_with_agreement(sentence)))
      result.agrees = true;
    result.refuses = result.refuses || kind == "declined";
    result.changes = result.changes || kind == "changed" || (kind == "answered" && is_turned);
    result.has_value = result.has_value || kind == "answered";
  }
  return result;
}

} // namespace

std::optional<answer_kind> read_reply(
  std::string_view input, waiting_kind asked, std::string_view) {
  auto said = signs_of(input);
  if (asked == waiting_kind::inputs) {
    if (said.has_value || said.changes)
      return answer_kind::answered;
    if (said.agrees && !said.refuses)
      return answer_kind::affirmed; // "Is it for today?"
    return said.refuses ? std::optional{answer_kind::declined} : std::nullopt;
  }
  if (said.changes || (said.refuses && said.has_value))
    return answer_kind::changed;
  if (said.agrees)
    return said.refuses ? answer_kind::declined : answer_kind::affirmed;
  if (said.refuses)
    return answer_kind::declined;
  if (said.has_value)
    return asked == waiting_kind::choice ? answer_kind::answered : answer_kind::changed;
  return std::nullopt;
}

} // namespace scratchpage
