#pragma once

#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json.hpp"
#include "scratchpage/messages/time.hpp"

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
/// what, and its fields. Texts of observations and secrets are no fields. From any thread.
class log {
public:
  log(std::ostream& to, log_format format, log_level least, const clock& clock)
    : to_{to},
      format_{format},
      least_{least},
      clock_{clock} {}

  bool tells(log_level x) const { return x >= least_; }

  /// `event` is one of few, such as "serving"; `fields` are short and scalar.
  void write(log_level how, std::string_view event, const json::object& fields = {});

private:
  std::ostream& to_;
  const log_format format_;
  const log_level least_;
  const clock& clock_;
  std::mutex mutex_;
};

} // namespace scratchpage
