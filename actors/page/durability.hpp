#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// What it means that a page has answered (docs/durability.md).
enum class durability : uint8_t {
  none,  ///< nothing is kept beyond the process
  async, ///< visible at once; a crash may take the last changes, but no more than the bound
  sync,  ///< durable: nothing is answered, delivered or found before
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<durability>{"none", "async", "sync"};

struct durability_config {
  scratchpage::durability durability = durability::sync;
  /// Changes that may be visible and not yet durable, with `async`. Beyond it a
  /// page is as slow as its storage.
  uint64_t async_changes = 10'000;
  /// Changes that are saved in one go, if more wait; what belongs together stays
  /// together.
  uint64_t max_batch = 4'096;
  /// Changes on their way to storage; beyond it more are refused as `overloaded`.
  uint64_t max_unsaved = 100'000;
  double save_ms = 30'000; ///< how long the journal may take
  /// How long changes that are visible already gather after others were saved, so
  /// that one commit serves many; those that somebody waits for are saved at once.
  double async_ms = 5;

  static constexpr auto fields(auto all) {
    using self = durability_config;
    return all(optional("durability", &self::durability),
      optional("async_changes", &self::async_changes), optional("max_batch", &self::max_batch),
      optional("max_unsaved", &self::max_unsaved), optional("save_ms", &self::save_ms),
      optional("async_ms", &self::async_ms));
  }
};

/// How many changes may be seen that a crash takes back.
constexpr uint64_t unkept_changes(const durability_config& x) {
  return x.durability == durability::async ? x.async_changes : 0;
}

} // namespace scratchpage
