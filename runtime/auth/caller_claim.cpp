#include "scratchpage/runtime/auth/caller_claim.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/runtime/auth/token.hpp"

namespace scratchpage::auth {

namespace {

constexpr std::string_view claimed_header = "scratchpage-caller";

/// A client may claim an identity, but no turn and no cause.
struct caller_claim {
  scratchpage::role role = scratchpage::role::tool;
  std::optional<source_kind> kind;
  std::string name;

  static constexpr auto fields(auto all) {
    using self = caller_claim;
    return all(
      required("role", &self::role), optional("kind", &self::kind), required("name", &self::name));
  }
};

source_kind kind_of(role x) {
  return x == role::tool ? source_kind::tool : source_kind::daemon;
}

caf::error check_name(const std::string& name) {
  if (name.empty() || name.size() > max_name_bytes)
    return fail(errc::invalid_request, claimed_header, "expected a name of 1 to 128 bytes");
  if (!is_plain_name(name))
    return fail(errc::invalid_request, claimed_header, "expected " + std::string{plain_name});
  if (looks_like_component(name))
    return fail(
      errc::forbidden, claimed_header, "expected a name that no component of the agent has");
  return {};
}

} // namespace

std::string claim_of(const caller& x) {
  return scratchpage::to_text(to_json(caller_claim{x.role, x.kind, x.name}));
}

caf::expected<caller> read_claim(std::string_view text, role highest, claims may) {
  auto said = from_json_text<caller_claim>(text, {4'096, 2});
  if (!said)
    return fail(errc::invalid_request, claimed_header,
      R"(expected a caller such as {"role": "tool", "name": "weather_api"}; )"
        + describe(said.error()));
  if (auto err = check_name(said->name))
    return err;
  if (said->role > highest)
    return fail(errc::forbidden, claimed_header,
      "expected at most the role " + std::string{name_of(highest)});
  auto kind = said->kind.value_or(kind_of(said->role));
  if (kind == source_kind::user && may == claims::of_programs)
    return fail(errc::forbidden, claimed_header,
      "expected a tool or a daemon; 'scratchpage page' prints the address that lets a person in");
  if (kind == source_kind::user ? said->role == role::tool : kind != kind_of(said->role))
    return fail(errc::invalid_request, claimed_header, "expected a kind that goes with the role");
  caller result{said->role, kind, std::move(said->name)};
  result.claimed = may == claims::of_programs;
  return result;
}

std::string person_sessions::make_key(timestamp now) {
  auto made = make_token();
  if (!made)
    return {};
  std::lock_guard lock{guard_};
  if (keys_.size() >= max_keys)
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
  if (sessions_.size() >= max_sessions)
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

} // namespace scratchpage::auth
