#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/missing_inputs.hpp"
#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

struct ambiguity_config {
  std::vector<std::string> referents;       ///< say nothing by themselves ("that one")
  std::vector<std::string> fillers;         ///< may stand around a referent ("please")
  std::vector<std::string> undecided;       ///< phrases that leave a choice open
  std::vector<std::string> question_starts; ///< an input that begins so asks back
  std::vector<std::string> answer_starts;   ///< an input that begins so answers, whatever follows
  std::vector<std::string> deferrals;       ///< phrases that put an answer off

  static constexpr auto fields(auto all) {
    using self = ambiguity_config;
    return all(required("referents", &self::referents), required("fillers", &self::fillers),
      required("undecided", &self::undecided), required("question_starts", &self::question_starts),
      required("answer_starts", &self::answer_starts), required("deferrals", &self::deferrals));
  }
};

caf::error validate(const ambiguity_config& x, std::string_view path);

/// What the Clarifier asks the user.
struct question {
  std::string text;
  std::string call_id; ///< "" if it is about the input itself
  std::string tool_id;
  std::string field; ///< the lacking input, "" as above
  std::string reason;

  static constexpr auto fields(auto all) {
    using self = question;
    return all(required("text", &self::text), optional("call_id", &self::call_id),
      optional("tool_id", &self::tool_id), optional("field", &self::field),
      optional("reason", &self::reason));
  }
};

/// The Clarifier's decision (contract 7): what is unclear, and whether it has
/// become clear. Reads the beginning of an input, `reading_limits::input_bytes`.
class ambiguity_policy {
public:
  explicit ambiguity_policy(const ambiguity_config& config);

  /// One question for each required input that a planned call lacks; without a
  /// plan, one for an input that says too little. A bare "that one" says enough
  /// if the input answers an earlier question (`answers_earlier`). A plan that
  /// lacks an input again is asked about again: without it there is no call.
  std::vector<question> questions(std::string_view input, const std::vector<planned_call>& plan,
    const manifest_list& manifests, bool answers_earlier) const;

  /// Whether `later_input`, from the same thread, answers a live
  /// `pending_confirmation`: whatever is said after a question answers it,
  /// unless it is blank, puts the answer off, or is itself a question that does
  /// not begin as an answer does.
  bool answers(const observation& pending_confirmation, std::string_view later_input) const;

  /// The two parts of it: what is asked, and what is said. Whoever has many questions need read an
  /// input only once.
  static bool is_open_question(const observation& x);
  bool is_answer(std::string_view input) const;

private:
  bool is_bare_referent(const std::vector<std::string>& words) const;

  phrase_list referents_;
  phrase_list fillers_;
  phrase_list undecided_;
  phrase_list question_starts_;
  phrase_list answer_starts_;
  phrase_list deferrals_;
};

} // namespace scratchpage
