#pragma once

#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// What is done about an agent's stored history as time goes by (docs/durability.md).
struct housekeeping_config {
  /// How often it is looked after, besides at the start. In [1, 100000].
  double every_minutes = 60;
  /// What left the page longer ago is stored compressed. In [0, 36500].
  double pack_after_days = 7;
  /// How far back a page can be looked at as it was; the changes before it are
  /// forgotten. 0: only what the next start needs is kept. In [0, 36500].
  double history_days = 30;

  static constexpr auto fields(auto all) {
    using self = housekeeping_config;
    return all(optional("every_minutes", &self::every_minutes),
      optional("pack_after_days", &self::pack_after_days),
      optional("history_days", &self::history_days));
  }
};

inline caf::error validate(const housekeeping_config& x, std::string_view path) {
  constexpr double century = 36'500; // days
  return config_check{path}
    .range("every_minutes", x.every_minutes, 1, 100'000)
    .range("pack_after_days", x.pack_after_days, 0, century)
    .range("history_days", x.history_days, 0, century)
    .error();
}

} // namespace scratchpage
