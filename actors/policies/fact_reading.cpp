#include "scratchpage/actors/policies/fact_reading.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/asked_clause.hpp"
#include "scratchpage/actors/policies/clause_reading.hpp"
#include "scratchpage/actors/policies/english_patterns.hpp"
#include "scratchpage/actors/policies/fact_wording.hpp"
#include "scratchpage/actors/policies/statement_frames.hpp"
#include "scratchpage/actors/policies/statement_signs.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr double least_lasting = 0.5;
constexpr double least_of_subject = 0.1; // of "User …", which somebody has noted down
constexpr double sure_by_pattern = 0.9;
constexpr double least_of_report = 0.8;
constexpr double of_reasoned_demand = 0.15; // of what a demand needs whose reason is a fact
constexpr double of_continuation = 0.3;     // of what a clause needs that goes on with a fact

bool is_negation(std::string_view word) {
  static const policies::known_words list{"not", "no", "never", "don't", "doesn't", "does", "do",
    "isn't", "aren't", "cannot", "can't", "nicht", "kein", "keine", "keinen", "nie", "nunca", "ne",
    "n", "pas", "jamais", "longer", "more", "any", "anymore", "plus", "mehr", "ya", "you", "wants"};
  return list.contains(word);
}

/// The stems of a statement without numbers, negations and small words, in order.
std::string subject_words_of(std::string_view statement) {
  static const content_words content{
    {"the", "a", "an", "user", "is", "are", "to", "of", "in", "at", "on", "der", "die", "das",
      "nutzer", "nutzerin", "el", "la", "usuario", "usuaria", "l'utilisateur", "l'utilisatrice",
      "le", "les", "really", "very", "now", "also", "always", "only", "actually", "their",
      "please"},
    1};
  auto words = words_of(statement);
  std::erase_if(
    words, [](const std::string& word) { return is_negation(word) || is_number(word); });
  return joined(content.in_order(words), " ");
}

stated_fact fact_made_of(std::string statement, std::string attribute, double confidence) {
  auto words = words_of(statement);
  stated_fact result;
  auto is_user = !words.empty() && (words[0] == "user" || !attribute.empty());
  result.subject = is_user || words.empty() ? "user" : words[0];
  result.is_named = !attribute.empty();
  result.attribute = attribute.empty() ? subject_words_of(statement) : std::move(attribute);
  if (result.attribute.empty())
    result.attribute = statement;
  result.statement = std::move(statement);
  result.confidence = confidence;
  return result;
}

double lasting_probability(std::string_view text) {
  return language::statement().probability(text, "lasting");
}

bool is_in_list(const std::vector<stated_fact>& list, const stated_fact& x) {
  return std::any_of(
    list.begin(), list.end(), [&](const stated_fact& one) { return one.attribute == x.attribute; });
}

/// Whether a clause that follows another one speaks of the speaker as well, without being joined by
/// a word: "I can't drive, I never got a licence".
bool goes_on_about_speaker(std::string_view clause) {
  static const policies::known_words list{
    "i", "i'm", "i've", "i'd", "we", "we're", "we've", "nobody", "no", "ich", "je", "j'ai"};
  auto words = words_of(clause);
  return !words.empty() && list.contains(words[0]);
}

/// The statement without its subject, to go on with another statement about it.
std::string_view without_subject(std::string_view statement) {
  constexpr std::array<std::string_view, 9> subjects{"User ", "Der Nutzer ", "Die Nutzerin ",
    "El usuario ", "La usuaria ", "L'utilisateur ", "L'utilisatrice ", "用户", "利用者は"};
  for (auto one : subjects)
    if (statement.starts_with(one))
      return statement.substr(one.size());
  return statement;
}

/// Both statements, the second without its subject if the first has it as well.
std::string joined_to(const std::string& first, std::string_view second) {
  constexpr std::string_view user = "User ";
  if (second.starts_with(user) && !first.starts_with("User"))
    return first + ", the user " + std::string{second.substr(user.size())};
  return first + ", " + std::string{without_subject(second)};
}

