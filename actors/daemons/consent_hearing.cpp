#include "scratchpage/actors/daemons/consent_hearing.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_named = 1'000;  // questions that are read by their ids
constexpr size_t max_told = 8;        // ids in a text
constexpr size_t max_told_bytes = 64; // of each of them

/// The questions that the input confirms or declines by their ids, each once.
std::vector<std::string> named_in(const observation& input) {
  auto result = ids_in(input, "confirms");
  auto declined = ids_in(input, "declines");
  std::move(declined.begin(), declined.end(), std::back_inserter(result));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool has_id(const std::vector<observation_ptr>& xs, const std::string& id) {
  return std::any_of(
    xs.begin(), xs.end(), [&](const observation_ptr& x) { return x->observation_id == id; });
}

/// Whether the input answered this question when it was delivered before.
bool is_answered_by(const observation& asked, const observation& input) {
  return text_member(asked.metadata, "answer_id") == input.observation_id;
}

std::string thread_of(const observation& x) {
  return text_member(x.context, "thread_id");
}

/// "obs_1, obs_2 and 3 more"
std::string list_of(const std::vector<std::string>& ids) {
  std::string result;
  for (size_t i = 0; i < std::min(ids.size(), max_told); ++i)
    result.append(i == 0 ? "" : ", ").append(escaped(utf8::shortened(ids[i], max_told_bytes)));
  if (ids.size() > max_told)
    result.append(" and ").append(std::to_string(ids.size() - max_told)).append(" more");
  return result;
}

observation_draft security_check(std::string content) {
  observation_draft result;
  result.type = "constraint_check";
  result.content = std::move(content);
  result.confidence = 0.99;
  result.tags = {"security", "constraint"};
  return result;
}

} // namespace

// -- which questions the input may answer ---------------------------------------------------

void consent_hearing::begin(const observation& input) {
  named_ = named_in(input);
}

void consent_hearing::add_questions(const std::vector<observation_ptr>& found) {
  for (const auto& x : found)
    if (x && read_consent_question(*x))
      asked_.push_back(x);
}

std::optional<std::string> consent_hearing::next_named() {
  auto end = std::min(named_.size(), most_named);
  while (next_named_ < end && has_id(asked_, named_[next_named_]))
    ++next_named_;
  if (next_named_ == end)
    return std::nullopt;
  return named_[next_named_++];
}

void consent_hearing::note_questions_of_all(std::vector<observation_ptr> found) {
  questions_ = std::move(found);
}

void consent_hearing::note_inputs(std::vector<observation_ptr> found) {
  inputs_ = std::move(found);
}

std::optional<timestamp> consent_hearing::needs_history_since(
  const consent_policy& policy, const observation& input) const {
  return policy.needs_history_since(input, asked_, inputs_);
}

void consent_hearing::note_questions_gone(
  const std::optional<std::vector<observation_ptr>>& found) {
  if (!found)
    questions_.clear();
  else if (!questions_.empty())
    questions_.insert(questions_.end(), found->begin(), found->end());
}

void consent_hearing::note_inputs_gone(const std::optional<std::vector<observation_ptr>>& found) {
  if (!found) {
    questions_.clear();
    return;
  }
  for (const auto& one : *found)
    if (!has_id(inputs_, one->observation_id))
      inputs_.push_back(one);
}

// -- what it answers ------------------------------------------------------------------------

void consent_hearing::hear(const consent_policy& policy, const observation& input) {
  said_ = policy.answers(input, asked_, inputs_, questions_);
  auto is_open = [](consent one) { return one == consent::open; };
  if (std::all_of(said_.begin(), said_.end(), is_open))
    waiting_ = policy.left_waiting(input, asked_, questions_);
  questions_.clear();
  inputs_.clear();
  unheard_ = std::move(named_);
  for (size_t i = 0; i < said_.size(); ++i)
    if (said_[i] != consent::open || is_answered_by(*asked_[i], input))
      std::erase(unheard_, asked_[i]->observation_id);
}

std::optional<consent_hearing::answer> consent_hearing::next_answer() {
  while (next_answer_ < said_.size() && said_[next_answer_] == consent::open)
    ++next_answer_;
  if (next_answer_ == said_.size())
    return std::nullopt;
  auto at = next_answer_++;
  return answer{asked_[at], said_[at]};
}

std::optional<observation_draft> consent_hearing::take(const answer& x) {
  auto question = read_consent_question(*x.asked);
  if (x.said == consent::granted) {
    granted_.push_back({question->call, x.asked->observation_id});
    return std::nullopt;
  }
  auto dropped = security_check(question->call.tool_id + " is not used: the user declined");
  dropped.metadata["tool_id"] = question->call.tool_id;
  dropped.metadata["verdict"] = name_of(x.said);
  dropped.metadata["confirmation_id"] = x.asked->observation_id;
  return dropped;
}

void consent_hearing::end() {
  size_t i = 0;
  std::erase_if(asked_, [&](const auto&) { return said_[i++] != consent::open; });
  std::move(again_.begin(), again_.end(), std::back_inserter(asked_));
  again_.clear();
}

std::optional<observation_draft> consent_hearing::tell_unheard() const {
  if (unheard_.empty())
    return std::nullopt;
  auto told = security_check("The answer to " + list_of(unheard_)
                             + " was not taken: it has to be given while the question is open, by "
                               "the person who was asked or by the owner of the agents");
  write_unheard(told);
  return told;
}

std::optional<observation_draft> consent_hearing::tell_waiting() const {
  if (waiting_.empty())
    return std::nullopt;
  auto told = security_check(
    "These words were not taken as an answer to " + list_of(waiting_)
    + ": words count only soon after the speaker has asked for the call themselves. Answer on the "
      "page, or by the id in context.confirms or context.declines");
  write_unheard(told);
  return told;
}

// -- the calls that it allows -----------------------------------------------------------------

void consent_hearing::resume_in(call_plan& plan) {
  for (const auto& one : granted_) {
    auto calls = plan.calls();
    auto again = std::find_if(calls.begin(), calls.end(), [&](const planned_call* call) {
      return is_same_call(*call, one.call) && !confirmed_.contains(call->call_id);
    });
    auto id = again != calls.end() ? (*again)->call_id : plan.append(one.call);
    if (again == calls.end())
      resumed_.push_back(*plan.find(id));
    confirmed_.emplace(id, one);
  }
}

const consent_hearing::confirmed_call* consent_hearing::confirmation_of(
  const planned_call& call) const {
  auto found = confirmed_.find(call.call_id);
  auto is_it = found != confirmed_.end() && is_same_call(found->second.call, call);
  return is_it ? &found->second : nullptr;
}

std::vector<observation_ptr> consent_hearing::replaced_by(
  const consent_question& next, const observation& input) const {
  std::vector<observation_ptr> result;
  for (const auto& asked : asked_) {
    auto older = read_consent_question(*asked);
    auto may_replace = next.planned_by.empty() || older->planned_by == next.planned_by;
    if (may_replace && is_same_call(older->call, next.call) && older->user == next.user
        && thread_of(*asked) == thread_of(input))
      result.push_back(asked);
  }
  return result;
}

} // namespace scratchpage
