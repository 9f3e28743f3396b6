#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"

namespace scratchpage {

/// The CLARIFIER: for each `routing_decision` it looks whether the input is
/// ambiguous or a planned call lacks inputs, and publishes a
/// `pending_confirmation` per question. An input that answers an earlier
/// question resolves it: those that a person names with `context.answers`, else the questions of
/// the thread. One that names an action of a goal is resolved by words that can mean no other
/// question; else it stays open. Questions for consent are the EXECUTOR's to resolve.
class clarifier_state : public daemon {
public:
  static constexpr const char* name = "clarifier";

  clarifier_state(handle::pointer self, daemon_setup setup, const ambiguity_config& config,
    consent_config consent, toolbox_actor tools);

private:
  /// What it has to read before it can decide about one turn.
  struct reading {
    caller by;
    observation_ptr input;
    manifest_list manifests;
    std::vector<observation_ptr> confirmations;
    bool is_partial = false; ///< there was no time to look for all questions
    bool knows_all = false;  ///< none is missing, for whatever reason
    bool is_answer = false;  ///< whether the input can be one at all
    /// Questions that the input may mean: the first two tell whether there is another.
    std::vector<std::string> meant;
    /// Questions that are none for consent and that the user may think of: one of each turn, and
    /// the latest.
    std::map<std::string, observation_ptr> on_their_mind;
    observation_ptr latest_on_their_mind;
    /// Questions for consent that the user may think of, of two turns each: those that wait, and
    /// the latest of those that do not any more.
    std::vector<observation_ptr> for_consent;
    std::vector<observation_ptr> for_consent_before;
    /// The question about an action of a goal that the words may answer, if there is one; the
    /// questions that have left the page and that they may be meant for instead; and when who
    /// says them spoke before in the thread.
    observation_ptr about_action;
    std::vector<observation_ptr> gone;
    std::optional<timestamp> last_spoke;
    std::vector<planned_call> plan;
    size_t not_settled = 0;       ///< answers of which the page has not said whether it takes them
    bool answers_earlier = false; ///< whether the input is the answer to a question
  };
  using reading_ptr = std::shared_ptr<reading>;

  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void read_confirmations(const reading_ptr& x, const token& done);
  void read_last_words(const reading_ptr& x, const token& done);
  void read_gone(
    const reading_ptr& x, list_archive which, const token& done, const std::function<void()>& then);
  void read_manifests(const reading_ptr& x, const token& done);
  void decide(const reading_ptr& x, const token& done);
  void weigh(reading& x) const;
  static observation_ptr asked_about_action(const reading& x);
  void take_answers(const reading_ptr& x, const token& done);
  void settled(const reading_ptr& x, const token& done);
  void ask_what_is_unclear(const reading_ptr& x, const token& done);
  static bool may_be_answered(const reading& x, const observation& asked);
  bool is_consent_or_refusal(const reading& x, const observation_ptr& asked) const;
  static std::vector<observation_ptr> rivals_of(const reading& x, const observation_ptr& asked);
  bool is_answer(const reading& x, const observation& asked) const;
  static bool means_no_other(const reading& x, const observation& asked);
  void take_answer(const reading_ptr& x, const observation& asked, const token& done);
  void ask_user(const reading_ptr& x, const question& what, const token& done);

  ambiguity_policy policy_;
  consent_policy consent_;
  toolbox_actor tools_;
};

} // namespace scratchpage
