#include "scratchpage/actors/policies/fact_wording.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/unspaced_wording.hpp"

namespace scratchpage {

namespace {

using texts = std::vector<std::string>;
using pairs = std::map<std::string_view, std::string_view>;

template <size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// ASCII letters in lower case, and the typographic apostrophe as the plain one.
std::string plain(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "\xE2\x80\x99") == 0) {
      result += '\'';
      i += 2;
    } else {
      result += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    }
  }
  return result;
}

/// The words as they were written, without spaces and the punctuation around them.
texts tokens_of(std::string_view text) {
  texts result;
  std::string word;
  auto end_word = [&] {
    while (
      !word.empty() && std::string_view{".,;:!?\"()"}.find(word.back()) != std::string_view::npos)
      word.pop_back();
    if (!word.empty())
      result.push_back(word);
    word.clear();
  };
  for (auto c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      end_word();
    else if (!word.empty() || std::string_view{"\"(.,;:!?"}.find(c) == std::string_view::npos)
      word += c;
  }
  end_word();
  return result;
}

std::string rest_of(const texts& words, size_t from, const pairs& replaced = {}) {
  std::string result;
  for (auto i = from; i < words.size(); ++i) {
    auto found = replaced.find(plain(words[i]));
    auto word = found != replaced.end() ? found->second : std::string_view{words[i]};
    if (word.empty())
      continue;
    result.append(result.empty() ? "" : " ").append(word);
  }
  return result;
}

/// The words of a place: up to a word that tells the time.
std::string place_of(const texts& words, size_t from) {
  constexpr std::array<std::string_view, 26> ends{"now", "last", "this", "since", "two", "three",
    "recently", "next", "yesterday", "for", "with", "and", "jetzt", "seit", "letztes", "letzten",
    "ahora", "desde", "hace", "el", "maintenant", "depuis", "il", "gezogen", "umgezogen", "today"};
  texts kept;
  for (auto i = from; i < words.size() && kept.size() < 4; ++i) {
    auto word = plain(words[i]);
    if (is_one_of(word, ends) || (word == "in" && !kept.empty()))
      break;
    kept.push_back(words[i]);
  }
  return joined(kept, " ");
}

// -- English ----------------------------------------------------------------------------------

const pairs& english_persons() {
  static const pairs result{{"my", "their"}, {"me", "them"}, {"i", "they"}, {"i'm", "they are"},
    {"myself", "themselves"}, {"our", "their"}, {"us", "them"}, {"mine", "theirs"}, {"we", "they"},
    {"please", ""}, {"now", "now"}};
  return result;
}

/// "live" → "lives", "carry" → "carries"
std::string third_person(const std::string& verb) {
  static const pairs irregular{{"am", "is"}, {"are", "is"}, {"have", "has"}, {"do", "does"},
    {"go", "goes"}, {"don't", "does not"}, {"can't", "cannot"}, {"won't", "will not"}};
  if (auto i = irregular.find(verb); i != irregular.end())
    return std::string{i->second};
  constexpr std::array<std::string_view, 29> unchanged{"was", "had", "said", "told", "went",
    "bought", "ate", "came", "made", "can", "cannot", "will", "must", "should", "could", "would",
    "may", "might", "used", "quit", "gave", "grew", "became", "got", "lost", "left", "haven't",
    "isn't", "aren't"};
  if (is_one_of(verb, unchanged) || verb.ends_with("ed") || verb.size() < 2)
    return verb;
  auto before_last = verb[verb.size() - 2];
  if (verb.ends_with("y") && std::string_view{"aeiou"}.find(before_last) == std::string_view::npos)
    return verb.substr(0, verb.size() - 1) + "ies";
  for (auto ending : {"s", "sh", "ch", "x", "z"})
    if (verb.ends_with(ending))
      return verb + "es";
  return verb + "s";
}

/// "smoke" → "smoking"
std::string gerund(const std::string& verb) {
  return (verb.ends_with("e") ? verb.substr(0, verb.size() - 1) : verb) + "ing";
}

bool is_english_adverb(std::string_view word) {
  constexpr std::array<std::string_view, 19> adverbs{"always", "never", "usually", "only", "often",
    "mostly", "really", "also", "just", "still", "now", "generally", "rarely", "hardly", "mainly",
    "all", "both", "finally", "normally"};
  return is_one_of(word, adverbs);
}

