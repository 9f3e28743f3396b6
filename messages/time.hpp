#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <caf/timespan.hpp>
#include <caf/timestamp.hpp>

namespace scratchpage {

using caf::timespan;  ///< nanoseconds
using caf::timestamp; ///< nanoseconds since the Unix epoch, UTC

/// The source of time. Components read no clock of the system: the process gives each of them such
/// an object, and a simulation gives them a virtual clock.
class clock {
public:
  virtual ~clock() = default;
  virtual timestamp now() const = 0;
  /// The time since some fixed moment. Setting the system's clock does not change it. Use it for
  /// pauses and deadlines within a process; never store it.
  virtual timespan steady() const { return now().time_since_epoch(); }
};

/// RFC 3339, UTC, milliseconds: "2025-11-05T10:30:00.000Z".
std::string to_rfc3339(timestamp at);

/// Writes the same to `to`, without a zero at the end, and returns the end of it.
constexpr size_t rfc3339_size = 24;
char* write_rfc3339(char* to, timestamp at);

/// Reads RFC 3339 with any offset and any number of fractional digits; nothing
/// if `text` is not a date and time.
std::optional<timestamp> from_rfc3339(std::string_view text);

/// "20251105", as in ids.
std::string to_yyyymmdd(timestamp at);

/// `at` rounded down to whole milliseconds, the precision that is stored.
timestamp to_milliseconds(timestamp at);

/// Converts minutes, which may have a fraction, to a span.
timespan from_minutes(double minutes);

/// A number of days of 24 hours, in the same way.
inline timespan from_days(double days) {
  return from_minutes(days * 24 * 60);
}

/// Converts milliseconds, which may have a fraction, to a span.
timespan from_milliseconds(double milliseconds);

/// A span in milliseconds, for people and for JSON.
double in_milliseconds(timespan span);

/// A clock for code that deletes what is old. It runs at most one hour ahead of the time that has
/// really passed since this object was made, so that a system clock that is set forward by mistake
/// makes nothing old. If the clock below is set back, this one follows it.
class unhurried_clock : public clock {
public:
  explicit unhurried_clock(std::shared_ptr<const clock> under)
    : under_{std::move(under)},
      began_at_{under_->now()},
      began_{under_->steady()} {}

  timestamp now() const override {
    return std::min(under_->now(), began_at_ + (steady() - began_) + std::chrono::hours{1});
  }
  timespan steady() const override { return under_->steady(); }

private:
  std::shared_ptr<const clock> under_;
  timestamp began_at_;
  timespan began_;
};

} // namespace scratchpage
