#include "scratchpage/actors/policies/english_wording.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/english_bearing.hpp"
#include "scratchpage/actors/policies/english_demands.hpp"
#include "scratchpage/actors/policies/english_openings.hpp"
#include "scratchpage/actors/policies/english_patterns.hpp"
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
    "aren't", "not", "broke", "tore", "fell", "took", "saw", "began", "built", "chose", "drove",
    "felt", "found", "flew", "forgot", "heard", "hurt", "kept", "knew", "met", "paid", "ran",
    "sold", "sent", "slept", "spent", "spoke", "taught", "thought", "understood", "won", "wrote",
    "wore"};
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
  static const phrase_list team{{"team", "office", "company", "customer*", "client*", "meeting*",
    "deploy*", "sprint*", "standup*", "invoice*", "supplier*", "shop", "staff", "colleagues", "use",
    "review*", "ship", "department", "lab", "store", "business", "reseller*", "vendor*", "server*",
    "service*", "product*", "database*", "backup*", "ticket*", "pipeline*", "cluster*", "cloud",
    "api", "warehouse", "contract*", "audit*", "hire*", "hiring", "on call", "orders", "refund*",
    "stock", "billing", "bill", "data", "payroll", "migrat*", "switched", "host*", "monitor*"}};
  return work.find_in(lower) != nullptr   ? "The project"
         : team.find_in(lower) != nullptr ? "User's team"
                                          : "User's household";
}

// -- statements ------------------------------------------------------------------------------

/// "tea" of "I don't drink coffee any more, tea for me"
std::string another_for_me(
  const policies::texts& lower, const policies::texts& words, size_t verb) {
  static const phrase_list no_more{{"any more", "anymore", "any longer"}};
  if (lower[verb] != "don't" || verb + 3 >= lower.size() || no_more.find_in(lower) == nullptr)
    return {};
  for (size_t i = verb + 3; i + 2 < lower.size(); ++i)
    if (words[i].ends_with(',')) {
      auto last = lower.size() - 2;
      auto is_mine = lower[last] == "for" && (lower[last + 1] == "me" || lower[last + 1] == "us");
      auto is_other = lower.back() == "instead" || lower.back() == "now";
      auto end = is_mine ? last : is_other ? last + 1 : i;
      return joined(policies::texts(words.begin() + static_cast<ptrdiff_t>(i) + 1,
                      words.begin() + static_cast<ptrdiff_t>(std::max(i + 1, end))),
        " ");
    }
  return {};
}

/// "drive" of "I sold the Golf and drive a Fiat now"; 0: nothing is said beside the first deed.
size_t position_of_also(const policies::texts& lower, size_t from) {
  static const policies::known_words verbs{"drive", "use", "live", "work", "take", "eat", "drink",
    "play", "wear", "run", "ride", "cycle", "walk", "have", "own", "pay", "speak", "swim", "rent",
    "write", "read", "prefer", "only", "now", "study", "teach"};
  for (size_t i = from + 1; i + 2 < lower.size(); ++i)
    if (lower[i] == "and" && verbs.contains(lower[i + 1]))
      return i + 1;
  return 0;
}

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
  static const phrase_list settled{{"fluently", "fluent in", "for a living"}};
  auto need = english_need_of_deed(lower, verb);
  if (settled.find_in(lower) != nullptr || (need <= 1 && lower.back() == "now"))
    need = std::min(need, 0.2);
  if (auto also = position_of_also(lower, verb); need > 1 && also > 0)
    return of_us(lower, words, also, std::move(result));
  if (ended)
    return {result + " does not " + policies::rest_of(words, verb, english_persons()) + " any more",
      0.2, {}};
  if (auto other = another_for_me(lower, words, verb); !other.empty())
    return {result + " " + third_person(lower[verb + 1]) + " " + other, 0.1, {}};
  result += " " + third_person(lower[verb]);
  if (lower[verb] == "do" && verb + 1 < lower.size() && lower[verb + 1] == "not")
    result += " not", ++verb;
  return {result + " " + policies::rest_of(words, verb + 1, english_persons()), need, {}};
}

