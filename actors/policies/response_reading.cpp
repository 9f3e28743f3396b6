#include "scratchpage/actors/policies/response_reading.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/response_signs.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"

namespace scratchpage {

namespace {

constexpr size_t short_sentence = 6; // words, up to here it asks only with a sign of asking
constexpr double sure = 0.3;         // that a question offers more, and asks for nothing

/// What a sentence of a response does.
struct said {
  std::string_view text;
  std::string_view kind; ///< a class of `language::response`
  bool asks = false;     ///< it ends with a question mark
  bool has_details = false;
};

/// Classes of sentences that ask; a sentence with a question mark is of one of them.
bool asks_something(std::string_view kind) {
  constexpr std::array<std::string_view, 6> all{
    "confirm", "inputs", "choice", "act", "fits", "offer"};
  return std::find(all.begin(), all.end(), kind) != all.end();
}

/// The most probable class, of those that ask if the sentence has a question mark.
std::string_view kind_of_sentence(std::string_view masked, bool asks) {
  const auto& classifier = language::response();
  const auto& classes = classifier.classes();
  auto found = classifier.probabilities(masked);
  std::string_view best;
  double highest = -1;
  for (size_t i = 0; i < classes.size(); ++i)
    if (found[i] > highest && (!asks || asks_something(classes[i]))
        && (classes[i] != "offer" || found[i] > sure)) {
      best = classes[i];
      highest = found[i];
    }
  return best;
}

/// Whether a question begins with what it lacks: "And in which city...", "How many...".
bool asks_for_value(const std::vector<std::string>& words) {
  size_t i = 0;
  while (i + 1 < words.size()
         && is_one_of({"and", "also", "so", "ok", "okay", "sure", "alright", "great", "then", "in",
                        "for", "on", "at", "to", "from", "by", "of", "with", "well", "good"},
           words[i]))
    ++i;
  if (i + 1 >= words.size())
    return false;
  const auto& next = words[i + 1];
  if (words[i] == "how")
    return is_one_of({"many", "much", "long", "often", "big", "old", "far"}, next);
  if (words[i] == "what" || words[i] == "which")
    return !is_one_of({"about", "do", "if", "else", "one", "of", "other"}, next);
  return is_one_of({"when", "where", "who", "whom", "whose"}, words[i]) && next != "else";
}

/// Whether a sentence says first of all that it asks for a confirmation.
bool calls_for_confirmation(const std::vector<std::string>& words) {
  static const phrase_list all{{"confirming", "please confirm", "to confirm", "let me confirm",
    "let's confirm", "please verify", "please double check", "kindly confirm", "kindly verify",
    "please give confirmation", "like to confirm", "want to confirm", "to verify", "to be clear",
    "got this right", "got that right", "have this right"}};
  if (!words.empty() && words.front() == "confirm")
    return true;
  for (size_t i = 0; i < std::min<size_t>(words.size(), 5); ++i)
    if (all.length_at(words, i) > 0)
      return true;
  return false;
}

/// Whether the agent asks whether it may do something itself: "Shall I...".
bool asks_to_act(const std::vector<std::string>& words) {
  static const phrase_list all{
    {"shall i", "should i", "may i", "can i", "could i", "want me to", "like me to", "wish me to"}};
  return all.find_in(words) != nullptr;
}

/// Whether a sentence without a question mark can ask for something that is lacking.
bool can_ask_for_value(const std::vector<std::string>& words) {
  static const phrase_list all{{"what", "which", "when", "where", "who", "whom", "how", "tell",
    "provide", "give", "specify", "need", "know", "enter", "share", "send", "choose", "select",
    "mention", "require", "should i", "do you", "did you", "would you", "will you", "are you",
    "could you", "can you", "is there", "any", "missing", "you mean", "sagen", "nennen", "brauche",
    "dígame", "necesito", "indique", "indiquez", "dites"}};
  auto is_ascii = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return c > 0; });
  });
  return !is_ascii || all.find_in(words) != nullptr;
}

