#include "scratchpage/actors/policies/recurring_events.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/spoken_language.hpp"
#include "scratchpage/actors/policies/statement_signs.hpp"
#include "scratchpage/actors/policies/statement_stems.hpp"
#include "scratchpage/actors/policies/wording_words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t shared_of_settings = 2; // stems that alike reports share at least

/// Whether a user reports as one writes a log, and does not speak of themselves or to somebody.
bool is_log_report(const std::vector<std::string>& words) {
  static const policies::known_words persons{"i", "i'm", "i've", "i'd", "i'll", "you", "your", "we",
    "me", "yes", "thanks", "thank", "ich", "du", "sie", "ihr", "danke", "ja", "yo", "usted", "tú",
    "gracias", "sí", "je", "vous", "tu", "merci", "oui"};
  return std::none_of(
    words.begin(), words.end(), [](const std::string& word) { return persons.contains(word); });
}

bool notes_person(std::string_view text, const std::vector<std::string>& words) {
  static const policies::known_words persons{"user", "user's", "customer", "patient", "client",
    "guest", "learner", "student", "pupil", "caller", "nutzer", "nutzerin", "kunde", "kundin",
    "usuario", "usuaria", "cliente", "l'utilisateur", "l'utilisatrice", "utilisateur"};
  return policies::has_word(words, persons) || text.starts_with("用户")
         || text.starts_with("利用者") || text.starts_with("ユーザー");
}

bool is_noteworthy(std::string_view text, fact_speaker who, bool is_mishap) {
  if (tells_secret(text) || is_in_jest(text) || is_question(text))
    return false;
  auto words = words_of(text);
  if (words.size() > recurring_events_limits::words)
    return false;
  if (who == fact_speaker::other)
    return is_mishap || notes_person(text, words);
  return words.size() <= recurring_events_limits::own_words && is_log_report(words);
}

/// The words of a text as they were written, with the marks behind them.
policies::texts written_words(std::string_view text) {
  policies::texts result;
  for (size_t i = 0; i < text.size();) {
    auto end = std::min(text.find(' ', i), text.size());
    if (end > i)
      result.emplace_back(text.substr(i, end - i));
    i = end + 1;
  }
  return result;
}

/// The words of a report that its likes have too, with the small words between them.
std::string common_words(std::string_view text, const std::set<std::string>& common) {
  static const policies::pairs left_out{{"please", ""}, {"again", ""}};
  auto words = written_words(text);
  auto is_small = [&](size_t i) { return statement_stems(words[i]).empty(); };
  policies::texts kept;
  size_t essential = 0, behind = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_small(i) && shared_stems(statement_stems(words[i]), common) == 0)
      continue;
    kept.push_back(words[i]);
    if (is_small(i))
      continue;
    ++essential;
    behind = i + 1;
  }
  while (!kept.empty() && statement_stems(kept.back()).empty())
    kept.pop_back();
  // "complained about late" without the delivery is no statement.
  auto is_cut =
    behind > 0 && behind < words.size() && !is_small(behind)
    && std::string_view{",.;:"}.find(words[behind - 1].back()) == std::string_view::npos;
  return policies::rest_of(essential < 3 || is_cut ? words : kept, 0, left_out);
}

std::string statement_of(
  std::string_view text, const std::set<std::string>& common, bool is_mishap) {
  auto result = common_words(text, common);
  while (!result.empty() && std::string_view{",.;:!"}.find(result.back()) != std::string_view::npos)
    result.pop_back();
  auto is_english = language_of(text) == spoken_language::english;
  if (is_mishap)
    return is_english ? result + ", repeatedly" : result;
  if (is_english && !result.empty())
    return "User likes " + result;
  return result;
}

} // namespace

