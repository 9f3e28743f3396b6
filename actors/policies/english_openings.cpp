#include "scratchpage/actors/policies/english_openings.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace scratchpage {

namespace {

/// The number of words that lead to a clause and belong to no other part of it; 0 if there are
/// none.
size_t length_of_opening(const policies::texts& lower) {
  static const std::array<policies::texts, 27> openings{policies::texts{"given", "that"},
    policies::texts{"seeing", "that"}, policies::texts{"seeing", "as"},
    policies::texts{"considering", "that"}, policies::texts{"considering"},
    policies::texts{"just", "to", "say"}, policies::texts{"by", "the", "way"},
    policies::texts{"just", "so", "you", "know"}, policies::texts{"as", "i", "said"},
    policies::texts{"i", "said"}, policies::texts{"like", "i", "said"},
    policies::texts{"please", "note", "that"}, policies::texts{"for", "the", "record"},
    policies::texts{"note", "that"}, policies::texts{"remember", "that"},
    policies::texts{"you", "know"}, policies::texts{"to", "be", "honest"},
    policies::texts{"in", "fact"}, policies::texts{"i", "told", "you"},
    policies::texts{"please", "remember", "that"}, policies::texts{"i", "meant"},
    policies::texts{"i", "mean"}, policies::texts{"scrap", "that"},
    policies::texts{"change", "of", "plan"}, policies::texts{"can't", "believe"},
    policies::texts{"strike", "that"}, policies::texts{"turns", "out"}};
  if (lower.size() > 5 && lower[0] == "for" && lower[1] == "the" && lower[3] == "time")
    return 4; // "for the last time"
  for (const auto& one : openings)
    if (lower.size() > one.size() + 1 && std::equal(one.begin(), one.end(), lower.begin()))
      return one.size();
  return 0;
}

/// "weird one but I file by quarter": what comes before "but I" only leads to it.
size_t length_of_aside(const policies::texts& lower) {
  constexpr size_t longest = 4;
  for (size_t i = 1; i + 2 < lower.size() && i <= longest; ++i)
    if (lower[i] == "but" && is_english_speaker(lower[i + 1]))
      return is_english_speaker(lower[0]) || lower[0] == "my" ? 0 : i + 1;
  return 0;
}

bool leaves_out_word(const policies::texts& words) {
  static const policies::known_words fillers{"and", "so", "but", "well", "oh", "also", "because",
    "since", "btw", "yes", "actually", "now", "please", "anyway", "fyi", "ah", "hi", "hello",
    "remember", "look", "therefore", "sorry", "unfortunately", "sadly", "basically", "wait", "hey",
    "ok", "okay", "right", "correction", "nah", "nope", "oops", "lol", "honestly", "heads-up",
    "again"};
  auto first = policies::plain(words[0]);
  auto next = policies::plain(words[1]);
  auto is_time = first == "since" && !is_english_speaker(next);
  auto is_now = first == "now" && next == "it's";
  return words[0] == "No," || (!is_time && !is_now && fillers.contains(first));
}

void leave_out_openings(policies::texts& words) {
  for (auto again = true; again && words.size() > 1;) {
    auto lower = policies::lower_of(words);
    auto count = std::max(length_of_opening(lower), length_of_aside(lower));
    if (count == 0 && leaves_out_word(words))
      count = 1;
    words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(count));
    again = count > 0;
  }
}

/// "standup's at ten", "our yoga's moved": the word that "'s" stands for there; "" where it may be
/// a possession ("my wife's birthday").
std::string_view verb_behind(std::string_view next) {
  static const policies::known_words of_being{"at", "on", "in", "a", "an", "the", "not", "from",
    "always", "never", "only", "now", "still", "back", "just", "every", "called"};
  static const policies::known_words of_having{
    "left", "gone", "moved", "shifted", "changed", "become", "been", "had", "switched", "retired"};
  return of_being.contains(next) ? "is" : of_having.contains(next) ? "has" : "";
}

void write_out_verbs(policies::texts& words) {
  constexpr size_t longest_subject = 4;
  static const policies::known_words pronouns{
    "it's", "he's", "she's", "that's", "there's", "what's", "who's", "let's", "here's"};
  for (size_t i = 0; i + 1 < words.size() && i < longest_subject; ++i) {
    auto word = policies::plain(words[i]);
    if (word.size() < 3 || !word.ends_with("'s") || pronouns.contains(word))
      continue;
    auto is_name = word == "name's" || word == "surname's";
    auto verb = is_name ? std::string_view{"is"} : verb_behind(policies::plain(words[i + 1]));
    if (verb.empty())
      continue;
    words[i].resize(std::min(words[i].rfind('\''), words[i].rfind("\xE2\x80\x99"))); // either sign
    words.insert(words.begin() + static_cast<ptrdiff_t>(i) + 1, std::string{verb});
    return;
  }
}

/// What to put before a clause whose verb is the speaker's: "can't stand jazz", "got a dog now".
std::string_view speaker_left_out(const policies::texts& lower) {
  static const policies::known_words verbs{"can't", "cannot", "hate", "love", "dislike", "haven't",
    "am", "gave", "moved", "sold", "switched", "retired", "ditched"};
  static const policies::known_words things{
    "a", "an", "two", "three", "myself", "no", "engaged", "married", "divorced", "rid"};
  if (lower.size() < 3)
    return {};
  if (verbs.contains(lower[0]))
    return lower[1] == "me" || lower[1] == "you" ? "" : "I";
  if (lower[0] == "got")
    return things.contains(lower[1]) ? "I've" : "";
  if (lower[0] == "gone" || lower[0] == "been")
    return "I've";
  return lower[0] == "allergic" && lower[1] == "to" ? "I'm" : "";
}

/// "dont" → "don't": as people type.
void put_in_apostrophes(policies::texts& words) {
  static const policies::pairs typed{{"dont", "don't"}, {"cant", "can't"}, {"wont", "won't"},
    {"ive", "I've"}, {"doesnt", "doesn't"}, {"isnt", "isn't"}, {"havent", "haven't"}};
  for (auto& word : words)
    if (auto found = typed.find(policies::plain(word)); found != typed.end())
      word = std::string{found->second} + (word.ends_with(',') ? "," : "");
}

} // namespace

bool is_english_speaker(std::string_view word) {
  static const policies::known_words me{
    "i", "i'm", "im", "i've", "i'd", "i'll", "we", "we're", "we've", "we'll"};
  return me.contains(word);
}

void open_english_clause(policies::texts& words) {
  put_in_apostrophes(words);
  leave_out_openings(words);
  write_out_verbs(words);
  if (auto who = speaker_left_out(policies::lower_of(words)); !who.empty()) {
    words[0][0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0][0])));
    words.insert(words.begin(), std::string{who});
  }
}

} // namespace scratchpage