/// "User is looking at flights"
bool is_going_on(std::string_view text) {
  auto words = words_of(text);
  for (size_t i = 1; i + 1 < words.size() && i < 4; ++i)
    if ((words[i] == "is" || words[i] == "was") && words[i + 1].ends_with("ing"))
      return true;
  return false;
}

/// Whether a clause tells how something was at a time that is over.
bool tells_former(std::string_view clause) {
  static const phrase_list signs{
    {"früher", "damals", "antes", "avant", "autrefois", "used to", "in the past", "formerly"}};
  return signs.find_in(words_of(clause)) != nullptr
         || clause.find("以前") != std::string_view::npos;
}

/// Whether both tell of the speaker in a language that needs no word for them: "no como pan, soy
/// celíaca".
bool goes_on_without_subject(const retold& told, const stated_fact& before) {
  auto is_spanish = [](std::string_view x) {
    return x.starts_with("El usuario ") || x.starts_with("La usuaria ");
  };
  return is_spanish(told.statement) && is_spanish(before.statement);
}

/// Whether a clause without a subject goes on with the one before: "我是人事部的，负责招聘".
bool goes_on_in_chinese(const retold& told, std::string_view clause) {
  return told.statement.starts_with("用户") && !told.is_demand
         && clause.find("我") == std::string_view::npos;
}

/// What one sentence of a user tells, and how much of it was demanded.
class sentence_facts {
public:
  explicit sentence_facts(std::vector<stated_fact>& to)
    : to_{to},
      first_{to.size()} {}

  /// Whether the clause goes on with what the sentence has told.
  bool is_continued_by(const retold& told, std::string_view clause) const {
    return to_.size() > first_ && told.attribute.empty()
           && (told.is_demand || follows_on(clause) || goes_on_in_chinese(told, clause));
  }

  void add(retold told, std::string_view clause, double sure) {
    auto may_join = told.attribute.empty() && to_.size() > first_ && !has_attribute_;
    if (may_join
        && (told.is_demand || is_demand_ || follows_on(clause) || goes_on_in_chinese(told, clause)
            || (!tells_change(clause) && !is_ending(told.statement)
                && !is_ending(to_.back().statement)
                && (goes_on_about_speaker(clause) || goes_on_without_subject(told, to_.back()))))) {
      join(told, sure);
      return;
    }
    has_attribute_ = !told.attribute.empty();
    is_demand_ = told.is_demand;
    auto one = fact_made_of(std::move(told.statement), std::move(told.attribute), sure);
    if (to_.size() < fact_reading_limits::facts && !is_in_list(to_, one))
      to_.push_back(std::move(one));
  }

private:
  /// A demand and its reason are one fact, and so are a statement and what follows from it.
  void join(const retold& told, double sure) {
    auto& last = to_.back();
    auto statement = is_demand_ && !told.is_demand ? joined_to(told.statement, last.statement)
                                                   : joined_to(last.statement, told.statement);
    is_demand_ = is_demand_ && told.is_demand;
    last = fact_made_of(std::move(statement), {}, std::max(sure, last.confidence));
  }

  std::vector<stated_fact>& to_;
  size_t first_;
  bool is_demand_ = false;
  bool has_attribute_ = false;
};

