#pragma once

namespace scratchpage {

/// The thread of whoever names none: of clients of every protocol, and of the command line.
inline constexpr auto main_thread = "main";

} // namespace scratchpage
