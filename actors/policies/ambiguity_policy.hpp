#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The inputs that the manifest's JSON Schema lists as `required` and that the call
/// lacks, in the schema's order. An input that is null or blank counts as lacking.
std::vector<std::string> missing_fields(const planned_call& call, const tool_manifest& manifest);

/// Whether the call lacks a required input (contract 7, Clarifier and Executor).
bool missing_inputs(const planned_call& call, const tool_manifest& manifest);

struct ambiguity_config {
  std::vector<std::string> referents;       ///< phrases that only refer to something ("that one")
  std::vector<std::string> fillers;         ///< may stand around a referent ("please")
  std::vector<std::string> undecided;       ///< phrases that leave a choice open
  std::vector<std::string> question_starts; ///< an input that begins with one is a question
  std::vector<std::string> answer_starts;   ///< an input that begins with one is an answer
  std::vector<std::string> deferrals;       ///< phrases that put off an answer
  std::vector<std::string> pointers;        ///< words that point at what was said earlier ("him")
  std::vector<std::string> offers;          ///< questions that ask for nothing in particular

  static constexpr auto fields(auto all) {
    using self = ambiguity_config;
    return all(required("referents", &self::referents), required("fillers", &self::fillers),
      required("undecided", &self::undecided), required("question_starts", &self::question_starts),
      required("answer_starts", &self::answer_starts), required("deferrals", &self::deferrals),
      required("pointers", &self::pointers), required("offers", &self::offers));
  }
};

caf::error validate(const ambiguity_config& x, std::string_view path);

/// The Clarifier's rules (contract 7): what is unclear about an input, and whether a later input
/// answers it. They read the first `reading_limits::input_bytes` of an input.
class ambiguity_policy {
public:
  explicit ambiguity_policy(const ambiguity_config& config);

  /// One question for each required input that a planned call lacks; without a plan, one for an
  /// input that says too little to act on. `earlier` are the texts of the thread before it, the
  /// newest last: what the input points at may be there. An input that answers an earlier question
  /// (`answers_earlier`) says enough. A plan that lacks an input again is asked about again:
  /// without it there is no call.
  std::vector<question> questions(std::string_view input, const std::vector<planned_call>& plan,
    const manifest_list& manifests, bool answers_earlier,
    const std::vector<std::string>& earlier = {}) const;

  /// Whether `x` is a live `pending_confirmation`.
  static bool is_open_question(const observation& x);

  /// Whether an input answers the open questions of its thread. Whatever is said after a question
  /// answers it, unless it is blank, puts the answer off, or is itself a question that does not
  /// begin as an answer does.
  bool is_answer(std::string_view input) const;

private:
  std::vector<question> about_unclear(
    std::string_view input, bool answers_earlier, const std::vector<std::string>& earlier) const;
  std::vector<std::string> things_meant(
    std::string_view input, const std::vector<std::string>& earlier) const;
  bool is_bare_referent(const std::vector<std::string>& words) const;
  bool is_resolved_by(
    const std::vector<std::string>& words, const std::vector<std::string>& earlier) const;
  bool points_back(const std::vector<std::string>& words) const;
  bool asks_something(std::string_view text) const;

  phrase_list referents_;
  phrase_list fillers_;
  phrase_list undecided_;
  phrase_list question_starts_;
  phrase_list answer_starts_;
  phrase_list deferrals_;
  phrase_list pointers_;
  std::vector<std::string> unspaced_pointers_; ///< of scripts without spaces
  phrase_list offers_;
};

} // namespace scratchpage
