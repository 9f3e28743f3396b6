#pragma once

#include <string>

namespace scratchpage {

/// Who runs this process, by the name in the system's list of users; "user" if
/// they have none there.
std::string login_name();

} // namespace scratchpage
