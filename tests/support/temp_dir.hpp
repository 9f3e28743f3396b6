#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace scratchpage::test {

/// A new temporary directory, which the destructor removes.
class temp_dir {
public:
  temp_dir() {
    auto pattern = (std::filesystem::temp_directory_path() / "scratchpage_test_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("no temporary directory: " + pattern);
    path_ = pattern;
  }

  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;

  ~temp_dir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file and returns its path.
  std::string file(std::string_view name, std::string_view text) const {
    auto path = path_ / name;
    std::ofstream{path, std::ios::binary} << text;
    return path.string();
  }

  /// A file's text; "" if the file does not exist.
  std::string read(std::string_view name) const {
    std::ifstream in{path_ / name, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

private:
  std::filesystem::path path_;
};

} // namespace scratchpage::test