/// The subject of the clause before: "My dog is called Rex" → "User's dog", "Acme is big" → "Acme".
std::string subject_of(std::string_view clause) {
  static const policies::known_words verbs{"is", "are", "has", "have", "was", "gets", "works",
    "lives", "needs", "can", "can't", "cannot", "runs", "does", "doesn't", "always", "never",
    "hates", "loves", "likes", "only", "goes", "takes", "wants", "speaks", "eats", "starts"};
  constexpr size_t longest_subject = 4;
  auto words = policies::tokens_of(clause);
  if (words.size() < 2)
    return {};
  auto lower = policies::lower_of(words);
  auto is_own = lower[0] == "my" || lower[0] == "our";
  if (is_english_speaker(lower[0]))
    return {};
  size_t end = is_own || lower[0] == "the" ? 2 : 1;
  while (end < lower.size() && end <= longest_subject && !verbs.contains(lower[end]))
    ++end;
  auto is_found = end < lower.size() && end <= longest_subject;
  if (!is_found && !is_own)
    return {};
  auto last = static_cast<ptrdiff_t>(is_found ? end : 2);
  return is_own ? "User's " + joined(policies::texts(words.begin() + 1, words.begin() + last), " ")
                : joined(policies::texts(words.begin(), words.begin() + last), " ");
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
    return {joined({"User quit", gerund(verb),
                     policies::rest_of(
                       past, static_cast<size_t>(used - past.begin()) + 3, english_persons()),
                     policies::rest_of(words, 1)},
              " "),
      0, {}};
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

/// "As a nurse on nights", "being diabetic", "as someone who stammers": what the speaker is, beside
/// what the sentence is about.
retold in_the_role(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words no_roles{"result", "consequence", "rule", "matter", "last",
    "reminder", "gift", "present", "first", "test", "precaution", "favour", "favor", "start",
    "treat", "surprise", "compromise", "backup", "customer", "member", "passenger", "bonus",
    "starter", "side", "follow-up", "summary", "whole", "team", "group", "general", "way", "sign",
    "thank", "heads-up", "workaround", "alternative", "guest", "next", "final", "courtesy", "good",
    "long", "pdf", "draft", "table", "list", "file"};
  auto rest = [&](size_t from) { return policies::rest_of(words, from, english_persons()); };
  if (lower[0] == "being" && lower[1] != "able" && lower[1] != "honest")
    return {"User is " + rest(1), 0.2, {}};
  if (lower[0] != "as" || lower.size() < 3)
    return {};
  static const policies::known_words anybody{"someone", "somebody", "one"};
  if (anybody.contains(lower[1]) && lower.size() > 3 && lower[2] == "who")
    return {"User " + rest(3), 0.2, {}};
  static const policies::known_words articles{"a", "an", "your", "the"};
  if (!articles.contains(lower[1]) || no_roles.contains(lower[2]) || lower.back().ends_with("ing"))
    return {};
  return {"User is " + rest(1), 0.2, {}};
}

retold of_me(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past) {
  if (auto home = home_of(lower, words, past); !home.empty())
    return {"User lives in " + home, 0, "lives"};
  if (auto at = employer_of(lower, words, past); !at.empty())
    return {"User works at " + at, 0, "works"};
  if (lower[1] == "used" && lower.size() > 2 && lower[2] == "to")
    return {};
  static const policies::known_words jobs{"job", "jobs", "employer", "employers"};
  static const policies::known_words changes{"changed", "switched"};
  auto is_change = policies::has_word(lower, changes);
  if (is_change
      && (policies::has_word(lower, jobs)
          || !policies::has_word(lower, policies::known_words{"to", "from", "into"})))
    return {};
  auto us = std::string{lower[0].starts_with("i") ? "User" : name_of_us(lower)};
  if (auto other = switched_to(lower, words, us); !other.statement.empty())
    return other;
  auto is_short = lower[0] == "i'm" || lower[0] == "im" || lower[0] == "we're";
  if (lower.size() < (is_short ? 2u : 3u))
    return {};
  if (is_short || lower[1] == "am" || (lower[0] == "we" && lower[1] == "are")) {
    if (auto only = only_one(lower, words); !only.statement.empty())
      return only;
    auto from = is_short ? size_t{1} : size_t{2};
    auto attribute = attribute_of_state(lower, from);
    auto need = english_need_of_state(lower, from);
    auto is_name = [&](size_t i) {
      return i < words.size() && std::isupper(static_cast<unsigned char>(words[i][0])) != 0;
    };
    if (lower[from] == "on" && is_name(from + 1) && need <= 1)
      need = std::min(need, 0.2);
    if (is_name(from) && from + 1 == words.size() && us == "User" && need <= 1)
      need = std::min(need, 0.1);
    return {us + " is " + policies::rest_of(words, from, english_persons()),
      attribute.empty() ? need : 0.2, attribute};
  }
  static const policies::known_words ways{"vegan", "vegetarian", "freelance", "part-time", "blind",
    "deaf", "pescatarian", "self-employed"};
  if (lower.size() > 2 && (lower[1] == "went" || lower[1] == "turned") && ways.contains(lower[2]))
    return {"User is " + lower[2], 0.1, attribute_of_state(lower, 2)};
  static const policies::known_words bonds{"engaged", "divorced", "widowed", "separated"};
  if (lower.size() > 2 && (lower[1] == "got" || lower[2] == "got") && bonds.contains(lower.back()))
    return {"User is " + lower.back(), 0, "marital status"};
  if (lower.size() > 3 && lower[1] == "got" && bonds.contains(lower[2]))
    return {"User is " + lower[2] + (lower[3] == "to" ? " to " + policies::place_of(words, 4) : ""),
      0, "marital status"};
  if (policies::has_word(lower, "married") && !policies::has_word(lower, "not"))
    return {"User is married", 0.1, "marital status"};
  if ((lower[0] == "i've" || lower[0] == "we've") && lower[1] == "got" && lower.size() > 2)
    return {us + " has " + policies::rest_of(words, 2, english_persons()),
      english_need_of_having(lower, 2), {}};
  if (lower[0] == "i've" || lower[0] == "we've")
    return {us + " has " + policies::rest_of(words, 1, english_persons()),
      english_need_of_having(lower, 1), {}};
  if (lower[0] == "i'd" && lower[1] == "never")
    return {"User would never " + policies::rest_of(words, 2, english_persons()), 0.5, {}};
  if (lower[0] == "i'd" && lower[1] == "rather")
    return {"User would rather " + policies::rest_of(words, 2, english_persons()), 0.5, {}};
  static const policies::known_words carers{"a", "my", "the"};
  if (lower[1] == "see" && lower.size() > 2
      && (std::isupper(static_cast<unsigned char>(words[2][0])) != 0 || carers.contains(lower[2])))
    return {"User sees " + policies::rest_of(words, 2, english_persons()),
      carers.contains(lower[2]) ? 0.5 : 0.2, {}};
  if (lower[0] == "i" || lower[0] == "we")
    return of_us(lower, words, 1, us);
  return {};
}

/// Where the speaker comes after a circumstance: "on Mondays I swim"; 0: they do not.
size_t position_of_me(const policies::texts& lower) {
  static const policies::known_words circumstances{"on", "in", "at", "every", "each", "since",
    "during", "after", "these", "nowadays", "for", "monday", "tuesday", "wednesday", "thursday",
    "friday", "saturday", "sunday", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays",
    "saturdays", "sundays", "weekdays", "weekends", "mornings", "evenings", "from", "between"};
  constexpr size_t longest = 5;
  if (!circumstances.contains(lower[0]))
    return 0;
  for (size_t i = 1; i + 1 < lower.size() && i <= longest; ++i)
    if (is_english_speaker(lower[i]))
      return i;
  return 0;
}

/// "On Mondays I swim" → "User swims on Mondays"
retold led_to(const policies::texts& lower, const policies::texts& words, size_t at,
  const policies::texts& past) {
  auto from = static_cast<ptrdiff_t>(at);
  policies::texts turned{words.begin() + from, words.end()};
  auto result = of_me(policies::texts(lower.begin() + from, lower.end()), turned, past);
  if (!result.attribute.empty())
    return result;
  if (turned.back().ends_with(','))
    turned.back().pop_back();
  turned.insert(turned.end(), words.begin(), words.begin() + from);
  auto& first = turned[words.size() - at];
  first[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(first[0])));
  if (turned.back().ends_with(','))
    turned.back().pop_back();
  return of_me(policies::lower_of(turned), turned, past);
}