/// Whether a clause may be the secret itself, where a text tells one: "it's Xk29-LL", "4471".
bool may_be_secret(std::string_view clause) {
  static const policies::known_words pointers{
    "it", "it's", "that", "that's", "this", "es", "c'est", "ist", "lautet"};
  auto words = words_of(clause);
  auto mixes = [](const std::string& word) {
    auto digits =
      std::count_if(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits > 0 && (digits > 3 || static_cast<size_t>(digits) < word.size());
  };
  return words.empty() || pointers.contains(words[0])
         || std::any_of(words.begin(), words.end(), mixes);
}

/// The parts of a sentence that tells a secret, without those that may be it.
std::vector<std::string_view> parts_beside_secret(std::string_view sentence) {
  constexpr std::array<std::string_view, 11> joints{
    ", and ", ", et ", ", y ", ", und ", ", but ", " and ", " et ", " y ", " und ", ", ", "，"};
  std::vector<std::string_view> result;
  while (!sentence.empty()) {
    auto end = sentence.size();
    size_t skipped = 0;
    for (auto joint : joints)
      if (auto at = sentence.find(joint); at < end) {
        end = at;
        skipped = joint.size();
      }
    auto part = sentence.substr(0, end);
    if (!part.empty() && !tells_secret(part) && !may_be_secret(part))
      result.push_back(part);
    sentence.remove_prefix(std::min(sentence.size(), end + skipped));
  }
  return result;
}

/// Whether a clause says no more than yes, no, please or thanks: "Oui, s'il vous plaît".
bool is_courtesy(std::string_view clause) {
  static const policies::known_words all{"yes", "no", "please", "thanks", "thank", "you", "ok",
    "okay", "sure", "ja", "nein", "bitte", "danke", "gern", "gerne", "sí", "si", "por", "favor",
    "gracias", "vale", "oui", "non", "s'il", "vous", "te", "plaît", "plait", "merci", "beaucoup",
    "d'accord", "very", "much", "sehr", "vielen", "dank", "muchas", "claro", "bien", "sûr"};
  auto words = words_of(clause);
  return std::all_of(
    words.begin(), words.end(), [](const std::string& word) { return all.contains(word); });
}

/// Whether a clause tells of a person who was named before: "She collects pens".
bool is_about_person_before(std::string_view clause) {
  auto words = words_of(clause);
  return !words.empty() && is_personal_pronoun(words[0]);
}

/// A clause with what it tells; no statement if it tells nothing that lasts.
struct told_clause {
  std::string_view clause;
  retold told;
  double sure = 0; ///< how probable it is that it lasts
};

/// Tells of one clause. `before`: the clause that "it" or "she" belongs to.
told_clause tell_clause(std::string_view clause, std::string_view before, spoken_language in) {
  auto holds_now = is_passing(clause) && tells_former(before); // "früher …, heute …"
  told_clause result{clause, {}, 0};
  auto told = retell(clause, before, in);
  auto has_begun = !told.attribute.empty() && is_of_yesterday(clause); // "I got engaged yesterday"
  if (told.statement.empty() || told.needed > 1 || (is_passing(clause) && !holds_now && !has_begun))
    return result;
  if (holds_now)
    told.needed = std::min(told.needed, of_reasoned_demand);
  result.sure = told.needed > 0 ? lasting_probability(clause) : sure_by_pattern;
  if (is_about_person_before(clause) && told.statement.starts_with("User's "))
    result.sure = std::max(result.sure, lasting_probability("My" + told.statement.substr(6)));
  result.told = std::move(told);
  return result;
}

/// Whether a demand is followed by its reason: "don't send me PDFs, I can't open them".
bool gives_reason(const told_clause& x) {
  return !x.told.statement.empty() && !x.told.is_demand && goes_on_about_speaker(x.clause)
         && x.sure >= x.told.needed;
}

/// What a user's sentence tells of them. `asks`: it leads to a question, for which it often tells
/// only what is the matter now. `named`: the last clause of the sentences before that told
/// something; it is set to the last of this one.
void read_sentence(std::string_view sentence, spoken_language in, bool asks,
  std::string_view& named, std::vector<stated_fact>& to) {
  std::vector<told_clause> clauses;
  std::string_view before;
  for (auto clause : clauses_in(sentence, in)) {
    if (is_courtesy(clause))
      continue;
    if (before.empty() && is_about_person_before(clause))
      before = named;
    clauses.push_back(tell_clause(clause, before, in));
    before = clause;
  }
  sentence_facts facts{to};
  for (size_t i = 0; i < clauses.size(); ++i) {
    auto& [clause, told, sure] = clauses[i];
    if (told.statement.empty())
      continue;
    if (!told.is_demand && !is_about_person_before(clause))
      named = clause;
    auto is_of_now =
      i > 0 && is_passing(clauses[i - 1].clause) && clauses[i - 1].told.statement.empty();
    constexpr double doubtful = 0.5;
    if ((told.is_demand && asks) || (is_of_now && (told.is_demand || told.needed >= doubtful)))
      continue;
    if (asks && is_going_on(clause))
      continue;
    auto is_report = told.needed >= least_of_report && tells_mishap(clause);
    auto of_demand = told.is_demand && told.needed < least_of_report;
    auto is_reasoned = of_demand && i + 1 < clauses.size() && gives_reason(clauses[i + 1]);
    auto is_continued = facts.is_continued_by(told, clause);
    auto needed = is_reasoned || (is_continued && of_demand) ? told.needed * of_reasoned_demand
                  : is_continued                             ? told.needed * of_continuation
                                                             : told.needed;
    if (sure >= needed && !is_report)
      facts.add(std::move(told), clause, sure);
  }
}

/// Whether a daemon's or tool's text notes something down about a person.
bool notes_about_person(std::string_view text) {
  static const policies::known_words persons{"user", "user's", "users", "customer", "patient",
    "client", "guest", "learner", "student", "pupil", "caller", "tenant", "nutzer", "nutzerin",
    "kunde", "kundin", "patientin", "schüler", "usuario", "usuaria", "cliente", "paciente",
    "alumno", "l'utilisateur", "l'utilisatrice", "utilisateur", "client", "cliente", "patiente",
    "l'élève"};
  static const policies::known_words articles{"the", "der", "die", "das", "el", "la", "le"};
  auto words = words_of(text);
  if (words.size() > 1 && articles.contains(words[0]))
    words.erase(words.begin());
  return text.starts_with("用户") || text.starts_with("利用者") || text.starts_with("ユーザー")
         || text.starts_with("客户") || text.starts_with("顾客") || text.starts_with("お客")
         || (!words.empty() && persons.contains(words[0]));
}

/// "User seems tired", "User has a meeting at three"
bool is_noted_of_moment(std::string_view text) {
  static const phrase_list states{{"seems", "appears", "looks", "feels", "sounds", "scheint",
    "wirkt", "parece", "semble", "has a meeting", "has an appointment", "has a call",
    "has a flight", "has a question", "has a problem", "has an issue", "has a headache", "is tired",
    "is hungry", "is busy", "is away", "is late", "is in a hurry", "is waiting", "is ready",
    "is happy", "is angry", "is upset", "is frustrated", "is confused", "is unsure", "is online",
    "is offline", "has a cold", "has arrived", "has paid", "has asked", "just", "is about to",
    "wants to know"}};
  static const phrase_list general{{"always", "every", "weekly", "daily", "usually", "mondays",
    "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "never", "often",
    "monthly", "whenever", "when"}};
  auto words = words_of(text);
  return states.find_in(words) != nullptr && general.find_in(words) == nullptr;
}

/// What a note of a deed tells if the deed comes again and again: "User asked for the news at
/// noon" → "User asks for the news at noon"; "" if it is no deed that tells of a habit.
std::string habit_of(std::string_view text) {
  static const policies::pairs deeds{{"asked", "asks"}, {"requested", "requests"},
    {"ordered", "orders"}, {"wanted", "wants"}, {"booked", "books"}, {"checked", "checks"},
    {"chose", "chooses"}, {"picked", "picks"}, {"bought", "buys"}, {"watched", "watches"},
    {"listened", "listens"}, {"played", "plays"}, {"skipped", "skips"}, {"declined", "declines"},
    {"preferred", "prefers"}, {"called", "calls"}, {"selected", "selects"}, {"paid", "pays"},
    {"took", "takes"}, {"went", "goes"}, {"ate", "eats"}, {"drank", "drinks"}, {"used", "uses"},
    {"changed", "changes"}, {"corrected", "corrects"}, {"rejected", "rejects"},
    {"postponed", "postpones"}, {"cancelled", "cancels"}, {"set", "sets"}, {"turned", "turns"}};
  auto words = policies::tokens_of(text);
  if (words.size() < 4)
    return {};
  size_t verb = policies::plain(words[0]) == "the" ? 2 : 1;
  auto found = deeds.find(policies::plain(words[verb]));
  if (found == deeds.end() || !notes_about_person(text))
    return {};
  words[verb] = std::string{found->second};
  return joined(words, " ");
}

/// "All tests passed": the routine of a tool in few words.
bool is_routine(std::string_view text) {
  static const policies::known_words states{"is", "are", "ist", "sind", "es", "está", "est"};
  constexpr size_t few = 4;
  auto words = words_of(text);
  return !words.empty() && words.size() <= few && words.back().ends_with("ed")
         && !policies::has_word(words, states);
}

/// What daemons and tools state.
void read_note(std::string_view text, std::vector<stated_fact>& to) {
  if (is_passing(text) || is_question(text) || is_supposed(text) || is_routine(text))
    return;
  if (auto habit = habit_of(text); !habit.empty()) {
    to.push_back(fact_made_of(std::move(habit), {}, least_lasting));
    to.back().is_habit = true;
    return;
  }
  if (is_noted_of_moment(text) || (notes_about_person(text) && is_going_on(text)))
    return;
  auto sure = lasting_probability(text);
  auto is_noted = notes_about_person(text) && !tells_mishap(text) && !is_going_on(text);
  constexpr double least_of_often = 0.4;
  constexpr size_t words_of_often = 6;
  auto is_statement = words_of(text).size() >= words_of_often && !tells_mishap(text)
                      && text.find_first_of("0123456789") == std::string_view::npos;
  auto is_sure = sure >= (is_noted ? least_of_subject : least_lasting);
  if (!is_sure && !is_noted && !(is_statement && sure >= least_of_often))
    return;
  to.push_back(fact_made_of(std::string{text}, {}, sure));
  to.back().is_habit = !is_sure;
}

/// A text without spaces whose commas are those of its script, so that they divide it.
std::string with_wide_marks(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    auto is_within_number = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
    if (text[i] == ',' && !is_within_number)
      result += "，";
    else
      result += text[i];
  }
  return result;
}

} // namespace

