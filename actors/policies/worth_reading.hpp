#pragma once

#include <string_view>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Whether a text tells that something is over: an all-clear, a false alarm, a plan that was called
/// off, a drill. English, German, Spanish, French, Chinese and Japanese.
bool is_all_clear(std::string_view text);

/// Whether a text tells of something to do, to reach or to heed over several turns, as the
/// classifier `worth` sees it. Measurements, routine outcomes, and facts that ask for nothing are
/// not worth a goal.
bool is_worth_a_goal(std::string_view text);

/// Whether an observation is worth a goal. Alerts, reminders and suggestions ask for something by
/// their type, so they are unless they are an all-clear; what others say is judged by its text.
bool is_worth_a_goal(const observation& x);

/// Whether a text says that something did not succeed. It moves no goal forward.
bool tells_of_failure(std::string_view text);

} // namespace scratchpage
