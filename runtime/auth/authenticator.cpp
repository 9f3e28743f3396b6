#include "scratchpage/runtime/auth/authenticator.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/messages/text/display_text.hpp"

namespace scratchpage {

namespace {

caf::error refusal_of_name(std::string_view name) {
  if (looks_like_component(name))
    return fail(errc::forbidden, "by.name",
      "expected a name that no component of the agent has, not '" + escaped(name) + "'");
  if (!is_plain_name(name))
    return fail(errc::forbidden, "by.name",
      "expected " + std::string{plain_name} + ", not '" + escaped(name) + "'");
  return {};
}

} // namespace

/// Most requests come from the caller of the request before, and the result depends on the name
/// alone, so each thread remembers the last name that it has accepted.
caf::error check_name(std::string_view name) {
  static thread_local std::string accepted;
  if (!accepted.empty() && name == accepted)
    return {};
  auto result = refusal_of_name(name);
  if (!result)
    accepted = name;
  return result;
}

} // namespace scratchpage

namespace scratchpage::auth {

namespace {

constexpr std::string_view header = "authorization";

/// A session that has ended is an error. The client must not act under another name instead.
caf::expected<principal> person_with(
  const std::string& authorization, const person_sessions* sessions) {
  auto bearer = http::bearer_in(authorization);
  auto who = bearer && sessions != nullptr ? sessions->find(*bearer) : std::nullopt;
  if (!who)
    return fail(errc::unauthenticated, header,
      "expected a session of this server; 'scratchpage page' prints an address that opens one");
  return principal{std::move(*who)};
}

/// A client without a name is as unverified as one that claims a name.
principal nameless(claims may) {
  principal result{as_daemon("http_client")};
  result.by.claimed = may == claims::of_programs;
  return result;
}

principal principal_with(const identity& who) {
  principal result{as_caller(who)};
  result.may_write = who.right == right::write;
  result.check_agent = [who](const std::string& agent_id) {
    return check(who, {agent_id, who.role, right::read});
  };
  return result;
}

} // namespace

caf::expected<principal> trusting_authenticator::admit(const http::request& x) {
  if (const auto* given = x.header(header); given != nullptr && sessions_)
    return person_with(*given, sessions_.get());
  const auto* said = x.header("scratchpage-caller");
  if (said == nullptr)
    return nameless(may_);
  auto by = read_claim(*said, highest_, may_);
  if (!by)
    return by.error();
  return principal{std::move(*by)};
}

token_authenticator::token_authenticator(
  token_file file, std::shared_ptr<const clock> clock, std::unique_ptr<authenticator> without_file)
  : clock_{std::move(clock)},
    tokens_{std::move(file)},
    without_file_{std::move(without_file)} {}

caf::expected<principal> token_authenticator::admit(const http::request& x) {
  auto now = clock_->now();
  if (!asks_for_tokens(now))
    return without_file_->admit(x);
  const auto* given = x.header(header);
  auto bearer = given == nullptr ? std::nullopt : http::bearer_in(*given);
  if (!bearer)
    return fail(errc::unauthenticated, header, "expected a token: Bearer sp_…");
  auto who = tokens_.check(*bearer, now);
  if (!who)
    return who.error();
  if (auto err = check_name(who->name)) // an old token may have a name that is not allowed now
    return err;
  return principal_with(*who);
}

person_sessions* token_authenticator::persons() {
  return asks_for_tokens() ? nullptr : without_file_->persons();
}

bool token_authenticator::asks_for_tokens() {
  return asks_for_tokens(clock_->now());
}

bool token_authenticator::asks_for_tokens(timestamp now) {
  return !without_file_ || tokens_.asks_for_tokens(now);
}

caf::expected<bool> token_authenticator::has_valid() {
  return tokens_.has_valid(clock_->now());
}

} // namespace scratchpage::auth