/// Whether a sentence tells the person to give something: "Before that, please provide your id."
bool orders_value(const std::vector<std::string>& words) {
  static const phrase_list all{{"provide", "specify", "give me", "tell me what", "tell me which",
    "tell me the", "tell me your", "tell me where", "tell me when", "enter your", "enter the",
    "i need your id", "send me your", "share your"}};
  return all.find_in(words) != nullptr;
}

/// Whether a question says what the person wants: "So you want 2 tickets?"
bool begins_with_recap(const std::vector<std::string>& words) {
  static const phrase_list all{{"you want", "you would like", "you'd like", "you need", "you wish",
    "you wanna", "you will be", "you'll be", "that would be", "that will be", "that is for"}};
  for (size_t i = 0; i < std::min<size_t>(words.size(), 3); ++i)
    if (all.length_at(words, i) > 0)
      return i == 0 || !is_one_of({"do", "did", "would", "what", "which", "where"}, words[i - 1]);
  return false;
}

/// "Okay." and the like, which a question mark would make a question.
bool is_mere_word(const std::vector<std::string>& words) {
  static const phrase_list all{{"ok", "okay", "right", "alright", "yes", "no", "correct", "sure",
    "all right", "very well", "of course", "no problem", "got it", "understood", "will do", "good",
    "in ordnung", "alles klar", "de acuerdo", "está bien", "d'accord", "très bien", "entendu"}};
  return all.is_whole(words);
}

/// Whether the agent offers to do something that it does not describe.
bool offers_to_act(const std::vector<std::string>& words) {
  static const phrase_list offers{{"want me to", "like me to", "want to", "like to"}};
  static const phrase_list goes_on{
    {"proceed", "continue", "go ahead", "go on", "delete*", "run", "apply"}};
  return offers.find_in(words) != nullptr && goes_on.find_in(words) == nullptr;
}

/// Whether a line is an item of a list, which says what is asked about and asks nothing itself.
bool is_list_item(std::string_view sentence) {
  auto digits = sentence.find_first_not_of("0123456789");
  return sentence.starts_with("- ") || sentence.starts_with("* ") || sentence.starts_with("**")
         || (digits != std::string_view::npos && digits > 0 && sentence.substr(digits, 2) == ". ");
}

/// Whether a short sentence that is taken for a question has no sign of one: "It says so."
bool is_remark(const said& x, const std::vector<std::string>& words) {
  auto seems_to_ask = x.kind == "confirm" || x.kind == "inputs";
  return !x.asks && seems_to_ask && !x.has_details && words.size() <= short_sentence
         && !asks_at_all(x.text);
}

said reading_of(std::string_view sentence) {
  auto masked = with_names_masked(sentence);
  auto asks = ends_with_question_mark(sentence);
  said result{sentence, kind_of_sentence(masked, asks), asks, has_details(masked)};
  auto words = words_of(sentence);
  if (!asks && is_list_item(sentence)) {
    result.kind = "plan";
    return result;
  }
  if (is_remark(result, words)) {
    result.kind = "tells";
    return result;
  }
  if (asks && offers_more_help(sentence)) {
    result.kind = "offer";
    return result;
  }
  auto names_value = asks && result.kind != "offer" && asks_for_value(words);
  if (names_value || (result.kind == "confirm" && !asks && orders_value(words)))
    result.kind = "inputs";
  else if (result.kind == "inputs" && !asks && !can_ask_for_value(words))
    result.kind = "plan";
  if (result.kind == "inputs" && !(asks && result.has_details && begins_with_recap(words)))
    return result;
  auto acts = result.kind == "act" && result.has_details && asks_to_act(words);
  auto recaps = asks && result.has_details && begins_with_recap(words);
  if (acts || recaps || calls_for_confirmation(words))
    result.kind = "confirm";
  else if (result.kind == "confirm" && !asks && is_mere_word(words))
    result.kind = "tells";
  else if (result.kind == "confirm" && !result.has_details && offers_to_act(words))
    result.kind = "act";
  return result;
}

