#include "scratchpage/runtime/auth/person_sessions.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/token.hpp"

namespace scratchpage::access {

std::string person_sessions::make_key(timestamp now) {
  auto made = make_token();
  if (!made)
    return {};
  std::lock_guard lock{guard_};
  if (keys_.size() >= most_keys)
    keys_.pop_front();
  keys_.push_back({hash_of(made->secret), now});
  return made->secret;
}

caf::expected<std::string> person_sessions::open(std::string_view key, timestamp now) {
  auto refused = fail(errc::forbidden, "key",
    "expected one that was not used yet; 'scratchpage page' prints an address with a new one");
  auto made = make_token();
  if (!made)
    return fail(errc::internal, "", "the system has no random numbers");
  std::lock_guard lock{guard_};
  std::erase_if(keys_, [now](const auto& x) { return now - x.made_at > key_lifetime; });
  auto wanted = hash_of(key);
  auto used = std::find_if(
    keys_.begin(), keys_.end(), [&](const auto& x) { return is_same_hash(x.hash, wanted); });
  if (used == keys_.end())
    return refused;
  keys_.erase(used);
  if (sessions_.size() >= most_sessions)
    sessions_.pop_front();
  sessions_.push_back(hash_of(made->secret));
  return to_text(*made);
}

std::optional<caller> person_sessions::find(std::string_view bearer) const {
  auto given = read_token(bearer);
  if (!given)
    return std::nullopt;
  auto wanted = hash_of(given->secret);
  std::lock_guard lock{guard_};
  auto is_it = [&](const std::string& x) { return is_same_hash(x, wanted); };
  if (std::none_of(sessions_.begin(), sessions_.end(), is_it))
    return std::nullopt;
  return as_admin(name_);
}

void person_sessions::set_url(std::string url) {
  std::lock_guard lock{guard_};
  url_ = std::move(url);
}

std::string person_sessions::address(timestamp now) {
  auto key = make_key(now);
  std::lock_guard lock{guard_};
  return url_ + "/#key=" + key;
}

} // namespace scratchpage::access
