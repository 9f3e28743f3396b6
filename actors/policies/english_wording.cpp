#include "scratchpage/actors/policies/english_wording.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/english_bearing.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

const policies::pairs& english_persons() {
  static const policies::pairs result{{"my", "their"}, {"me", "them"}, {"i", "they"},
    {"i'm", "they are"}, {"i've", "they have"}, {"myself", "themselves"}, {"our", "their"},
    {"us", "them"}, {"mine", "theirs"}, {"we", "they"}, {"please", ""}};
  return result;
}

/// "live" → "lives", "carry" → "carries"
std::string third_person(const std::string& verb) {
  static const policies::pairs irregular{{"am", "is"}, {"are", "is"}, {"have", "has"},
    {"do", "does"}, {"go", "goes"}, {"don't", "does not"}, {"can't", "cannot"},
    {"won't", "will not"}};
  if (auto i = irregular.find(verb); i != irregular.end())
    return std::string{i->second};
  static const policies::known_words unchanged{"was", "had", "said", "told", "went", "bought",
    "ate", "came", "made", "can", "cannot", "will", "must", "should", "could", "would", "may",
    "might", "used", "quit", "gave", "grew", "became", "got", "lost", "left", "haven't", "isn't",
    "aren't", "not", "broke"};
  if (unchanged.contains(verb) || verb.size() < 2
      || (verb.ends_with("ed") && verb != "need" && verb != "feed" && verb != "breed"))
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

/// Whose ways "we" are.
std::string_view name_of_us(const policies::texts& lower) {
  static const phrase_list work{{"project", "repo", "repository", "codebase", "commit*", "branch*",
    "code", "tests", "release*", "merge*"}};
  static const phrase_list team{{"team", "office", "company", "customers", "clients", "meeting*",
    "deploy*", "sprint*", "standup*", "invoice*", "suppliers", "shop", "staff", "colleagues", "use",
    "review*", "ship", "department", "lab", "store"}};
  return work.find_in(lower) != nullptr   ? "The project"
         : team.find_in(lower) != nullptr ? "User's team"
                                          : "User's household";
}

// -- what patterns understand ----------------------------------------------------------------

/// "I have moved from Faro to Porto", "we live in Porto now"
std::string home_of(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words verbs{"live", "moved", "settled", "relocated", "reside"};
  for (size_t i = 0; i + 2 < lower.size(); ++i) {
    if (!verbs.contains(lower[i]))
      continue;
    if (i > 0 && (lower[i - 1] == "don't" || lower[i - 1] == "not" || lower[i - 1] == "longer"))
      return {};
    auto from = i + 1;
    if (lower[from] == "back")
      ++from;
    if (lower[from] == "from")
      from = static_cast<size_t>(std::find(lower.begin(), lower.end(), "to") - lower.begin());
    if (from + 1 < lower.size()
        && (lower[from] == "in" || lower[from] == "to" || lower[from] == "at"))
      return policies::place_of(words, from + 1);
  }
  return {};
}

/// "I work for Acme", "I'm at Acme now" after "I've changed jobs"
std::string employer_of(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past) {
  static const policies::known_words jobs{
    "job", "jobs", "company", "companies", "employer", "employers", "work", "left"};
  static const policies::known_words at{"at", "for", "with"};
  auto is_name = [&](size_t i) {
    return i < words.size() && std::isupper(static_cast<unsigned char>(words[i][0])) != 0;
  };
  for (size_t i = 1; i + 1 < lower.size(); ++i) {
    auto works = lower[i - 1] == "work" || lower[i - 1] == "working";
    auto changed =
      lower[i - 1] == "i'm" && (policies::has_word(past, jobs) || lower.back() == "now");
    auto joined = lower[i - 1] == "joined";
    if (at.contains(lower[i]) && is_name(i + 1) && (works || changed))
      return policies::place_of(words, i + 1);
    if (joined && is_name(i))
      return policies::place_of(words, i);
  }
  return {};
}

/// Aisle or window: one of the few things of which everybody wants one.
retold seat_of(const policies::texts& lower) {
  static const phrase_list lasting{{"always", "from now on", "prefer*", "rather", "usually",
    "as usual", "as always", "every time", "only", "never"}};
  static const phrase_list once{{"middle", "this flight", "together", "this trip", "instead"}};
  auto has = [&](std::string_view word) { return policies::has_word(lower, word); };
  auto denied = has("never") || has("not") || has("don't");
  if (has("aisle") == has("window") || lasting.find_in(lower) == nullptr || denied
      || once.find_in(lower) != nullptr)
    return {};
  static const policies::known_words seating{"seat", "seats", "sit", "book", "fly", "as"};
  if (!policies::has_word(lower, seating))
    return {};
  return {has("aisle") ? "User prefers aisle seats" : "User prefers window seats", 0, "seat"};
}

/// What a person has one of: a name, an age, a diet.
std::string attribute_of_state(const policies::texts& lower, size_t from) {
  static const policies::known_words marital{
    "single", "married", "divorced", "widowed", "engaged", "separated"};
  static const policies::known_words diets{"vegan", "vegetarian", "pescatarian", "omnivore"};
  auto last = std::min(from + 3, lower.size());
  for (auto i = from; i < last; ++i) {
    if (marital.contains(lower[i]))
      return "marital status";
    if (diets.contains(lower[i]))
      return "diet";
    if (is_number(lower[i]) && (i + 1 == lower.size() || lower[i + 1] == "years"))
      return "age";
  }
  return {};
}

/// "My favourite colour is …", "our standup is at …"
std::string attribute_of_possession(const policies::texts& lower) {
  static const policies::known_words unique{"name", "address", "phone", "number", "birthday", "age",
    "employer", "boss", "manager", "doctor", "dentist", "language", "size", "job", "budget", "day",
    "email", "timezone", "landlord", "supervisor", "accountant", "bank", "standup", "deadline"};
  auto is =
    static_cast<size_t>(std::find_if(lower.begin(), lower.end(), [](const std::string& word) {
      return word == "is" || word == "are" || word == "was";
    }) - lower.begin());
  if (is < 2 || is > 5 || is + 1 >= lower.size())
    return {};
  auto favourite = lower[1].starts_with("favo") || lower[1] == "preferred";
  if (!favourite && !unique.contains(lower[is - 1]))
    return {};
  return joined(
    policies::texts(lower.begin() + 1, lower.begin() + static_cast<ptrdiff_t>(is)), " ");
}

// -- demands ---------------------------------------------------------------------------------

/// What the user wants to be different about policies::texts, calls and things they are given.
bool is_about_manner(const policies::texts& lower) {
  static const phrase_list nouns{{"answers", "replies", "responses", "paragraphs", "sentences",
    "bullet points", "bullets", "emojis", "emoji", "summaries", "emails", "reports", "units",
    "format", "style", "font", "fonts", "colours", "colors", "dates", "jargon", "examples", "lists",
    "invoices", "letters", "notifications", "calls", "citations", "references", "charts", "tables",
    "english", "german", "french", "spanish", "abbreviations", "headings", "text", "writing",
    "words", "language", "tone", "print", "receipts", "reminders", "variables", "commits",
    "comments", "tests", "names", "formal*", "informal*", "metric", "simple", "brief*", "short*"}};
  return nouns.find_in(lower) != nullptr;
}

bool is_for_one_thing(const policies::texts& lower) {
  static const policies::known_words definite{"the", "this", "that", "these", "those", "it", "them",
    "now", "my", "one", "two", "three", "four"};
  return policies::has_word(lower, definite);
}

bool opens_demand(std::string_view word) {
  static const policies::known_words verbs{"use", "write", "answer", "reply", "respond", "address",
    "send", "speak", "keep", "format", "cite", "quote", "sort", "sign", "avoid", "spell", "round",
    "put", "leave", "explain", "contact", "reach", "email", "text", "ring", "talk", "show", "give",
    "remember", "assume", "deliver", "serve", "schedule", "call", "prefer", "stick", "skip"};
  return verbs.contains(word);
}

const policies::pairs& left_out_of_demand() {
  static const policies::pairs result{{"please", ""}, {"again", ""}, {"my", "their"},
    {"me", "them"}, {"usual", ""}, {"i", "they"}, {"our", "their"}, {"us", "them"},
    {"i'm", "they are"}};
  return result;
}

retold told_english_demand(std::string statement, double needed) {
  return {std::move(statement), needed, {}, true};
}

std::string without_habit(const policies::texts& words, const policies::texts& lower) {
  static const phrase_list habit{{"as always", "as usual", "as ever", "like every time",
    "like always", "as every time", "as before", "same as always"}};
  for (size_t i = 0; i < lower.size(); ++i)
    if (habit.length_at(lower, i) > 0)
      return policies::rest_of(
        policies::texts(words.begin(), words.begin() + static_cast<ptrdiff_t>(i)), 0,
        left_out_of_demand());
  return policies::rest_of(words, 0, left_out_of_demand());
}

/// "No calls before nine", "always book the aisle", "short answers please".
retold english_demand(const policies::texts& lower, const policies::texts& words) {
  static const phrase_list habit{{"as always", "as usual", "as ever", "from now on", "in future",
    "in all my", "every time", "like always", "as every time"}};
  static const policies::known_words limits{"before", "after", "on", "in", "at", "between",
    "during", "unless", "ever", "without", "from", "to", "with", "for"};
  if (lower[0] == "call" && lower.size() > 2 && lower.size() < 5 && lower[1] == "me"
      && std::isupper(static_cast<unsigned char>(words[2][0])) != 0)
    return {"User wants to be called " + words[2], 0, "name", true};
  auto habitual = habit.find_in(lower) != nullptr;
  auto manner = is_about_manner(lower);
  if (lower[0] == "no" || (lower[0] == "never" && lower.size() > 1 && lower[1] == "more")) {
    auto plural = lower.size() > 1 && lower[1].ends_with('s') && policies::has_word(lower, limits);
    auto ever = lower.back() == "ever" || habitual;
    return told_english_demand(
      "User wants " + lower[0] + " " + policies::rest_of(words, 1, left_out_of_demand()),
      plural || manner || ever || lower[0] == "never" ? 0.3 : 0.85);
  }
  if (lower[0] == "always" || lower[0] == "never")
    return told_english_demand(
      "User wants you to " + lower[0] + " " + policies::rest_of(words, 1, left_out_of_demand()),
      lower.size() > 2 ? 0 : 0.5);
  if (lower[0] == "don't" || (lower[0] == "do" && lower[1] == "not"))
    return told_english_demand(
      "User wants you not to "
        + policies::rest_of(words, lower[0] == "do" ? 2 : 1, left_out_of_demand()),
      habitual || policies::has_word(lower, policies::known_words{"ever", "before", "after"}) ? 0.3
      : is_for_one_thing(lower)                                                               ? 0.9
                                : 0.5);
  if (habitual)
    return told_english_demand("User wants " + without_habit(words, lower), 0);
  if (opens_demand(lower[0]))
    return told_english_demand(
      "User wants you to " + policies::rest_of(words, 0, left_out_of_demand()),
      is_for_one_thing(lower) ? 0.85
      : manner                ? 0.3
                              : 0.6);
  static const policies::known_words determiners{
    "the", "all", "every", "each", "nobody", "our", "my", "in"};
  if (manner && lower.size() < 6 && !determiners.contains(lower[0]))
    return told_english_demand(
      "User wants " + policies::rest_of(words, 0, left_out_of_demand()), 0.35);
  return {};
}

// -- statements ------------------------------------------------------------------------------

retold of_us(
  const policies::texts& lower, const policies::texts& words, size_t verb, std::string who) {
  auto ended = verb + 1 < lower.size() && lower[verb] == "no" && lower[verb + 1] == "longer";
  if (ended)
    verb += 2;
  auto result = std::move(who);
  for (; verb < lower.size() && is_english_adverb(lower[verb]); ++verb)
    result += " " + lower[verb];
  if (verb >= lower.size())
    return {};
  auto need = english_need_of_deed(lower, verb);
  if (ended)
    return {result + " does not " + policies::rest_of(words, verb, english_persons()) + " any more",
      0.2, {}};
  result += " " + third_person(lower[verb]);
  if (lower[verb] == "do" && verb + 1 < lower.size() && lower[verb + 1] == "not")
    result += " not", ++verb;
  return {result + " " + policies::rest_of(words, verb + 1, english_persons()), need, {}};
}

/// The subject of the clause before: "My dog is called Rex" → "User's dog".
std::string subject_of(std::string_view clause) {
  auto words = policies::tokens_of(clause);
  if (words.size() < 2 || (policies::plain(words[0]) != "my" && policies::plain(words[0]) != "our"))
    return {};
  return "User's " + words[1];
}

/// "these days it's the piano" after "I used to play the violin"; "but quit" after "I used to
/// smoke".
retold instead_of(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past) {
  auto used = std::find(past.begin(), past.end(), "used");
  if (past.end() - used <= 2)
    return {};
  const auto& verb = *(used + 2);
  if (lower[0] == "quit" || lower[0] == "stopped" || lower[0] == "gave")
    return {"User quit " + gerund(verb) + " " + policies::rest_of(words, 1), 0, {}};
  static const policies::known_words now{"now", "days", "nowadays", "today", "currently"};
  auto at = static_cast<size_t>(std::find_if(lower.begin(), lower.end(), [&](const auto& word) {
    return now.contains(word);
  }) - lower.begin());
  static const policies::known_words mine{"i", "i'm", "we"};
  if (at >= lower.size() || policies::has_word(lower, mine))
    return {};
  auto from = at + 1 < lower.size() && lower[at + 1] == "it's" ? at + 2 : at + 1;
  auto what = at + 1 == lower.size() ? policies::rest_of(
                policies::texts(words.begin(), words.end() - 1), lower[0] == "it's" ? 1 : 0)
                                     : policies::rest_of(words, from);
  auto lives = verb == "live";
  return {"User " + third_person(verb) + " " + what, 0, lives ? "lives" : ""};
}

/// The clause without what only leads to it.
void leave_out_opening(policies::texts& words) {
  static const std::array<policies::texts, 14> openings{policies::texts{"by", "the", "way"},
    policies::texts{"just", "so", "you", "know"}, policies::texts{"as", "i", "said"},
    policies::texts{"i", "said"}, policies::texts{"like", "i", "said"},
    policies::texts{"please", "note", "that"}, policies::texts{"for", "the", "record"},
    policies::texts{"note", "that"}, policies::texts{"remember", "that"},
    policies::texts{"you", "know"}, policies::texts{"to", "be", "honest"},
    policies::texts{"in", "fact"}, policies::texts{"i", "told", "you"},
    policies::texts{"please", "remember", "that"}};
  static const policies::known_words fillers{"and", "so", "but", "well", "oh", "also", "because",
    "since", "btw", "yes", "actually", "now", "please", "anyway", "fyi", "ah", "hi", "hello",
    "remember", "look", "therefore", "unfortunately", "sadly", "basically"};
  for (auto again = true; again && words.size() > 1;) {
    again = false;
    if (fillers.contains(policies::plain(words[0]))) {
      words.erase(words.begin());
      again = true;
      continue;
    }
    auto lower = policies::lower_of(words);
    for (const auto& one : openings)
      if (lower.size() > one.size() + 1 && std::equal(one.begin(), one.end(), lower.begin())) {
        words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(one.size()));
        again = true;
        break;
      }
  }
}

