#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

#include <caf/error.hpp>

namespace scratchpage {

/// A file that appears under its name only when it is whole: written beside it
/// and renamed by `commit`; without one, nothing is left. What is no regular
/// file (a pipe, a device) is written to directly.
class output_file {
public:
  output_file() = default;
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  /// Refuses a path that cannot be written, before any work is done.
  caf::error open(const std::filesystem::path& path);

  bool is_open() const { return out_.is_open(); }
  void write(std::string_view text);

  /// Tells whether all that was written is on the disk; then `commit` is left.
  caf::error finish();

  /// Gives the file its name.
  caf::error commit();

private:
  void make_temporary(const std::filesystem::file_status& before);
  caf::error cannot_write() const;

  std::ofstream out_;
  std::filesystem::path path_;
  std::filesystem::path temporary_; ///< empty: written directly
};

} // namespace scratchpage
