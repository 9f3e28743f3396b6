#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/evaluation/labels.hpp"
#include "scratchpage/runtime/evaluation/scoring.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// How much of what was judged otherwise is kept.
struct evaluation_limits {
  static constexpr size_t cases = 200;      ///< of each figure; further ones are only counted
  static constexpr size_t text_bytes = 320; ///< of one message of such a case
};

/// A decision that differs from its label, with the conversation beside it.
struct disagreement {
  figure what = figure::urgency;
  std::string file;
  std::string conversation;
  uint64_t turn = 0;   ///< from 0
  std::string call_id; ///< "": it is not about one call
  std::string wanted;  ///< "a or b"; "none"
  std::string found;
  std::string before;   ///< what the assistant said before
  std::string input;    ///< the user's message
  std::string response; ///< the assistant's answer to it
};

/// The decisions of one configuration, held against labels.
class measured_decisions {
public:
  /// Texts of cases are masked by `masker`, unless it is null.
  explicit measured_decisions(const pii_masker* masker = nullptr)
    : masker_{masker} {}

  /// Compares the decisions in a conversation with its labels.
  void count(const labelled_conversation& x, const play_result& played);

  const scoring& scores() const { return scores_; }
  /// The cases that were judged otherwise, in the order of the conversations.
  const std::vector<disagreement>& otherwise() const { return otherwise_; }
  /// The figures of the run itself.
  const run_summary& summary() const { return summary_; }

private:
  void note(disagreement x, const labelled_conversation& of);
  std::string shown(const std::string& text) const;

  const pii_masker* masker_;
  scoring scores_;
  std::vector<disagreement> otherwise_;
  std::array<size_t, figure_count> kept_{};
  run_summary summary_;
};

/// Plays a labelled conversation and counts its decisions. The errors are those of the player.
caf::expected<play_result> play_and_count(
  player& with, const labelled_conversation& x, const play_options& how, measured_decisions& into);

} // namespace scratchpage
