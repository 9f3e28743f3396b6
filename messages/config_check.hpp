#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

namespace scratchpage {

/// Checks one section of the configuration and keeps the first error. Errors name a field with the
/// path of the section.
class config_check {
public:
  explicit config_check(std::string_view path)
    : path_{path} {}

  /// Requires that `value` lies in [low, high].
  config_check& range(std::string_view field, double value, double low, double high);

  /// Requires that no entry is blank.
  config_check& words(std::string_view field, const std::vector<std::string>& entries);

  /// As `words`, and requires at least one entry.
  config_check& some_words(std::string_view field, const std::vector<std::string>& entries);

  /// Requires `ok`. `expected` says what the field should be.
  config_check& require(bool ok, std::string_view field, std::string_view expected);

  /// Takes over the error of a part of the section, if the part has one.
  config_check& also(const caf::error& part);

  /// The first error, an `invalid_request` that names the field; no error if all is well.
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