/// "Samira and I got married": what is told of two.
retold together_with_me(const policies::texts& lower, const policies::texts& words) {
  for (size_t i = 1; i + 3 < lower.size() && i < 5; ++i)
    if (lower[i] == "and" && lower[i + 1] == "i") {
      static const policies::known_words bonds{"married", "engaged"};
      auto bond = std::find_if(
        lower.begin(), lower.end(), [](const auto& word) { return bonds.contains(word); });
      auto other =
        policies::rest_of(policies::texts(words.begin(), words.begin() + static_cast<ptrdiff_t>(i)),
          0, english_persons());
      if (bond != lower.end())
        return {"User is " + *bond + " to " + other, 0, "marital status"};
      other.append(" ").append(policies::rest_of(words, i + 2, english_persons()));
      return {"User and " + other, english_need_of_deed(lower, i + 2), {}};
    }
  return {};
}

/// "For me the day begins at noon", "it's just me and my son at home"
retold for_me(const policies::texts& lower, const policies::texts& words) {
  if (lower[0] == "for" && lower[1] == "me" && lower.size() > 4)
    return {"For the user " + policies::rest_of(words, 2, english_persons()), 0.35, {}};
  auto is_just = lower[1] == "just" || lower[1] == "only";
  if (lower[0] == "it's" && is_just && lower.size() > 4 && lower[2] == "me" && lower[3] == "and")
    return {"User lives only with " + policies::rest_of(words, 4, english_persons()), 0.2, {}};
  return {};
}

