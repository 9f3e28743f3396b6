#include <algorithm>
#include <string>
#include <utility>

#include "scratchpage/actors/page/delivery.hpp"
#include "scratchpage/actors/page/index/deadline_poll.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/key_text.hpp"

/// The limits of subscriptions: their number, the bytes of their filters, and kept positions.

namespace scratchpage {

namespace {

/// One principal from outside may use a quarter of the bytes for filters.
constexpr uint64_t shares_of_bytes = 4;

/// The key under which the subscriptions of a principal are counted. All programs whose names were
/// not checked have the same key. "": the ensemble or the embedding program, which are not limited.
std::string payer_of(const caller& by) {
  if (!by.outside)
    return {};
  if (by.claimed)
    return "claimed";
  return std::string{name_of(by.kind)}.append(" ").append(by.name);
}

caf::error too_many(uint64_t limit, const std::string& whose) {
  return fail(errc::overloaded, "subscriber",
    "expected at most " + std::to_string(limit) + " subscribers" + whose);
}

caf::error too_long(uint64_t limit, const std::string& whose) {
  return fail(errc::overloaded, "filter",
    "expected at most " + std::to_string(limit) + " bytes of filters" + whose + " together");
}

} // namespace

caf::error delivery::check_filters(const subscribe& request) {
  if (request.or_filters.size() >= filter_limits::filters)
    return fail(errc::invalid_request, "or_filters",
      "expected fewer than " + std::to_string(filter_limits::filters) + " filters");
  auto err = check_filter(request.filter, "filter");
  for (size_t i = 0; i < request.or_filters.size() && !err; ++i)
    err = check_filter(request.or_filters[i], sub_path({}, "or_filters", i));
  return err;
}

caf::error delivery::check_position(const subscribe& request) const {
  constexpr size_t max_bytes = 256;
  if (request.keep_as.empty())
    return {};
  if (request.keep_as.size() > max_bytes || !is_key_text(request.keep_as))
    return fail(errc::invalid_request, "keep_as",
      "expected a name of at most " + std::to_string(max_bytes)
        + " bytes, in UTF-8 without U+0000");
  if (!page_.positions->has_room_for(request.keep_as))
    return fail(errc::overloaded, "keep_as",
      "expected at most " + std::to_string(page_.config->max_positions) + " kept positions");
  return {};
}

/// Checks that there is room for one more subscriber. A subscriber that is set aside is dropped if
/// that makes room.
caf::expected<delivery::room> delivery::make_room(const caller& by, size_t filter_bytes) {
  room result{payer_of(by), filter_bytes};
  if (auto err = check_share(by, result))
    return err;
  if (subscribers_.size() < page_.config->max_subscribers)
    return result;
  if (drop_one_set_aside([](const subscriber&) { return true; }))
    return result;
  return too_many(page_.config->max_subscribers, "");
}

caf::error delivery::check_share(const caller& by, const room& wanted) {
  if (wanted.payer.empty())
    return {};
  auto is_theirs = [&](const subscriber& x) { return x.takes.payer == wanted.payer; };
  uint64_t count = 0, theirs = wanted.filter_bytes, all = wanted.filter_bytes;
  for (const auto& [id, x] : subscribers_) {
    count += is_theirs(x) ? 1 : 0;
    theirs += is_theirs(x) ? x.takes.filter_bytes : 0;
    all += x.takes.payer.empty() ? 0 : x.takes.filter_bytes;
  }
  const auto& with = *page_.config;
  if (theirs > with.filter_bytes / shares_of_bytes)
    return too_long(with.filter_bytes / shares_of_bytes, " of " + principal_of(by));
  if (all > with.filter_bytes)
    return too_long(with.filter_bytes, "");
  if (count < with.max_subscribers_per_source || drop_one_set_aside(is_theirs))
    return {};
  return too_many(with.max_subscribers_per_source, " of " + principal_of(by));
}

bool delivery::drop_one_set_aside(const std::function<bool(const subscriber&)>& is_meant) {
  auto silent = std::find_if(subscribers_.begin(), subscribers_.end(),
    [&](const auto& entry) { return entry.second.is_set_aside && is_meant(entry.second); });
  if (silent == subscribers_.end())
    return false;
  page_.trace->write("drop_subscriber", as_daemon(silent->second.name), {}, "overloaded");
  drop(silent);
  return true;
}

/// Marks the changes in the log from `from` on that match and came before the group was created,
/// the latest first. Returns whether it has looked at all of them: for a caller from outside it
/// stops when the time of a query is over.
bool delivery::look_back(filter_group& x, uint64_t from, bool for_outside) const {
  constexpr size_t at_once = 64;
  from = std::max(from, page_.log->oldest());
  deadline_poll time{for_outside ? end_of_slice(1) : std::function<bool()>{}, at_once};
  while (x.since > from && !time.step()) {
    if (x.wants(page_.log->at(x.since - 1)))
      x.wanted.mark(x.since - 1);
    --x.since;
  }
  return x.since <= from;
}

} // namespace scratchpage
