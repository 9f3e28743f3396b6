#include "scratchpage/runtime/auth/caller_claim.hpp"

#include <optional>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/principal_name.hpp"

namespace scratchpage::access {

namespace {

constexpr std::string_view header = "scratchpage-caller";

/// An identity and nothing else: turns and causes are not for clients to claim.
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
  if (name.empty() || name.size() > most_name_bytes)
    return fail(errc::invalid_request, header, "expected a name of 1 to 128 bytes");
  if (!is_plain_name(name))
    return fail(errc::invalid_request, header, "expected " + std::string{plain_name});
  if (looks_like_component(name))
    return fail(errc::forbidden, header, "expected a name that is none of the ensemble's");
  return {};
}

} // namespace

std::string claim_of(const caller& x) {
  return to_text(to_json(caller_claim{x.role, x.kind, x.name}));
}

caf::expected<caller> read_claim(std::string_view text, role highest, claims may) {
  auto said = from_json_text<caller_claim>(text, {4'096, 2});
  if (!said)
    return fail(errc::invalid_request, header, "expected a caller: " + describe(said.error()));
  if (auto err = check_name(said->name))
    return err;
  if (said->role > highest)
    return fail(
      errc::forbidden, header, "expected at most the role " + std::string{name_of(highest)});
  auto kind = said->kind.value_or(kind_of(said->role));
  if (kind == source_kind::user && may == claims::of_programs)
    return fail(errc::forbidden, header,
      "expected a tool or a daemon; 'scratchpage page' prints the address that lets a person in");
  if (kind == source_kind::user ? said->role == role::tool : kind != kind_of(said->role))
    return fail(errc::invalid_request, header, "expected a kind that goes with the role");
  caller result{said->role, kind, std::move(said->name)};
  result.claimed = may == claims::of_programs;
  return result;
}

} // namespace scratchpage::access
