#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/io/log_queue.hpp"
#include "scratchpage/runtime/cli/io/stop_event.hpp"

namespace scratchpage {

/// How much somebody should care, the most urgent last.
enum class log_level : uint8_t { debug, info, warning, error };

/// `text` for people, `json` for programs; both a line each.
enum class log_format : uint8_t { text, json };

template <>
inline constexpr std::array<std::string_view, 4> enum_names<log_level>{
  "debug", "info", "warning", "error"};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<log_format>{"text", "json"};

/// Tells whoever runs a server what happens, a line an event: when, how much it matters,
/// what, and its fields. Texts of observations and secrets are no fields. From any thread, none
/// of which waits for whoever reads it: what is too much is dropped and counted (`log_queue`).
class log {
public:
  /// `fd` is what `to` writes to, if a reader of it may take long. Signals of pipes that nobody
  /// reads have to be off then.
  log(std::ostream& to, log_format format, log_level least, const clock& clock, int fd = -1);
  log(const log&) = delete;
  log& operator=(const log&) = delete;
  ~log(); ///< as `end`, for a second

  bool tells(log_level x) const { return x >= least_; }

  /// `event` is one of few, such as "serving"; `fields` are short and scalar.
  void write(log_level how, std::string_view event, const json::object& fields = {});

  /// Whether all is written that was told before, at the latest after that time.
  bool flush(timespan within) { return lines_.flush(within); }

  /// Writes what was told before, for that time at most, and nothing any more after that.
  void end(timespan within);

private:
  std::string line_of(log_level how, std::string_view event, const json::object& fields) const;

  const log_format format_;
  const log_level least_;
  const clock& clock_;
  stop_event stop_;
  log_queue lines_;
};

} // namespace scratchpage
