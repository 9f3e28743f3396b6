#include "scratchpage/persistence/privacy/privacy_policy.hpp"

#include <utility>

namespace scratchpage {

namespace {

constexpr double minutes_per_day = 24 * 60;

} // namespace

privacy_policy::privacy_policy(privacy_config config)
  : config_{std::move(config)},
    masker_{pii_detector{config_.kinds}} {}

std::optional<timestamp> privacy_policy::purge_at(
  const observation& x, timestamp archived_at) const {
  if (!masker_.finds_any(x))
    return std::nullopt;
  return archived_at + from_minutes(config_.archive_retention_days * minutes_per_day);
}

} // namespace scratchpage
