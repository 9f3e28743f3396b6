#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/text/token_estimate.hpp"

namespace scratchpage {

/// A part's share of the whole budget.
struct context_share {
  std::string part; ///< "observations", "goals", "facts" or "episodes"
  double share = 0; ///< in [0, 1]

  static constexpr auto fields(auto all) {
    return all(required("part", &context_share::part), required("share", &context_share::share));
  }
};

struct context_config {
  /// In the order in which the parts stand in the text. What a part does not use
  /// goes to the next one; a part that is not named is left out.
  std::vector<context_share> shares{
    {"observations", 0.1}, {"goals", 0.2}, {"facts", 0.3}, {"episodes", 0.4}};
  /// How much of one text is shown, and how much if that is too much for what is
  /// left of the part's budget; bytes before escaping.
  uint32_t max_content_bytes = 400;
  uint32_t short_content_bytes = 80;
  /// Which of an episode's observations tell its story: by these types in this
  /// order, at most `max_highlights`; if there is none, its first observation.
  std::vector<std::string> highlights{"user_input", "evaluation_result", "error_alert", "learning"};
  uint32_t max_highlights = 3;

  static constexpr auto fields(auto all) {
    using self = context_config;
    return all(optional("shares", &self::shares),
      optional("max_content_bytes", &self::max_content_bytes),
      optional("short_content_bytes", &self::short_content_bytes),
      optional("highlights", &self::highlights), optional("max_highlights", &self::max_highlights));
  }
};

/// No error if every share names another one of the four parts, none is
/// negative, and together they are at most the whole.
caf::error validate(const context_config& config);

/// What a context can be made of.
struct context_material {
  std::vector<observation_ptr> observations; ///< live ones, the most relevant first
  std::vector<goal> goals;                   ///< in any order; ended ones are passed over
  std::vector<fact> facts;                   ///< the most relevant first
  std::vector<episode> episodes;             ///< the newest first, without null observations
};

/// Puts together what the next step should see, within a budget (contract 9).
/// The same material, prompt and budget give the same bytes.
///
/// Each part is a heading and one line an entry; a part without entries has no
/// heading. Observations and facts keep their order; goals go by priority, then
/// by the words they share with the prompt, then by how near they are to being
/// worked on; episodes by shared words, then newest first. An observation that
/// says only what the prompt says is passed over. An entry that does not fit is
/// shortened, then left out, and the next one tried. All texts are quoted on one
/// line and stand beside who said it.
class context_assembler {
public:
  /// `config` is valid. `count` says what a text costs.
  explicit context_assembler(context_config config = {}, token_counter count = estimate_tokens);

  /// The text never costs more than `budget`, neither as a whole nor as the sum
  /// of its lines.
  assembled_context assemble(
    const context_material& material, std::string_view prompt, uint32_t budget) const;

private:
  /// One entry, as long as wanted and as short as it gets.
  struct entry_line {
    std::string full;
    std::string brief;
  };

  struct filled_part {
    context_part report;
    std::vector<std::string> lines; ///< the heading first
    std::vector<uint32_t> costs;    ///< one a line
  };

  filled_part fill(
    const std::string& name, const std::vector<entry_line>& entries, uint32_t budget) const;
  void drop_last(std::vector<filled_part>& parts) const;

  std::vector<entry_line> entries_of(
    const std::string& part, const context_material& material, std::string_view prompt) const;
  std::vector<entry_line> observations(
    const std::vector<observation_ptr>& xs, std::string_view prompt) const;
  std::vector<entry_line> goals(const std::vector<goal>& xs, std::string_view prompt) const;
  std::vector<entry_line> facts(const std::vector<fact>& xs) const;
  std::vector<entry_line> episodes(const std::vector<episode>& xs, std::string_view prompt) const;
  std::string line_of(const episode& x, size_t max_bytes) const;

  context_config config_;
  token_counter count_;
};

} // namespace scratchpage
