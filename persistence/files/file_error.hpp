#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

/// The error `storage_unavailable`: `file` cannot be read, written or whatever `what` says, for the
/// reason that `errno` had as `error`.
inline caf::error failed(const std::filesystem::path& file, const char* what, int error) {
  return fail(errc::storage_unavailable, "",
    file.string() + " cannot be " + what + ": "
      + std::error_code{error, std::generic_category()}.message());
}

} // namespace scratchpage
