#include "scratchpage/actors/policies/several_meant.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/listed_things.hpp"
#include "scratchpage/actors/policies/pointing_words.hpp"
#include "scratchpage/actors/policies/sentence_text.hpp"
#include "scratchpage/actors/policies/unspaced_pointing.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

using policies::known_words;
using word_list = std::vector<std::string>;

constexpr size_t telling_letters = 3; ///< a shorter word that is no number does not tell which
constexpr size_t words_of_item = 12;  ///< an item of more is no single thing
constexpr size_t words_of_remark = 2; ///< before the request: "ok, thanks, ..."

/// Words of sentences, which things that are listed do not have.
const known_words& sentence_words() {
  static const known_words list{"is", "are", "was", "were", "will", "would", "can", "could",
    "should", "might", "has", "have", "had", "do", "does", "did", "don't", "i", "i'm", "i've",
    "i'll", "we", "it", "it's", "they", "but", "so", "because", "if", "which", "although", "since",
    "then", "too", "not", "no", "none", "nothing", "sorry", "done", "ist", "sind", "war", "wird",
    "habe", "hat", "aber", "weil", "wenn", "kein", "keine", "nichts", "est", "sont", "mais",
    "parce", "si", "rien", "es", "son", "está", "pero", "porque", "nada"};
  return list;
}

/// Places of things that nobody means by "it".
const known_words& containers() {
  static const known_words list{"calendar", "agenda", "diary", "schedule", "inbox", "week", "day",
    "morning", "afternoon", "evening", "moment", "kalender", "woche", "tag", "posteingang",
    "agenda", "journée", "semaine", "calendario", "semana", "día"};
  return list;
}

/// What everything with a time of day is.
const known_words& dates() {
  static const known_words list{
    "appointment", "event", "termin", "eintrag", "rendez", "rdv", "cita", "evento"};
  return list;
}

/// Words for several, which say that a list follows.
const known_words& numbers_of_things() {
  static const known_words list{"two", "three", "four", "five", "six", "several", "zwei", "drei",
    "vier", "fünf", "mehrere", "deux", "trois", "quatre", "cinq", "plusieurs", "dos", "tres",
    "cuatro", "cinco", "varias", "varios"};
  return list;
}

bool has_any(const word_list& words, const auto& is_it) {
  return std::any_of(words.begin(), words.end(), is_it);
}

