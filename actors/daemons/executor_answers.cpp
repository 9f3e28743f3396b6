#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "scratchpage/actors/daemons/executor.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/policies/meant_questions.hpp"
#include "scratchpage/actors/turns/turn_input.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/escaped_text.hpp"

/// The EXECUTOR's part that hears what the user answers to its questions.

namespace scratchpage {

namespace {

constexpr uint32_t most = 1000;        // questions and inputs that are looked at
constexpr size_t most_told = 8;        // ids in a text
constexpr size_t most_told_bytes = 64; // of each of them

query_observations all_of(const caller& by, std::string type) {
  query_observations request{.by = by,
    .text = {},
    .filter = {},
    .limit = most,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  request.filter.type = {std::move(type)};
  return request;
}

/// What stands in the thread of the input, if that has one.
void keep_to_thread(observation_filter& filter, const observation& input) {
  if (auto thread = text_member(input.context, "thread_id"); !thread.empty())
    filter.context["thread_id"] = json::value(thread);
}

query_observations all_beside(const observation& input, const caller& by, std::string type) {
  auto request = all_of(by, std::move(type));
  keep_to_thread(request.filter, input);
  return request;
}

/// What was said in the thread under the name of whoever says the input, whatever somebody has
/// done with it since.
query_observations inputs_beside(const observation& input, const caller& by) {
  auto request = all_beside(input, by, "user_input");
  request.filter.source = {input.source.name};
  request.filter.status = {status::active, status::pending_review, status::resolved};
  return request;
}

/// The same of what has left the page since.
list_archive inputs_gone_since(const observation& input, const caller& by, timestamp since) {
  list_archive request{.by = by, .filter = {}, .limit = most, .cursor = {}};
  request.filter.type = {"user_input"};
  request.filter.source = {input.source.name};
  request.filter.created_after = since - std::chrono::milliseconds{1};
  keep_to_thread(request.filter, input);
  return request;
}

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

/// Whether the input was heard already, and is delivered again.
bool is_answered_by(const observation& asked, const observation& input) {
  return text_member(asked.metadata, "answer_id") == input.observation_id;
}

/// "obs_1, obs_2 and 3 more"
std::string list_of(const std::vector<std::string>& ids) {
  std::string result;
  for (size_t i = 0; i < std::min(ids.size(), most_told); ++i)
    result.append(i == 0 ? "" : ", ").append(escaped(utf8::shortened(ids[i], most_told_bytes)));
  if (ids.size() > most_told)
    result.append(" and ").append(std::to_string(ids.size() - most_told)).append(" more");
  return result;
}

} // namespace

/// Its own questions by its name and those of the thread, so that no others push them out of the
/// answer. Words can be about no other thread.
void executor_state::read_questions(const execution_ptr& x, const token& done) {
  x->named = named_in(*x->input);
  auto own = all_beside(*x->input, x->by, "pending_confirmation");
  own.filter.source = {name};
  consult<query_result>(page(), std::move(own), done, [this, x, done](query_result& found) {
    x->asked = std::move(found.observations);
    std::erase_if(x->asked, [](const auto& one) { return !read_consent_question(*one); });
    read_named(x, 0, done);
  });
}

/// What the input names by its id is read by its id, however many others wait.
void executor_state::read_named(const execution_ptr& x, size_t at, const token& done) {
  auto end = std::min<size_t>(x->named.size(), most);
  while (at < end && has_id(x->asked, x->named[at]))
    ++at;
  if (at == end) {
    if (!x->asked.empty())
      return read_other_questions(x, done);
    return hear_answers(x, done);
  }
  get_observation wanted{x->by, x->named[at]};
  consult<observation_ptr>(
    page(), std::move(wanted), done, [this, x, at, done](const observation_ptr& found) {
      if (found && read_consent_question(*found))
        x->asked.push_back(found);
      read_named(x, at + 1, done);
    });
}

/// Everybody's, and the resolved ones: somebody else may have been faster to hear the answer.
/// The newest come first. If some are missing, none is known, and words answer nothing.
void executor_state::read_other_questions(const execution_ptr& x, const token& done) {
  auto all = all_of(x->by, "pending_confirmation");
  all.filter.status = {status::active, status::pending_review, status::resolved};
  consult<query_result>(page(), std::move(all), done, [this, x, done](query_result& found) {
    if (!found.partial)
      x->questions = std::move(found.observations);
    read_inputs(x, done);
  });
}

void executor_state::read_inputs(const execution_ptr& x, const token& done) {
  auto inputs = inputs_beside(*x->input, x->by);
  consult<query_result>(page(), std::move(inputs), done, [this, x, done](query_result& found) {
    x->inputs = std::move(found.observations);
    if (auto since = consent_.needs_history_since(*x->input, x->asked, x->inputs))
      read_questions_gone(x, *since, done);
    else
      hear_answers(x, done);
  });
}

/// Those that were asked since and have left the page, however they did: the user may have them in
/// mind. They are read after those on the page, so that none gets lost on its way. If some are
/// missing, none is known, as above.
void executor_state::read_questions_gone(
  const execution_ptr& x, timestamp since, const token& done) {
  read_archive(questions_gone_since(x->by, since), done,
    [this, x, since, done](const std::optional<std::vector<observation_ptr>>& gone) {
      if (!gone)
        x->questions.clear();
      else if (!x->questions.empty())
        x->questions.insert(x->questions.end(), gone->begin(), gone->end());
      read_inputs_gone(x, since, done);
    });
}

/// What the user has said since counts as well when it has left the page, or somebody could make
/// their later words an answer to what was asked long before. If some is missing, it is in doubt.
void executor_state::read_inputs_gone(const execution_ptr& x, timestamp since, const token& done) {
  read_archive(inputs_gone_since(*x->input, x->by, since), done,
    [this, x, done](const std::optional<std::vector<observation_ptr>>& gone) {
      if (!gone)
        x->questions.clear();
      else
        for (const auto& one : *gone)
          if (!has_id(x->inputs, one->observation_id))
            x->inputs.push_back(one);
      hear_answers(x, done);
    });
}

void executor_state::hear_answers(const execution_ptr& x, const token& done) {
  auto said = consent_.answers(*x->input, x->asked, x->inputs, x->questions);
  auto is_open = [](consent one) { return one == consent::open; };
  if (std::all_of(said.begin(), said.end(), is_open))
    x->waiting = consent_.left_waiting(*x->input, x->asked, x->questions);
  x->questions.clear();
  x->inputs.clear();
  x->unheard = std::move(x->named);
  for (size_t i = 0; i < said.size(); ++i)
    if (said[i] != consent::open || is_answered_by(*x->asked[i], *x->input))
      std::erase(x->unheard, x->asked[i]->observation_id);
  take_answers(x, said, 0, done);
}

/// One after another. A question is taken off the page before its call is made:
/// whoever else works on an answer to it comes too late.
void executor_state::take_answers(
  const execution_ptr& x, const std::vector<consent>& said, size_t at, const token& done) {
  while (at < said.size() && said[at] == consent::open)
    ++at;
  if (at == said.size())
    return go_on_without_answered(x, said, done);
  if (said[at] == consent::in_doubt)
    return ask_again(
      x, *x->asked[at], done, [this, x, said, at, done] { take_answers(x, said, at + 1, done); });
  const json::object answer{{"answer", x->input->content}, {"answered_by", x->input->source.name},
    {"answer_id", x->input->observation_id}, {"outcome", name_of(said[at])}};
  auto by = speaker_of(*x->input, x->by);
  settle_question(by, *x->asked[at], answer, done, [this, x, said, at, done](bool taken) {
    if (taken)
      take_answer(x, *x->asked[at], said[at], done);
    else
      x->unheard.push_back(x->asked[at]->observation_id);
    take_answers(x, said, at + 1, done);
  });
}

/// What is open now are the questions that were not answered, and those put once more.
void executor_state::go_on_without_answered(
  const execution_ptr& x, const std::vector<consent>& said, const token& done) {
  size_t i = 0;
  std::erase_if(x->asked, [&](const auto&) { return said[i++] != consent::open; });
  std::move(x->again.begin(), x->again.end(), std::back_inserter(x->asked));
  x->again.clear();
  tell_unheard(x, done);
  read_page(x, done);
}

/// Who answers a question, and is not heard, is told so.
void executor_state::tell_unheard(const execution_ptr& x, const token& done) {
  if (!x->unheard.empty())
    tell(x,
      "The answer to " + list_of(x->unheard)
        + " was not taken: it has to be given while the question is open, by who was asked for "
          "consent or by the owner of the agents",
      done);
  if (!x->waiting.empty())
    tell(x,
      "These words were taken as no answer to " + list_of(x->waiting)
        + ": words count soon after whoever says them has asked for the call themself. It can be "
          "answered on the page, or by its id in context.confirms or context.declines",
      done);
}

/// The Evaluator says it in the answer of the turn.
void executor_state::tell(const execution_ptr& x, std::string content, const token& done) {
  observation_draft told;
  told.type = "constraint_check";
  told.content = std::move(content);
  told.confidence = 0.99;
  told.tags = {"security", "constraint"};
  told.context = x->context;
  write_unheard(told);
  publish(x->by, std::move(told), done);
}

/// Words answer what was asked lately. An answer in doubt must not use up that time without a
/// word: the question is put once more in this turn, about the same alert.
void executor_state::ask_again(const execution_ptr& x, const observation& asked, const token& done,
  const std::function<void()>& then) {
  auto draft = asked_again(asked, consent_.ttl_minutes());
  resolve_question(x->by, asked, {{"outcome", "asked_again"}}, done,
    [this, x, draft = std::move(draft), done, then](bool taken) {
      if (!taken)
        return then(); // somebody else has answered it
      publish(x->by, draft, done, [x, then](const receipt& stored) {
        if (stored.observation)
          x->again.push_back(stored.observation);
        then();
      });
    });
}

void executor_state::take_answer(
  const execution_ptr& x, const observation& asked, consent said, const token& done) {
  auto question = read_consent_question(asked);
  if (said == consent::granted) {
    x->granted.push_back({question->call, asked.observation_id});
    return;
  }
  observation_draft dropped;
  dropped.type = "constraint_check";
  dropped.content = question->call.tool_id + " is not used: the user declined";
  dropped.confidence = 0.99;
  dropped.tags = {"security", "constraint"};
  dropped.context = x->context;
  dropped.metadata["tool_id"] = question->call.tool_id;
  dropped.metadata["verdict"] = name_of(said);
  dropped.metadata["confirmation_id"] = asked.observation_id;
  publish(x->by, std::move(dropped), done);
}

} // namespace scratchpage
