#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/persistence/privacy/pii_detector.hpp"

namespace scratchpage {

/// What is done about personal data (contract 12).
enum class privacy_mode : uint8_t {
  keep,            ///< nothing
  mask_on_export,  ///< masked in whatever leaves the process
  mask_on_arrival, ///< masked before it is stored, and on export what came before that
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<privacy_mode>{
  "keep", "mask_on_export", "mask_on_arrival"};

struct privacy_config {
  privacy_mode policy = privacy_mode::mask_on_export;
  std::vector<pii_kind> kinds = all_pii_kinds(); ///< what counts as personal data

  /// How long an archived observation that holds personal data is kept; 0: not at
  /// all. In [0, 36500].
  double archive_retention_days = 30;

  static constexpr auto fields(auto all) {
    using self = privacy_config;
    return all(optional("policy", &self::policy), optional("kinds", &self::kinds),
      optional("archive_retention_days", &self::archive_retention_days));
  }
};

caf::error validate(const privacy_config& x, std::string_view path);

} // namespace scratchpage
