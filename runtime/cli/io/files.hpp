#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// A file that appears under its name only when it is complete. The text goes to a temporary file
/// beside it, which `commit` renames; without `commit` the destructor removes it. A pipe or a
/// device is written directly.
class output_file {
public:
  output_file() = default;
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  /// Opens the file; an error if the path cannot be written.
  caf::error open(const std::filesystem::path& path);

  bool is_open() const { return out_.is_open(); }
  void write(std::string_view text);

  /// Closes the file; an error if not all of the text could be written. Call `commit` then.
  caf::error finish();

  /// Gives the file its name, in place of an earlier one.
  caf::error commit();

private:
  void make_temporary(const std::filesystem::file_status& before);
  caf::error cannot_write() const;

  std::ofstream out_;
  std::filesystem::path path_;
  std::filesystem::path temporary_; ///< empty: written directly
};

/// Reads a configuration file over the built-in configuration; "" means no file. An error names the
/// file, the line and the path of the setting.
caf::expected<config> load_config_file(const std::filesystem::path& file);

/// Adds the file and the line to an error about a path in a configuration.
caf::error in_config_file(const std::filesystem::path& file, const caf::error& err);

} // namespace scratchpage