/// "I'm the only one here who uses Linux": what is told is what that one does.
retold only_one(const policies::texts& lower, const policies::texts& words) {
  auto only = static_cast<size_t>(std::find(lower.begin(), lower.end(), "only") - lower.begin());
  static const policies::known_words relative{"who", "that"};
  auto who = static_cast<size_t>(std::find_if(lower.begin(), lower.end(), [&](const auto& word) {
    return relative.contains(word);
  }) - lower.begin());
  if (only + 1 >= lower.size() || lower[only + 1] != "one" || who + 1 >= lower.size())
    return {};
  return {
    "User " + policies::rest_of(words, who + 1, english_persons()) + ", as the only one", 0.35, {}};
}

retold of_me(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past) {
  if (auto home = home_of(lower, words); !home.empty())
    return {"User lives in " + home, 0, "lives"};
  if (auto at = employer_of(lower, words, past); !at.empty())
    return {"User works at " + at, 0, "works"};
  if (lower[1] == "used" && lower.size() > 2 && lower[2] == "to")
    return {};
  static const policies::known_words jobs{"job", "jobs", "employer", "employers"};
  if (policies::has_word(lower, policies::known_words{"changed", "switched"})
      && policies::has_word(lower, jobs))
    return {};
  auto us = std::string{lower[0].starts_with("i") ? "User" : name_of_us(lower)};
  auto is_short = lower[0] == "i'm" || lower[0] == "im" || lower[0] == "we're";
  if (is_short || lower[1] == "am" || (lower[0] == "we" && lower[1] == "are")) {
    if (auto only = only_one(lower, words); !only.statement.empty())
      return only;
    auto from = is_short ? size_t{1} : size_t{2};
    auto attribute = attribute_of_state(lower, from);
    auto need = english_need_of_state(lower, from);
    return {us + " is " + policies::rest_of(words, from, english_persons()),
      attribute.empty() ? need : 0.2, attribute};
  }
  if (policies::has_word(lower, "married") && !policies::has_word(lower, "not"))
    return {"User is married", 0.1, "marital status"};
  if (lower[0] == "i've" || lower[0] == "we've")
    return {us + " has " + policies::rest_of(words, 1, english_persons()),
      english_need_of_having(lower, 1), {}};
  if (lower[0] == "i'd" && lower[1] == "rather")
    return {"User would rather " + policies::rest_of(words, 2, english_persons()), 0.5, {}};
  if (lower[0] == "i" || lower[0] == "we")
    return of_us(lower, words, 1, us);
  return {};
}