/// "They put me on lates", "work has moved me to nights"
retold put_by_others(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words verbs{
    "put", "moved", "switched", "transferred", "promoted", "assigned", "changed"};
  static const policies::known_words targets{"on", "to", "onto"};
  static const policies::known_words passing{"hold", "speaker", "mute", "the"};
  for (size_t i = 1; i + 3 < lower.size() && i < 5; ++i) {
    if (!verbs.contains(lower[i]) || lower[i + 1] != "me")
      continue;
    auto to = lower[i + 2] == "up" || lower[i + 2] == "down" ? i + 3 : i + 2;
    if (to + 1 < lower.size() && targets.contains(lower[to]) && !passing.contains(lower[to + 1]))
      return {"User is on " + policies::rest_of(words, to + 1, english_persons()), 0.2, {}};
  }
  return {};
}

/// The clause as told of the user where "I" comes in it: "20.5 is what I want" → "… the user
/// wants".
std::string about_the_user(const policies::texts& lower, policies::texts words) {
  for (size_t i = 0; i + 1 < words.size(); ++i)
    if (lower[i] == "i" && !is_english_adverb(lower[i + 1]))
      words[i + 1] = third_person(words[i + 1]);
  static const policies::pairs about_user{{"please", ""}, {"my", "the user's"}, {"me", "the user"},
    {"our", "the user's"}, {"i", "the user"}, {"i'm", "the user is"}, {"i've", "the user has"},
    {"we", "they"}, {"us", "the user"}};
  return policies::rest_of(words, 0, about_user);
}

