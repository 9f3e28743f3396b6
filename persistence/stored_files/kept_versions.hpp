#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/files.hpp"
#include "scratchpage/persistence/store/store.hpp"

/// Versions of an agent's files as documents of its store, so that a file that is missing, or
/// whose older copy has taken its place, is not taken for what was acknowledged. They stay
/// where they are: what is exported, imported or repaired begins without.

namespace scratchpage {

/// How a version is written down.
struct kept_version {
  std::string path;
  file_version version;

  static constexpr auto fields(auto all) {
    using self = kept_version;
    return all(required("path", &self::path), required("version", &self::version));
  }
};

document to_version_document(std::string_view path, const file_version& version);

/// That of one file. Errors: those of the store, `internal` if it is damaged.
caf::expected<std::optional<file_version>> find_version(
  store& in, uint64_t agent, std::string_view path);

/// What is wrong with a file that is `found`, if `known` was kept last; "": nothing. A newer
/// one was written before its process died. One without a checksum was put there by a person,
/// on purpose.
std::string version_problem(const file_version& found, const file_version& known);

/// Says that the file is missing.
std::string missing_version(const file_version& known);

} // namespace scratchpage