bool is_speaker(std::string_view word) {
  static const policies::known_words me{
    "i", "i'm", "im", "i've", "i'd", "i'll", "we", "we're", "we've", "we'll"};
  return me.contains(word);
}

/// Where the speaker comes after a circumstance: "on Mondays I swim"; 0: they do not.
size_t position_of_me(const policies::texts& lower) {
  static const policies::known_words circumstances{
    "on", "in", "at", "every", "each", "since", "during", "after", "these", "nowadays", "for"};
  constexpr size_t longest = 5;
  if (!circumstances.contains(lower[0]))
    return 0;
  for (size_t i = 1; i + 1 < lower.size() && i <= longest; ++i)
    if (is_speaker(lower[i]))
      return i;
  return 0;
}

/// "On Mondays I swim" → "User swims on Mondays"
retold led_to(const policies::texts& lower, const policies::texts& words, size_t at,
  const policies::texts& past) {
  auto from = static_cast<ptrdiff_t>(at);
  auto result = of_me(policies::texts(lower.begin() + from, lower.end()),
    policies::texts(words.begin() + from, words.end()), past);
  if (result.statement.empty() || !result.attribute.empty())
    return result;
  auto circumstance =
    policies::rest_of(policies::texts(words.begin(), words.begin() + from), 0, english_persons());
  if (circumstance.ends_with(','))
    circumstance.pop_back();
  if (!circumstance.empty())
    circumstance[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(circumstance[0])));
  result.statement += " " + circumstance;
  return result;
}