bool has_figure(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

/// "fluge" of "flüge"
std::string without_umlauts(std::string word) {
  if (is_ascii(word))
    return word;
  for (auto [umlaut, plain] : {std::pair{"ä", "a"}, {"ö", "o"}, {"ü", "u"}})
    policies::replace_all(word, umlaut, plain);
  return word;
}

/// "buchung" and "buchungen", "subscription" and "subscriptions".
bool is_plural_of(const std::string& word, const std::string& noun) {
  static const known_words endings{"s", "es", "e", "en", "n", "er", "x", "nen"};
  if (word == noun)
    return false;
  auto has_noun = [&](const std::string& one) {
    return one.starts_with(noun) && endings.contains(std::string_view{one}.substr(noun.size()));
  };
  return has_noun(word) || has_noun(without_umlauts(word)) || stem(word) == stem(noun);
}

/// Whether a word of an item names what the noun means: "meeting", "budgetmeeting".
bool is_noun(const std::string& word, const std::string& noun) {
  return word == noun || (word.size() > noun.size() + 2 && word.ends_with(noun))
         || is_plural_of(word, noun);
}

struct pointing_case {
  word_list input; ///< the words of all of it
  word_list clause;
  pointed_thing at;
  const std::vector<std::string>& earlier;
};

/// Whether a word of the input is in some candidates and not in all.
bool has_telling_word(const pointing_case& x, const std::vector<word_list>& candidates) {
  auto tells = [&](const std::string& word) {
    if ((word.size() < telling_letters && !has_figure(word)) || word == x.at.noun
        || is_definite(word) || is_indefinite(word))
      return false;
    auto root = stem(word);
    auto has_it = [&](const word_list& one) {
      return has_any(one, [&](const std::string& other) {
        return other == word || (is_ascii(word) && stem(other) == root);
      });
    };
    auto count = std::count_if(candidates.begin(), candidates.end(), has_it);
    return count > 0 && static_cast<size_t>(count) < candidates.size();
  };
  return has_any(x.input, tells);
}

/// "the report" within a sentence may be the same thing as in another item; "the report on sales"
/// at the beginning of an item, and "the sales report", are not.
bool is_its_own(const word_list& item, const std::string& noun) {
  auto at = std::find_if(
    item.begin(), item.end(), [&](const std::string& word) { return is_noun(word, noun); });
  if (at == item.begin() || *at != noun)
    return true;
  return !is_definite(*std::prev(at)) || (at == item.begin() + 1 && at + 1 != item.end());
}

/// Whether something of that kind was talked about already, other than in the list.
bool was_singled_out(const pointing_case& x, const std::string& noun, std::string_view intro) {
  auto names_it = [&](std::string_view text) {
    return has_any(words_of(utf8::prefix(text, reading_limits::observation_bytes)),
      [&](const std::string& word) { return word == noun; });
  };
  return names_it(intro) || std::any_of(x.earlier.begin(), std::prev(x.earlier.end()), names_it);
}

bool names_several(std::string_view text, const std::string& noun) {
  return has_any(words_of(utf8::prefix(text, reading_limits::observation_bytes)),
    [&](const std::string& word) { return is_plural_of(word, noun); });
}

std::string_view asked_before(const pointing_case& x) {
  return x.earlier.size() > 1 ? std::string_view{x.earlier[x.earlier.size() - 2]}
                              : std::string_view{};
}

/// Whether the items are things rather than parts of a sentence.
bool are_things(const std::vector<word_list>& items) {
  return std::all_of(items.begin(), items.end(), [](const word_list& one) {
    return one.size() <= words_of_item && !has_any(one, [](const std::string& word) {
      return sentence_words().contains(word);
    });
  });
}

/// Whether a text is about one thing, which "it" may mean: "the report".
bool has_topic(std::string_view text) {
  static const known_words making{"plan", "make", "write", "create", "draft", "list", "suggest",
    "generate", "compose", "give", "plane", "schreib", "erstelle", "écris", "crée", "escribe"};
  auto words = words_of(utf8::prefix(text, reading_limits::observation_bytes));
  if (has_any(words, [](const std::string& word) { return making.contains(word); }))
    return true;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "it" || words[i] == "es")
      return true;
    auto next = i + 1 < words.size() ? std::string_view{words[i + 1]} : std::string_view{};
    auto opens = is_definite(words[i]) || words[i] == "a" || words[i] == "an" || words[i] == "this"
                 || words[i] == "ein" || words[i] == "eine" || words[i] == "un" || words[i] == "une"
                 || words[i] == "una";
    if (opens && !next.empty() && !containers().contains(next))
      return true;
  }
  return false;
}

/// Whether each item is one thing: "a lamp", "Netflix", "9:15 train".
bool are_single(const listing& list, const std::vector<word_list>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto first = list.items[i].front();
    auto is_name = first >= 'A' && first <= 'Z';
    auto opens =
      is_definite(words[i][0]) || is_indefinite(words[i][0]) || has_figure(list.items[i]);
    if (!is_name && !opens)
      return false;
  }
  return true;
}

using places = std::vector<size_t>;

