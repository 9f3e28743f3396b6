#pragma once

#include <set>
#include <string>
#include <string_view>

#include <caf/error.hpp>

/// Names of an agent's files. They are relative paths with `/`, such as `scratchbook/trip.json`.
/// Names that are made from ids come from here, and paths that a model gives are checked here.

namespace scratchpage {

/// A name for any id; no two ids have the same one. Lower-case letters, digits, `-` and `_` stay,
/// any other byte becomes `%` and two digits. So a name never leaves its folder, is never hidden,
/// and is also unique where file systems ignore case. If the name would be too long for a file, it
/// is cut and ends in `~` and the SHA-256 of the id.
std::string file_name_for(std::string_view id);

/// A name for the content of a file: the first 32 digits of its SHA-256.
std::string file_name_of_content(std::string_view bytes);

/// No error if `path` has one to eight names of 1 to 250 bytes between slashes, of
/// letters, digits and - _ . % ~, none of which begins with a dot. Error:
/// `invalid_request` with the field `path`.
caf::error check_file_path(std::string_view path);

/// Checks paths of files that will be in one folder.
class file_paths {
public:
  /// Takes the next path; paths come in the order of their bytes, each once. Error:
  /// `invalid_request` with the field `path`, if it is no path of a file, is out of order, or needs
  /// a folder where an earlier path has a file.
  caf::error add(std::string_view path);

private:
  std::set<std::string, std::less<>> known_;
};

} // namespace scratchpage
