#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// What one turn's input answers to the Executor's questions for consent, and which calls that
/// allows in the turn. It uses no actors: the Executor calls the functions below in their order,
/// reads from the page what they ask for, and settles the questions on the page. The policy
/// interprets the answers.
class consent_hearing {
public:
  /// A call that the user has agreed to, and the question they answered.
  struct confirmed_call {
    planned_call call;
    std::string question_id;
  };

  /// What the input answers to a question.
  struct answer {
    observation_ptr asked;
    consent said;
  };

  // -- which questions the input may answer -----------------------------------------------

  /// Notes which questions the input confirms or declines by their ids.
  void begin(const observation& input);

  /// Adds those of the observations that ask for consent.
  void add_questions(const std::vector<observation_ptr>& found);

  /// The id of the next question that the input names and that was not added yet. The Executor
  /// reads it by its id, so that it is found however many other questions are open.
  std::optional<std::string> next_named();

  bool has_questions() const { return !asked_.empty(); }

  /// The questions of all sources, which words may be meant for, and the inputs of the thread.
  void note_questions_of_all(std::vector<observation_ptr> found);
  void note_inputs(std::vector<observation_ptr> found);

  /// As `consent_policy::needs_history_since`: from when on questions and inputs that have left the
  /// page are needed, too; nothing if none are.
  std::optional<timestamp> needs_history_since(
    const consent_policy& policy, const observation& input) const;
  /// Adds the questions that have left the page. `std::nullopt` means that some could not be read:
  /// then no question counts as known, and all answers in words are in doubt.
  void note_questions_gone(const std::optional<std::vector<observation_ptr>>& found);
  /// Adds the inputs that have left the page; `std::nullopt` has the same effect as above.
  void note_inputs_gone(const std::optional<std::vector<observation_ptr>>& found);

  // -- what it answers --------------------------------------------------------------------

  void hear(const consent_policy& policy, const observation& input);

  /// The next question that has an answer, or an answer in doubt. The Executor settles it, or asks
  /// again, before it takes the next one.
  std::optional<answer> next_answer();

  /// The question was settled with that answer. If the user declined, returns the observation that
  /// says so.
  std::optional<observation_draft> take(const answer& x);
  /// Somebody else has settled the question before.
  void note_too_late(const answer& x) { unheard_.push_back(x.asked->observation_id); }
  /// The question was put once more, since the answer was in doubt.
  void note_asked_again(const observation_ptr& question) { again_.push_back(question); }

  /// All answers were taken. The questions without one, and those put once more, are still open.
  void end();

  /// The observation that tells the user which answers were not taken; nothing if all were.
  std::optional<observation_draft> tell_unheard() const;
  /// The same for questions that the words agree to or decline, but too late or relayed.
  std::optional<observation_draft> tell_waiting() const;

  // -- the calls that it allows ---------------------------------------------------------------

  bool allows_calls() const { return !granted_.empty(); }

  /// Adds to the plan the calls that the user agreed to. A call that the plan already has is made
  /// once.
  void resume_in(call_plan& plan);
  /// The calls that were added: those that the turn did not plan itself.
  const std::vector<planned_call>& resumed() const { return resumed_; }

  /// The user's agreement to `call`, or null. An agreement does not extend to another tool that
  /// makes the call instead.
  const confirmed_call* confirmation_of(const planned_call& call) const;

  /// The open questions that are no longer needed once `next` is asked in the input's thread.
  /// A question that the user caused is not replaced by one that a relay caused in their name.
  std::vector<observation_ptr> replaced_by(
    const consent_question& next, const observation& input) const;

private:
  std::vector<observation_ptr> asked_; // questions for consent that are open
  std::vector<std::string> named_;     // ids of the questions that the input names
  size_t next_named_ = 0;
  std::vector<observation_ptr> questions_; // of all sources, until `hear`
  std::vector<observation_ptr> inputs_;    // of the thread, until `hear`

  std::vector<consent> said_; // the answer to each of `asked_`
  size_t next_answer_ = 0;
  std::vector<observation_ptr> again_; // questions that this turn has put once more
  std::vector<std::string> unheard_;   // ids that the input named, but could not settle
  std::vector<std::string> waiting_;   // ids that its words would answer, had they counted

  std::vector<confirmed_call> granted_;             // calls that the input agrees to
  std::map<std::string, confirmed_call> confirmed_; // the same, by their ids in this turn's plan
  std::vector<planned_call> resumed_;
};

} // namespace scratchpage
