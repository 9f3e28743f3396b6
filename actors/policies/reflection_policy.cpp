#include "scratchpage/actors/policies/reflection_policy.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/fact_reading.hpp"
#include "scratchpage/actors/policies/spoken_language.hpp"
#include "scratchpage/actors/policies/statement_stems.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_statement = 240; // bytes of somebody else's text within a lesson

/// "weather_api sometimes …"
std::string_view habit(error_class kind) {
  switch (kind) {
  case error_class::timeout:
    return "times out";
  case error_class::transient:
    return "fails for a moment";
  case error_class::invalid_input:
    return "refuses its inputs";
  case error_class::permission:
    return "is not permitted";
  case error_class::not_found:
    return "does not find what it is asked for";
  case error_class::other:
    break;
  }
  return "fails";
}

std::string retry_lesson(const call_record& call) {
  auto tool = call.tool_id + " sometimes ";
  return tool.append(habit(*call.kind))
    .append(*call.kind == error_class::timeout ? ", retry with a longer timeout helps"
                                               : ", trying again helps");
}

std::string alternative_lesson(const call_record& call) {
  return (call.tool_id + " can stand in for " + call.planned_tool + " when that ")
    .append(habit(*call.kind));
}

/// The part of a text that is read and compared.
std::string_view in_reach(std::string_view text) {
  return utf8::prefix(text, reading_limits::observation_bytes);
}

/// The words of a statement with numbers made alike, for comparing.
std::string normalised(std::string_view text) {
  auto words = words_of(text);
  for (auto& word : words)
    if (is_number(word))
      word = "#";
  return joined(words, " ");
}

std::vector<std::string> without(std::vector<std::string> words, const phrase_list& left_out) {
  std::erase_if(words, [&](const std::string& word) { return left_out.is_whole({word}); });
  return words;
}

/// Tells a report as a tool's: "According to billing_api, amounts are in cents". It is about that
/// tool's view alone, and so neither ends what others have told nor is ended by it.
void attribute_to_tool(stated_fact& x, const std::string& tool) {
  static const std::map<spoken_language, std::pair<std::string_view, std::string_view>> wordings{
    {spoken_language::english, {"According to ", ", "}}, {spoken_language::german, {"Laut ", ": "}},
    {spoken_language::spanish, {"Según ", ": "}}, {spoken_language::french, {"Selon ", " : "}},
    {spoken_language::chinese, {"据", "："}}, {spoken_language::japanese, {"", "によると、"}}};
  auto [before, behind] = wordings.at(language_of(x.statement));
  auto statement = x.statement;
  for (std::string_view article : {"The ", "A ", "An ", "All ", "Each ", "Every ", "No "})
    if (behind == ", " && statement.starts_with(article))
      statement[0] = static_cast<char>(statement[0] - 'A' + 'a');
  x.statement = std::string{before} + tool + std::string{behind} + statement;
  x.subject = "tool " + tool + ":" + x.subject;
  x.is_named = false;
}

/// Moves or adds `x` to the end of the list, which keeps the last `max` entries.
void note_last(std::vector<std::string>& to, const std::string& x, size_t max) {
  std::erase(to, x);
  to.push_back(x);
  if (to.size() > max)
    to.erase(to.begin());
}

} // namespace

