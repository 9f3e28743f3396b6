#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::access {

/// Whom a client may say that it is, where no token says so.
enum class claims : uint8_t {
  of_programs, ///< a tool or a daemon
  of_anybody,  ///< a person, too: where only the user of this machine gets through
};

inline constexpr size_t most_name_bytes = 128; ///< of a claimed name; as of an owner

/// The text of the header `Scratchpage-Caller` for `x`.
std::string claim_of(const caller& x);

/// Reads the header's text: `{"role": …, "kind": …, "name": …}`, where `kind` is the role's
/// unless a person asks. Where `may` is of programs, the caller is `claimed`. Errors name the
/// header: `invalid_request` if it cannot be read, if the name is not plain (principal_name.hpp)
/// or if kind and role do not go together, `forbidden` about a role above `highest`, about a name
/// that looks like one of the ensemble's, and about a person where `may` is of programs.
caf::expected<caller> read_claim(std::string_view text, role highest, claims may);

} // namespace scratchpage::access
