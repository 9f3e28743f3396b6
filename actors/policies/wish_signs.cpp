#include "scratchpage/actors/policies/wish_signs.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <set>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using words = std::vector<std::string>;
using word_set = std::set<std::string, std::less<>>;

/// The smallest part of a title that a cut leaves.
constexpr size_t least_bytes = 12;

bool is_vowel(char c) {
  return std::string_view{"aeiou"}.find(c) != std::string_view::npos;
}

bool is_number_sign(char c) {
  return c >= '0' && c <= '9';
}

/// Words that say nothing of what is wanted, wherever they stand.
const word_set& empty_words() {
  static const word_set all{"a", "about", "again", "agent's", "ahead", "all", "also", "am", "an",
    "and", "answer", "any", "anything", "are", "around", "as", "ask", "assist", "assistance", "at",
    "away", "back", "be", "because", "been", "being", "best", "bit", "bitte", "but", "by", "can",
    "carefully", "case", "chance", "change", "changes", "check", "clarify", "clear", "close",
    "confirm", "consider", "continue", "could", "d'accord", "did", "discuss", "do", "does", "doing",
    "done", "double", "double-check", "else", "ensure", "everything", "exactly", "explain", "favor",
    "favour", "figure", "figured", "first", "fix", "fixed", "for", "from", "further", "get",
    "getting", "give", "go", "going", "handle", "handled", "have", "help", "here", "how", "i",
    "i'm", "if", "in", "instead", "into", "is", "issue", "issues", "it", "just", "keep", "know",
    "last", "later", "let", "look", "looking", "made", "make", "matter", "maybe", "me", "might",
    "more", "my", "myself", "need", "negotiate", "no", "now", "of", "off", "on", "once", "one",
    "or", "our", "out", "over", "part", "please", "possibility", "possible", "possibly", "problem",
    "problems", "proceed", "question", "questions", "quickly", "really", "request", "resolve",
    "resolved", "right", "see", "settle", "situation", "so", "solution", "solve", "solved", "some",
    "somehow", "someone", "something", "soon", "sort", "sorted", "start", "sure", "support", "take",
    "talk", "thank", "thanks", "that", "that's", "the", "their", "them", "then", "there", "there's",
    "these", "they", "thing", "things", "this", "those", "though", "through", "to", "today", "too",
    "try", "understand", "until", "up", "us", "verify", "want", "was", "way", "we", "well", "what",
    "when", "whether", "which", "who", "will", "with", "would", "you", "your", "yourself"};
  return all;
}

/// Verbs that tell nothing without a thing.
const word_set& bare_verbs() {
  static const word_set all{"cancel", "change", "modify", "update", "upgrade", "add", "remove",
    "send", "show", "find", "search", "recommend", "suggest", "return", "switch", "move", "adjust",
    "transfer", "pay", "submit", "apply", "use", "let", "put", "set", "turn"};
  return all;
}

/// Whether a code point is a letter of a script that nobody here reads.
bool is_foreign(char32_t c) {
  return (c >= 0x370 && c <= 0x1DFF) || (c >= 0x2C00 && c <= 0x2DFF) || (c >= 0x3130 && c <= 0x318F)
         || (c >= 0xA000 && c <= 0xDFFF) || (c >= 0xFB1D && c <= 0xFDFF);
}

