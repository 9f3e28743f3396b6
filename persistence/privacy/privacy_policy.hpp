#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"

namespace scratchpage {

/// What is done about personal data (contract 12).
enum class privacy_mode : uint8_t {
  keep,            ///< nothing
  mask_on_export,  ///< it is masked in whatever leaves the process
  mask_on_arrival, ///< it is masked before it is stored; older data is masked on export
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<privacy_mode>{
  "keep", "mask_on_export", "mask_on_arrival"};

struct privacy_config {
  privacy_mode policy = privacy_mode::mask_on_export;
  std::vector<pii_kind> kinds = all_pii_kinds(); ///< what counts as personal data

  /// For how many days an archived observation with personal data is kept, in [0, 36500]; 0 means
  /// not at all.
  double archive_retention_days = 30;

  static constexpr auto fields(auto all) {
    using self = privacy_config;
    return all(optional("policy", &self::policy), optional("kinds", &self::kinds),
      optional("archive_retention_days", &self::archive_retention_days));
  }
};

caf::error validate(const privacy_config& x, std::string_view path);

/// Decides what is done about personal data on arrival, on export, and in the archive (contract
/// 12).
class privacy_policy {
public:
  /// `config` is valid.
  explicit privacy_policy(privacy_config config);

  /// Whether new data is masked before it is stored.
  bool masks_on_arrival() const { return config_.policy == privacy_mode::mask_on_arrival; }

  /// Whether data that leaves the process is masked. This holds under `mask_on_arrival`, too, for
  /// data that was stored before that policy was set.
  bool masks_on_export() const { return config_.policy != privacy_mode::keep; }

  /// When an observation that was archived at `archived_at` has to be purged; nothing if it has no
  /// personal data. This holds under every policy: personal data is never archived for ever.
  std::optional<timestamp> purge_at(const observation& x, timestamp archived_at) const;

  /// Masks the configured kinds.
  const pii_masker& masker() const { return masker_; }

private:
  privacy_config config_;
  pii_masker masker_;
};

} // namespace scratchpage
