#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <caf/timespan.hpp>
#include <caf/timestamp.hpp>

namespace scratchpage {

using caf::timespan;  ///< nanoseconds
using caf::timestamp; ///< nanoseconds since the Unix epoch, UTC

/// Where the time comes from. Nothing else reads a clock: the process hands one
/// to every component, and under simulation it is the virtual one.
class clock {
public:
  virtual ~clock() = default;
  virtual timestamp now() const = 0;
  /// How long it is since some beginning. Nobody sets it, forward or back: pauses and
  /// deadlines within a process are counted by it, and nothing that is kept.
  virtual timespan steady() const { return now().time_since_epoch(); }
};

/// RFC 3339, UTC, milliseconds: "2025-11-05T10:30:00.000Z".
std::string to_rfc3339(timestamp at);

/// The same, without a zero behind it.
constexpr size_t rfc3339_size = 24;
char* write_rfc3339(char* to, timestamp at);

/// Reads RFC 3339 with any offset and any number of fractional digits; nothing
/// if `text` is not a date and time.
std::optional<timestamp> from_rfc3339(std::string_view text);

/// "20251105", as ids carry it.
std::string to_yyyymmdd(timestamp at);

/// `at` cut down to whole milliseconds, the precision that is stored.
timestamp to_milliseconds(timestamp at);

/// Minutes as a number, which may have a fraction, to a span.
timespan from_minutes(double minutes);

/// Milliseconds as a number, which may have a fraction, to a span.
timespan from_milliseconds(double milliseconds);

/// A span in milliseconds, for people and for JSON.
double in_milliseconds(timespan span);

} // namespace scratchpage
