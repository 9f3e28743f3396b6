#pragma once

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

/// The text of the header `Scratchpage-Caller` for `x`.
std::string claim_of(const caller& x);

/// Reads the header's text: `{"role": …, "kind": …, "name": …}`, where `kind` is the role's
/// unless a person asks. Where `may` is of programs, the caller is `claimed`. Errors name the
/// header: `invalid_request` if it cannot be read or if kind and role do not go together,
/// `forbidden` about a role above `highest` and about a person where `may` is of programs.
caf::expected<caller> read_claim(std::string_view text, role highest, claims may);

} // namespace scratchpage::access
