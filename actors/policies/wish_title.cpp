#include "scratchpage/actors/policies/wish_title.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "scratchpage/actors/language/recent_readings.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"
#include "scratchpage/actors/policies/wish_signs.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using words = std::vector<std::string>;

/// Ways to begin a wish that are not part of it; the longest that fits is taken, again and again.
const phrase_list& beginnings() {
  static const phrase_list result{{"i want", "i want to", "i want you to", "i would like",
    "i would like to", "i would like you to", "i'd like", "i'd like to", "i'd like you to",
    "i'd love", "i'd love to", "i would love", "i would love to", "i need", "i need to",
    "i need you to", "i will need", "i will need to", "i'll need", "i wish", "i wish to", "i wanna",
    "i have to", "i am looking to", "i'm looking to", "i am trying to", "i'm trying to",
    "i am hoping to", "i'm hoping to", "i was hoping to", "i am interested in", "i'm interested in",
    "i am ready to", "i'm ready to", "i also", "i", "we", "we want to", "we need", "we need to",
    "we want", "we'd like to", "we would like to", "want", "want to", "need", "need to",
    "would like", "would like to", "like to", "can", "can you", "can you help", "can you help me",
    "can you help me to", "could you", "could you help me", "could you help me to", "would you",
    "would you mind", "will you", "can i", "can i get", "can we", "could i", "could i have",
    "can i have", "may i", "may i have", "could we", "please", "please help me",
    "please help me to", "help me", "help me to", "help", "let's", "let us", "go ahead and",
    "is it possible to", "are you able to", "and", "also", "then", "next", "now", "so", "well",
    "ok", "okay", "yes", "yeah", "yep", "sure", "great", "perfect", "good", "cool", "alright",
    "thanks", "thank you", "hi", "hello", "hey", "no", "oh", "that's great", "sounds good",
    "that sounds good", "sounds great", "get me", "give me", "to", "kindly", "just",
    "in the meantime", "by the way", "are there any", "are there", "is there a", "is there any",
    "is there", "do you know of", "do you know", "do you have", "where can i", "where can we",
    "what can i", "what can we", "what is the", "what is", "what's the", "what's", "what", "which",
    "how about", "what about", "tell me", "do i have", "would you like me", "would you like me to",
    "would you like to", "do you want me to", "do you want to", "shall i", "should i",
    "i am looking for", "i'm looking for", "looking for", "i am searching for", "i'm searching for",
    "i am", "i'm", "i was hoping", "i was hoping for", "i was hoping you could",
    "i was hoping you can", "i'm hoping", "i'm hoping for", "i am hoping you can",
    "i'm hoping you can", "i'm hoping you could", "hoping", "hoping you can", "hoping you could",
    "i was wondering if", "i was wondering if you could", "i was wondering if i could",
    "i wonder if you could", "wondering if you could", "you", "me", "help me with", "help with",
    "help me out with", "assist me with", "assist me in", "assist with", "assist me to",
    "i am calling to", "i'm calling to", "i am calling about", "i'm calling about",
    "i am writing to", "i'm writing to", "i am writing about", "i'm writing about",
    "i am contacting you about", "i'm contacting you about", "i'm reaching out about",
    "i'm reaching out to", "i have a problem with", "i have an issue with",
    "i have a question about", "i'm having trouble with", "i'm having a problem with",
    "i'm having issues with", "there is a problem with", "there's a problem with",
    "it would be great if you could", "it would be nice if you could", "if you could",
    "i think i need", "i think i need to", "i'd appreciate it if you could",
    "i would appreciate it if you could", "ich möchte", "ich will", "ich möchte bitte", "bitte",
    "können sie", "können sie bitte", "kannst du", "quiero", "necesito", "me gustaría", "por favor",
    "puedes", "je voudrais", "j'aimerais", "je veux", "pouvez-vous", "s'il vous plaît",
    "i would also like", "i'd also like", "i would", "i'd", "i'll", "i will", "i was", "i had",
    "i have", "i've", "i can", "i could", "i might", "i should", "really need", "really want",
    "really", "actually", "still", "maybe", "perhaps", "possibly", "honestly", "definitely",
    "wanted", "wanted to", "hoping to", "looking to", "trying to", "wondering if i could",
    "wondering if you can", "wondering if", "prefer to", "love to", "able to", "in that case",
    "additionally", "first", "finally", "lastly", "secondly", "instead", "assistance with",
    "assistance in", "some help with", "some assistance with", "your help with", "a hand with",
    "some help", "your help", "assistance", "with", "require", "i fancy", "we fancy", "you got",
    "have you got", "we are interested in", "we're interested in", "we are thinking of",
    "we're thinking of", "i'm planning", "i am planning", "we are planning", "we're planning",
    "we are looking for", "we're looking for", "we are planning to", "we're planning to",
    "let me know", "let us know", "i'm going to need", "i am going to need", "i'm planning to",
    "i am planning to", "i'm thinking of", "i'm thinking about", "i am thinking of", "i feel like",
    "i'm in the mood for", "i am in the mood for", "i'm in need of", "i am in need of",
    "i'm in search of", "i am in search of", "i'm craving", "i could use", "i was looking for",
    "i was looking to", "i was thinking of", "i was thinking about", "i've been looking for",
    "i have been looking for", "i've been meaning to", "i have been meaning to", "i gotta",
    "i got to", "i've got to", "i'd be interested in", "i would be interested in", "i might need",
    "i might want to", "i may need", "i'm ready for", "i'm trying to get", "i'm eager to",
    "i am eager to", "i'm dying to", "i'm excited to", "i was trying to", "i should probably",
    "i will be needing", "i'll be needing", "rather", "is there any way we can",
    "is there a way we can", "any way we can", "we'd", "we're", "we are", "we're looking to",
    "we're hoping to", "i'd prefer to", "at least", "any chance you could", "is there any way to",
    "is there a way to", "is there any way you can", "is there any way i can",
    "would it be possible to", "if it's possible to", "i must", "don't forget to", "make sure to",
    "be sure to", "my goal is to", "the goal is to"}};
  return result;
}

