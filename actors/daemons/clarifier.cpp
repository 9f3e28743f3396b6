#include "scratchpage/actors/daemons/team.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/actors/turns/response_questions.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

constexpr uint32_t max_results = 1000; // of a query; as many as the Executor reads

bool is_in_thread_of(const observation& asked, const observation& input) {
  return text_view_at(asked.context, "thread_id") == text_view_at(input.context, "thread_id");
}

bool is_of_same_speaker(const observation& a, const observation& b) {
  return a.source.kind == b.source.kind && a.source.name == b.source.name
         && a.source.relayed_by == b.source.relayed_by;
}

/// Keeps the first question, and the first one of another turn. That is enough to tell for any
/// question whether there is one of another turn.
void keep_of_two_turns(std::vector<observation_ptr>& kept, const observation_ptr& x) {
  if (kept.empty() || (kept.size() == 1 && !is_in_one_turn(*kept.front(), *x)))
    kept.push_back(x);
}

bool is_about_action(const observation& asked) {
  return !text_member(asked.context, "pending_action_id").empty();
}

observation_draft question_draft(const observation& input, const question& what) {
  observation_draft draft;
  draft.type = "pending_confirmation";
  draft.content = what.text;
  draft.confidence = 0.9;
  draft.tags = {"clarification"};
  draft.owner = "user";
  draft.context = context_about(input);
  draft.metadata["questions"] = json::array{json::value(what.text)};
  draft.metadata["reason"] = what.reason;
  if (!what.call_id.empty()) {
    draft.metadata["call_id"] = what.call_id;
    draft.metadata["field"] = what.field;
  }
  return draft;
}

} // namespace

clarifier_state::clarifier_state(handle::pointer self, daemon_setup setup,
  const ambiguity_config& config, consent_config consent, policy_choice<clarifier_policy> policy,
  toolbox_actor tools, clarifier_config limits)
  : deciding_daemon{self, std::move(setup), name, static_cast<uint32_t>(component::clarifier)},
    policy_{std::move(policy)},
    ambiguity_{config},
    consent_{std::move(consent)},
    tools_{std::move(tools)},
    give_up_after_turns_{limits.give_up_after_turns} {}

std::vector<observation_filter> clarifier_state::wanted() {
  observation_filter filter;
  filter.type = {"routing_decision", "agent_response"};
  return {filter};
}

void clarifier_state::react(const page_event& event, const ack_guard& done) {
  if (event.kind != event_kind::added)
    return;
  if (event.observation->type == "agent_response")
    return read_response_of(event, done);
  if (!is_routers_decision(*event.observation))
    return;
  auto x = std::make_shared<reading>();
  x->by = as_me(event);
  query<observation_ptr>(page(), get_observation{x->by, input_of(*event.observation)}, done,
    [this, x, done](observation_ptr& input) {
      if (!input)
        return;
      x->input = std::move(input);
      read_confirmations(x, done);
    });
}

