#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn.hpp"

/// The warnings that a response begins with (contract 14).

namespace scratchpage {

/// How much a response says about alerts.
struct warning_limits {
  static constexpr size_t alerts = 5;          ///< that the response of a turn begins with
  static constexpr size_t content_bytes = 400; ///< of one alert
};

/// The ids of the alerts that concern the turn's input according to the Router, at most
/// `warning_limits::alerts`.
std::vector<std::string> alerts_of(const std::vector<observation_ptr>& turn);

/// "Warning: Smoke in the server room."
std::string warning_of(const observation& alert);

/// Sets the warnings of the result. Alerts that are no longer live are left out, and a text is
/// taken once.
void take_warnings(turn_result& x, const std::vector<observation_ptr>& alerts);

/// Puts the warnings of the result before its response, except those that it gives already.
void begin_with_warnings(turn_result& x);

} // namespace scratchpage