places all_of(const listing& list) {
  places result(list.items.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = i;
  return result;
}

/// The items that are what the noun says.
places meant_by_noun(
  const pointing_case& x, const listing& list, const std::vector<word_list>& words) {
  const auto& noun = x.at.noun;
  places named;
  for (size_t i = 0; i < words.size(); ++i) {
    auto has_it = has_any(words[i], [&](const std::string& word) { return is_noun(word, noun); });
    if (has_it && !is_its_own(words[i], noun))
      return {};
    if (has_it)
      named.push_back(i);
  }
  if (named.size() == 1 || was_singled_out(x, noun, list.intro))
    return {};
  if (named.size() > 1)
    return named;
  if (names_several(list.intro, noun) && list.is_marked)
    return all_of(list);
  auto is_asked_for = names_several(asked_before(x), noun) || names_several(list.intro, noun);
  if (is_asked_for && (list.is_marked || are_things(words)))
    return all_of(list);
  auto have_times = std::all_of(list.items.begin(), list.items.end(), has_figure);
  return dates().contains(noun) && have_times && are_things(words) ? all_of(list) : places{};
}

/// Whether the words before a list say that there are several: "Two messages: "
bool announces_several(std::string_view intro) {
  return has_any(words_of(intro),
    [](const std::string& word) { return numbers_of_things().contains(word) || is_number(word); });
}

places meant_by_it(
  const pointing_case& x, const listing& list, const std::vector<word_list>& words) {
  auto is_list = are_things(words) || (list.is_marked && announces_several(list.intro));
  if (!is_list)
    return {};
  if (x.at.by == pointing::amount)
    return all_of(list);
  if (!are_single(list, words))
    return {};
  if (x.at.by == pointing::thing && (has_topic(asked_before(x)) || has_topic(list.intro)))
    return {};
  return all_of(list);
}

std::vector<std::string> named(const std::vector<std::string_view>& all) {
  std::vector<std::string> result;
  for (auto one : all) {
    if (result.size() == several_meant_limits::candidates)
      break;
    auto text = utf8::shortened(one, several_meant_limits::named_bytes);
    if (!contains(result, text))
      result.push_back(std::move(text));
  }
  return result.size() > 1 ? result : std::vector<std::string>{};
}

/// The listed things that the request may mean.
std::vector<std::string> listed_and_meant(const pointing_case& x) {
  auto list = listed_in(x.earlier.back());
  std::vector<word_list> words;
  for (auto item : list.items)
    words.push_back(words_of(item));
  if (words.size() < 2
      || std::any_of(words.begin(), words.end(), [](auto& one) { return one.empty(); }))
    return {};
  auto meant =
    x.at.by == pointing::noun ? meant_by_noun(x, list, words) : meant_by_it(x, list, words);
  std::vector<std::string_view> texts;
  std::vector<word_list> candidates;
  for (auto i : meant) {
    texts.push_back(list.items[i]);
    candidates.push_back(words[i]);
  }
  return has_telling_word(x, candidates) ? std::vector<std::string>{} : named(texts);
}

// -- first names --------------------------------------------------------------------------------

struct full_name {
  std::string_view first, last, whole;
};

bool is_name_word(std::string_view word) {
  return word.size() > 2 && word[0] >= 'A' && word[0] <= 'Z' && word[1] >= 'a' && word[1] <= 'z';
}

/// The words of a text between blanks, without punctuation around them.
std::vector<std::string_view> raw_words(std::string_view text) {
  std::vector<std::string_view> result;
  for (size_t i = 0; i < text.size();) {
    auto end = std::min(text.find_first_of(" \t\r\n,;:.!?()\"", i), text.size());
    if (end > i)
      result.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return result;
}

/// Two capitalised words with one blank between them.
std::vector<full_name> full_names_in(std::string_view text) {
  std::vector<full_name> result;
  auto words = raw_words(utf8::prefix(text, reading_limits::observation_bytes));
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    auto is_beside = words[i + 1].data() == words[i].data() + words[i].size() + 1
                     && words[i].data()[words[i].size()] == ' ';
    auto last = words[i + 1].substr(0, words[i + 1].find('\''));
    if (is_beside && is_name_word(words[i]) && is_name_word(last))
      result.push_back({words[i], last, {words[i].data(), words[i].size() + 1 + last.size()}});
  }
  return result;
}

/// Listed people that a request's name fits: "Chris from sales and Chris from design".
std::vector<full_name> namesakes_in(std::string_view text) {
  std::vector<full_name> result;
  for (auto item : listed_in(text).items) {
    auto words = raw_words(item);
    if (words.size() > 2 && words.size() <= words_of_item && is_name_word(words[0])
        && is_one_of({"from", "in", "at", "of", "aus", "von", "vom", "de", "du", "del"}, words[1]))
      result.push_back({words[0], item.substr(words[0].size()), item});
  }
  return result;
}

/// The full names with the first name that the request has: "Reply to Chris".
std::vector<std::string> people_meant(std::string_view input, const pointing_case& x) {
  auto said = raw_words(input);
  auto names = full_names_in(x.earlier.back());
  for (const auto& one : namesakes_in(x.earlier.back()))
    names.push_back(one);
  for (size_t i = 1; i < said.size(); ++i) {
    if (!is_name_word(said[i]) || (i + 1 < said.size() && is_name_word(said[i + 1])))
      continue;
    std::vector<std::string_view> meant;
    std::vector<word_list> lasts;
    for (const auto& one : names)
      if (one.first == said[i]) {
        meant.push_back(one.whole);
        lasts.push_back(words_of(one.last));
      }
    auto all = named(meant);
    auto is_known = [&](const word_list& last) {
      return std::any_of(x.earlier.begin(), std::prev(x.earlier.end()), [&](const auto& text) {
        return !last.empty()
               && contains(
                 words_of(utf8::prefix(text, reading_limits::observation_bytes)), last.back());
      });
    };
    if (!all.empty() && !has_telling_word(x, lasts)
        && std::none_of(lasts.begin(), lasts.end(), is_known))
      return all;
  }
  return {};
}

// -- two deeds ----------------------------------------------------------------------------------

/// Verbs that let something run in a room.
bool sets_device(const word_list& words) {
  static const known_words list{"put", "turn", "switch", "set", "play", "start", "dim", "open",
    "close", "mach", "mache", "stell", "stelle", "schalte", "dreh", "spiel", "allume", "mets",
    "lance", "pon", "enciende", "sube", "baja"};
  return !words.empty() && list.contains(words[0]);
}

/// Verbs that are said of whatever runs.
bool is_said_of_any_device(const std::string& verb) {
  return is_one_of({"turn", "switch", "put", "mach", "mache", "schalte", "dreh", "mets"}, verb);
}

bool is_of_both(const std::string& word) {
  return word == "both" || word == "beide" || word == "beides" || word == "deux" || word == "ambos"
         || word == "ambas" || word == "everything" || word == "done" || word == "erledigt"
         || word == "fait" || word == "hecho" || word == "ok" || word == "okay";
}

bool names_earlier_thing(const word_list& words) {
  return has_any(words, [](const std::string& word) {
    return word == "it" || word == "them" || word == "es" || word == "sie" || word == "lo";
  });
}

/// The two things that were done at once, if "turn it down" may mean both.
std::vector<std::string> deeds_meant(const pointing_case& x) {
  auto request = asked_before(x);
  if (x.at.by != pointing::thing || request.empty()
      || request.size() > several_meant_limits::input_bytes)
    return {};
  auto answer = words_of(utf8::prefix(x.earlier.back(), reading_limits::observation_bytes));
  if (answer.size() > words_of_item || !has_any(answer, is_of_both))
    return {};
  for (std::string_view joint : {" and ", " und ", " et ", " y "}) {
    auto at = request.find(joint);
    if (at == std::string_view::npos)
      continue;
    auto first = request.substr(0, at);
    auto second = request.substr(at + joint.size());
    second = second.substr(0, second.find_last_not_of(" .!") + 1);
    auto words = std::vector<word_list>{words_of(first), words_of(second)};
    static const known_words polite{"please", "and", "then", "bitte"};
    for (auto& one : words)
      while (!one.empty() && polite.contains(one[0]))
        one.erase(one.begin());
    auto rest = x;
    if (is_said_of_any_device(x.at.verb))
      std::erase(rest.input, x.at.verb);
    if (sets_device({x.at.verb}) && sets_device(words[0]) && sets_device(words[1])
        && words[0].size() > 2 && words[1].size() > 2 && !names_earlier_thing(words[1])
        && !has_telling_word(rest, words))
      return named({first, second});
  }
  return {};
}

/// Without the sign that begins a question or a call in Spanish.
std::string_view without_opening_sign(std::string_view part) {
  part = trimmed(part);
  auto has_sign = part.starts_with("\xC2\xBF") || part.starts_with("\xC2\xA1");
  return has_sign ? part.substr(2) : part;
}

/// "Yes, ..." speaks to something else than the list.
bool begins_as_answer(const word_list& words) {
  static const known_words list{
    "yes", "yeah", "yep", "no", "nope", "ja", "nein", "doch", "oui", "non", "si", "sí"};
  return !words.empty() && list.contains(words[0]);
}

/// The clause that asks to do something, after at most a few words.
word_list requesting_clause(std::string_view input) {
  for (auto part : clauses_of(input)) {
    auto clause = words_of(without_opening_sign(part));
    if (deed_in(clause) < clause.size())
      return clause;
    if (clause.size() > words_of_remark)
      return {};
  }
  return {};
}

} // namespace

