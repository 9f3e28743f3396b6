#include "scratchpage/actors/policies/ambiguity_policy.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "scratchpage/actors/language/classifiers.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/several_meant.hpp"
#include "scratchpage/actors/policies/urgency_reading.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr double probable = 0.5;    // that an input has to be asked about
constexpr size_t telling_bytes = 4; // shorter words do not show a subject
constexpr size_t long_bytes = 400;  // an input that is longer says enough
constexpr size_t carried_words = 3; // a passage that is to be worked on has as many

/// Whether the input carries what it is about: a text after a colon or in quotation marks, or
/// lines after the first.
bool carries_its_matter(std::string_view text) {
  auto line = text.find('\n');
  auto colon = text.find(": ");
  auto begin = std::min(line, colon);
  if (begin != std::string_view::npos && words_of(text.substr(begin)).size() >= carried_words)
    return true;
  auto quoted = words_of(text).size() - words_of(without_quotations(text)).size();
  return quoted >= carried_words && quoted <= text.size();
}

/// Whether the phrase is of a script that writes no spaces between words.
bool is_unspaced_phrase(const std::string& phrase) {
  return !phrase.empty() && static_cast<unsigned char>(phrase.front()) >= 0xE3;
}

bool is_lacking(const json::object& inputs, json::string_view field) {
  const auto* value = inputs.if_contains(field);
  if (value == nullptr || value->is_null())
    return true;
  const auto* text = value->if_string();
  return text != nullptr && utf8::is_blank({text->data(), text->size()});
}

/// "departure_date" as a person would say it.
std::string spoken(std::string_view field) {
  return joined(words_of(field), " ");
}

question about_field(const planned_call& call, const std::string& field) {
  return {"What " + spoken(field) + " should " + call.tool_id + " use? (" + field + ")",
    call.call_id, call.tool_id, field, call.tool_id + " requires " + field};
}

/// The part of an input that is read.
std::string_view read_of_input(std::string_view input) {
  return utf8::prefix(input, reading_limits::input_bytes);
}

question about_input(std::string text, std::string reason) {
  return {std::move(text), {}, {}, {}, std::move(reason)};
}

const tool_manifest* manifest_of(const manifest_list& manifests, const std::string& tool_id) {
  auto i = std::find_if(manifests.begin(), manifests.end(),
    [&](const manifest_ptr& one) { return one->tool_id == tool_id; });
  return i != manifests.end() ? i->get() : nullptr;
}

} // namespace

std::vector<std::string> missing_fields(const planned_call& call, const tool_manifest& manifest) {
  std::vector<std::string> result;
  const auto* required = manifest.inputs.if_contains("required");
  const auto* list = required != nullptr ? required->if_array() : nullptr;
  if (list == nullptr)
    return result;
  for (const auto& entry : *list)
    if (const auto* field = entry.if_string(); field != nullptr && is_lacking(call.inputs, *field))
      result.emplace_back(field->data(), field->size());
  return result;
}

bool missing_inputs(const planned_call& call, const tool_manifest& manifest) {
  return !missing_fields(call, manifest).empty();
}

caf::error validate(const ambiguity_config& x, std::string_view path) {
  return config_check{path}
    .words("referents", x.referents)
    .words("fillers", x.fillers)
    .words("undecided", x.undecided)
    .words("question_starts", x.question_starts)
    .words("answer_starts", x.answer_starts)
    .words("deferrals", x.deferrals)
    .words("pointers", x.pointers)
    .words("offers", x.offers)
    .error();
}

ambiguity_policy::ambiguity_policy(const ambiguity_config& config)
  : referents_{config.referents},
    fillers_{config.fillers},
    undecided_{config.undecided},
    question_starts_{config.question_starts},
    answer_starts_{config.answer_starts},
    deferrals_{config.deferrals},
    pointers_{config.pointers},
    offers_{config.offers} {
  std::copy_if(config.pointers.begin(), config.pointers.end(),
    std::back_inserter(unspaced_pointers_), is_unspaced_phrase);
}

std::vector<question> ambiguity_policy::questions(std::string_view input,
  const std::vector<planned_call>& plan, const manifest_list& manifests, bool answers_earlier,
  const std::vector<std::string>& earlier) const {
  std::vector<question> result;
  for (const auto& call : plan) {
    const auto* manifest = manifest_of(manifests, call.tool_id);
    if (manifest == nullptr)
      continue; // the Executor reports an unknown tool
    for (const auto& field : missing_fields(call, *manifest))
      result.push_back(about_field(call, field));
  }
  return plan.empty() ? about_unclear(input, answers_earlier, earlier) : result;
}

