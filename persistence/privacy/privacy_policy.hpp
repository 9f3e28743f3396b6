#pragma once

#include <optional>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/persistence/privacy/privacy_config.hpp"

namespace scratchpage {

/// What is to be done about personal data: on arrival, on export, and with what
/// is archived (contract 12).
class privacy_policy {
public:
  /// `config` is valid.
  explicit privacy_policy(privacy_config config);

  /// Whether what arrives is masked before it is stored.
  bool masks_on_arrival() const { return config_.policy == privacy_mode::mask_on_arrival; }

  /// Whether what leaves the process is masked. Also under `mask_on_arrival`, for
  /// what was stored before that was set.
  bool masks_on_export() const { return config_.policy != privacy_mode::keep; }

  /// When an observation that was archived at `archived_at` has to be purged;
  /// nothing if it holds no personal data. Under any policy: what was kept on
  /// purpose is not kept for good.
  std::optional<timestamp> purge_at(const observation& x, timestamp archived_at) const;

  /// Masks the configured kinds.
  const pii_masker& masker() const { return masker_; }

private:
  privacy_config config_;
  pii_masker masker_;
};

} // namespace scratchpage