std::vector<std::string> several_meant(
  std::string_view input, const std::vector<std::string>& earlier) {
  if (earlier.empty() || input.size() > several_meant_limits::input_bytes)
    return {};
  if (is_unspaced_pointing(input)) {
    auto asked = earlier.size() > 1 ? std::string_view{earlier[earlier.size() - 2]} : "";
    return named(unspaced_things(input, asked, earlier.back()));
  }
  auto clause = requesting_clause(input);
  if (clause.empty())
    return {};
  auto deed = deed_in(clause);
  pointing_case x{words_of(input), std::move(clause), {}, earlier};
  x.at = pointed_at(x.clause, deed);
  if (x.input.size() > several_meant_limits::input_words || begins_as_answer(x.input)
      || has_any(x.input, tells_which) || (deed == 0 && ends_with_question_mark(input)))
    return {};
  if (auto people = people_meant(input, x); !people.empty())
    return people;
  if (x.at.by == pointing::nothing)
    return {};
  auto things = listed_and_meant(x);
  return things.empty() ? deeds_meant(x) : things;
}

std::string question_which(const std::vector<std::string>& candidates) {
  std::string result = "Which one do you mean: ";
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0)
      result += i + 1 < candidates.size() ? ", " : " or ";
    result += candidates[i];
  }
  return result + "?";
}

} // namespace scratchpage
