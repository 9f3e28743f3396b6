#include "scratchpage/actors/policies/consent_policy.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/actors/policies/meant_questions.hpp"
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

bool same_thread(const observation& a, const observation& b) {
  return text_at(a.context, "thread_id") == text_at(b.context, "thread_id");
}

/// A question that words can answer, by its place among all.
struct named_question {
  size_t place;
  std::string name; ///< the tool's, in words
  bool in_doubt;    ///< words without the name may mean another question
};

phrase_list names_in(const std::vector<named_question>& questions) {
  std::vector<std::string> names;
  names.reserve(questions.size());
  for (const auto& x : questions)
    names.push_back(x.name);
  return phrase_list{names};
}

/// The questions whose tools the text names.
std::vector<named_question> those_named(
  const std::vector<named_question>& questions, std::string_view text) {
  std::vector<named_question> result;
  auto words = words_of(text);
  for (const auto& x : questions)
    if (phrase_list{{x.name}}.find_in(words) != nullptr)
      result.push_back(x);
  return result;
}

} // namespace

caf::error validate(const consent_config& x, std::string_view path) {
  return config_check{path}
    .words("affirmations", x.affirmations)
    .words("fillers", x.fillers)
    .words("refusals", x.refusals)
    .words("deferrals", x.deferrals)
    .range("within_turns", x.within_turns, 0, 1000)
    .range("ttl_minutes", x.ttl_minutes, 0, 525'600)
    .error();
}

consent_policy::consent_policy(consent_config config)
  : config_{std::move(config)},
    affirmations_{config_.affirmations},
    fillers_{config_.fillers},
    refusals_{config_.refusals},
    deferrals_{config_.deferrals} {}

std::vector<consent> consent_policy::answers(const observation& input,
  const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs,
  const std::vector<observation_ptr>& questions) const {
  std::vector<consent> result(asked.size(), consent::open);
  std::vector<named_question> by_words;
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!may_answer(input, *asked[i]))
      continue;
    auto question = read_consent_question(*asked[i]);
    if (is_explicit(input))
      result[i] = explicit_answer(input, asked[i]->observation_id);
    else if (asked_lately(*asked[i], input, inputs) != nullptr)
      by_words.push_back({i, joined(words_of(question->call.tool_id), " "),
        may_mean_another(input, *asked[i], questions)});
  }
  auto named = those_named(by_words, input.content);
  const auto& about = named.empty() ? by_words : named;
  auto said = reading_of(input.content, names_in(about));
  for (const auto& x : about)
    result[x.place] =
      named.empty() && x.in_doubt && said != consent::open ? consent::in_doubt : said;
  return result;
}

std::optional<timestamp> consent_policy::needs_questions_since(const observation& input,
  const std::vector<observation_ptr>& asked, const std::vector<observation_ptr>& inputs) const {
  std::optional<timestamp> result;
  if (is_explicit(input) || reading_of(input.content) == consent::open)
    return result;
  for (const auto& x : asked)
    if (may_answer(input, *x))
      if (const auto* led_to_it = asked_lately(*x, input, inputs))
        result = std::min(result.value_or(led_to_it->created_at), led_to_it->created_at);
  return result;
}

bool consent_policy::speaks_to(const observation& input, const observation& asked,
  const std::vector<observation_ptr>& questions) const {
  if (is_explicit(input))
    return explicit_answer(input, asked.observation_id) != consent::open;
  return !may_mean_another(input, asked, questions) && reading_of(input.content) != consent::open;
}

bool consent_policy::may_mean_another(const observation& input, const observation& asked,
  const std::vector<observation_ptr>& questions) {
  auto reach_back = std::any_of(questions.begin(), questions.end(),
    [&](const observation_ptr& x) { return x->observation_id == asked.observation_id; });
  return !reach_back
         || std::any_of(questions.begin(), questions.end(), [&](const observation_ptr& x) {
              return !read_consent_question(*x) && may_be_on_their_mind(*x, input)
                     && is_as_late(*x, asked);
            });
}

bool consent_policy::speaks_for_user(const observation& x) const {
  return is_from_person(x) || (config_.trust_relay && x.source.kind == source_kind::user);
}

bool consent_policy::may_answer(const observation& input, const observation& asked) const {
  auto question = read_consent_question(asked);
  return question && speaks_for_user(input)
         && (question->user == input.source.name || is_by_owner(input)) && is_live(asked.status)
         && came_before(asked, input) && input.created_at < asked.expires_at;
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
           && contains(x->tags, "consent");
  });
}

consent consent_policy::reading_of(std::string_view input, const phrase_list& names) const {
  auto words = words_of(input);
  if (input.find('?') != std::string_view::npos || deferrals_.find_in(words) != nullptr)
    return consent::open;
  if (agrees(words, names))
    return consent::granted;
  return refuses(words) ? consent::declined : consent::open;
}

bool consent_policy::goes_along(std::string_view input) const {
  auto words = words_of(input);
  if (words.empty() || input.find('?') != std::string_view::npos
      || deferrals_.find_in(words) != nullptr)
    return false;
  return agrees(words, {}) || !refuses(words);
}

bool consent_policy::agrees(const std::vector<std::string>& words, const phrase_list& names) const {
  bool found = false;
  for (size_t i = 0; i < words.size();) {
    auto agreement = affirmations_.length_at(words, i);
    auto length = std::max({agreement, fillers_.length_at(words, i), names.length_at(words, i)});
    if (length == 0)
      return false;
    found = found || agreement == length;
    i += length;
  }
  return found;
}

bool consent_policy::refuses(const std::vector<std::string>& words) const {
  for (size_t i = 0; i < words.size();) {
    if (refusals_.length_at(words, i) > 0)
      return true;
    auto length = fillers_.length_at(words, i);
    if (length == 0)
      return false;
    i += length;
  }
  return false;
}

/// What led to the question, if that was said in one of the user's latest turns in this thread
/// before `input`; else null, for later words may be about something else.
const observation* consent_policy::asked_lately(const observation& asked, const observation& input,
  const std::vector<observation_ptr>& inputs) const {
  auto is_earlier = [&](const observation_ptr& x) {
    return x->source.kind == source_kind::user && same_thread(*x, input) && came_before(*x, input);
  };
  auto led_to_it = std::find_if(inputs.begin(), inputs.end(), [&](const observation_ptr& x) {
    return is_earlier(x) && x->source.turn_id == asked.source.turn_id;
  });
  if (led_to_it == inputs.end() || !same_thread(asked, input))
    return nullptr;
  auto since = std::count_if(inputs.begin(), inputs.end(),
    [&](const observation_ptr& x) { return is_earlier(x) && !came_before(*x, **led_to_it); });
  return since <= static_cast<ptrdiff_t>(config_.within_turns) ? led_to_it->get() : nullptr;
}

} // namespace scratchpage