std::string rest_from(const policies::texts& words, size_t from) {
  return policies::rest_of(words, from, english_persons());
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
  auto is_asked = !words.empty() && policies::plain(words[0]) == "please";
  open_english_clause(words);
  auto lower = policies::lower_of(words);
  if (lower.size() < 2)
    return {};
  auto seat = seat_of(lower);
  auto wants_seat = is_english_speaker(lower[0]) && policies::has_word(lower, "want");
  if (!seat.statement.empty() && !wants_seat)
    return seat;
  static const phrase_list henceforth{
    {"from now on", "as of now", "as of today", "going forward", "from here on"}};
  if (auto length = henceforth.length_at(lower, 0); length > 0 && lower.size() > length + 2) {
    auto rest =
      joined(policies::texts(words.begin() + static_cast<ptrdiff_t>(length), words.end()), " ");
    static const policies::known_words objects{"the", "a", "my", "me", "all", "every", "any"};
    if (objects.contains(lower[length + 1]) && !is_english_speaker(lower[length]))
      return {"User wants you to " + rest_from(words, length), 0.2, {}, true};
    auto result = english(rest, said_before);
    result.needed = result.needed > 1 ? result.needed : std::min(result.needed, 0.25);
    return result;
  }
  static const policies::known_words openings{"the", "our", "all", "every", "each"};
  constexpr size_t of_henceforth = 3;
  if (openings.contains(lower[0]) && lower.size() > of_henceforth + 3
      && henceforth.length_at(lower, lower.size() - of_henceforth) == of_henceforth) {
    auto rest = joined(policies::texts(words.begin(), words.end() - of_henceforth), " ");
    auto result = english(rest, said_before);
    result.needed = result.needed > 1 ? result.needed : std::min(result.needed, 0.25);
    return result;
  }
  auto past = policies::lower_of(policies::tokens_of(said_before));
  if (auto reach = reachable(lower, words); !reach.statement.empty())
    return reach;
  if (auto at = position_of_me(lower); at > 0)
    return led_to(lower, words, at, past);
  if (auto home = lower[0] == "it's" ? home_of(lower, words, past) : ""; !home.empty())
    return {"User lives in " + home, 0, "lives"};
  if (auto changed = instead_of(lower, words, past); !changed.statement.empty())
    return changed;
  if (is_english_speaker(lower[0]) && !seat.statement.empty())
    return {of_me(lower, words, past).statement, seat.needed, seat.attribute};
  if (is_english_speaker(lower[0]))
    return of_me(lower, words, past);
  if (auto role = in_the_role(lower, words); !role.statement.empty())
    return role;
  for (const auto& pattern :
    {renewed(lower, words), corrected_name(lower, words), together_with_me(lower, words),
      put_by_others(lower, words), for_me(lower, words), there_is(lower, words)})
    if (!pattern.statement.empty())
      return pattern;
  static const policies::known_words sayings{"says", "said", "thinks", "told", "claims",
    "suggested", "recommends", "recommended", "believes", "asks", "asked", "wonders", "thought",
    "insists"};
  static const policies::known_words strangers{
    "a", "an", "some", "someone", "somebody", "the", "this", "that", "another"};
  if (strangers.contains(lower[0])
      && std::any_of(lower.begin() + 1,
        lower.begin() + static_cast<ptrdiff_t>(std::min<size_t>(lower.size(), 7)),
        [](const auto& word) { return sayings.contains(word); }))
    return {};
  if ((lower[0] == "my" || lower[0] == "our") && lower.size() > 2
      && (sayings.contains(lower[2]) || (lower.size() > 3 && sayings.contains(lower[3]))))
    return {};
  if (lower[0] == "my" || lower[0] == "our")
    return {"User's " + policies::rest_of(words, 1, english_persons()),
      english_need_of_possession(lower), attribute_of_possession(lower)};
  static const policies::known_words pronouns{
    "he", "she", "it", "they", "he's", "she's", "it's", "they're"};
  if (pronouns.contains(lower[0])) {
    auto whom = subject_of(said_before);
    if (is_personal_pronoun(lower[0])) // "my wife's birthday" names the wife
      if (auto of = whom.rfind("'s "); of != std::string::npos && of > whom.find("'s "))
        whom.resize(of);
    auto is = lower[0].find('\'') != std::string::npos ? " is " : " ";
    auto tells = is + policies::rest_of(words, 1, english_persons());
    constexpr std::string_view of_user = "User's ";
    if (is_personal_pronoun(lower[0]) && whom.starts_with(of_user)) // as if it were said so
      return english("My " + whom.substr(of_user.size()) + tells, {});
    return whom.empty() ? retold{} : retold{whom + tells};
  }
  if (auto wanted = english_demand(lower, words); !wanted.statement.empty())
    return wanted;
  if (is_asked)
    return {"User wants you to " + rest_from(words, 0), 0.75, {}, true};
  return {about_the_user(lower, words), english_need_of_statement(lower), {}};
}

} // namespace scratchpage
