#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/conversation/rule_compactor.hpp"
#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/text/tokens.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// Where the model that gets the prompts runs (contract 11).
enum class profile_name : uint8_t {
  cloud,
  on_device, ///< a window of a few thousand tokens
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<profile_name>{"cloud", "on_device"};

/// The capabilities of an agent. The profile decides those that are not set.
struct profile_config {
  profile_name name = profile_name::cloud;
  std::optional<bool> scratchbook;  ///< the tools of the scratchbook, and its view in prompts
  std::optional<bool> auto_compact; ///< whether history that exceeds its room is offloaded
  std::optional<bool> tool_list;    ///< whether the system prompt lists the tools
  std::optional<bool> read_back;    ///< the tool that reads offloaded messages and texts

  static constexpr auto fields(auto all) {
    using self = profile_config;
    return all(optional("name", &self::name), optional("scratchbook", &self::scratchbook),
      optional("auto_compact", &self::auto_compact), optional("tool_list", &self::tool_list),
      optional("read_back", &self::read_back));
  }

  bool has_scratchbook() const { return scratchbook.value_or(name == profile_name::on_device); }
  bool compacts() const { return auto_compact.value_or(name == profile_name::on_device); }
  /// On if messages are offloaded, or if the scratchbook may refer to them.
  bool reads_back() const { return read_back.value_or(has_scratchbook() || compacts()); }
  /// Off on a device, where the model gets the tools' definitions once, outside the prompt.
  bool lists_tools() const { return tool_list.value_or(name == profile_name::cloud); }
};

/// Limits of prompts, in tokens.
struct prompt_config {
  uint32_t window = 4'000; ///< of the model
  uint32_t reply = 0;      ///< kept free for the model's answer
  uint32_t context = 400;  ///< for live observations, goals and memories

  static constexpr auto fields(auto all) {
    using self = prompt_config;
    return all(optional("window", &self::window), optional("reply", &self::reply),
      optional("context", &self::context));
  }
};

/// Whether the window is larger than the reply.
caf::error validate(const prompt_config& x);

/// What a system prompt is made from.
struct prompt_material {
  std::string instructions;
  manifest_list tools;
  scratchpage::scratchbook scratchbook;
  std::string reader = {}; ///< who the prompt is for, as text of `said_by`
  std::string context;     ///< lines of `assemble_context`, the most important first
};

struct prompt_section {
  std::string name; ///< "instructions", "tools", "scratchbook" or "context"
  uint32_t tokens = 0;

  bool operator==(const prompt_section&) const = default;
};

struct system_prompt {
  std::string text;
  uint32_t tokens = 0; ///< of `text`; at most the window without the reply
  std::vector<prompt_section> sections;
};

/// Makes system prompts (contract 11): the instructions, `Tools:` if the profile lists them,
/// `Scratchbook:` with the view if the profile has it, and `Context:`. The view and the context
/// have their own limits. What exceeds the window is left out from the end: lines of the context,
/// items of the view, tools. The same material gives the same bytes.
class system_prompt_builder {
public:
  /// `count` returns the tokens of a text.
  /// @pre `config` is valid
  system_prompt_builder(const profile_config& profile, const scratchbook_view_config& view,
    const prompt_config& config, token_counter count = estimate_tokens);

  /// Makes a prompt of at most `max_tokens`, or of the window without the reply if that is less.
  /// Error: `overloaded` about `instructions`, if these alone do not fit.
  caf::expected<system_prompt> build(const prompt_material& material, uint32_t max_tokens) const;
  caf::expected<system_prompt> build(const prompt_material& material) const;

private:
  profile_config profile_;
  scratchbook_view_config view_;
  prompt_config config_;
  token_counter count_;
};

struct conversation_config {
  std::string instructions; ///< the beginning of every system prompt
  /// A tool's result with more tokens is moved to a file; likewise any other message. The limits
  /// are at most an eighth of the window.
  uint32_t tool_result_token_limit = 400;
  uint32_t message_token_limit = 1'000;
  /// The share of the room for history that is kept when it is compacted, in [0, 1].
  double keep_share = 0.5;
  double part_ms = 1'000;       ///< timeout of a part of a prompt; it is left empty then
  double save_ms = 10'000;      ///< timeout of reading or writing a file
  double compactor_ms = 30'000; ///< timeout of the compactor; the rules compact then
  uint32_t max_threads = 1'000; ///< in memory; above, the least recently used one is dropped
  uint32_t max_waiting = 64;    ///< requests that wait for one thread; above: overloaded
  rule_compactor_config rules;
  compactor_program compactor; ///< compacts instead of the rules, if it has a command

  static constexpr auto fields(auto all) {
    using self = conversation_config;
    return all(optional("instructions", &self::instructions),
      optional("tool_result_token_limit", &self::tool_result_token_limit),
      optional("message_token_limit", &self::message_token_limit),
      optional("keep_share", &self::keep_share), optional("part_ms", &self::part_ms),
      optional("save_ms", &self::save_ms), optional("compactor_ms", &self::compactor_ms),
      optional("max_threads", &self::max_threads), optional("max_waiting", &self::max_waiting),
      optional("rules", &self::rules), optional("compactor", &self::compactor));
  }
};

/// Whether all numbers are in their ranges.
caf::error validate(const conversation_config& x);

/// The limit of a tool's result in a prompt, in tokens.
uint32_t limit_of_result(const conversation_config& x, const prompt_config& in);

/// The limit of any other message, in tokens.
uint32_t limit_of_message(const conversation_config& x, const prompt_config& in);

} // namespace scratchpage
