#include "scratchpage/runtime/server/token_door.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/principal_rules.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/net/http/bearer.hpp"

namespace scratchpage::serve {

namespace {

constexpr std::string_view header = "authorization";

visitor visitor_of(const access::identity& who) {
  visitor result{access::as_caller(who)};
  result.may_write = who.right == access::right::write;
  result.check_agent = [who](const std::string& agent_id) {
    return access::check(who, {agent_id, who.role, access::right::read});
  };
  return result;
}

} // namespace

token_door::token_door(access::token_file file, std::shared_ptr<const clock> clock,
  std::unique_ptr<doorkeeper> without_file)
  : clock_{std::move(clock)},
    tokens_{std::move(file)},
    without_file_{std::move(without_file)} {}

caf::expected<visitor> token_door::admit(const http::request& x) {
  auto now = clock_->now();
  if (!asks_for_tokens(now))
    return without_file_->admit(x);
  const auto* given = x.header(header);
  auto bearer = given == nullptr ? std::nullopt : access::bearer_in(*given);
  if (!bearer)
    return fail(errc::unauthenticated, header, "expected a token: Bearer sp_…");
  auto who = tokens_.check(*bearer, now);
  if (!who)
    return who.error();
  if (auto err = check_name(who->name)) // of a token that was made when more was allowed
    return err;
  return visitor_of(*who);
}

access::person_sessions* token_door::persons() {
  return asks_for_tokens() ? nullptr : without_file_->persons();
}

bool token_door::asks_for_tokens() {
  return asks_for_tokens(clock_->now());
}

bool token_door::asks_for_tokens(timestamp now) {
  return !without_file_ || tokens_.asks_for_tokens(now);
}

caf::expected<bool> token_door::has_valid() {
  return tokens_.has_valid(clock_->now());
}

} // namespace scratchpage::serve
