#include "scratchpage/persistence/privacy/privacy_policy.hpp"

#include <set>
#include <utility>

#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

namespace {

constexpr double max_retention_days = 36'500; // a century

} // namespace

caf::error validate(const privacy_config& x, std::string_view path) {
  std::set<pii_kind> once{x.kinds.begin(), x.kinds.end()};
  return config_check{path}
    .require(!x.kinds.empty() && once.size() == x.kinds.size(), "kinds",
      "at least one of " + all_names<pii_kind>() + ", each once")
    .range("archive_retention_days", x.archive_retention_days, 0, max_retention_days)
    .error();
}

privacy_policy::privacy_policy(privacy_config config)
  : config_{std::move(config)},
    masker_{pii_detector{config_.kinds}} {}

std::optional<timestamp> privacy_policy::purge_at(
  const observation& x, timestamp archived_at) const {
  if (!masker_.finds_any(x))
    return std::nullopt;
  return archived_at + from_days(config_.archive_retention_days);
}

} // namespace scratchpage