caf::error validate(const reflection_config& x, std::string_view path) {
  return config_check{path}
    .range("pattern_recurrences", x.pattern_recurrences, 2, 1'000'000)
    .range("failure_recurrences", x.failure_recurrences, 1, 1'000'000)
    .range("preference_recurrences", x.preference_recurrences, 1, 1'000'000)
    .range("max_tracked", x.max_tracked, 1, 10'000'000)
    .range("max_lessons", x.max_lessons, 0, 100'000)
    .range("max_support", x.max_support, 1, 100'000)
    .words("ignored_types", x.ignored_types)
    .words("preference_tags", x.preference_tags)
    .words("preference_phrases", x.preference_phrases)
    .words("negations", x.negations)
    .words("stop_words", x.stop_words)
    .range("confidence", x.confidence, 0, 1)
    .range("confidence_step", x.confidence_step, 0, 1)
    .range("max_confidence", x.max_confidence, x.confidence, 1)
    .error();
}

reflection_policy::reflection_policy(reflection_config config)
  : config_{std::move(config)},
    preference_phrases_{config_.preference_phrases},
    negations_{config_.negations},
    content_{config_.stop_words, 1} {}

std::vector<turn_lesson> reflection_policy::reflect(const turn_story& story) {
  read_again();
  std::vector<turn_lesson> result;
  for (const auto& call : story.calls)
    learn_recovery(call, story, result);
  for (const auto& call : story.calls)
    learn_failure(call, story, result);
  for (const auto& one : story.observations)
    if (one && !contains(config_.ignored_types, one->type) && is_preference(*one))
      learn_preference(*one, story, result);
  for (const auto* list : {&story.observations, &story.heard})
    for (const auto& one : *list)
      if (one)
        learn_stated(*one, story, result);
  for (const auto& one : story.observations)
    if (one && !contains(config_.ignored_types, one->type))
      find_pattern(*one, story, result);
  if (result.size() > config_.max_lessons)
    result.resize(config_.max_lessons);
  return result;
}

// -- what is remembered ---------------------------------------------------------------

reflection_policy::memory reflection_policy::take_memory() {
  if (not_read_)
    return *std::exchange(not_read_, std::nullopt);
  index_.clear();
  return {std::exchange(topics_, {}), told_.take(), recurring_.take()};
}

void reflection_policy::remember(memory x) {
  not_read_ = std::move(x);
}

void reflection_policy::read_again() {
  if (!not_read_)
    return;
  topics_ = std::move(not_read_->topics);
  for (auto i = topics_.begin(); i != topics_.end(); ++i)
    index_.emplace(i->key, i);
  told_.restore(std::move(not_read_->told));
  recurring_.restore(std::move(not_read_->events));
  not_read_.reset();
}

uint64_t reflection_policy::memory::bytes() const {
  auto of_text = [](const std::string& x) { return x.size(); };
  auto of_texts = [&](const std::vector<std::string>& xs) {
    uint64_t result = xs.capacity() * sizeof(std::string);
    for (const auto& x : xs)
      result += of_text(x);
    return result;
  };
  auto of_fact = [&](const stated_fact& x) {
    return of_text(x.statement) + of_text(x.subject) + of_text(x.attribute);
  };
  uint64_t result = sizeof(*this);
  for (const auto& x : topics)
    result += sizeof(x) + of_text(x.key) + of_text(x.last_turn) + of_text(x.statement)
              + of_texts(x.observation_ids) + of_texts(x.speakers);
  for (const auto& x : told)
    result += sizeof(x) + of_text(x.speaker) + of_fact(x.fact);
  for (const auto& x : events)
    result += sizeof(x) + of_text(x.text) + of_text(x.turn_id) + of_text(x.observation_id)
              + of_text(x.stated) + of_fact(x.told);
  return result;
}

// -- counting -------------------------------------------------------------------------

/// The topic of `key`, a new one if there is none; it becomes the most recent one.
reflection_policy::topic& reflection_policy::track(const std::string& key) {
  if (auto i = index_.find(key); i != index_.end()) {
    topics_.splice(topics_.begin(), topics_, i->second);
    return topics_.front();
  }
  topics_.push_front({key, 0, {}, {}, {}, {}});
  index_.emplace(topics_.front().key, topics_.begin());
  if (topics_.size() > config_.max_tracked) {
    index_.erase(topics_.back().key);
    topics_.pop_back();
  }
  return topics_.front();
}

size_t reflection_policy::kept_bytes() const {
  size_t result = 0;
  for (const auto& one : topics_) {
    result += one.key.size() + one.last_turn.size() + one.statement.size();
    for (const auto* list : {&one.observation_ids, &one.speakers})
      for (const auto& text : *list)
        result += text.size();
  }
  return result + told_.kept_bytes() + recurring_.kept_bytes();
}

/// The topic of `key`, which becomes the most recent one, or null if there is none.
reflection_policy::topic* reflection_policy::known(const std::string& key) {
  return index_.contains(key) ? &track(key) : nullptr;
}

/// Counts the topic for this turn and adds the observations. Returns false if the turn was counted
/// before.
bool reflection_policy::step(
  topic& x, const std::string& turn_id, const std::vector<std::string>& ids) {
  for (const auto& id : ids)
    if (!contains(x.observation_ids, id))
      x.observation_ids.push_back(id);
  if (x.observation_ids.size() > config_.max_support)
    x.observation_ids.erase(x.observation_ids.begin(),
      x.observation_ids.end() - static_cast<ptrdiff_t>(config_.max_support));
  if (x.turns > 0 && x.last_turn == turn_id)
    return false;
  ++x.turns;
  x.last_turn = turn_id;
  return true;
}

double reflection_policy::confidence(uint64_t times) const {
  auto more = times > 0 ? static_cast<double>(times - 1) : 0;
  return std::min(config_.max_confidence, config_.confidence + config_.confidence_step * more);
}

// -- lessons --------------------------------------------------------------------------

void reflection_policy::learn_recovery(
  const call_record& call, const turn_story& story, std::vector<turn_lesson>& out) {
  if (!call.kind || !call.action || call.outcome == call_outcome::skipped)
    return;
  auto by_other = !call.planned_tool.empty() && call.planned_tool != call.tool_id;
  auto again = !by_other && call.attempts > 1;
  if (!by_other && !again)
    return;
  auto worked = call.outcome == call_outcome::succeeded;
  auto key = "recovery:" + (by_other ? call.planned_tool + ":" + call.tool_id : call.tool_id) + ":"
             + to_string(*call.kind);
  // A recovery that has never worked is no lesson. One that has worked loses confidence.
  if (!worked && !index_.contains(key))
    return;
  auto& seen = track(key);
  if (!step(seen, story.turn_id, call.observation_ids))
    return;
  out.push_back({"learning", by_other ? alternative_lesson(call) : retry_lesson(call),
    {"recovery", call.tool_id, to_string(*call.kind)}, seen.observation_ids, confidence(seen.turns),
    key, worked ? lesson_effect::success : lesson_effect::failure, seen.turns, {},
    {"tool " + call.tool_id}});
}

void reflection_policy::learn_failure(
  const call_record& call, const turn_story& story, std::vector<turn_lesson>& out) {
  if (!call.kind || call.outcome != call_outcome::failed)
    return;
  auto key = "failure:" + call.tool_id + ":" + to_string(*call.kind);
  auto& seen = track(key);
  if (!step(seen, story.turn_id, call.observation_ids) || seen.turns < config_.failure_recurrences)
    return;
  auto statement = (call.tool_id + " often ").append(habit(*call.kind));
  if (!call.error.empty())
    statement += ": " + utf8::shortened(without_literals(call.error), max_statement);
  out.push_back({"learning", std::move(statement), {"failure", call.tool_id, to_string(*call.kind)},
    seen.observation_ids, confidence(seen.turns), key, lesson_effect::success, seen.turns, {},
    {"tool " + call.tool_id}});
}

bool reflection_policy::is_preference(const observation& x) const {
  return first_shared(x.tags, config_.preference_tags) != nullptr
         || preference_phrases_.find_in(words_of(in_reach(x.content))) != nullptr;
}

/// "User prefers X" and "User does not prefer X" are opposites: the one that was said less often
/// contradicts the other. Each speaker has a topic of their own, so that nobody's words are
/// reported as those of another.
void reflection_policy::learn_preference(
  const observation& x, const turn_story& story, std::vector<turn_lesson>& out) {
  auto words = words_of(in_reach(x.content));
  auto denied = negations_.find_in(words) != nullptr;
  auto about =
    "preference:" + joined(content_.in_order(without(std::move(words), negations_)), " ");
  auto key = denied ? "not-" + about : about;
  auto speaker = said_by(x.source);
  auto& spoken = track(key + "\n" + speaker);
  if (!step(spoken, story.turn_id, {x.observation_id}))
    return;
  if (spoken.statement.empty())
    spoken.statement = utf8::shortened(x.content, max_statement);
  auto own = spoken; // a copy: tracking another topic may drop this one
  auto& all = track(key);
  step(all, story.turn_id, {});
  auto needed = std::max<uint64_t>(all.turns, config_.preference_recurrences);
  auto opposite = denied ? about : "not-" + about;
  const auto* denies = known(opposite);
  auto said = utf8::shortened(x.content, max_statement);
  if (denies != nullptr && !denies->statement.empty() && denies->turns >= needed) {
    out.push_back({"learning", std::move(said), x.tags, std::move(own.observation_ids),
      confidence(own.turns), std::move(opposite), lesson_effect::contradiction, own.turns,
      denies->statement, denies->speakers});
  } else if (own.turns >= config_.preference_recurrences) {
    all.statement = own.statement;
    all.speakers = {speaker};
    stated_fact stated{own.statement, "user", std::move(about), 0, false, false};
    told_.settle(stated, speaker);
    out.push_back({"learning", std::move(said), x.tags, std::move(own.observation_ids),
      confidence(own.turns), std::move(key), lesson_effect::success, own.turns,
      std::move(own.statement), {std::move(speaker)}, stated.subject + ":" + stated.attribute});
  }
}

/// Facts that a user states count at once; those that daemons and tools state, when they come up
/// again. Preferences of others are counted by `learn_preference`. What states nothing by itself
/// may be one of many reports of the same thing.
void reflection_policy::learn_stated(
  const observation& x, const turn_story& story, std::vector<turn_lesson>& out) {
  auto is_user = x.type == "user_input" && x.source.kind == source_kind::user;
  auto is_noticed = x.type == "contextual_insight" || x.type == "observation";
  auto is_from_outside = x.source.kind == source_kind::tool && x.source.turn_id.empty();
  if (!is_user && (!is_noticed || (is_preference(x) && !is_from_outside)))
    return;
  auto text = in_reach(x.content);
  auto facts =
    is_user ? told_.read(text, said_by(x.source)) : read_facts(text, fact_speaker::other);
  auto is_learnt = false;
  for (auto& stated : facts) {
    if (x.source.kind == source_kind::tool)
      attribute_to_tool(stated, x.source.name);
    auto& seen = track(fact_key_of(stated) + "\n" + stated.statement);
    auto is_new = step(seen, story.turn_id, {x.observation_id});
    auto needed = config_.preference_recurrences + (stated.is_habit ? 1 : 0);
    if (!is_new || (!is_user && seen.turns < needed))
      continue;
    is_learnt = true;
    if (!is_user && x.source.kind != source_kind::tool)
      told_.settle(stated, told_facts::notes_of_others);
    out.push_back(lesson_of(stated, x, seen.observation_ids, seen.turns));
  }
  if (facts.empty() || (!is_user && !is_learnt))
    learn_recurring(x, story, facts.empty() ? std::string{} : facts[0].statement, out);
}

void reflection_policy::learn_recurring(const observation& x, const turn_story& story,
  std::string_view stated, std::vector<turn_lesson>& out) {
  auto who = x.source.kind == source_kind::user ? fact_speaker::user : fact_speaker::other;
  auto found = recurring_.note(in_reach(x.content), who, story.turn_id, x.observation_id, stated);
  if (found)
    out.push_back(lesson_of(found->fact, x, std::move(found->observation_ids), found->turns));
}

turn_lesson reflection_policy::lesson_of(const stated_fact& stated, const observation& x,
  std::vector<std::string> observation_ids, uint64_t turns) const {
  return {"learning", stated.statement, x.tags, std::move(observation_ids), confidence(turns),
    fact_key_of(stated), lesson_effect::success, turns, {}, {said_by(x.source)},
    stated.subject + ":" + stated.attribute};
}

std::string reflection_policy::pattern_key(const observation& x) const {
  if (x.tags.empty())
    return "pattern:" + x.type + ":" + normalised(in_reach(x.content));
  auto tags = x.tags;
  std::sort(tags.begin(), tags.end());
  return ("pattern:" + x.type + ":#").append(in_reach(joined(tags, ",")));
}

/// Reports a pattern each time another `pattern_recurrences` turns have had it.
void reflection_policy::find_pattern(
  const observation& x, const turn_story& story, std::vector<turn_lesson>& out) {
  auto key = pattern_key(x);
  auto& seen = track(key);
  note_last(seen.speakers, said_by(x.source), config_.max_support);
  if (!step(seen, story.turn_id, {x.observation_id})
      || seen.turns % config_.pattern_recurrences != 0)
    return;
  auto what = x.tags.empty() ? "\"" + utf8::shortened(x.content, max_statement) + "\""
                             : "tagged " + enumerated(x.tags);
  out.push_back({"pattern_detected",
    x.type + " " + what + " has come up in " + std::to_string(seen.turns) + " turns", x.tags,
    seen.observation_ids, confidence(seen.turns / config_.pattern_recurrences), key,
    lesson_effect::success, seen.turns, {}, seen.speakers});
}

} // namespace scratchpage
