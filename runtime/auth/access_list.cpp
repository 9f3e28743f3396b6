#include "scratchpage/runtime/auth/access_list.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/token.hpp"

namespace scratchpage::auth {

namespace {

caf::error refused(std::string_view expected) {
  return fail(errc::unauthenticated, "token", expected);
}

constexpr timespan between_looks = std::chrono::seconds{1};

} // namespace

bool matches(std::string_view pattern, std::string_view id) {
  // If what follows the last `*` does not match, the search goes on one character later.
  size_t p = 0, i = 0, after_star = std::string_view::npos, retry = 0;
  while (i < id.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry = i;
    } else if (p < pattern.size() && pattern[p] == id[i]) {
      ++p;
      ++i;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      i = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

caf::error check(const identity& who, const intent& what) {
  auto is_theirs = [&what](const std::string& pattern) { return matches(pattern, what.agent_id); };
  if (std::none_of(who.agents.begin(), who.agents.end(), is_theirs))
    return fail(errc::forbidden, "agent", "expected an agent that the token is for");
  if (what.role > who.role)
    return fail(errc::forbidden, "role", "expected '" + to_string(who.role) + "' at most");
  if (what.right > who.right)
    return fail(errc::forbidden, "right", "expected a token that may write");
  return {};
}

caller as_caller(const identity& who) {
  auto kind = who.role == role::tool ? source_kind::tool : source_kind::daemon;
  return {who.role, who.person ? source_kind::user : kind, who.name};
}

access_list::access_list(std::vector<token_entry> tokens) {
  for (auto& x : tokens) {
    auto id = x.id;
    by_id_.insert_or_assign(std::move(id), std::move(x));
  }
}

caf::expected<identity> access_list::check(std::string_view bearer, timestamp now) const {
  auto given = read_token(bearer);
  if (!given)
    return refused("expected a token that 'scratchpage token add' has made");
  static const std::string no_hash(hash_of("").size(), '0');
  auto found = by_id_.find(given->id);
  auto is_known = found != by_id_.end();
  auto is_right = is_same_hash(hash_of(given->secret), is_known ? found->second.hash : no_hash);
  if (!is_known || !is_right)
    return refused("expected a token that is known here");
  const auto& x = found->second;
  switch (state_of(x, now)) {
  case token_state::expired:
    return refused("expected a token that has not expired");
  case token_state::revoked:
    return refused("expected a token that was not revoked");
  default:
    return identity{x.id, x.name, x.agents, x.role, x.right, is_persons(x)};
  }
}

bool access_list::has_valid(timestamp now) const {
  return std::any_of(by_id_.begin(), by_id_.end(),
    [now](const auto& x) { return state_of(x.second, now) == token_state::valid; });
}

caf::expected<identity> reloading_access_list::check(std::string_view bearer, timestamp now) {
  caf::error why;
  auto from = list(now, why);
  if (!from)
    return fail(errc::storage_unavailable, "token", "the list of tokens cannot be read");
  return from->check(bearer, now);
}

caf::expected<bool> reloading_access_list::has_valid(timestamp now) {
  caf::error why;
  auto from = list(now, why);
  if (!from)
    return why;
  return from->has_valid(now);
}

bool reloading_access_list::asks_for_tokens(timestamp now) {
  std::lock_guard guard{mutex_};
  look(now);
  return had_file_;
}

reloading_access_list::list_ptr reloading_access_list::list(timestamp now, caf::error& why) {
  std::lock_guard guard{mutex_};
  look(now);
  why = trouble_;
  return list_;
}

void reloading_access_list::look(timestamp now) {
  // `now` is before the last look if the clock was set back.
  if (!looked_at_ || now < *looked_at_ || now - *looked_at_ >= between_looks) {
    auto is_first = !looked_at_;
    looked_at_ = now;
    // An unreadable file is always tried again: a new mode does not change its stamp.
    if (is_first || trouble_ || file_.stamp() != stamp_)
      read();
  }
}

void reloading_access_list::read() {
  auto had_trouble = static_cast<bool>(trouble_);
  auto found = file_.read();
  if (found) {
    list_ = std::make_shared<const access_list>(std::move(found->tokens));
    stamp_ = found->stamp;
    had_file_ = had_file_ || stamp_.has_value();
    trouble_ = {};
    return;
  }
  had_file_ = true; // a file that cannot be read exists
  list_ = nullptr;
  stamp_ = std::nullopt;
  trouble_ = found.error();
  if (!had_trouble && tell_)
    tell_(trouble_);
}

} // namespace scratchpage::auth
