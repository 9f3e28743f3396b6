#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::client {

/// Who is asked for a download, and by whom.
struct download_source {
  std::string socket_path; ///< of the process that has a data directory open; "": `url`
  std::string url;         ///< http://HOST:PORT or https://HOST:PORT
  std::string token;       ///< "": none
  std::string ca_file;     ///< trusted authorities, PEM; "": the system's
  caller by;               ///< claimed if there is no token
};

/// Gets what is downloaded as it arrives. An error ends the download and is returned.
using take_piece = std::function<caf::error(std::string_view)>;

/// Downloads an export or a checkpoint, and waits until it has arrived completely. If the server
/// says which digest it has, it is checked. Errors: `invalid_request` about `--server`; the error
/// with which the server refuses; those of `take`; `storage_unavailable` if there is no server, if
/// the connection ends before all has arrived, or if the digest is another one.
caf::error download(const download_source& from, const std::string& target, const take_piece& take);

/// The targets of downloads.
std::string export_target(const std::string& agent_id); ///< "": all agents
std::string checkpoint_target();

} // namespace scratchpage::client