std::vector<question> ambiguity_policy::about_unclear(
  std::string_view input, bool answers_earlier, const std::vector<std::string>& earlier) const {
  if (utf8::is_blank(input))
    return {about_input("What can I do for you?", "the input is blank")};
  auto text = read_of_input(input);
  auto words = words_of(text);
  if (const auto* found = undecided_.find_in(words))
    return {about_input("Which one do you mean?", "\"" + *found + "\" leaves the choice open")};
  if (answers_earlier)
    return {};
  if (auto several = things_meant(text, earlier); !several.empty())
    return {about_input(question_which(several), "the input fits several things that were said")};
  if (is_resolved_by(words, earlier))
    return {};
  auto quoted = "\"" + utf8::shortened(input, reading_limits::quoted_bytes) + "\"";
  if (is_bare_referent(words))
    return {about_input(
      "What does " + quoted + " refer to?", "the input names nothing that it could refer to")};
  if (text.size() > long_bytes || carries_its_matter(text))
    return {};
  if (words.empty() || language::clarity().probability(text, "ask") >= probable)
    return {about_input("What else should I know about " + quoted + "?",
      "the input lacks something without which nobody could act on it")};
  return {};
}

/// The things that were said and that the input may mean, if nothing tells which.
std::vector<std::string> ambiguity_policy::things_meant(
  std::string_view input, const std::vector<std::string>& earlier) const {
  auto is_asked = !earlier.empty() && asks_something(read_of_input(earlier.back()));
  return is_asked ? std::vector<std::string>{} : several_meant(input, earlier);
}

/// Whether the earlier texts say what the input leaves out: the agent asked for it, the input
/// points at something that was said, or names something that was talked about.
bool ambiguity_policy::is_resolved_by(
  const std::vector<std::string>& words, const std::vector<std::string>& earlier) const {
  if (earlier.empty())
    return false;
  if (asks_something(read_of_input(earlier.back())))
    return true;
  std::set<std::string> said;
  for (const auto& text : earlier)
    for (const auto& word : words_of(utf8::prefix(text, reading_limits::observation_bytes)))
      if (word.size() >= telling_bytes)
        said.insert(stem(word));
  if (!said.empty() && points_back(words))
    return true;
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.size() >= telling_bytes && said.contains(stem(word));
  });
}

bool ambiguity_policy::points_back(const std::vector<std::string>& words) const {
  auto is_in = [&](const std::string& pointer) {
    return std::any_of(words.begin(), words.end(),
      [&](const std::string& word) { return word.find(pointer) != std::string::npos; });
  };
  return pointers_.find_in(words) != nullptr
         || std::any_of(unspaced_pointers_.begin(), unspaced_pointers_.end(), is_in);
}

/// Whether the text ends with a question about something; "How can I help?" asks for nothing in
/// particular.
bool ambiguity_policy::asks_something(std::string_view text) const {
  auto end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos)
    return false;
  text = text.substr(0, end + 1);
  return (text.ends_with('?') || text.ends_with("\xEF\xBC\x9F"))
         && offers_.find_in(words_of(text)) == nullptr;
}

bool ambiguity_policy::is_bare_referent(const std::vector<std::string>& words) const {
  bool found = false;
  for (size_t i = 0; i < words.size();) {
    auto referent = referents_.length_at(words, i);
    auto length = std::max(referent, fillers_.length_at(words, i));
    if (length == 0)
      return false;
    found = found || referent > 0;
    i += length;
  }
  return found;
}

bool ambiguity_policy::is_open_question(const observation& x) {
  return x.type == "pending_confirmation" && is_live(x.status);
}

bool ambiguity_policy::is_answer(std::string_view input) const {
  auto words = words_of(read_of_input(input));
  if (words.empty() || deferrals_.find_in(words) != nullptr)
    return false;
  if (answer_starts_.length_at(words, 0) > 0)
    return true;
  auto end = input.find_last_not_of(" \t\r\n");
  return input[end] != '?' && question_starts_.length_at(words, 0) == 0;
}

} // namespace scratchpage