const phrase_list& endings() {
  static const phrase_list result{{"please", "thanks", "thank you", "for me", "for us", "now",
    "too", "as well", "bitte", "por favor", "s'il vous plaît", "if you can", "if possible",
    "though", "shortly", "right away", "as soon as possible", "if that's possible",
    "if that is possible", "if that's okay", "thank you very much"}};
  return result;
}

/// Verbs that mean alike in a wish, and what stands for them.
const std::map<std::string, std::string, std::less<>>& verbs() {
  static const std::map<std::string, std::string, std::less<>> result{{"book", "get"},
    {"reserve", "get"}, {"get", "get"}, {"buy", "get"}, {"purchase", "get"}, {"order", "get"},
    {"rent", "get"}, {"make", "get"}, {"schedule", "get"}, {"request", "get"}, {"call", "get"},
    {"hire", "get"}, {"set", "get"}, {"add", "get"}, {"create", "get"}, {"find", "find"},
    {"search", "find"}, {"look", "find"}, {"looking", "find"}, {"searching", "find"},
    {"show", "find"}, {"list", "find"}, {"check", "find"}, {"see", "find"}, {"recommend", "find"},
    {"suggest", "find"}, {"discover", "find"}, {"play", "play"}, {"listen", "play"},
    {"hear", "play"}, {"stream", "play"}, {"watch", "watch"}, {"send", "send"},
    {"transfer", "send"}, {"pay", "pay"}, {"fix", "fix"}, {"repair", "fix"}, {"cancel", "cancel"},
    {"delete", "delete"}, {"remove", "delete"}, {"write", "write"}, {"deploy", "deploy"},
    {"install", "install"}, {"update", "update"}, {"change", "change"}, {"translate", "translate"},
    {"review", "review"}, {"summarize", "summarize"}, {"remind", "remind"}, {"plan", "plan"},
    {"visit", "visit"}, {"eat", "eat"}, {"go", "go"}, {"travel", "go"}, {"fly", "go"},
    {"turn", "turn"}, {"put", "put"}, {"start", "start"}, {"return", "return"}, {"track", "track"},
    {"renew", "renew"}, {"organize", "plan"}, {"reservieren", "get"}, {"buchen", "get"},
    {"bestellen", "get"}, {"kaufen", "get"}, {"suchen", "find"}, {"finden", "find"},
    {"reservar", "get"}, {"pedir", "get"}, {"comprar", "get"}, {"buscar", "find"},
    {"réserver", "get"}, {"commander", "get"}, {"acheter", "get"}, {"trouver", "find"},
    {"chercher", "find"}, {"modify", "change"}, {"adjust", "change"}, {"alter", "change"},
    {"edit", "change"}, {"reschedule", "change"}, {"rebook", "change"}, {"switch", "change"},
    {"move", "change"}, {"upgrade", "upgrade"}, {"downgrade", "downgrade"}, {"verify", "find"},
    {"submit", "send"}, {"replace", "replace"}, {"exchange", "replace"}, {"open", "open"},
    {"close", "close"}, {"speak", "speak"}, {"discuss", "speak"}, {"explain", "explain"},
    {"compare", "compare"}, {"investigate", "fix"}, {"prepare", "prepare"}, {"draft", "write"}};
  return result;
}

