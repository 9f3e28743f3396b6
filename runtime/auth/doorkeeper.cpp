#include "scratchpage/runtime/auth/doorkeeper.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/net/http/bearer.hpp"

namespace scratchpage::serve {

namespace {

/// A session that is not there any more is no reason to act as somebody else.
caf::expected<visitor> person_with(
  const std::string& authorization, const access::person_sessions* sessions) {
  auto bearer = access::bearer_in(authorization);
  auto who = bearer && sessions != nullptr ? sessions->find(*bearer) : std::nullopt;
  if (!who)
    return fail(errc::unauthenticated, "authorization",
      "expected a session of this server; 'scratchpage page' prints an address that opens one");
  return visitor{std::move(*who)};
}

/// As much a claim as a name would be.
visitor nameless(access::claims may) {
  visitor result{as_daemon("http_client")};
  result.by.claimed = may == access::claims::of_programs;
  return result;
}

} // namespace

caf::expected<visitor> open_door::admit(const http::request& x) {
  if (const auto* given = x.header("authorization"); given != nullptr && sessions_)
    return person_with(*given, sessions_.get());
  const auto* said = x.header("scratchpage-caller");
  if (said == nullptr)
    return nameless(may_);
  auto by = access::read_claim(*said, highest_, may_);
  if (!by)
    return by.error();
  return visitor{std::move(*by)};
}

} // namespace scratchpage::serve
