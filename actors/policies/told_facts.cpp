#include "scratchpage/actors/policies/told_facts.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/clause_reading.hpp"
#include "scratchpage/actors/policies/statement_signs.hpp"
#include "scratchpage/actors/policies/statement_stems.hpp"
#include "scratchpage/actors/policies/value_exchange.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"

namespace scratchpage {

namespace {

bool has_named(const std::vector<stated_fact>& facts) {
  return std::any_of(
    facts.begin(), facts.end(), [](const stated_fact& one) { return one.is_named; });
}

/// How many of the stems a text has too; "smoker" and "smoking" are of one.
double part_of(const std::set<std::string>& stems, const std::set<std::string>& of) {
  constexpr size_t alike = 5;
  auto has = [&](const std::string& one) {
    return of.contains(one) || std::any_of(of.begin(), of.end(), [&](const std::string& other) {
      return one.size() >= alike && other.compare(0, alike, one, 0, alike) == 0;
    });
  };
  auto shared = std::count_if(stems.begin(), stems.end(), has);
  return stems.empty() ? 0 : static_cast<double>(shared) / static_cast<double>(stems.size());
}

/// Whether the words name something that has a name in the statement: "Rex".
bool names_one_of(const std::vector<std::string>& words, std::string_view statement) {
  auto known = policies::tokens_of(statement);
  for (size_t i = 1; i < known.size(); ++i)
    if (known[i][0] >= 'A' && known[i][0] <= 'Z' && known[i] != "I"
        && contains(words, policies::plain(known[i])))
      return true;
  return false;
}

/// "scrap that, aisle", "typo. 43"
bool takes_back(const std::vector<std::string>& words) {
  static const policies::known_words openings{"typo", "oops", "correction", "scrap", "perdón",
    "pardon", "korrektur", "tippfehler", "vertippt", "sorry", "actually"};
  return !words.empty() && openings.contains(words[0]);
}

/// Whether a text speaks of what was told before by a word that names nothing: "she's moved us".
bool begins_pointing(const std::vector<std::string>& words) {
  static const policies::known_words pointers{
    "it", "it's", "she", "she's", "he", "he's", "they", "they're", "that's"};
  return !words.empty() && pointers.contains(words[0]);
}

/// Whether a text begins by denying what was told: "nah, …", "typo. …".
bool begins_denying(const std::vector<std::string>& words) {
  static const policies::known_words openings{
    "no", "wait", "nein", "non", "nah", "nope", "nee", "nö"};
  return !words.empty() && (openings.contains(words[0]) || takes_back(words));
}

/// Whether a text says that something is otherwise than it was told: "no, …", "… now".
bool is_correction(std::string_view text) {
  static const policies::known_words openings{
    "no", "actually", "sorry", "wait", "correction", "nein", "non", "nah", "nope", "nee", "nö"};
  auto words = words_of(text);
  return !words.empty() && (openings.contains(words[0]) || takes_back(words) || tells_change(text));
}

/// The value that a text tells and nothing else, behind what takes back the one before: "typo. 43".
std::string value_alone(std::string_view text) {
  auto right_behind = takes_back(words_of(text));
  for (auto sentence : sentences_in(text))
    if (auto value = value_put_right(sentence, right_behind); !value.empty())
      return value;
  return {};
}

/// Whether a statement tells what holds from a time on: "now", "these days".
bool tells_present(std::string_view statement) {
  static const phrase_list signs{{"now", "these days", "nowadays", "instead", "since", "jetzt",
    "inzwischen", "mittlerweile", "stattdessen", "ahora", "desde", "maintenant", "désormais",
    "currently", "finally", "seit", "depuis"}};
  return signs.find_in(words_of(statement)) != nullptr
         || statement.find("现在") != std::string_view::npos
         || statement.find("今は") != std::string_view::npos;
}

/// "I left the hospital"
bool leaves_a_post(const std::vector<std::string>& words) {
  static const policies::known_words verbs{"left", "quit", "resigned", "retired"};
  return policies::has_word(words, verbs);
}

/// " Ines" of "daughter Ines plays …"
std::string name_behind(const policies::texts& known) {
  auto has_name = known.size() > 2 && known[1][0] >= 'A' && known[1][0] <= 'Z';
  return has_name ? " " + known[1] : std::string{};
}

/// "My daughter" where "She" begins a text and the statement is about "User's daughter"; likewise
/// "My standup" for "The standup". "" if the text does not begin so.
std::string beginning_of_same(std::string_view text, std::string_view statement) {
  static const policies::pairs persons{{"he", ""}, {"she", ""}, {"he's", " is"}, {"she's", " is"}};
  constexpr std::string_view of_user = "User's ", has_one = "User has a ";
  auto is_own = statement.starts_with(of_user);
  if (!is_own && !statement.starts_with(has_one))
    return {};
  auto known = policies::tokens_of(statement.substr(is_own ? of_user.size() : has_one.size()));
  auto words = policies::tokens_of(text);
  if (known.empty() || words.size() < 3)
    return {};
  static const policies::known_words people{"wife", "husband", "partner", "fiancé", "fiancée",
    "girlfriend", "boyfriend", "son", "daughter", "child", "kid", "baby", "mother", "father", "mom",
    "mum", "dad", "brother", "sister", "aunt", "uncle", "cousin", "grandmother", "grandfather",
    "grandma", "grandpa", "niece", "nephew", "boss", "manager", "colleague", "friend", "flatmate",
    "roommate", "neighbour", "neighbor", "landlord", "doctor", "teacher", "coach", "dog", "cat",
    "horse"};
  auto first = policies::plain(words[0]);
  auto noun = policies::plain(known[0]);
  if (auto who = persons.find(first); who != persons.end() && is_own && people.contains(noun))
    return "My " + noun + name_behind(known) + std::string{who->second};
  if (first == noun || first == noun + "'s") // "Standup's at ten"
    return "My " + noun + (first == noun ? "" : " is");
  return first == "the" && policies::plain(words[1]) == noun ? "My" : std::string{};
}

/// A fact of which there is one value has the name of it, whoever told it in whatever words.
void name_by_frame(stated_fact& x) {
  if (x.is_named)
    return;
  if (auto name = frame_of(x.statement).named; !name.empty()) {
    x.subject = "user";
    x.attribute = std::move(name);
    x.is_named = true;
  }
}

} // namespace

/// The text with the thing or the person that the speaker told of last in place of "she" or "the".
std::string told_facts::with_subject(std::string_view text, const std::string& speaker) const {
  constexpr int last_ones = 3;
  int seen = 0;
  for (auto i = told_.rbegin(); i != told_.rend() && seen < last_ones; ++i) {
    if (i->speaker != speaker)
      continue;
    ++seen;
    auto beginning = beginning_of_same(text, i->fact.statement);
    auto rest = text.find(' ');
    if (!beginning.empty() && rest != std::string_view::npos)
      return beginning.append(text.substr(rest));
  }
  return std::string{text};
}

std::vector<stated_fact> told_facts::read(std::string_view said, const std::string& speaker) {
  auto whole = with_subject(said, speaker);
  std::string_view text = whole;
  auto facts = read_facts(text, fact_speaker::user);
  for (auto& one : facts)
    name_by_frame(one);
  if (auto other = tells_secret(text) ? std::nullopt : exchanged(text, speaker)) {
    facts = {std::move(*other)};
  } else if (tells_change(text)) {
    correct(text, speaker, facts);
  } else if (tells_again(text) && !tells_secret(text) && !has_named(facts)) {
    if (auto* known = nearest(statement_stems(text), speaker))
      return {known->fact};
  }
  for (auto& one : facts)
    settle(one, speaker);
  return facts;
}

void told_facts::settle(stated_fact& x, const std::string& speaker) {
  name_by_frame(x);
  name_as_before(x, speaker);
  if (auto* known = x.is_named ? nullptr : contradicted(frame_of(x.statement), speaker)) {
    x.subject = known->fact.subject;
    x.attribute = known->fact.attribute;
    x.is_named = known->fact.is_named;
  }
  note(speaker, x);
}

size_t told_facts::kept_bytes() const {
  size_t result = 0;
  for (const auto& one : told_) {
    result += one.speaker.size() + one.fact.statement.size() + one.fact.subject.size()
              + one.fact.attribute.size();
    for (const auto& stem : one.stems)
      result += 2 * stem.size(); // its frame has them too
  }
  return result;
}

/// The speaker's fact whose attribute is named in a text, or that shares most with a text, if that
/// is at least half of what it is about.
told_facts::entry* told_facts::nearest(
  const std::set<std::string>& stems, const std::string& speaker) {
  entry* best = nullptr;
  double most = 0.5;
  for (auto i = told_.rbegin(); i != told_.rend(); ++i) {
    if (i->speaker != speaker || i->stems.empty())
      continue;
    if (i->fact.is_named) { // it is meant only if it is named
      auto name = statement_stems(i->fact.attribute);
      if (!name.empty() && shared_stems(stems, name) == name.size() && best == nullptr)
        best = &*i;
      continue;
    }
    auto part = static_cast<double>(shared_stems(stems, i->stems))
                / static_cast<double>(std::min(i->stems.size(), std::max<size_t>(2, stems.size())));
    if (part > most || (part == most && best == nullptr)) {
      most = part;
      best = &*i;
    }
  }
  return best;
}

/// "Number" is the attribute "phone number" of which the speaker told before.
void told_facts::name_as_before(stated_fact& x, const std::string& speaker) const {
  if (!x.is_named)
    return;
  for (auto i = told_.rbegin(); i != told_.rend(); ++i)
    if (i->speaker == speaker && i->fact.is_named && i->fact.subject == x.subject
        && i->fact.attribute.ends_with(" " + x.attribute)) {
      x.attribute = i->fact.attribute;
      return;
    }
}

/// Whether a speaker may correct what was told: their own words, and what daemons have noted down
/// about the people they serve.
bool told_facts::may_correct(const entry& x, const std::string& speaker) {
  return x.speaker == speaker || (x.speaker == notes_of_others && speaker.starts_with("user "));
}

/// The latest fact of the speaker that cannot hold together with this one.
told_facts::entry* told_facts::contradicted(const statement_frame& x, const std::string& speaker) {
  auto found = std::find_if(told_.rbegin(), told_.rend(),
    [&](const entry& one) { return may_correct(one, speaker) && contradicts(x, one.frame); });
  return found == told_.rend() ? nullptr : &*found;
}

/// The fact of the speaker whose place this one takes, after they told of a change.
told_facts::entry* told_facts::replaced(
  const statement_frame& x, const std::string& speaker, bool is_strong) {
  entry* best = contradicted(x, speaker);
  double most = best == nullptr ? 0.999 : 2;
  for (auto i = told_.rbegin(); i != told_.rend(); ++i) {
    auto how_well = may_correct(*i, speaker) ? replacement(x, i->frame, is_strong) : 0;
    if (how_well > most) {
      most = how_well;
      best = &*i;
    }
  }
  return best;
}

/// The latest fact of the speaker of which a text names at least half.
told_facts::entry* told_facts::mentioned(std::string_view text, const std::string& speaker) {
  auto named = statement_stems(text);
  auto words = words_of(text);
  entry* best = nullptr;
  double most = 0.49;
  for (auto i = told_.rbegin(); i != told_.rend(); ++i) {
    if (!may_correct(*i, speaker))
      continue;
    std::set<std::string> about{i->frame.object.begin(), i->frame.object.end()};
    auto part = std::max(part_of(about, named), part_of(i->stems, named));
    auto is_post =
      i->frame.relation == "works" || (i->frame.relation == "is" && i->frame.subject.empty());
    if (names_one_of(words, i->fact.statement) || (is_post && part > 0.25 && leaves_a_post(words)))
      part = std::max(part, 0.6);
    if (part > most) {
      most = part;
      best = &*i;
    }
  }
  return best;
}

/// "We switched from Jira to Linear": the fact about Jira with Linear in its place.
std::optional<stated_fact> told_facts::exchanged(
  std::string_view text, const std::string& speaker) {
  if (is_question(text))
    return std::nullopt;
  auto all = exchange_in(text);
  auto value = all.before.empty() && is_correction(text) ? value_alone(text) : std::string{};
  if (all.before.empty() && value.empty())
    return with_other_value(text, speaker);
  for (auto i = told_.rbegin(); i != told_.rend(); ++i) {
    if (!may_correct(*i, speaker))
      continue;
    auto values = value.empty() ? all : exchange_for(value, i->fact.statement);
    auto statement = with_value(i->fact.statement, values);
    if (statement.empty())
      continue;
    auto result = i->fact;
    result.statement = std::move(statement);
    return result;
  }
  return with_other_value(text, speaker);
}

/// "It's 30 pupils in the maths class now": the fact about that class, or the last one if the text
/// tells of nothing else, with the new value.
std::optional<stated_fact> told_facts::with_other_value(
  std::string_view text, const std::string& speaker) const {
  if (!is_correction(text) || is_passing(text))
    return std::nullopt;
  auto stems = statement_stems(text);
  auto words = words_of(text);
  auto is_denial = begins_denying(words);
  auto may_be_last = is_denial || begins_pointing(words);
  constexpr double enough = 0.5;
  for (auto i = told_.rbegin(); i != told_.rend(); ++i) {
    if (!may_correct(*i, speaker))
      continue;
    constexpr size_t many = 2;
    auto is_about_same =
      part_of(i->stems, stems) >= enough || shared_stems(stems, i->stems) >= many;
    if (is_about_same || may_be_last)
      if (auto statement = with_value(i->fact.statement,
            exchange_between(text, i->fact.statement, !is_about_same && !is_denial));
          !statement.empty()) {
        auto result = i->fact;
        result.statement = std::move(statement);
        return result;
      }
    may_be_last = false;
  }
  return std::nullopt;
}

/// Each fact of the text takes the place of the earlier one that is about the same. What the text
/// tells beside its facts ("I sold the Golf") concerns the last of them.
void told_facts::correct(
  std::string_view text, const std::string& speaker, std::vector<stated_fact>& facts) {
  leave_out_endings(speaker, facts);
  std::set<std::string> taken;
  auto is_strong = tells_replacement(text);
  for (size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].is_named)
      continue;
    auto* known = replaced(frame_of(facts[i].statement), speaker, is_strong);
    if (auto last = facts[i].statement.rfind(", "); known == nullptr && last != std::string::npos)
      known = replaced(frame_of("User " + facts[i].statement.substr(last + 2)), speaker, is_strong);
    if (known == nullptr && i + 1 == facts.size() && is_ending(text))
      known = mentioned(text, speaker);
    if (known == nullptr || !taken.insert(known->fact.attribute).second)
      continue;
    facts[i].subject = known->fact.subject;
    facts[i].attribute = known->fact.attribute;
    facts[i].is_named = known->fact.is_named;
  }
}

