#include "scratchpage/actors/policies/english_patterns.hpp"

#include <algorithm>
#include <cctype>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage {

namespace {

bool is_capital(const std::string& word) {
  return !word.empty() && std::isupper(static_cast<unsigned char>(word[0])) != 0;
}

/// The words up to one that leads on: "Linear" of "Linear last month".
std::string value_of(const policies::texts& words, size_t from) {
  static const policies::value_end end{
    {"last", "this", "in", "at", "on", "since", "because", "and", "for", "when", "after", "now",
      "recently", "two", "three", "months", "weeks", "years", "today", "yesterday", "so", "but",
      "good", "altogether", "entirely", "completely", "with", "as", "over", "it", "which", "that",
      "instead"},
    {"a"}};
  return policies::value_from(words, from, end);
}

size_t place_of_word(const policies::texts& lower, std::string_view word, size_t from) {
  return static_cast<size_t>(
    std::find(
      lower.begin() + static_cast<ptrdiff_t>(std::min(from, lower.size())), lower.end(), word)
    - lower.begin());
}

} // namespace

/// "I have moved from Faro to Porto", "we live in Porto now", "I'm in Porto now" after what was
/// said about living elsewhere
std::string home_of(
  const policies::texts& lower, const policies::texts& words, const policies::texts& past) {
  static const policies::known_words homes{"live", "lived", "moved", "living", "left"};
  static const policies::known_words be{"i'm", "we're", "am", "are"};
  for (size_t i = 1; i + 1 < lower.size() && i < 5; ++i)
    if ((lower[i] == "in" || lower[i] == "to") && is_capital(words[i + 1])
        && (be.contains(lower[i - 1]) || be.contains(lower[0])) && policies::has_word(past, homes)
        && i <= 3)
      return policies::place_of(words, i + 1);
  auto is_now_there = lower.size() == 3 && lower[0] == "it's" && lower[2] == "now";
  if (is_now_there && is_capital(words[1]) && policies::has_word(past, "moved"))
    return words[1];
  static const policies::known_words verbs{
    "live", "living", "moved", "settled", "relocated", "reside", "emigrated", "based"};
  for (size_t i = 0; i + 2 < lower.size(); ++i) {
    if (!verbs.contains(lower[i]))
      continue;
    static const policies::known_words denials{"don't", "not", "longer", "never", "didn't"};
    auto is_past = i > 1 && lower[i - 1] == "to" && lower[i - 2] == "used";
    if (is_past || (i > 0 && denials.contains(lower[i - 1])))
      return {};
    auto from = i + 1;
    if (lower[from] == "back")
      ++from;
    if (lower[from] == "from")
      from = static_cast<size_t>(std::find(lower.begin(), lower.end(), "to") - lower.begin());
    if (from + 1 < lower.size()
        && (lower[from] == "in" || lower[from] == "to" || lower[from] == "at")
        && (lower[i] == "live" || lower[from + 1] == "the" || is_capital(words[from + 1])))
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
    auto starts = lower[i] == "at" && (lower[i - 1] == "start" || lower[i - 1] == "started");
    auto works = lower[i - 1] == "work" || lower[i - 1] == "working" || starts;
    auto changed = lower[i - 1] == "i'm"
                   && (policies::has_word(past, jobs)
                       || (lower.back() == "now" && lower[i] != "with" && lower[i] != "for"));
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
    "email", "timezone", "landlord", "supervisor", "accountant", "bank", "standup", "deadline",
    "gp", "therapist", "physio", "vet", "plan", "car", "laptop", "postcode", "surname", "nickname",
    "weight", "height", "shift", "stylist", "tutor", "teacher", "insurer", "provider", "carrier",
    "pharmacy", "school", "currency"};
  auto is =
    static_cast<size_t>(std::find_if(lower.begin(), lower.end(), [](const std::string& word) {
      return word == "is" || word == "are" || word == "was" || word == "ends";
    }) - lower.begin());
  if (is < 2 || is > 5 || is + 1 >= lower.size())
    return {};
  auto first = size_t{lower[1] == "new" || lower[1] == "current" ? 2u : 1u};
  auto favourite = lower[1].starts_with("favo") || lower[1] == "preferred";
  if (!favourite && !unique.contains(lower[is - 1]))
    return {};
  return joined(policies::texts(lower.begin() + static_cast<ptrdiff_t>(first),
                  lower.begin() + static_cast<ptrdiff_t>(is)),
    " ");
}

