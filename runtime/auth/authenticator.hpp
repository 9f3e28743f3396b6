#pragma once

#include <memory>
#include <utility>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/auth/access_list.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::auth {

/// Decides which requests are let in, and as which principal. May be called from any thread.
class authenticator {
public:
  virtual ~authenticator() = default;

  /// The principal that sends the request. Errors: `unauthenticated`, `forbidden`; both name the
  /// header.
  virtual caf::expected<principal> admit(const http::request& x) = 0;

  /// Whether access can be lost after a request was let in, for example when a token is revoked.
  virtual bool may_withdraw() const { return true; }

  /// Whether every request needs a token now. If not, tokens may be needed later.
  virtual bool asks_for_tokens() { return true; }

  /// The browser sessions of persons; null: persons have tokens.
  virtual person_sessions* persons() { return nullptr; }
};

/// Lets in everybody who can reach the server, as the tool or daemon that the header
/// `Scratchpage-Caller` claims, at most with the role `highest`. Without the header, the client is
/// the daemon `http_client`. Persons come with a session, if there are sessions.
class trusting_authenticator : public authenticator {
public:
  /// `sessions` may be null: then no client is a person by a session.
  trusting_authenticator(
    role highest, claims may, std::shared_ptr<person_sessions> sessions = nullptr)
    : highest_{highest},
      may_{may},
      sessions_{std::move(sessions)} {}

  caf::expected<principal> admit(const http::request& x) override;
  bool may_withdraw() const override { return false; }
  bool asks_for_tokens() override { return false; }
  person_sessions* persons() override { return sessions_.get(); }

private:
  role highest_;
  claims may_;
  std::shared_ptr<person_sessions> sessions_;
};

/// Lets in clients with a valid token, under the token's name. Until a token file exists, it asks
/// `without_file`, if that is not null. Once a file has existed, every client needs a token.
class token_authenticator : public authenticator {
public:
  token_authenticator(token_file file, std::shared_ptr<const clock> clock,
    std::unique_ptr<authenticator> without_file);

  caf::expected<principal> admit(const http::request& x) override;

  bool asks_for_tokens() override;
  person_sessions* persons() override;

  /// Whether any token is valid now. Errors: those of the file.
  caf::expected<bool> has_valid();

private:
  bool asks_for_tokens(timestamp now);

  std::shared_ptr<const clock> clock_;
  reloading_access_list tokens_;
  std::unique_ptr<authenticator> without_file_;
};

} // namespace scratchpage::auth
