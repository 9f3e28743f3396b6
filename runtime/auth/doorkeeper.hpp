#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/auth/person_sessions.hpp"
#include "scratchpage/runtime/auth/visitor.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::serve {

/// Decides who is let in, and as whom. May be asked from any thread.
class doorkeeper {
public:
  virtual ~doorkeeper() = default;

  /// Who asks. Errors: `unauthenticated`, `forbidden`; both name the header.
  virtual caf::expected<visitor> admit(const http::request& x) = 0;

  /// Whether somebody who was let in may not be any more, such as with a token that is revoked.
  virtual bool may_withdraw() const { return true; }

  /// Whether it asks everybody for a token. A door that does not may begin to.
  virtual bool asks_for_tokens() { return true; }

  /// The sessions that the keys of persons open; null: persons have tokens.
  virtual access::person_sessions* persons() { return nullptr; }
};

/// Lets everybody in who can reach the server, as which tool or daemon they say in the
/// header `Scratchpage-Caller`, at most in this role; without the header as the daemon
/// `http_client`. A person comes with a session, if there are any.
class open_door : public doorkeeper {
public:
  /// `sessions` may be null: then nobody is a person by a session.
  open_door(
    role highest, access::claims may, std::shared_ptr<access::person_sessions> sessions = nullptr)
    : highest_{highest},
      may_{may},
      sessions_{std::move(sessions)} {}

  caf::expected<visitor> admit(const http::request& x) override;
  bool may_withdraw() const override { return false; }
  bool asks_for_tokens() override { return false; }
  access::person_sessions* persons() override { return sessions_.get(); }

private:
  role highest_;
  access::claims may_;
  std::shared_ptr<access::person_sessions> sessions_;
};

} // namespace scratchpage::serve