/// Whose ways "we" are.
std::string_view name_of_us(std::string_view clause) {
  static const phrase_list work{{"project", "repo", "repository", "codebase", "commit*", "branch*",
    "code", "tests", "release*", "deploy*", "merge*"}};
  static const phrase_list team{{"team", "office", "company", "customers", "clients", "meeting*"}};
  auto words = words_of(clause);
  return work.find_in(words) != nullptr   ? "The project"
         : team.find_in(words) != nullptr ? "User's team"
                                          : "User's household";
}

/// "I have moved to Porto", "we live in Porto now"
std::string english_home(const texts& lower, const texts& words) {
  constexpr std::array<std::string_view, 7> verbs{
    "live", "moved", "settled", "relocated", "living", "reside", "lived"};
  for (size_t i = 0; i + 2 < lower.size(); ++i)
    if (is_one_of(lower[i], verbs) && lower[i] != "lived" && lower[i] != "living"
        && (lower[i + 1] == "in" || lower[i + 1] == "to"))
      return place_of(words, i + 2);
  return {};
}

retold english_of_us(const texts& lower, const texts& words, size_t verb, std::string who) {
  auto result = std::move(who);
  for (; verb < lower.size() && is_english_adverb(lower[verb]); ++verb)
    result += " " + lower[verb];
  if (verb >= lower.size())
    return {};
  result += " " + third_person(lower[verb]);
  if (lower[verb] == "do" && verb + 1 < lower.size() && lower[verb + 1] == "not")
    result += " not", ++verb;
  return {result + " " + rest_of(words, verb + 1, english_persons()), false, {}};
}

/// "No calls before nine", "always book the aisle": what the user wants from now on.
retold english_demand(const texts& lower, const texts& words) {
  static const pairs left_out{
    {"please", ""}, {"again", ""}, {"my", "their"}, {"me", "them"}, {"usual", ""}};
  static const phrase_list habit{
    {"as always", "as usual", "as ever", "from now on", "in future", "in all my", "every time"}};
  auto is_habit = habit.find_in(lower) != nullptr;
  if (lower.empty())
    return {};
  if (lower[0] == "no" || (lower[0] == "never" && lower.size() > 1 && lower[1] == "more"))
    return {"User wants " + lower[0] + " " + rest_of(words, 1, left_out), false, {}};
  if (lower[0] == "always" || lower[0] == "never")
    return {
      "User wants you to " + lower[0] + " " + rest_of(words, 1, left_out), lower.size() > 2, {}};
  if (is_habit)
    return {"User wants " + rest_of(words, 0, left_out), true, {}};
  return {};
}

/// Aisle or window: one of the few things of which everybody wants one.
retold english_seat(const texts& lower) {
  static const phrase_list lasting{{"always", "from now on", "prefer*", "rather", "usually",
    "as usual", "as always", "every time", "only", "never"}};
  auto has = [&](std::string_view word) {
    return std::find(lower.begin(), lower.end(), word) != lower.end();
  };
  auto denied = has("never") || has("not") || has("don't");
  if (has("aisle") == has("window") || lasting.find_in(lower) == nullptr || denied)
    return {};
  if (!has("seat") && !has("seats") && !has("sit") && !has("book") && !has("fly"))
    return {};
  return {has("aisle") ? "User prefers aisle seats" : "User prefers window seats", true, "seat"};
}

/// The subject of the clause before: "My dog is called Rex" → "User's dog".
std::string english_subject(std::string_view clause) {
  auto words = tokens_of(clause);
  if (words.size() < 2 || (plain(words[0]) != "my" && plain(words[0]) != "our"))
    return {};
  return "User's " + words[1];
}