/// Whether what was said before sentence `i` is something that the agent is about to do.
bool follows_plan(const std::vector<said>& all, size_t i) {
  while (i > 0) {
    --i;
    if (all[i].kind == "plan" || all[i].kind == "recap" || all[i].kind == "confirm")
      return true;
    if (all[i].kind == "found" || all[i].kind == "choice")
      return false;
  }
  return false;
}

/// Whether a question is whether to go on with what was said.
bool goes_on(std::string_view sentence) {
  static const phrase_list all{{"proceed", "go ahead"}};
  return all.find_in(words_of(sentence)) != nullptr;
}

/// Whether a question asks for leave to do something.
bool asks_leave(std::string_view sentence) {
  static const phrase_list all{{"shall i", "should i", "may i"}};
  return all.length_at(words_of(sentence), 0) > 0;
}

/// Whether the sentence before `i` only names what would be had: "A table for two at seven."
bool follows_order(const std::vector<said>& all, size_t i) {
  static const phrase_list verbs{{"is", "are", "has", "have", "was", "were", "costs", "opens",
    "closes", "leaves", "arrives", "will", "would", "can", "it's", "there's"}};
  static const phrase_list counts{{"a", "an", "one", "two", "three", "four", "five", "six"}};
  if (i == 0 || !all[i - 1].has_details)
    return false;
  auto words = words_of(all[i - 1].text);
  return counts.length_at(words, 0) > 0 && verbs.find_in(words) == nullptr;
}

/// Whether a sentence says what the question after it is about.
bool tells_matter(const said& x) {
  return x.kind == "plan" || x.kind == "found";
}

std::optional<waiting_kind> kind_asked_by(const std::vector<said>& all, size_t i) {
  const auto& one = all[i];
  if (one.kind == "confirm" || one.kind == "recap")
    return waiting_kind::confirm;
  if (one.kind == "inputs")
    return waiting_kind::inputs;
  if (one.kind == "act" || one.kind == "choice")
    return (goes_on(one.text) && follows_plan(all, i))
               || (asks_leave(one.text) && follows_order(all, i))
             ? waiting_kind::confirm
             : waiting_kind::choice;
  if (one.kind == "fits" && one.asks)
    return follows_plan(all, i) ? waiting_kind::confirm : waiting_kind::choice;
  return std::nullopt;
}

response_reading reading_of_whole(std::string_view response) {
  std::vector<said> all;
  for (auto sentence : sentences_of(response))
    all.push_back(reading_of(sentence));
  response_reading result;
  for (size_t i = 0; i < all.size(); ++i) {
    result.tells_success = result.tells_success || all[i].kind == "done";
    result.tells_failure = result.tells_failure || all[i].kind == "failed";
    result.offers_help = result.offers_help || all[i].kind == "offer";
    auto kind = kind_asked_by(all, i);
    if (!kind)
      continue;
    // What is lacking is asked for before anything can be confirmed or chosen.
    if (result.waits != waiting_kind::inputs)
      result.waits = kind;
    auto needs_before = result.question.empty() && i > 0 && *kind != waiting_kind::inputs
                        && !all[i].has_details && tells_matter(all[i - 1]);
    if (needs_before)
      result.question = all[i - 1].text;
    result.question.append(result.question.empty() ? "" : " ").append(all[i].text);
  }
  return result;
}

/// The latest responses with what was read in them.
class recent_responses {
public:
  const response_reading& reading_of(std::string_view response) {
    auto known = std::find_if(
      all_.begin(), all_.end(), [&](const entry& one) { return one.response == response; });
    if (known != all_.end())
      return known->reading;
    auto& place = all_[next_];
    next_ = (next_ + 1) % all_.size();
    place = {std::string{response}, reading_of_whole(response)};
    return place.reading;
  }

private:
  struct entry {
    std::string response;
    response_reading reading;
  };

  std::array<entry, 4> all_;
  size_t next_ = 0;
};

} // namespace

response_reading read_response(std::string_view response) {
  // The daemons of an agent read a response one after the other, and the next turn reads it again.
  constexpr size_t longest_kept = 16'384; // bytes
  thread_local recent_responses recent;
  return response.size() > longest_kept ? reading_of_whole(response) : recent.reading_of(response);
}

} // namespace scratchpage