/// The code point at `i` of valid UTF-8, and how many bytes it has.
std::pair<char32_t, size_t> point_at(std::string_view text, size_t i) {
  auto byte = [&](
                size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  auto first = byte(i);
  if (first < 0xC0)
    return {first, 1};
  size_t count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t point = first & (0xFFu >> (count + 1));
  for (size_t k = 1; k < count; ++k)
    point = (point << 6) | (byte(i + k) & 0x3Fu);
  return {point, count};
}

bool begins_phrase(std::string_view word) {
  return is_one_of({"in", "at", "for", "to", "from", "on", "with", "near", "by", "that", "which",
                     "who", "where", "when", "and", "or", "but", "so", "using", "under", "between",
                     "outside", "before", "after", "departing", "arriving", "including", "due",
                     "because", "if", "without", "via", "about", "even", "while", "as", "since"},
    word);
}

/// Words that no phrase ends with.
bool needs_more(std::string_view word) {
  return begins_phrase(word)
         || is_one_of({"a", "an", "the", "my", "our", "your", "some", "any", "of", "is", "are", "i",
                        "i'm", "was", "just", "also", "need", "allowed", "anywhere"},
           word);
}

/// Where the last word of a text begins.
size_t last_word_at(std::string_view text) {
  auto blank = text.rfind(' ');
  return blank == std::string_view::npos ? 0 : blank + 1;
}

std::string_view without_open_words(std::string_view text) {
  while (true) {
    auto end = text.find_last_not_of(" ,;:.-(*\"#");
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    auto at = last_word_at(text);
    if (at < least_bytes / 2 || !needs_more(in_lower_case(text.substr(at))))
      return text;
    text = text.substr(0, at);
  }
}

/// Whether the verb that a stem of a gerund belongs to ends with "e": "chang", "mak".
bool lacks_e(std::string_view s) {
  for (std::string_view end :
    {"iz", "v", "c", "dg", "ang", "rg", "ul", "bl", "tl", "dl", "gl", "pl", "ur", "as", "ag", "us"})
    if (s.ends_with(end))
      return true;
  if (s.size() < 3 || is_vowel(s.back()) || !is_vowel(s[s.size() - 2]) || is_vowel(s[s.size() - 3]))
    return false;
  if (is_one_of({"w", "x", "y"}, s.substr(s.size() - 1)))
    return false;
  auto vowels = std::count_if(s.begin(), s.end(), is_vowel);
  if (vowels == 1)
    return true; // "mak"; "get" would have been doubled
  for (std::string_view end : {"at", "ad", "id", "ar", "ir", "ut", "in", "ok", "os", "plet", "let"})
    if (s.ends_with(end))
      return true;
  return false;
}

/// Whether words say what could be: "a small credit could work". "A place that would do" does not.
bool says_what_could_be(const words& core) {
  static const word_set modals{"could", "would", "should", "might", "must"};
  for (size_t i = 1; i < core.size(); ++i) {
    if (is_one_of({"that", "which", "who", "where", "how", "what", "if", "when", "i", "we", "you"},
          core[i - 1]))
      return false;
    if (modals.contains(core[i]))
      return true;
  }
  return false;
}

} // namespace

bool is_readable(std::string_view text) {
  size_t foreign = 0, latin = 0;
  for (size_t i = 0; i < text.size();) {
    auto [point, bytes] = point_at(text, i);
    foreign += is_foreign(point);
    latin += point < 128 && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
    i += bytes;
  }
  return foreign == 0 || latin > foreign;
}

bool begins_story(const words& core) {
  static const phrase_list all{{"recently", "a bit", "bit", "understand", "as for", "as a", "there",
    "having", "have had", "have been", "had", "was", "were", "been", "being", "because", "since",
    "although", "though", "while", "but", "if", "why", "isn't", "aren't", "wasn't", "don't",
    "doesn't", "didn't", "won't", "can't", "it's", "that's", "he", "she", "they", "this is",
    "this one is", "it is", "that is", "that was", "it was", "that would", "it would",
    "my understanding", "unfortunately", "appreciate", "hope", "believe", "guess", "promise",
    "feel", "feeling", "thought", "talk to you", "for the payment", "for payment", "as long as",
    "the reason", "get back to", "reach out to", "see you", "speak soon", "look forward",
    "looking forward", "transfer you", "connect you", "whatever", "do that", "do this", "do it",
    "frustrated", "so frustrated", "disappointed", "upset", "sorry", "wondering", "wonder",
    "perhaps a", "of course"}};
  // "If I am free on Friday" may be what is asked for.
  if (core.size() > 2 && core[0] == "if" && is_one_of({"i", "i'm", "we", "we're"}, core[1]))
    return false;
  return all.length_at(core, 0) > 0 || says_what_could_be(core);
}

bool begins_journey(const words& core) {
  return core.size() > 2 && core[1] == "to"
         && is_one_of({"traveling", "travelling", "flying", "moving", "heading"}, core[0]);
}

bool names_thing(const words& core) {
  static const phrase_list open{{"something to do", "something to eat", "something to watch"}};
  if (open.find_in(core) != nullptr)
    return true;
  size_t things = 0;
  for (const auto& word : core) {
    if (empty_words().contains(word) || is_number(word))
      continue;
    if (&word != &core.front() || !bare_verbs().contains(word))
      ++things;
  }
  return things > 0;
}

bool names_means(const words& core) {
  static const phrase_list all{{"use", "using", "apply any", "proceed", "confirm", "verify",
    "double-check", "double check", "make sure", "ensure", "keep", "continue", "go with",
    "go ahead", "stick with", "charge", "pay with", "pay by", "pay using", "see if there*",
    "see if you", "check if there*", "check again", "check the confirmation", "at least", "try to",
    "consider", "adjust the payment", "change the payment", "make an exception", "look into",
    "reach out", "get back", "include", "prefer", "put it on my card", "put it on the card",
    "split the payment", "explain", "clarify", "escalate", "guide", "wait", "think about",
    "switch back", "go back"}};
  return all.length_at(core, 0) > 0;
}

