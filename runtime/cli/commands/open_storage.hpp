#pragma once

#include <filesystem>
#include <string>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/host/if_missing.hpp"
#include "scratchpage/runtime/host/storage.hpp"

namespace scratchpage {

/// The directory that is meant by what `--data` was given; "" is the default.
/// Error: `invalid_request` if that is a database's address.
caf::expected<std::filesystem::path> data_path(const std::filesystem::path& given);

/// The same, if there is a database in it; else `invalid_request`.
caf::expected<std::filesystem::path> existing_data(const std::filesystem::path& given);

/// Opens a data directory for a command. Errors: as above, and those of
/// `storage::open`; `invalid_request` if there is nothing in it and it is refused.
caf::expected<storage> open_storage(const std::filesystem::path& given, if_missing what);

/// Whether it may be an agent's id.
caf::error check_agent_id(const std::string& id);

/// Whether the store has the agent; the error names those that it has.
caf::error check_is_known(store& in, const std::string& agent_id);

} // namespace scratchpage
