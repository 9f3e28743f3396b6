#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// A mistake in a configuration.
struct config_mistake {
  std::string path;     ///< of the member, such as page.types[2]
  size_t line = 0;      ///< in the file; 0: unknown
  std::string expected; ///< what was expected

  static constexpr auto fields(auto all) {
    using self = config_mistake;
    return all(required("path", &self::path), optional("line", &self::line),
      required("expected", &self::expected));
  }
};

/// A value that is not the one of the built-in configuration.
struct config_difference {
  std::string path;
  json::value value;    ///< null: the member is left out
  json::value built_in; ///< null: the built-in configuration does not have it

  static constexpr auto fields(auto all) {
    using self = config_difference;
    return all(required("path", &self::path), required("value", &self::value),
      required("built_in", &self::built_in));
  }
};

/// What there is to say about a configuration.
struct config_review {
  std::string file;
  bool valid = false;
  std::vector<config_mistake> mistakes; ///< in the order in which they are found
  std::vector<std::string> warnings;
  std::vector<config_difference> differs; ///< without the members that are mistakes

  static constexpr auto fields(auto all) {
    using self = config_review;
    return all(required("file", &self::file), required("valid", &self::valid),
      required("mistakes", &self::mistakes), required("warnings", &self::warnings),
      required("differs", &self::differs));
  }
};

/// At most so many mistakes of a file are told.
inline constexpr size_t most_mistakes = 100;

/// Reviews a configuration over the built-in one. `text` is that of the file, for the lines.
/// Mistakes are found one after the other: each is left out before the next one is looked for.
config_review review_config(json::object layer, std::string_view text);

/// A configuration in which the values of `env` and `headers`, which may be secrets, are "***".
json::value without_secrets(json::value x);

/// The differences between two configurations, in the order of their paths, without secrets.
std::vector<config_difference> differences(const config& x, const config& built_in);

} // namespace scratchpage
