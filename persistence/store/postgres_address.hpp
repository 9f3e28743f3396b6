#pragma once

#include <chrono>
#include <string>

namespace scratchpage::sql {

/// The connection string as key=value pairs, with a time for connecting and a
/// name for the server's lists if it has none of its own. Throws `failure`, which
/// does not quote it: there may be a password in it.
std::string with_defaults(const std::string& connection_string, std::chrono::seconds connect_time);

} // namespace scratchpage::sql