/// Beside what holds now, what tells only that an earlier fact has ended is left out.
void told_facts::leave_out_endings(const std::string& speaker, std::vector<stated_fact>& facts) {
  auto holds = [](const stated_fact& one) { return !is_ending(one.statement); };
  std::vector<statement_frame> present;
  for (const auto& one : facts)
    if (holds(one))
      present.push_back(frame_of(one.statement));
  if (present.empty())
    return;
  auto is_of_now = std::any_of(facts.begin(), facts.end(),
    [&](const stated_fact& one) { return holds(one) && tells_present(one.statement); });
  std::erase_if(facts, [&](const stated_fact& one) {
    auto relation = frame_of(one.statement).relation;
    auto is_told_otherwise =
      std::any_of(present.begin(), present.end(), [&](const statement_frame& other) {
        return other.relation == relation || !other.named.empty();
      });
    return !holds(one) && !one.is_named
           && (is_of_now || is_told_otherwise || mentioned(one.statement, speaker) != nullptr);
  });
}

/// What can be read out of a statement again is left out: it takes most of the memory.
std::vector<told_facts::told_fact> told_facts::take() {
  std::vector<told_fact> result;
  result.reserve(told_.size());
  for (auto& x : std::exchange(told_, {}))
    result.push_back({std::move(x.speaker), std::move(x.fact)});
  return result;
}

void told_facts::restore(std::vector<told_fact> facts) {
  for (auto& x : facts) {
    auto stems = statement_stems(x.fact.statement);
    auto frame = frame_of(x.fact.statement);
    told_.push_back({std::move(x.speaker), std::move(x.fact), std::move(stems), std::move(frame)});
  }
}

void told_facts::note(const std::string& speaker, const stated_fact& x) {
  std::erase_if(told_, [&](const entry& one) {
    return one.speaker == speaker && one.fact.attribute == x.attribute
           && one.fact.subject == x.subject;
  });
  told_.push_back({speaker, x, statement_stems(x.statement), frame_of(x.statement)});
  if (told_.size() > told_facts_limits::facts)
    told_.pop_front();
}

} // namespace scratchpage
