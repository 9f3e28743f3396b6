#pragma once

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::test {

/// Who calls operations in these tests.
inline const caller ann = as_user("ann");
inline const caller bob = as_user("bob");
inline const caller other = as_daemon("other");
inline const caller owner = as_admin("root");
inline const caller agent = as_daemon("assistant");
inline const caller scanner = as_tool("scanner");

} // namespace scratchpage::test