retold english(std::string_view clause, std::string_view before) {
  auto words = tokens_of(clause);
  constexpr std::array<std::string_view, 14> fillers{"and", "so", "but", "well", "oh", "also",
    "because", "since", "btw", "yes", "actually", "by", "the way", "now"};
  while (words.size() > 1 && is_one_of(plain(words[0]), fillers) && plain(words[0]) != "by")
    words.erase(words.begin());
  texts lower;
  for (const auto& word : words)
    lower.push_back(plain(word));
  if (lower.size() < 2)
    return {};
  if (auto seat = english_seat(lower); !seat.statement.empty())
    return seat;
  auto is_me = lower[0] == "i" || lower[0] == "we" || lower[0].starts_with("i'")
               || lower[0].starts_with("we'");
  if (auto home = is_me ? english_home(lower, words) : std::string{}; !home.empty())
    return {"User lives in " + home, true, "lives"};
  auto past = tokens_of(plain(before));
  if (lower[0] == "quit" || lower[0] == "stopped" || lower[0] == "gave") {
    auto used = std::find(past.begin(), past.end(), "used");
    if (past.end() - used > 2)
      return {"User quit " + gerund(*(used + 2)) + " " + rest_of(words, 1), true, {}};
  }
  if (is_me && lower[1] == "used" && lower.size() > 2 && lower[2] == "to")
    return {};
  if (lower[0] == "i'm" || lower[0] == "im")
    return {"User is " + rest_of(words, 1, english_persons()), false, {}};
  if (lower[0] == "i've")
    return {"User has " + rest_of(words, 1, english_persons()), false, {}};
  if (lower[0] == "we're" || lower[0] == "we've")
    return {std::string{name_of_us(clause)} + (lower[0] == "we're" ? " is " : " has ")
              + rest_of(words, 1, english_persons()),
      false, {}};
  if (lower[0] == "i")
    return english_of_us(lower, words, 1, "User");
  if (lower[0] == "we")
    return english_of_us(lower, words, 1, std::string{name_of_us(clause)});
  if (lower[0] == "my" || lower[0] == "our")
    return {"User's " + rest_of(words, 1, english_persons()), false, {}};
  if (lower[0] == "he" || lower[0] == "she" || lower[0] == "it") {
    auto whom = english_subject(before);
    return whom.empty() ? retold{}
                        : retold{whom + " " + rest_of(words, 1, english_persons()), false, {}};
  }
  if (auto demand = english_demand(lower, words); !demand.statement.empty())
    return demand;
  return {rest_of(words, 0, english_persons()), false, {}};
}

// -- German, Spanish and French -------------------------------------------------------------------

std::string german_verb(const std::string& verb) {
  static const pairs irregular{{"bin", "ist"}, {"habe", "hat"}, {"esse", "isst"},
    {"vertrage", "verträgt"}, {"nehme", "nimmt"}, {"trage", "trägt"}, {"fahre", "fährt"},
    {"schlafe", "schläft"}, {"lese", "liest"}, {"spreche", "spricht"}, {"sehe", "sieht"},
    {"gebe", "gibt"}, {"laufe", "läuft"}, {"wir", "wird"}, {"trank", "trinkt"}, {"aß", "isst"},
    {"war", "ist"}, {"hatte", "hat"}, {"lebte", "lebt"}, {"wohnte", "wohnt"}, {"fuhr", "fährt"},
    {"rauchte", "raucht"}, {"arbeitete", "arbeitet"}, {"wohnen", "wohnt"}, {"leben", "lebt"},
    {"haben", "hat"}, {"sind", "ist"}};
  if (auto i = irregular.find(verb); i != irregular.end())
    return std::string{i->second};
  if (!verb.ends_with("e"))
    return verb;
  return verb.ends_with("te") || verb.ends_with("de") ? verb + "t"
                                                      : verb.substr(0, verb.size() - 1) + "t";
}

std::string spanish_verb(const std::string& verb) {
  static const pairs irregular{{"soy", "es"}, {"tengo", "tiene"}, {"estoy", "está"}, {"voy", "va"},
    {"hago", "hace"}, {"puedo", "puede"}, {"quiero", "quiere"}, {"prefiero", "prefiere"},
    {"duermo", "duerme"}, {"vivo", "vive"}, {"como", "come"}, {"bebo", "bebe"}, {"leo", "lee"},
    {"aprendo", "aprende"}, {"escribo", "escribe"}, {"sufro", "sufre"}, {"salgo", "sale"},
    {"siento", "sienta"}, {"conduzco", "conduce"}, {"vivía", "vive"}, {"comía", "come"},
    {"bebía", "bebe"}, {"trabajaba", "trabaja"}, {"vivimos", "vive"}, {"he", "ha"}};
  if (auto i = irregular.find(verb); i != irregular.end())
    return std::string{i->second};
  return verb.size() > 2 && verb.ends_with("o") ? verb.substr(0, verb.size() - 1) + "a" : verb;
}

std::string french_verb(const std::string& verb) {
  static const pairs irregular{{"suis", "est"}, {"ai", "a"}, {"vais", "va"}, {"vis", "vit"},
    {"peux", "peut"}, {"veux", "veut"}, {"prends", "prend"}, {"mangeais", "mange"},
    {"buvais", "boit"}, {"habitais", "habite"}, {"assieds", "assied"}, {"avons", "a"},
    {"habitons", "habite"}};
  if (auto i = irregular.find(verb); i != irregular.end())
    return std::string{i->second};
  return verb.size() > 3 && verb.ends_with("s") ? verb.substr(0, verb.size() - 1) + "t" : verb;
}

