#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

namespace scratchpage {

/// Looks through one section of the configuration and keeps the first thing
/// that is wrong with it. Fields are named with the section's path.
class config_check {
public:
  explicit config_check(std::string_view path)
    : path_{path} {}

  /// `value` lies in [low, high].
  config_check& range(std::string_view field, double value, double low, double high);

  /// No entry is blank.
  config_check& words(std::string_view field, const std::vector<std::string>& entries);

  /// As `words`, and there is at least one.
  config_check& some_words(std::string_view field, const std::vector<std::string>& entries);

  /// `expected` says what the field should be if not `ok`.
  config_check& require(bool ok, std::string_view field, std::string_view expected);

  /// What a part of the section reports about itself.
  config_check& also(const caf::error& part);

  /// `invalid_request` naming the field, or no error.
  const caf::error& error() const { return error_; }

private:
  std::string path_;
  caf::error error_;
};

/// "path.field"
std::string sub_path(std::string_view path, std::string_view field);

/// "path.field[index]"
std::string sub_path(std::string_view path, std::string_view field, size_t index);

} // namespace scratchpage