void clarifier_state::read_confirmations(const reading_ptr& x, const ack_guard& done) {
  query_observations pending{.by = x->by,
    .text = {},
    .filter = {},
    .limit = max_results,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  pending.filter.type = {"pending_confirmation"};
  // Resolved ones, too: the Executor may already have taken a "yes".
  pending.filter.status = {status::active, status::pending_review, status::resolved};
  query<query_result>(page(), std::move(pending), done, [this, x, done](query_result& found) {
    x->confirmations = std::move(found.observations);
    x->is_partial = found.partial;
    x->knows_all = !found.partial && found.next_cursor.empty();
    weigh(*x);
    if (x->about_action)
      read_last_words(x, done);
    else
      read_manifests(x, done);
  });
}

/// Reads when the speaker spoke before, and then the questions that have left the page. The page is
/// read before the archive, so that no question is missed on its way from one to the other.
void clarifier_state::read_last_words(const reading_ptr& x, const ack_guard& done) {
  query_observations inputs{.by = x->by,
    .text = {},
    .filter = {},
    .limit = max_results,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  inputs.filter.type = {"user_input"};
  inputs.filter.status = {status::active, status::pending_review, status::resolved};
  query<query_result>(page(), std::move(inputs), done, [this, x, done](query_result& found) {
    auto is_earlier = [&](const observation_ptr& one) {
      return came_before(*one, *x->input) && is_in_thread_of(*one, *x->input)
             && is_of_same_speaker(*one, *x->input);
    };
    auto& all = found.observations; // the newest come first
    auto last = std::find_if(all.begin(), all.end(), is_earlier);
    if (last != all.end())
      x->last_spoke = (*last)->created_at;
    read_gone(x, questions_gone_since(x->by, x->about_action->created_at), done, [this, x, done] {
      read_gone(x, questions_gone_of(x->by, x->about_action->source.turn_id), done,
        [this, x, done] { read_manifests(x, done); });
    });
  });
}

void clarifier_state::read_gone(const reading_ptr& x, list_archive which, const ack_guard& done,
  const std::function<void()>& then) {
  if (which.filter.turn_id && which.filter.turn_id->empty())
    return then();
  read_archive(
    std::move(which), done, [x, then](const std::optional<std::vector<observation_ptr>>& found) {
      x->knows_all = x->knows_all && found;
      if (found)
        x->gone.insert(x->gone.end(), found->begin(), found->end());
      then();
    });
}

void clarifier_state::read_manifests(const reading_ptr& x, const ack_guard& done) {
  query<tool_list>(tools_, list_tools{x->by}, done, [this, x, done](tool_list& known) {
    x->manifests = std::move(known.tools);
    clarify(x, done);
  });
}

void clarifier_state::clarify(const reading_ptr& x, const ack_guard& done) {
  auto plan = read_plan(*x->input);
  if (!plan) {
    trace_.write_error("clarify", x->by, plan.error());
    return;
  }
  x->plan = std::move(*plan);
  take_answers(x, done);
}

void clarifier_state::ask_what_is_unclear(const reading_ptr& x, const ack_guard& done) {
  clarifying_case what{x->input, std::move(x->plan), std::move(x->manifests), x->answers_earlier,
    std::move(x->earlier), x->by};
  auto check = [x](const std::vector<question>& questions) {
    for (const auto& one : questions)
      if (auto err = check_draft(question_draft(*x->input, one)))
        return err;
    return caf::error{};
  };
  decide<clarifier_policy>(policy_, x->by, std::move(what), done, check,
    [this, x](const std::vector<question>& questions, const ack_guard& work) {
      trace_.write("clarify", x->by, {{"questions", questions.size()}});
      for (const auto& one : questions)
        ask_user(x, one, work);
    });
}

/// Computes once what is the same for every question.
void clarifier_state::weigh(reading& x) const {
  const auto& input = *x.input;
  x.is_answer = ambiguity_.is_answer(input.content);
  for (const auto& one : x.confirmations) { // the newest come first
    if (may_be_meant(*one, input) && x.meant.size() < 2)
      x.meant.push_back(one->observation_id);
    if (!may_be_on_their_mind(*one, input))
      continue;
    if (read_consent_question(*one)) {
      keep_of_two_turns(is_live(one->status) ? x.for_consent : x.for_consent_before, one);
      continue;
    }
    x.on_their_mind.try_emplace(one->source.turn_id, one);
    if (!x.latest_on_their_mind || came_before(*x.latest_on_their_mind, *one))
      x.latest_on_their_mind = one;
  }
  x.about_action = asked_about_action(x);
}

/// The question about an action, if it is the only open question that the words can mean.
observation_ptr clarifier_state::asked_about_action(const reading& x) {
  const auto& input = *x.input;
  if (!x.is_answer || !x.knows_all || x.meant.size() != 1 || names_questions(input))
    return {};
  auto is_meant = [&](const observation_ptr& one) { return one->observation_id == x.meant[0]; };
  auto found = std::find_if(x.confirmations.begin(), x.confirmations.end(), is_meant);
  auto is_one = is_about_action(**found) && !read_consent_question(**found)
                && ambiguity_policy::is_open_question(**found) && may_be_answered(x, **found)
                && is_in_thread_of(**found, input);
  return is_one ? *found : observation_ptr{};
}

/// Resolves the questions that the input answers. New questions are asked after the page has
/// accepted or refused each answer.
void clarifier_state::take_answers(const reading_ptr& x, const ack_guard& done) {
  x->not_settled = 1;
  take_replies(x, done);
  for (const auto& asked : x->confirmations) {
    if (is_response_question(*asked) || !may_be_answered(*x, *asked))
      continue;
    if (read_consent_question(*asked)) {
      x->answers_earlier = x->answers_earlier || is_consent_or_refusal(*x, asked);
    } else if (is_answer(*x, *asked)) {
      ++x->not_settled;
      take_answer(x, *asked, done);
    }
  }
  settled(x, done);
}

void clarifier_state::settled(const reading_ptr& x, const ack_guard& done) {
  if (--x->not_settled > 0)
    return;
  if (x->plan.empty() && !x->answers_earlier)
    read_earlier(x, done);
  else
    ask_what_is_unclear(x, done);
}

/// Reads what was said before in the thread: the input may point at it.
void clarifier_state::read_earlier(const reading_ptr& x, const ack_guard& done) {
  query_observations said{.by = x->by,
    .text = {},
    .filter = {},
    .limit = max_results,
    .cursor = {},
    .deadline = from_milliseconds(query_limits::deadline_ms)};
  said.filter.type = {"user_input", "agent_response"};
  said.filter.status = {status::active, status::pending_review, status::resolved};
  query<query_result>(page(), std::move(said), done, [this, x, done](query_result& found) {
    for (const auto& one : found.observations) // the newest come first
      if (x->earlier.size() < clarifying_case::earlier_texts && came_before(*one, *x->input)
          && is_in_thread_of(*one, *x->input))
        x->earlier.push_back(one->content);
    std::reverse(x->earlier.begin(), x->earlier.end());
    ask_what_is_unclear(x, done);
  });
}

/// Whether the question was put before, in another turn, and to the speaker or to nobody in
/// particular.
bool clarifier_state::may_be_answered(const reading& x, const observation& asked) {
  const auto& input = *x.input;
  return asked.source.turn_id != input.source.turn_id && came_before(asked, input)
         && !is_of_another(asked, input);
}

/// Decides as the Executor does, which ignores a partial list of questions, too.
bool clarifier_state::is_consent_or_refusal(const reading& x, const observation_ptr& asked) const {
  static const std::vector<observation_ptr> none;
  return is_in_thread_of(*asked, *x.input)
         && consent_.speaks_to(*x.input, *asked, x.is_partial ? none : rivals_of(x, asked));
}

/// The question itself and those that may be meant instead. A few are enough: the latest, one of
/// its turn, and those for consent of other turns. If any other may be meant, one of these may.
std::vector<observation_ptr> clarifier_state::rivals_of(
  const reading& x, const observation_ptr& asked) {
  std::vector<observation_ptr> result{asked};
  if (x.latest_on_their_mind)
    result.push_back(x.latest_on_their_mind);
  if (auto i = x.on_their_mind.find(asked->source.turn_id); i != x.on_their_mind.end())
    result.push_back(i->second);
  for (const auto* list : {&x.for_consent, &x.for_consent_before})
    result.insert(result.end(), list->begin(), list->end());
  return result;
}

/// If the input names questions, it answers only these. Otherwise its words may answer several
/// questions of the thread at once, but a question about an action only if they mean no other.
bool clarifier_state::is_answer(const reading& x, const observation& asked) const {
  const auto& input = *x.input;
  if (!x.is_answer || !ambiguity_policy::is_open_question(asked))
    return false;
  if (names_questions(input))
    return names_answered(input) && names_id(input, "answers", asked.observation_id);
  return is_in_thread_of(asked, input) && (!is_about_action(asked) || means_no_other(x, asked));
}

/// Whether the words can mean no other question. False if not all questions are known, those that
/// have left the page included.
bool clarifier_state::means_no_other(const reading& x, const observation& asked) {
  if (!x.knows_all || !x.about_action || x.about_action->observation_id != asked.observation_id)
    return false;
  auto is_meant = [&](const observation_ptr& one) {
    return may_be_meant_instead(*one, asked, *x.input, x.last_spoke);
  };
  return std::none_of(x.confirmations.begin(), x.confirmations.end(), is_meant)
         && std::none_of(x.gone.begin(), x.gone.end(), is_meant);
}

/// Resolves the question. If somebody else has answered it meanwhile, the page refuses this answer.
void clarifier_state::take_answer(
  const reading_ptr& x, const observation& asked, const ack_guard& done) {
  update_observation answer{.by = speaker_of(*x->input, x->by),
    .observation_id = asked.observation_id,
    .changes = {},
    .expected_revision = {}};
  answer.changes.status = status::resolved;
  answer.changes.metadata = asked.metadata;
  (*answer.changes.metadata)["answer"] = x->input->content;
  (*answer.changes.metadata)["answered_by"] = name_of(source_kind::user);
  (*answer.changes.metadata)["answer_id"] = x->input->observation_id;
  trace_.write("take_answer", x->by, {{"observation_id", asked.observation_id}});
  update(std::move(answer), done, [this, x, done](bool taken) {
    x->answers_earlier = x->answers_earlier || taken;
    settled(x, done);
  });
}

void clarifier_state::ask_user(const reading_ptr& x, const question& what, const ack_guard& done) {
  publish(x->by, question_draft(*x->input, what), done);
}

} // namespace scratchpage
