#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/conversation/profile.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/token_estimate.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// How much of the model's window each part of a prompt may have, in tokens.
struct prompt_config {
  uint32_t window = 4'000;
  uint32_t reply = 0;     ///< kept free for the model's answer
  uint32_t context = 400; ///< of live observations, goals and memories

  static constexpr auto fields(auto all) {
    using self = prompt_config;
    return all(optional("window", &self::window), optional("reply", &self::reply),
      optional("context", &self::context));
  }
};

/// No error if there is room for something beside the reply.
caf::error validate(const prompt_config& x);

/// What a system prompt can be made of.
struct prompt_material {
  std::string instructions;
  manifest_list tools;
  scratchpage::scratchbook scratchbook;
  std::string reader = {}; ///< whose prompt it is, as `said_by` has it
  std::string context;     ///< lines, the most important first (`assemble_context`)
};

struct prompt_section {
  std::string name; ///< "instructions", "tools", "scratchbook" or "context"
  uint32_t tokens = 0;

  bool operator==(const prompt_section&) const = default;
};

struct system_prompt {
  std::string text;
  uint32_t tokens = 0; ///< of the whole; never more than the window without the reply
  std::vector<prompt_section> sections;
};

/// Makes system prompts (contract 11): the instructions, then the tools by name if
/// the profile lists them, `Scratchbook:` with the view if it has that capability,
/// and `Context:`. The view stays within its own limit and the context within its.
/// What is beyond the window is left out from the end: lines of the context, items
/// of the view, tools. The same material gives the same bytes.
class system_prompt_builder {
public:
  /// `config` is valid. `count` says what a text costs.
  system_prompt_builder(const profile_config& profile, const scratchbook_view_config& view,
    const prompt_config& config, token_counter count = estimate_tokens);

  /// `most` is how many tokens there are for it, not more than the window has.
  /// Error: `overloaded`, on `instructions`, if these alone have no room.
  caf::expected<system_prompt> build(const prompt_material& material, uint32_t most) const;
  caf::expected<system_prompt> build(const prompt_material& material) const;

private:
  profile_config profile_;
  scratchbook_view_config view_;
  prompt_config config_;
  token_counter count_;
};

} // namespace scratchpage