/// "You can reach me only after six"
retold reachable(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words verbs{"reach", "call", "contact", "phone", "text"};
  auto me = static_cast<size_t>(std::find(lower.begin(), lower.end(), "me") - lower.begin());
  if (lower[0] != "you" || lower[1] != "can" || me < 3 || me + 1 >= lower.size()
      || !verbs.contains(lower[me - 1]))
    return {};
  auto only = std::find(lower.begin(), lower.begin() + static_cast<ptrdiff_t>(me), "only")
              != lower.begin() + static_cast<ptrdiff_t>(me);
  return {"User is reachable " + std::string{only ? "only " : ""}
            + policies::rest_of(words, me + 1, english_persons()),
    0.35, {}};
}

} // namespace

retold english(std::string_view clause, std::string_view said_before) {
  auto words = policies::tokens_of(clause);
  leave_out_opening(words);
  auto lower = policies::lower_of(words);
  static const phrase_list henceforth{{"from now on", "as of now"}};
  if (henceforth.length_at(lower, 0) == 3 && lower.size() > 5 && is_speaker(lower[3])) {
    words.erase(words.begin(), words.begin() + 3);
    lower.erase(lower.begin(), lower.begin() + 3);
  }
  if (lower.size() < 2)
    return {};
  if (auto seat = seat_of(lower); !seat.statement.empty())
    return seat;
  auto past = policies::lower_of(policies::tokens_of(said_before));
  if (auto reach = reachable(lower, words); !reach.statement.empty())
    return reach;
  if (auto at = position_of_me(lower); at > 0)
    return led_to(lower, words, at, past);
  if (auto changed = instead_of(lower, words, past); !changed.statement.empty())
    return changed;
  if (is_speaker(lower[0]))
    return of_me(lower, words, past);
  if (lower[0] == "my" || lower[0] == "our")
    return {"User's " + policies::rest_of(words, 1, english_persons()),
      english_need_of_possession(lower), attribute_of_possession(lower)};
  if (lower[0] == "he" || lower[0] == "she" || lower[0] == "it") {
    auto whom = subject_of(said_before);
    return whom.empty() ? retold{}
                        : retold{whom + " " + policies::rest_of(words, 1, english_persons())};
  }
  if (auto wanted = english_demand(lower, words); !wanted.statement.empty())
    return wanted;
  static const policies::pairs about_user{{"please", ""}, {"my", "the user's"}, {"me", "the user"},
    {"our", "their"}, {"i", "the user"}, {"we", "they"}, {"us", "them"}};
  return {policies::rest_of(words, 0, about_user), english_need_of_statement(lower), {}};
}

} // namespace scratchpage
