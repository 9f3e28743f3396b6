#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

class type_registry;

/// Which caller may write what (contract 14, "Whose word counts"). A draft or change that breaks a
/// rule is refused as a whole as `forbidden`, and the error names the member.
///
/// - A tool adds only observations of the types that tools may add, and changes only its own.
/// - Callers from outside do not write members of the metadata that the ensemble uses for its
///   decisions. Agents and persons may write some of these members in their own observations,
///   because decisions by those consider the source.
/// - Only TURNS adds `user_input` and `agent_response`, because it knows the user of the input.
/// - Callers from outside change the words of their own observations only; the owner of the agents
///   changes all. Nobody changes the words of inputs and questions, and of observations that are
///   resolved or answered.
/// - The lifetime of a person's observation is extended only by that person or the owner, that of a
///   question for consent only by the person who is asked or the owner, and that of an observation
///   of the ensemble only by a person.
class write_rules {
public:
  /// `tool_types` are the types that tools may add.
  explicit write_rules(std::vector<std::string> tool_types);

  caf::error check(const observation_draft& draft, const caller& by) const;

  /// As above. A type that is not registered is refused as `unknown_type`; the error has the types
  /// that this caller may add.
  caf::error check(
    const observation_draft& draft, const caller& by, const type_registry& types) const;

  static caf::error check(
    const observation& current, const observation_changes& changes, const caller& by);

  /// Checks whether the caller may change or archive the observation at all: a tool only what it
  /// added itself, and a tool from outside nothing that a call of the ensemble gave, even if the
  /// tool has the same name.
  static caf::error check_author(const observation& x, const caller& by);

  /// Checks a change of the lifetime from that of `before` to that of `after`.
  static caf::error check_life(
    const observation& before, const observation& after, const caller& by);

private:
  caf::error check_type(const std::string& type, const caller& by) const;

  std::vector<std::string> tool_types_; // sorted
};

/// The members of an observation's metadata that the ensemble uses for decisions. A tool may write
/// none of them, and other callers from outside only a few (docs/security.md).
const std::vector<std::string_view>& deciding_members();

/// Returns `forbidden` for a tool, which may only add, query, and change its own observations
/// (contract 12). `what` completes "a tool may not …".
inline caf::error daemons_only(const caller& by, std::string_view what) {
  if (by.role != role::tool)
    return {};
  return fail(errc::forbidden, "by.role", "a tool may not " + std::string{what});
}

} // namespace scratchpage
