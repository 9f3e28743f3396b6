#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/page/index/index_config.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/shared_settings.hpp"
#include "scratchpage/messages/text/tokens.hpp"

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
  /// The parts, in the order in which they stand in the text. Budget that a part does not use goes
  /// to the next part. A part that is not named is left out.
  std::vector<context_share> shares{
    {"observations", 0.1}, {"goals", 0.2}, {"facts", 0.3}, {"episodes", 0.4}};
  /// How many bytes of one text are shown, before escaping. If an entry does not fit into the rest
  /// of its part's budget, `short_content_bytes` are shown.
  uint32_t max_content_bytes = 400;
  uint32_t short_content_bytes = 80;
  /// The types of observations that represent an episode, the most important first. At most
  /// `max_highlights` observations are shown. If an episode has none of these types, its first
  /// observation is shown.
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

/// No error if every share names one of the four parts, no part is named twice, no share is
/// negative, and the sum of the shares is at most 1.
caf::error validate(const context_config& config);

/// What a context is made of.
struct context_material {
  std::vector<observation_ptr> observations; ///< live ones, the most relevant first
  std::vector<goal> goals;                   ///< in any order; goals that have ended are skipped
  std::vector<fact> facts;                   ///< the most relevant first
  std::vector<episode> episodes;             ///< the newest first, without null observations
};

/// Makes the context for a model's next step, within a budget of tokens (contract 9). The same
/// material, prompt and budget give the same bytes.
///
/// Each part is a heading and one line for each entry. A part without entries has no heading.
/// All entries have a rank: how close they are to the prompt, by one `joint_ranking`. Questions
/// that wait for a person come first among observations, then alerts; both may use half of the
/// budget, whatever the share of observations. Other observations keep their order, by which the
/// page ranks them. Goals are sorted by priority, then by rank, then by status: in progress,
/// blocked, not begun. Facts and episodes are sorted by rank, then as they were given. An
/// observation whose content equals the prompt is skipped. An entry that does not fit is shortened;
/// if it still does not fit, it is left out and the next entry is tried. What all parts together
/// leave of the budget goes to the entries of all parts that were left out or shortened, the
/// closest first. A fact or an observation that says what is told already is not told again. All
/// texts are quoted on one line, with their source.
class context_assembler {
public:
  /// @pre `config` is valid. `count` returns how many tokens a text has.
  explicit context_assembler(context_config config = {}, token_counter count = estimate_tokens,
    shared_settings<text_config> text = {});

  /// The text never has more than `budget` tokens, neither as a whole nor as the sum of its lines.
  assembled_context assemble(
    const context_material& material, std::string_view prompt, uint32_t budget) const;

private:
  /// One entry, with `max_content_bytes` and with `short_content_bytes` of its texts.
  struct entry_line {
    std::string full;
    std::string brief;
    double rank = 0;                    ///< how close it is to the prompt
    bool comes_first = false;           ///< it may use half of what is left of the whole budget
    std::string says = {};              ///< to compare with others; "": not compared
    std::string id = {};                ///< of an observation
    std::vector<std::string> from = {}; ///< of a fact: its observations
    const std::string* shown = nullptr; ///< `full`, `brief`, or null if it is left out
    uint32_t cost = 0;                  ///< tokens of `shown`
  };

  struct filled_part {
    context_part report;
    std::string heading;
    uint64_t heading_cost = 0; ///< 64 bits: a custom counter may return any number
    std::vector<entry_line> entries;
    uint64_t used = 0; ///< tokens

    uint64_t tokens() const;
  };

  class told;
  struct ranks;

  filled_part part_of(const std::string& name, const context_material& material,
    std::string_view prompt, const ranks& close) const;
  void show(filled_part& in, entry_line& x, uint64_t budget, told& so_far) const;
  void use_up(std::vector<filled_part>& parts, uint64_t left, told& so_far) const;
  static bool drop_last(std::vector<filled_part>& parts);
  static void report(filled_part& x, const told& so_far);

  ranks ranks_of(const context_material& material, std::string_view prompt) const;
  std::vector<entry_line> entries_of(const std::string& part, const context_material& material,
    std::string_view prompt, const ranks& close) const;
  std::vector<entry_line> observations(const std::vector<observation_ptr>& xs,
    std::string_view prompt, const std::vector<double>& close) const;
  std::vector<entry_line> goals(
    const std::vector<goal>& xs, const std::vector<double>& close) const;
  std::vector<entry_line> facts(
    const std::vector<fact>& xs, const std::vector<double>& close) const;
  std::vector<entry_line> episodes(
    const std::vector<episode>& xs, const std::vector<double>& close) const;
  std::string line_of(const episode& x, size_t max_bytes) const;

  context_config config_;
  token_counter count_;
  shared_settings<text_config> text_;
};

} // namespace scratchpage
