#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

namespace scratchpage {

/// The observation types that a page knows (contract 1).
class type_registry {
public:
  /// Ill-formed names among `types` are left out.
  explicit type_registry(const std::vector<std::string>& types);

  bool knows(std::string_view type) const;

  /// `invalid_request` if the name is not of the form `[a-z][a-z0-9_]{0,63}`.
  static caf::error check(std::string_view type);

  /// The same error, or it is known from now on.
  /// Adding a known type changes nothing.
  caf::error add(std::string_view type);

  /// What to answer about a type that is not known: names all that are.
  caf::error unknown(std::string_view type) const;

  static bool is_well_formed(std::string_view type);

private:
  std::vector<std::string> types_; // sorted
};

} // namespace scratchpage