bool is_filler(std::string_view word) {
  constexpr std::array<std::string_view, 44> all{"einen", "eine", "ein", "das", "una", "un", "une",
    "la", "le", "el", "a", "an", "the", "some", "any", "my", "our", "your", "me", "us", "you", "up",
    "out", "new", "good", "nice", "great", "cheap", "interesting", "few", "more", "another",
    "other", "very", "really", "kind", "of", "best", "there", "i", "we", "available", "is", "are"};
  return is_one_of(all, word);
}

/// Words after which the details of the thing follow.
bool begins_details(std::string_view word) {
  constexpr std::array<std::string_view, 58> all{"für", "nach", "um", "para", "pour", "en", "à",
    "in", "at", "for", "to", "from", "on", "with", "near", "by", "that", "which", "who", "where",
    "when", "around", "nearby", "tomorrow", "today", "tonight", "this", "next", "leaving",
    "starting", "called", "named", "so", "and", "between", "until", "before", "after", "please",
    "about", "using", "via", "through", "due", "booked", "made", "purchased", "i", "we",
    "departing", "arriving", "specifically", "if", "into", "because", "without", "under"};
  return is_one_of(all, word);
}

bool is_pointer(std::string_view word) {
  constexpr std::array<std::string_view, 7> all{
    "it", "that", "this", "one", "them", "those", "these"};
  return is_one_of(all, word);
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_small_letter(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_gap(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == ',' || c == '.' || c == '!' || c == '?'
         || c == ';' || c == ':' || c == '"' || c == '(' || c == ')';
}

/// How a wish begins.
struct opening {
  size_t bytes = 0;     ///< of the text that are not what is wanted
  bool is_said = false; ///< it ends with who does something, as a statement does: "I recently"
  bool helps = false;   ///< it ends with "with", as "help me with" does
};

/// Whether the words before `end` ask: "can i", "will you", "do you".
bool asks_of_you(const words& all, size_t end) {
  static const phrase_list asks{{"can", "could", "would", "will", "may", "do", "shall", "should",
    "where can", "what can", "if", "hoping", "do you want me", "think"}};
  return end > 1 && asks.length_at(all, end - 2) == 1;
}

/// Whether the last words before a verb make it something that the person does or has done.
bool makes_statement(const words& all, size_t begin, size_t end) {
  static const phrase_list subjects{{"i", "we", "i am", "i'm", "we are", "we're", "i would", "i'd",
    "i'll", "i will", "i was", "i had", "i have", "i've", "i can", "i could", "i might", "i should",
    "we'd", "i also", "you"}};
  static const phrase_list skipped{
    {"really", "also", "still", "just", "actually", "then", "now", "possibly", "maybe"}};
  while (end > begin && skipped.length_at(all, end - 1) == 1)
    --end;
  if (asks_of_you(all, end))
    return false;
  for (size_t length : {2, 1})
    if (end >= begin + length
        && subjects.is_whole(
          {all.begin() + static_cast<long>(end - length), all.begin() + static_cast<long>(end)}))
      return !asks_of_you(all, end - length + 1);
  return false;
}

/// The words of a part of a text without gaps, with "-" between them. Most parts are one word.
std::string hyphenated(std::string_view part) {
  return std::all_of(part.begin(), part.end(), is_small_letter) ? std::string{part}
                                                                : joined(words_of(part), "-");
}

opening read_opening(std::string_view text) {
  words all;
  std::vector<size_t> at;
  for (size_t i = 0; i < text.size();) {
    if (is_gap(text[i])) {
      ++i;
      continue;
    }
    auto end = i;
    while (end < text.size() && !is_gap(text[end]))
      ++end;
    all.push_back(hyphenated(text.substr(i, end - i)));
    at.push_back(i);
    i = end;
  }
  size_t position = 0;
  while (position < all.size()) {
    auto length = beginnings().length_at(all, position);
    if (length == 0)
      break;
    position += length;
  }
  // "Will you" asks and "Yes, thank you" is over: only what follows in the sentence is a statement.
  auto is_said = position > 0 && position < all.size() && makes_statement(all, 0, position);
  return {position < all.size() ? at[position] : text.size(), is_said,
    position > 0 && position < all.size() && all[position - 1] == "with"};
}

/// How a text begins: the beginnings are taken away, one after the other.
opening opening_of(std::string_view text) {
  thread_local recent_readings<opening> known;
  return known.of(text, read_opening);
}

size_t begin_of_wish(std::string_view text) {
  return opening_of(text).bytes;
}

std::string_view without_ending(std::string_view text) {
  while (true) {
    auto end = text.find_last_not_of(" \t\n.,!?;:");
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    size_t cut = std::string_view::npos;
    for (size_t blank = text.rfind(' '), n = 0; blank != std::string_view::npos && n < 4; ++n) {
      if (endings().is_whole(words_of(text.substr(blank))))
        cut = blank;
      blank = blank == 0 ? std::string_view::npos : text.rfind(' ', blank - 1);
    }
    if (cut == std::string_view::npos)
      return text;
    text = text.substr(0, cut);
  }
}

bool is_greeting(std::string_view word) {
  constexpr std::array<std::string_view, 6> all{"hi", "hello", "hey", "yes", "ok", "okay"};
  return is_one_of(all, word);
}

bool is_subject(std::string_view word) {
  constexpr std::array<std::string_view, 4> all{"i", "we", "i'm", "no"};
  return is_one_of(all, word);
}

/// Whether a sentence begins with a wish, and not with the reason for one: "I need a cab".
bool begins_with_wish(const words& all) {
  size_t first = 0;
  while (first + 1 < all.size() && is_greeting(all[first]))
    ++first;
  if (first >= all.size() || verbs().contains(all[first]))
    return true;
  auto length = beginnings().length_at(all, first);
  return length > 1 || (length == 1 && !is_subject(all[first]));
}

size_t find_request(std::string_view sentence) {
  static const phrase_list requests{{"please", "can you", "could you", "would you", "i need",
    "i want", "i'd like", "i would like", "help me", "find me", "get me", "i'm hoping to",
    "i was hoping", "i am hoping to", "is it possible to", "i'm looking to", "i am looking to",
    "need", "want", "would like to", "i also need", "i also want", "i'd also like",
    "i would also like", "i wish to", "let's", "i'm searching for", "i'm looking for",
    "i am looking for", "i will need", "i'll need", "i require", "can we", "could we", "can i",
    "could i", "i have to", "i would love", "i'd love"}};
  static const phrase_list links{{"and", "so", "but", "and so", "then", "so then"}};
  auto is_statement = opening_of(sentence).is_said;
  if (begins_with_wish(words_of(sentence)) && !is_statement)
    return 0;
  for (auto clause : clauses_of(sentence)) {
    auto all = words_of(clause);
    auto first = links.length_at(all, 0);
    auto orders =
      clause.data() != sentence.data() && first + 1 < all.size() && verbs().contains(all[first]);
    if (orders || requests.length_at(all, first) > 0)
      return static_cast<size_t>(clause.data() - sentence.data());
  }
  for (std::string_view link : {" and ", " so ", " but "})
    for (auto at = sentence.find(link); at != std::string_view::npos;
         at = sentence.find(link, at + 1))
      if (requests.length_at(words_of(sentence.substr(at + link.size())), 0) > 0)
        return at + link.size();
  return 0;
}

/// Where a request begins that follows its reason: "My sink leaks, please get me a plumber".
size_t begin_of_request(std::string_view sentence) {
  thread_local recent_readings<size_t> known;
  return known.of(sentence, find_request);
}

/// Where the core of a sentence is in it.
struct place_of_core {
  size_t offset = 0;
  size_t length = 0;
};

place_of_core find_core(std::string_view sentence) {
  auto request = sentence.substr(begin_of_request(sentence));
  auto core = without_ending(request.substr(begin_of_wish(request)));
  return {static_cast<size_t>(core.data() - sentence.data()), core.size()};
}

/// What a sentence wants, without the words that ask for it.
std::string_view core_of(std::string_view sentence) {
  thread_local recent_readings<place_of_core> known;
  auto [offset, length] = known.of(sentence, find_core);
  return sentence.substr(offset, length);
}

/// "book a table" is "table" on a list, and so is "a table".
std::string_view without_first_words(std::string_view text) {
  constexpr std::array<std::string_view, 8> dropped{
    "a ", "an ", "the ", "some ", "book a ", "book an ", "reserve a ", "get a "};
  size_t longest = 0;
  for (auto one : dropped)
    if (text.size() > one.size() && text.substr(0, one.size()) == one)
      longest = std::max(longest, one.size());
  return text.substr(longest);
}

/// "at 11:30" at the end is ", 11:30" on a list.
std::string with_time_as_note(std::string text) {
  auto at = text.rfind(" at ");
  if (at != std::string::npos && at + 4 < text.size() && text[at + 4] >= '0' && text[at + 4] <= '9'
      && text.find(' ', at + 4) == std::string::npos && text.find(':', at + 4) != std::string::npos)
    text.replace(at, 4, ", ");
  return text;
}

/// Whether what is wanted begins with a verb: "book a flight", and not "go ahead" or "a flight".
bool names_verb(std::string_view sentence) {
  auto core = words_of(core_of(sentence));
  return core.size() > 1 && verbs().contains(core[0]) && core[1] != "ahead";
}

/// The verb of "changing my flight", "" if a text does not begin so.
std::string first_gerund(std::string_view text) {
  auto blank = text.find(' ');
  if (blank == std::string_view::npos)
    return "";
  auto next = text.substr(blank + 1);
  auto first = words_of(text.substr(0, blank));
  auto second = words_of(next.substr(0, next.find(' ')));
  return first.size() != 1 || second.empty() ? "" : verb_of_gerund(first[0], second[0]);
}

/// The words of what is wanted; of "make some changes to it" only "change it".
words topic_core(std::string_view sentence) {
  auto text = core_of(sentence);
  auto result = words_of(text);
  if (auto verb = first_gerund(text); !verb.empty())
    result[0] = verb;
  auto to = std::find(result.begin(), result.end(), "to");
  if (result.size() > 2 && result[0] == "make" && to != result.end() && to + 1 != result.end()
      && ((to - 1)->starts_with("change") || (to - 1)->starts_with("modification"))) {
    result.erase(result.begin(), to);
    result[0] = "change";
  }
  return result;
}

words topic_words(std::string_view sentence) {
  auto core = topic_core(sentence);
  words result;
  size_t i = 0;
  std::string verb = "get";
  if (!core.empty())
    if (auto known = verbs().find(core[0]); known != verbs().end()) {
      verb = known->second;
      i = 1;
    }
  result.push_back(verb);
  std::string thing;
  for (; i < core.size(); ++i) {
    if (begins_details(core[i]) && (!thing.empty() || !is_pointer(core[i]))) {
      if (!thing.empty())
        break;
      continue;
    }
    if (!thing.empty() && verbs().contains(core[i]))
      continue; // German has its verb at the end
    if (!is_filler(core[i]) && !has_digit(core[i]))
      thing = core[i];
  }
  if (!thing.empty())
    result.push_back(stem(thing));
  return result;
}

} // namespace

std::string title_of_wish(std::string_view sentence) {
  auto core = whole_phrases(core_of(sentence), title_limits::bytes);
  std::string result{without_first_words(without_ending(core))};
  if (auto verb = first_gerund(result); !verb.empty())
    result.replace(0, result.find(' '), verb);
  else if (opening_of(sentence.substr(begin_of_request(sentence))).helps)
    result.insert(0, "Help with ");
  else if (result.starts_with("if "))
    result.insert(0, "See ");
  for (std::string_view word : {" me ", " us "})
    if (auto at = result.find(' '); at != std::string::npos && result.compare(at, 4, word) == 0
                                    && !result.starts_with("remind")
                                    && !result.starts_with("Remind"))
      result.erase(at, 3);
  result = with_time_as_note(std::move(result));
  if (result.size() > title_limits::bytes) {
    result = std::string{utf8::prefix(result, title_limits::bytes)};
  }
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

std::string topic_of_wish(std::string_view sentence) {
  return joined(topic_words(sentence), " ");
}

bool asks_plainly(std::string_view sentence) {
  return begins_with_wish(words_of(sentence)) || begin_of_request(sentence) > 0;
}

bool names_what_is_wanted(std::string_view sentence) {
  if (!is_readable(sentence))
    return false;
  auto request = sentence.substr(begin_of_request(sentence));
  auto core = words_of(whole_phrases(core_of(sentence), title_limits::bytes));
  return (!opening_of(request).is_said || begins_journey(core)) && !begins_story(core)
         && names_thing(core);
}

bool tells_means(std::string_view sentence) {
  return names_means(words_of(core_of(sentence)));
}

bool points_back(std::string_view sentence) {
  auto all = words_of(core_of(sentence));
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_one_of(std::array<std::string_view, 4>{"it", "there", "them", "those"}, all[i]))
      return true;
    auto is_last = i + 1 == all.size() || begins_details(all[i + 1]);
    auto points = i > 0 && is_pointer(all[i]) && (all[i] != "one" || is_pointer(all[i - 1]));
    auto opens = is_pointer(all[i]) && all[i] != "one" && i == 1; // "play that song"
    if ((points && is_last) || opens)
      return true;
  }
  return false;
}

std::vector<std::string_view> wishes_in(std::string_view sentence) {
  constexpr std::string_view link = " and ";
  std::vector<std::string_view> result;
  for (size_t at = sentence.find(link); at != std::string_view::npos;
       at = sentence.find(link, at + 1)) {
    auto rest = words_of(core_of(sentence.substr(at + link.size())));
    auto first = topic_words(sentence.substr(0, at));
    if (rest.size() < 2 || !verbs().contains(rest[0]) || is_pointer(rest[1]) || first.size() < 2
        || !names_verb(sentence.substr(0, at)))
      continue;
    result.push_back(sentence.substr(0, at));
    sentence.remove_prefix(at + link.size());
    at = 0;
  }
  result.push_back(sentence);
  return result;
}

} // namespace scratchpage