std::vector<stated_fact> read_facts(std::string_view text, fact_speaker who) {
  text = utf8::prefix(text, fact_reading_limits::text_bytes);
  std::string widened;
  if (auto in = language_of(text);
      in == spoken_language::chinese || in == spoken_language::japanese) {
    widened = with_wide_marks(text);
    text = widened;
  }
  std::vector<stated_fact> result;
  if (is_in_jest(text) || is_quoted(text))
    return result;
  auto has_secret = tells_secret(text);
  if (who == fact_speaker::other) {
    if (!has_secret)
      read_note(text, result);
    return result;
  }
  auto in = language_of(text);
  std::string_view named;
  for (auto sentence : sentences_in(text)) {
    if (has_secret && !tells_secret(sentence) && may_be_secret(sentence))
      continue;
    auto asks = is_question(sentence);
    auto told = asks ? stated_before_question(sentence, in) : sentence;
    if (auto demand = demanded_by_question(sentence); asks && !demand.empty()) {
      told = demand;
      asks = false;
    }
    if (told.empty() || is_supposed(told))
      continue;
    if (!tells_secret(told))
      read_sentence(told, in, asks, named, result);
    else
      for (auto part : parts_beside_secret(told))
        read_sentence(part, in, asks, named, result);
  }
  return result;
}

std::string fact_key_of(const stated_fact& x) {
  return "fact:" + x.subject + ":" + x.attribute;
}

} // namespace scratchpage
