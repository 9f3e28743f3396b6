#pragma once

#include <cstdint>
#include <optional>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// Where the model runs whose prompts are made (contract 11, seed scratchbook-plan A3).
enum class profile_name : uint8_t {
  cloud,
  on_device, ///< a window of a few thousand tokens
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<profile_name>{"cloud", "on_device"};

/// What an agent is given; what is not set is as its profile has it.
struct profile_config {
  profile_name name = profile_name::cloud;
  std::optional<bool> scratchbook;  ///< the capability: its tools, and its view in prompts
  std::optional<bool> auto_compact; ///< history that has no room is offloaded
  std::optional<bool> tool_list;    ///< in the system prompt
  std::optional<bool> read_back;    ///< the tool that reads what has left a conversation

  static constexpr auto fields(auto all) {
    using self = profile_config;
    return all(optional("name", &self::name), optional("scratchbook", &self::scratchbook),
      optional("auto_compact", &self::auto_compact), optional("tool_list", &self::tool_list),
      optional("read_back", &self::read_back));
  }

  bool has_scratchbook() const { return scratchbook.value_or(name == profile_name::on_device); }
  bool compacts() const { return auto_compact.value_or(name == profile_name::on_device); }
  /// Where something leaves the prompt, or what has left it is spoken of.
  bool reads_back() const { return read_back.value_or(has_scratchbook() || compacts()); }
  /// A model on a device gets its tools' definitions beside the prompt, once.
  bool lists_tools() const { return tool_list.value_or(name == profile_name::cloud); }
};

} // namespace scratchpage
