#pragma once

#include <memory>

#include "scratchpage/actors/daemons/daemon.hpp"
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
    std::vector<tool_manifest> manifests;
    std::vector<observation_ptr> confirmations;
    bool is_partial = false; ///< there was no time to look for all questions
    bool knows_all = false;  ///< none is missing, for whatever reason
  };
  using reading_ptr = std::shared_ptr<reading>;

  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;
  void read_confirmations(const reading_ptr& x, const token& done);
  void read_manifests(const reading_ptr& x, const token& done);
  void decide(const reading_ptr& x, const token& done);
  std::vector<observation_ptr> take_answers(const reading_ptr& x, const token& done);
  static bool may_be_answered(const reading& x, const observation& asked);
  bool is_consent_or_refusal(const reading& x, const observation& asked) const;
  bool is_answer(const reading& x, const observation& asked) const;
  static bool means_no_other(const reading& x, const observation& asked);
  void take_answer(const reading& x, const observation& asked, const token& done);
  void ask_user(const reading_ptr& x, const question& what, const token& done);

  ambiguity_policy policy_;
  consent_policy consent_;
  toolbox_actor tools_;
};

} // namespace scratchpage