retold switched_to(
  const policies::texts& lower, const policies::texts& words, const std::string& whose) {
  static const policies::known_words with_from{"moved", "moving", "changed", "went", "gone"};
  static const policies::known_words verbs{"switched", "migrated", "switching", "migrating",
    "transitioned", "converted", "upgraded", "downgraded", "ported"};
  static const policies::known_words exchanges{"replaced", "swapped"};
  size_t verb = 1;
  while (verb < lower.size() && verb < 5 && !verbs.contains(lower[verb])
         && !with_from.contains(lower[verb]) && !exchanges.contains(lower[verb]))
    ++verb;
  if (verb + 2 >= lower.size() || verb > 4)
    return {};
  auto is_exchange = exchanges.contains(lower[verb]);
  auto to = place_of_word(lower, is_exchange ? "with" : "to", verb);
  if (is_exchange && to >= lower.size())
    to = std::min(place_of_word(lower, "by", verb), place_of_word(lower, "for", verb));
  auto from = place_of_word(lower, "from", verb);
  if (to + 1 >= lower.size() || (from > to && with_from.contains(lower[verb])))
    return {};
  auto value = value_of(words, to + 1);
  if (value.empty())
    return {};
  auto first = words.begin() + static_cast<ptrdiff_t>(verb) + 1;
  auto last = words.begin() + static_cast<ptrdiff_t>(std::min(from, to));
  auto what = policies::rest_of(policies::texts(first, std::max(first, last)), 0,
    {{"our", ""}, {"my", ""}, {"the", ""}, {"over", ""}, {"everything", ""}, {"back", ""}});
  auto is_part = !what.empty() && !is_exchange;
  static const phrase_list rates{{"plan", "tier", "tariff", "subscription", "membership"}};
  auto is_own = whose == "User" && with_from.contains(lower[verb]);
  auto tells = rates.find_in(words_of(value)) != nullptr ? " is on "
               : is_own                                  ? " changed to "
                                                         : " uses ";
  return {whose + tells + value + (is_part ? " for the " + what : ""), 0.1, {}};
}

retold renewed(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words pronouns{"it", "it's", "he", "she", "he's", "she's", "that's"};
  if (lower[0] != "new" || lower.size() < 4 || !words[1].ends_with(',')
      || !pronouns.contains(lower[2]))
    return {};
  auto is = lower[2].ends_with("'s") ? std::string{" is "} : std::string{" "};
  return {"User's " + lower[1] + is + policies::rest_of(words, 3), 0.1, lower[1]};
}

retold corrected_name(const policies::texts& lower, const policies::texts& words) {
  static const policies::known_words openings{"it's", "that's"};
  if (!openings.contains(lower[0]) || lower.size() != 4 || lower[2] != "not"
      || !is_capital(words[1]) || !is_capital(words[3]))
    return {};
  auto name = words[1];
  while (name.ends_with(','))
    name.pop_back();
  return {"User is called " + name, 0, "name"};
}

bool is_personal_pronoun(std::string_view word) {
  static const policies::known_words all{"he", "she", "he's", "she's"};
  return all.contains(word);
}

retold there_is(const policies::texts& lower, const policies::texts& words) {
  static const phrase_list places{
    {"in the house", "in our house", "in my house", "at home", "in the flat", "in our flat",
      "in my flat", "in the family", "in our family", "in my family", "in our home", "in my team",
      "in our team", "on our team", "in our office", "in our garden", "in my garden"}};
  auto is_short = lower[0] == "there's";
  auto from = is_short ? size_t{1} : size_t{2};
  auto tells = is_short || (lower[0] == "there" && (lower[1] == "is" || lower[1] == "are"));
  if (!tells || lower.size() < from + 4 || places.find_in(lower) == nullptr)
    return {};
  auto is = !is_short && lower[1] == "are" ? "are " : "is ";
  return {"There " + std::string{is}
            + policies::rest_of(words, from, {{"my", "the user's"}, {"our", "the user's"}}),
    0.3, {}};
}

} // namespace scratchpage
