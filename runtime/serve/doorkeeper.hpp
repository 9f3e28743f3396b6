#pragma once

#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/runtime/http/message.hpp"
#include "scratchpage/runtime/serve/visitor.hpp"

namespace scratchpage::serve {

/// Decides who is let in, and as whom. May be asked from any thread.
class doorkeeper {
public:
  virtual ~doorkeeper() = default;

  /// Who asks. Errors: `unauthenticated`, `forbidden`; both name the header.
  virtual caf::expected<visitor> admit(const http::request& x) = 0;
};

/// Lets everybody in who can reach the server, as whom they say in the header
/// `Scratchpage-Caller` (a caller as JSON), at most in this role.
class open_door : public doorkeeper {
public:
  explicit open_door(role highest)
    : highest_{highest} {}

  caf::expected<visitor> admit(const http::request& x) override;

private:
  role highest_;
};

} // namespace scratchpage::serve
