#pragma once

#include <string>

namespace scratchpage {

/// "0.4 ms", "412 ms", "2.5 s", "3 min 20 s", "2 h 5 min", "7 d".
std::string human_time(double milliseconds);

} // namespace scratchpage