std::string verb_of_gerund(std::string_view word, std::string_view next) {
  auto is_object = is_one_of({"a", "an", "the", "my", "our", "your", "some", "any", "this", "that",
                               "all", "one", "two", "three", "both", "another", "how", "what",
                               "why", "which", "whether", "if", "up", "out", "in", "to", "for"},
                     next)
                   || (!next.empty() && is_number_sign(next[0])) || word.starts_with("cancel");
  static const word_set nouns{"something", "anything", "nothing", "everything", "meeting",
    "wedding", "building", "evening", "morning", "parking", "during", "training", "painting",
    "clothing"};
  if (nouns.contains(word))
    return "";
  if (!is_object || word.size() < 6 || !word.ends_with("ing"))
    return "";
  auto s = word.substr(0, word.size() - 3);
  auto n = s.size();
  auto doubled = n > 3 && s[n - 1] == s[n - 2] && !is_vowel(s[n - 1]);
  auto keeps = s.ends_with("ss") || s.ends_with("zz")
               || (s.ends_with("ll") && !is_one_of({"cancell", "travell", "labell"}, s));
  if (doubled && !keeps)
    return std::string{s.substr(0, n - 1)};
  return std::string{s} + (lacks_e(s) ? "e" : "");
}

std::string_view whole_phrases(std::string_view text, size_t bytes) {
  for (std::string_view link : {" because ", ", since ", ", as ", ", but ", " but ", ", which ",
         ", so ", ", if ", " even if ", " even though ", " due to ", ", and i ", ", and I ",
         ", it ", ", they ", " and need to ", " and want to ", " and would like ", ", and we ",
         " and I ", " and we ", ", specifically ", "##", "**", "###"})
    if (auto at = text.find(link); at != std::string_view::npos && at >= least_bytes / 2)
      text = text.substr(0, at);
  if (text.size() > bytes) {
    text = utf8::prefix(text, bytes);
    auto blank = text.rfind(' ');
    text = text.substr(0, blank == std::string_view::npos ? text.size() : blank);
    for (auto at = last_word_at(text); at > bytes / 2; at = last_word_at(text.substr(0, at - 1)))
      if (begins_phrase(in_lower_case(text.substr(at, text.find(' ', at) - at)))) {
        text = text.substr(0, at);
        break;
      }
  }
  auto open = text.rfind('(');
  if (open != std::string_view::npos && text.find(')', open) == std::string_view::npos)
    text = text.substr(0, open);
  return without_open_words(text);
}

bool is_telling_name(std::string_view name) {
  if (name.size() < 3 || name.find_first_of("0123456789()[]\"*#:/") != std::string_view::npos)
    return false;
  auto is_code = std::all_of(name.begin(), name.end(), [](char c) { return c < 'a' || c > 'z'; });
  auto first = in_lower_case(name.substr(0, name.find(' ')));
  static const word_set common{"if", "however", "please", "may", "january", "february", "march",
    "april", "june", "july", "august", "september", "october", "november", "december", "monday",
    "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "would", "could", "can",
    "the", "this", "that", "there", "here", "your", "you", "we", "it", "since", "for", "and", "but",
    "change", "order", "option", "total", "price", "cost", "date", "booking", "note",
    "unfortunately", "once"};
  return !is_code && !common.contains(first);
}

bool asks_to_know(std::string_view title) {
  static const phrase_list verbs{{"find out", "know", "learn", "figure out", "see", "ask", "tell",
    "herausfinden", "wissen", "erfahren", "saber", "averiguar", "savoir"}};
  static const phrase_list questions{
    {"how", "if", "whether", "what", "when", "where", "why", "which", "who", "wie", "ob", "wann",
      "wo", "warum", "cómo", "si", "cuándo", "cuántas", "cuántos", "comment", "quand", "combien"}};
  static const phrase_list alone{
    {"understand", "clarify", "explain", "provide some guidance", "provide guidance"}};
  auto words = words_of(title);
  auto verb = verbs.length_at(words, 0);
  return alone.length_at(words, 0) > 0 || (verb > 0 && questions.length_at(words, verb) > 0);
}

bool is_vague(std::string_view title) {
  static const phrase_list begins{{"make changes", "make some changes", "make a change",
    "make a few changes", "make an adjustment", "make some adjustments", "make adjustments",
    "make modifications", "make some modifications", "make a modification", "some changes",
    "change some things", "change a few things", "a few changes", "get some help", "some help",
    "sort something out", "sort some things out"}};
  return begins.length_at(words_of(title), 0) > 0;
}

} // namespace scratchpage
