#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// Files of a data directory on their way: as documents of a store they go with
/// its transactions and in its one database, and become files again in the next
/// directory.

namespace scratchpage {

/// Hears of a file that cannot be packed, or of all of an agent's with the path "".
/// What it returns without an error is passed over.
using file_failure = std::function<caf::error(
  const std::string& agent_id, const std::string& path, const caf::error& why)>;

/// Puts the files of all agents of `to` into it. Each is read as it was at some
/// moment, whole, whoever writes meanwhile; one is in memory at a time. Gives how
/// many there were. Errors: those of the store; of a file the first, or what
/// `failed` makes of it.
caf::expected<uint64_t> pack_files(
  const std::filesystem::path& files, store& to, const file_failure& failed = {});

/// Writes the files that a store holds to where a data directory has them, and
/// takes them out of the store when they are on the disk: what is cut short is
/// done again. Agents that have some are claimed. Errors: those of the store;
/// `storage_unavailable`, if a file cannot be written.
caf::error unpack_files(store& from, const std::filesystem::path& files);

/// The same, of the database of a directory that nobody else uses.
caf::error unpack_files_of(const data_directory& x);

} // namespace scratchpage
