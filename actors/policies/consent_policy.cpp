#include "scratchpage/actors/policies/consent_policy.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

namespace {

bool is_explicit(const observation& input) {
  return input.context.contains("confirms") || input.context.contains("declines")
         || names_answered(input);
}

consent explicit_answer(const observation& input, const std::string& id) {
  if (names_id(input, "declines", id))
    return consent::declined;
  return names_id(input, "confirms", id) ? consent::granted : consent::open;
}

/// Whether a text has a question mark, of whatever script.
bool has_question_mark(std::string_view text) {
  constexpr std::array<std::string_view, 5> marks{
    "?", "\xD8\x9F", "\xE2\x80\xBD", "\xE2\x81\x87", "\xEF\xBC\x9F"};
  return std::any_of(marks.begin(), marks.end(),
    [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

bool same_thread(const observation& a, const observation& b) {
  return text_view_at(a.context, "thread_id") == text_view_at(b.context, "thread_id");
}

/// The words of a tool's name, as somebody says it.
std::string spoken_name(const consent_question& x) {
  return joined(words_of(x.call.tool_id), " ");
}

/// A question that the speaker may have in mind.
struct question_in_mind {
  const observation* question = nullptr;
  std::optional<std::string> tool; ///< if it asks for consent to a call: the tool, in words
};

std::vector<question_in_mind> questions_in_mind(
  const observation& input, std::initializer_list<const std::vector<observation_ptr>*> lists) {
  std::vector<question_in_mind> result;
  for (const auto* list : lists)
    for (const auto& x : *list) {
      if (!may_be_on_their_mind(*x, input))
        continue;
      auto& next = result.emplace_back();
      next.question = x.get();
      if (auto question = read_consent_question(*x))
        next.tool = spoken_name(*question);
    }
  return result;
}

/// Whether words that answer `asked`, and name no tool, may be meant for the other question: one
/// that asks for no consent and was put in the same turn or later, or one for consent of another
/// turn that is open or was put later. Questions for consent of one turn are answered together.
bool may_be_meant_instead(const question_in_mind& other, const observation& asked) {
  const auto& x = *other.question;
  if (x.observation_id == asked.observation_id)
    return false;
  if (!other.tool)
    return is_as_late(x, asked);
  return !is_in_one_turn(x, asked) && (is_live(x.status) || came_before(asked, x));
}

bool may_mean_another(const observation& asked, const std::vector<question_in_mind>& in_mind) {
  return std::any_of(in_mind.begin(), in_mind.end(),
    [&](const question_in_mind& x) { return may_be_meant_instead(x, asked); });
}

/// The same for words that name a tool: only questions about that tool may be meant.
bool may_mean_another_about(
  const std::string& tool, const observation& asked, const std::vector<question_in_mind>& in_mind) {
  return std::any_of(in_mind.begin(), in_mind.end(),
    [&](const question_in_mind& x) { return x.tool == tool && may_be_meant_instead(x, asked); });
}

bool reach_back_to(const observation& asked, const std::vector<observation_ptr>& questions) {
  return std::any_of(questions.begin(), questions.end(),
    [&](const observation_ptr& x) { return x->observation_id == asked.observation_id; });
}

/// The tools of these questions that the text names. If one name is the beginning of another, the
/// longer one is meant.
std::vector<std::string> tools_named(
  std::string_view text, const std::vector<question_in_mind>& in_mind) {
  std::vector<std::string> names;
  for (const auto& x : in_mind)
    if (x.tool && !contains(names, *x.tool))
      names.push_back(*x.tool);
  std::vector<std::string> result;
  if (names.empty())
    return result;
  phrase_list any{names};
  auto words = words_of(text);
  for (size_t i = 0; i < words.size();) {
    auto length = any.length_at(words, i);
    auto first = words.begin() + static_cast<ptrdiff_t>(i);
    std::vector<std::string> name(first, first + static_cast<ptrdiff_t>(length));
    if (length > 0)
      result.push_back(joined(name, " "));
    i += std::max<size_t>(length, 1);
  }
  return result;
}

/// A question that words answer.
struct answered_question {
  size_t place;     ///< its index among all questions
  std::string tool; ///< in words
  bool in_doubt;    ///< the words may mean another question
};

phrase_list tools_of(const std::vector<answered_question>& questions) {
  std::vector<std::string> names;
  names.reserve(questions.size());
  for (const auto& x : questions)
    names.push_back(x.tool);
  return phrase_list{names};
}

/// The tools that the questions for consent are about.
phrase_list tools_of(const std::vector<observation_ptr>& asked) {
  std::vector<std::string> names;
  for (const auto& x : asked)
    if (auto question = read_consent_question(*x))
      names.push_back(spoken_name(*question));
  return phrase_list{names};
}

/// Whether the words may answer a question that is not for consent.
bool may_answer_something_else(
  const observation& input, const std::vector<observation_ptr>& questions) {
  return std::any_of(questions.begin(), questions.end(), [&](const observation_ptr& x) {
    return text_at(x->metadata, "answer_id") == input.observation_id
           || (!read_consent_question(*x) && may_be_meant(*x, input));
  });
}

} // namespace

caf::error validate(const consent_config& x, std::string_view path) {
  return config_check{path}
    .words("affirmations", x.affirmations)
    .words("fillers", x.fillers)
    .words("refusals", x.refusals)
    .words("deferrals", x.deferrals)
    .words("negations", x.negations)
    .range("within_turns", x.within_turns, 0, 1000)
    .range("ttl_minutes", x.ttl_minutes, 0, 525'600)
    .error();
}

consent_policy::consent_policy(const consent_config& config)
  : affirmations_{config.affirmations},
    fillers_{config.fillers},
    refusals_{config.refusals},
    deferrals_{config.deferrals},
    negations_{config.negations},
    within_turns_{config.within_turns},
    ttl_minutes_{config.ttl_minutes},
    trust_relay_{config.trust_relay} {}

std::vector<consent> consent_policy::answers(const observation& input,
  const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs,
  const std::vector<observation_ptr>& questions) const {
  std::vector<consent> result(asked.size(), consent::open);
  if (is_explicit(input)) {
    for (size_t i = 0; i < asked.size(); ++i)
      if (may_answer(input, *asked[i]))
        result[i] = explicit_answer(input, asked[i]->observation_id);
    return result;
  }
  auto in_mind = questions_in_mind(input, {&asked, &questions});
  auto named = tools_named(input.content, in_mind);
  std::vector<answered_question> about;
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!may_answer(input, *asked[i]) || asked_lately(*asked[i], input, inputs) == nullptr)
      continue;
    auto tool = spoken_name(*read_consent_question(*asked[i]));
    if (!named.empty() && !contains(named, tool))
      continue;
    auto in_doubt = !reach_back_to(*asked[i], questions)
                    || (named.empty() ? may_mean_another(*asked[i], in_mind)
                                      : may_mean_another_about(tool, *asked[i], in_mind));
    about.push_back({i, std::move(tool), in_doubt});
  }
  auto said = reading_of(input.content, tools_of(about));
  for (const auto& x : about)
    result[x.place] = x.in_doubt && said != consent::open ? consent::in_doubt : said;
  return result;
}

std::optional<timestamp> consent_policy::needs_history_since(const observation& input,
  const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs) const {
  std::optional<timestamp> result;
  if (is_explicit(input) || reading_of(input.content, tools_of(asked)) == consent::open)
    return result;
  for (const auto& x : asked)
    if (may_answer(input, *x))
      if (const auto* led_to_it = asked_lately(*x, input, inputs))
        result = std::min(result.value_or(led_to_it->created_at), led_to_it->created_at);
  return result;
}

std::vector<std::string> consent_policy::left_waiting(const observation& input,
  const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& questions) const {
  std::vector<std::string> result;
  if (is_explicit(input) || reading_of(input.content, tools_of(asked)) == consent::open)
    return result;
  auto named = tools_named(input.content, questions_in_mind(input, {&asked}));
  if (named.empty() && may_answer_something_else(input, questions))
    return result;
  for (const auto& x : asked) {
    auto question = read_consent_question(*x);
    if (may_answer(input, *x) && question->user == input.source.name
        && (named.empty() || contains(named, spoken_name(*question))))
      result.push_back(x->observation_id);
  }
  return result;
}

bool consent_policy::speaks_to(const observation& input, const observation& asked,
  const std::vector<observation_ptr>& questions) const {
  if (is_explicit(input))
    return explicit_answer(input, asked.observation_id) != consent::open;
  return reading_of(input.content) != consent::open && reach_back_to(asked, questions)
         && !may_mean_another(asked, questions_in_mind(input, {&questions}));
}

bool consent_policy::speaks_for_user(const observation& x) const {
  return is_from_person(x) || (trust_relay_ && x.source.kind == source_kind::user);
}

/// Whether the speaker may answer the question now. Somebody may have given the observation a
/// longer life since; the question still ends after `ttl_minutes`.
bool consent_policy::may_answer(const observation& input, const observation& asked) const {
  auto question = read_consent_question(asked);
  auto end = std::min(asked.expires_at, asked.created_at + from_minutes(ttl_minutes_));
  return question && speaks_for_user(input)
         && (question->user == input.source.name || is_by_owner(input)) && is_live(asked.status)
         && came_before(asked, input) && input.created_at < end;
}

bool consent_policy::agrees_in_general(
  const observation& input, const std::vector<observation_ptr>& live) const {
  if (!speaks_for_user(input))
    return false;
  const auto* flag = at_path(input.context, "user_consents");
  if (flag != nullptr && flag->is_bool() && flag->get_bool())
    return true;
  return std::any_of(live.begin(), live.end(), [&](const observation_ptr& x) {
    return is_from_person(*x) && x->source.name == input.source.name
           && contains(x->tags, general_tag);
  });
}

consent consent_policy::reading_of(std::string_view input, const phrase_list& names) const {
  auto words = words_of(input);
  if (has_question_mark(input) || deferrals_.find_in(words) != nullptr)
    return consent::open;
  if (agrees(input, names))
    return consent::granted;
  return refuses(input) ? consent::declined : consent::open;
}

bool consent_policy::goes_along(std::string_view input) const {
  auto words = words_of(input);
  if (words.empty() || has_question_mark(input) || deferrals_.find_in(words) != nullptr)
    return false;
  return agrees(input, {})
         || (negations_.find_in(words) == nullptr && refusals_.find_in(words) == nullptr);
}

/// An affirmation lies within one clause: "No, problem" is not "no problem".
bool consent_policy::agrees(std::string_view input, const phrase_list& names) const {
  bool found = false;
  for (auto clause : clauses_of(input)) {
    auto words = words_of(clause);
    for (size_t i = 0; i < words.size();) {
      auto agreement = affirmations_.length_at(words, i);
      auto length = std::max({agreement, fillers_.length_at(words, i), names.length_at(words, i)});
      if (length == 0)
        return false;
      found = found || agreement == length;
      i += length;
    }
  }
  return found;
}

/// A refusal lies within one clause, too: "Of course, not a problem" is not "of course not".
bool consent_policy::refuses(std::string_view input) const {
  for (auto clause : clauses_of(input)) {
    auto words = words_of(clause);
    for (size_t i = 0; i < words.size();) {
      if (refusals_.length_at(words, i) > 0)
        return true;
      auto length = fillers_.length_at(words, i);
      if (length == 0)
        return false;
      i += length;
    }
  }
  return false;
}

/// Whether `x` is by the speaker of `input`, and not by somebody else in their name.
bool consent_policy::is_of_speaker(const observation& x, const observation& input) const {
  return x.source.kind == input.source.kind && x.source.name == input.source.name
         && (trust_relay_ || x.source.relayed_by == input.source.relayed_by);
}

/// The input that led to the question, if the speaker of `input` said it in one of their latest
/// turns of this thread; else null, since their words may be about something else. An input that
/// somebody relays in their name neither leads to a question of theirs nor counts as a turn.
const observation* consent_policy::asked_lately(const observation& asked, const observation& input,
  const std::vector<observation_ptr>& inputs) const {
  auto is_earlier = [&](const observation_ptr& x) {
    return is_of_speaker(*x, input) && same_thread(*x, input) && came_before(*x, input);
  };
  auto led_to_it = std::find_if(inputs.begin(), inputs.end(), [&](const observation_ptr& x) {
    return is_earlier(x) && x->source.turn_id == asked.source.turn_id;
  });
  if (led_to_it == inputs.end() || !same_thread(asked, input))
    return nullptr;
  auto since = std::count_if(inputs.begin(), inputs.end(),
    [&](const observation_ptr& x) { return is_earlier(x) && !came_before(*x, **led_to_it); });
  return since <= static_cast<ptrdiff_t>(within_turns_) ? led_to_it->get() : nullptr;
}

} // namespace scratchpage