std::optional<recurring_event> recurring_events::note(std::string_view text, fact_speaker who,
  const std::string& turn_id, const std::string& observation_id, std::string_view stated) {
  text = utf8::prefix(text, fact_reading_limits::text_bytes);
  event x{
    std::string{text}, turn_id, observation_id, {}, tells_mishap(text), tells_again(text), {}};
  if (!is_noteworthy(text, who, x.is_mishap))
    return std::nullopt;
  x.stems = statement_stems(text);
  x.is_note = who == fact_speaker::other && !x.is_mishap;
  x.stated = utf8::prefix(stated, fact_reading_limits::text_bytes);
  auto common = x.stems;
  auto alike = like(x, common);
  events_.push_back(std::move(x));
  alike.insert(alike.begin(), &events_.back()); // references to others of a deque stay valid
  auto is_mishap = alike.front()->is_mishap;
  auto is_again =
    std::any_of(alike.begin(), alike.end(), [](const event* one) { return one->is_again; });
  auto stated_by = std::find_if(
    alike.rbegin(), alike.rend(), [](const event* one) { return !one->stated.empty(); });
  // What is done can be retold as a habit in English only; elsewhere it is told as it was noted.
  auto is_foreign = language_of(text) != spoken_language::english;
  auto is_note = alike.front()->is_note;
  auto tells = is_note ? is_foreign || stated_by != alike.rend() : is_mishap || is_again;
  recurring_event result;
  if (alike.size() >= recurring_events_limits::turns && tells) {
    const auto& first = *alike.back();
    result.fact = first.told;
    if (first.told.statement.empty()) {
      result.fact.statement = is_note && stated_by != alike.rend() ? (*stated_by)->stated
                              : is_note                            ? first.text
                                        : statement_of(first.text, common, is_mishap);
      result.fact.subject = "event";
      result.fact.attribute = joined({common.begin(), common.end()}, " ");
      result.fact.confidence = 0.7;
    }
    result.turns = alike.size();
    for (auto i = alike.rbegin(); i != alike.rend(); ++i) {
      (*i)->told = result.fact;
      result.observation_ids.push_back((*i)->observation_id);
    }
  }
  if (events_.size() > recurring_events_limits::events)
    events_.pop_front();
  return result.turns > 0 ? std::optional{std::move(result)} : std::nullopt;
}

/// Earlier reports of other turns that share enough, the latest first. Reduces `common` to what
/// all of them share.
std::vector<recurring_events::event*> recurring_events::like(
  const event& x, std::set<std::string>& common) {
  std::vector<event*> result;
  std::set<std::string> turns{x.turn_id};
  auto needed = x.is_mishap ? size_t{1} : shared_of_settings;
  for (auto i = events_.rbegin(); i != events_.rend(); ++i) {
    std::set<std::string> both;
    std::set_intersection(common.begin(), common.end(), i->stems.begin(), i->stems.end(),
      std::inserter(both, both.begin()));
    std::erase_if(both, [&](const std::string& stem) { return stem.size() < 2; });
    auto is_thing = std::any_of(
      both.begin(), both.end(), [](const std::string& stem) { return !tells_mishap(stem); });
    auto is_little = x.is_note && 2 * both.size() < std::min(x.stems.size(), i->stems.size());
    if (i->is_mishap != x.is_mishap || i->is_note != x.is_note || is_little || both.size() < needed
        || !is_thing || !turns.insert(i->turn_id).second)
      continue;
    common = std::move(both);
    result.push_back(&*i);
  }
  return result;
}

std::vector<recurring_events::event> recurring_events::take() {
  std::vector<event> result;
  result.reserve(events_.size());
  for (auto& x : std::exchange(events_, {})) {
    x.stems.clear();
    result.push_back(std::move(x));
  }
  return result;
}

void recurring_events::restore(std::vector<event> events) {
  for (auto& x : events) {
    x.stems = statement_stems(x.text);
    events_.push_back(std::move(x));
  }
}

size_t recurring_events::kept_bytes() const {
  size_t result = 0;
  for (const auto& one : events_)
    result += one.text.size() + one.turn_id.size() + one.observation_id.size()
              + one.told.statement.size() + one.told.attribute.size() + one.stated.size();
  return result;
}

} // namespace scratchpage