bool has_word(const texts& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A clause about what was before, and is no more.
bool tells_of_before(const texts& lower) {
  return has_word(lower, "früher") || has_word(lower, "antes") || has_word(lower, "avant")
         || has_word(lower, "autrefois");
}

bool tells_of_now(const texts& lower) {
  return has_word(lower, "jetzt") || has_word(lower, "ahora") || has_word(lower, "maintenant")
         || has_word(lower, "inzwischen");
}

texts lower_of(const texts& words) {
  texts result;
  for (const auto& word : words)
    result.push_back(plain(word));
  return result;
}

/// A verb that the speaker used of themselves in the clause before, in the third person.
std::string verb_before(std::string_view before, std::string (*form)(const std::string&)) {
  for (const auto& word : lower_of(tokens_of(before)))
    if (auto now = form(word); now != word)
      return now;
  return {};
}

retold german(std::string_view clause, std::string_view before) {
  static const pairs persons{{"ich", ""}, {"wir", ""}, {"mein", "ihr"}, {"meine", "ihre"},
    {"mir", ""}, {"mich", "sich"}, {"bitte", ""}, {"uns", ""}, {"jetzt", "jetzt"}};
  auto words = tokens_of(clause);
  while (words.size() > 1 && (plain(words[0]) == "und" || plain(words[0]) == "aber"))
    words.erase(words.begin());
  auto lower = lower_of(words);
  if (lower.size() < 2 || tells_of_before(lower) || lower[0] == "also")
    return {};
  if (has_word(lower, "gezogen") || has_word(lower, "umgezogen")) {
    auto to = std::find(lower.begin(), lower.end(), "nach") - lower.begin();
    return {"Der Nutzer wohnt in " + place_of(words, static_cast<size_t>(to) + 1), true, "lives"};
  }
  auto me = std::find_if(
    lower.begin(), lower.end(), [](const auto& word) { return word == "ich" || word == "wir"; });
  if (me != lower.end()) {
    auto at = static_cast<size_t>(me - lower.begin());
    auto verb = at == 0 ? at + 1 : at - 1;
    auto lives = lower[verb] == "wohne" || lower[verb] == "lebe" || lower[verb] == "wohnen";
    auto said = "Der Nutzer " + german_verb(lower[verb]);
    words.erase(words.begin() + static_cast<ptrdiff_t>(verb));
    auto is_home = lives && has_word(lower, "in");
    return {said + " " + rest_of(words, 0, persons), is_home, is_home ? "lives" : ""};
  }
  if (lower[0] == "mein" || lower[0] == "meine" || lower[0] == "unser" || lower[0] == "unsere")
    return {words[1] + " des Nutzers " + rest_of(words, 2, persons), false, {}};
  if (tells_of_now(lower) && !before.empty())
    if (auto verb = verb_before(before, german_verb); !verb.empty())
      return {"Der Nutzer " + verb + " " + rest_of(words, 0, persons), true, {}};
  auto is_habit = has_word(lower, "immer") || has_word(lower, "nie") || has_word(lower, "keine")
                  || has_word(lower, "niemals");
  if (is_habit && lower[0] != "der" && lower[0] != "die" && lower[0] != "das")
    return {"Der Nutzer möchte " + rest_of(words, 0, persons), false, {}};
  return {rest_of(words, 0), false, {}};
}

retold spanish(std::string_view clause, std::string_view before) {
  static const pairs persons{
    {"yo", ""}, {"me", "se"}, {"mi", "su"}, {"mis", "sus"}, {"por", "por"}, {"nos", "se"}};
  auto words = tokens_of(clause);
  while (words.size() > 1 && (plain(words[0]) == "y" || plain(words[0]) == "pero"))
    words.erase(words.begin());
  auto lower = lower_of(words);
  if (lower.size() < 2 || tells_of_before(lower))
    return {};
  for (size_t i = 0; i + 2 < lower.size() + 1; ++i)
    if (i + 2 < lower.size()
        && (lower[i] == "mudé" || lower[i] == "mudamos" || lower[i] == "mudado"))
      return {"El usuario vive en " + place_of(words, i + 2), true, "lives"};
  if (tells_of_now(lower) && !before.empty())
    if (auto verb = verb_before(before, spanish_verb); !verb.empty() && lower.size() < 5)
      return {"El usuario " + verb + " " + rest_of(words, 1, persons), true,
        verb == "vive" ? "lives" : ""};
  if (lower[0] == "mi" || lower[0] == "mis")
    return {words[1] + " del usuario " + rest_of(words, 2, persons), false, {}};
  for (size_t i = 0; i < std::min<size_t>(lower.size(), 4); ++i) {
    auto verb = spanish_verb(lower[i]);
    if (verb == lower[i] || lower[i] == "no")
      continue;
    auto said =
      "El usuario "
      + rest_of(texts(words.begin(), words.begin() + static_cast<ptrdiff_t>(i)), 0, persons);
    if (!said.ends_with(" "))
      said += " ";
    auto is_home = verb == "vive" && has_word(lower, "en");
    std::transform(said.begin() + 11, said.end(), said.begin() + 11, [](unsigned char c) {
      return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
    });
    return {said + verb + " " + rest_of(words, i + 1, persons), is_home, is_home ? "lives" : ""};
  }
  auto is_habit = has_word(lower, "siempre") || has_word(lower, "nunca");
  if (is_habit && lower[0] != "el" && lower[0] != "la" && lower[0] != "los")
    return {"El usuario quiere " + rest_of(words, 0, persons), false, {}};
  return {rest_of(words, 0), false, {}};
}

retold french(std::string_view clause, std::string_view before) {
  static const pairs persons{{"je", ""}, {"me", "se"}, {"mon", "son"}, {"ma", "sa"}, {"mes", "ses"},
    {"merci", ""}, {"moi", ""}};
  static const phrase_list habit{{"comme d'habitude", "comme toujours"}};
  auto spaced = plain(clause) == std::string{clause} ? std::string{clause} : std::string{clause};
  auto words = tokens_of(spaced);
  while (words.size() > 1 && (plain(words[0]) == "et" || plain(words[0]) == "mais"))
    words.erase(words.begin());
  if (!words.empty() && plain(words[0]).starts_with("j'")) {
    auto verb = plain(words[0]).substr(2);
    words[0] = verb;
    words.insert(words.begin(), "je");
  }
  auto lower = lower_of(words);
  if (lower.size() < 2 || tells_of_before(lower))
    return {};
  for (size_t i = 0; i + 2 < lower.size(); ++i)
    if (lower[i] == "déménagé" || lower[i] == "emménagé")
      return {"L'utilisateur habite à " + place_of(words, i + 2), true, "lives"};
  if (lower[0] == "je") {
    auto verb = lower[1] == "ne" || lower[1] == "me" ? size_t{2} : size_t{1};
    if (verb >= lower.size())
      return {};
    auto said = verb == 1          ? std::string{"L'utilisateur "}
                : lower[1] == "ne" ? "L'utilisateur ne "
                                   : "L'utilisateur se ";
    auto is_home = lower[verb] == "habite" || lower[verb] == "vis";
    return {said + french_verb(lower[verb]) + " " + rest_of(words, verb + 1, persons), is_home,
      is_home ? "lives" : ""};
  }
  if (lower[0] == "mon" || lower[0] == "ma" || lower[0] == "mes")
    return {words[1] + " de l'utilisateur " + rest_of(words, 2, persons), false, {}};
  if (tells_of_now(lower) && !before.empty())
    if (auto verb = verb_before(before, french_verb); !verb.empty())
      return {"L'utilisateur " + verb + " " + rest_of(words, 1, persons), true, {}};
  auto always = lower[0] == "toujours";
  if (always || lower[0] == "jamais" || habit.find_in(words_of(clause)) != nullptr) {
    auto what = rest_of(words, always ? 1 : 0, {{"merci", ""}, {"comme", ""}, {"d'habitude", ""}});
    return {"L'utilisateur préfère " + what, lower.size() > 2, {}};
  }
  return {rest_of(words, 0), false, {}};
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

} // namespace

retold retell(std::string_view clause, std::string_view said_before, spoken_language in) {
  retold result;
  switch (in) {
  case spoken_language::english:
    result = english(clause, said_before);
    break;
  case spoken_language::german:
    result = german(clause, said_before);
    break;
  case spoken_language::spanish:
    result = spanish(clause, said_before);
    break;
  case spoken_language::french:
    result = french(clause, said_before);
    break;
  case spoken_language::chinese:
    result = chinese(clause);
    break;
  case spoken_language::japanese:
    result = japanese(clause);
    break;
  }
  result.statement = trimmed(std::move(result.statement));
  return result;
}

} // namespace scratchpage
