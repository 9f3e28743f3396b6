#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

/// Who may write what (contract 14, "Whose word counts"). Drafts and changes that break
/// a rule are `forbidden` as a whole, and the error names the member.
///
/// - A tool adds observations of the types that are open to tools.
/// - Nobody from outside writes a member of the metadata that somebody decides by. Agents and
///   persons may write a few of them as their own word, for what is decided by these depends
///   on the source.
/// - `user_input` comes from TURNS alone: a turn's edge knows whose words they are.
/// - Whoever comes from outside changes their own words and leaves those of others as they
///   are; the agent's owner may change them. Inputs, questions, and what is resolved or
///   answered stay as they were said, whoever asks.
/// - What a person has said lives longer only if they or the owner want it to, a question for
///   consent only if whoever is asked does, and what the ensemble wrote only if a person does.
class write_rules {
public:
  /// `tool_types` are those that tools may add.
  explicit write_rules(std::vector<std::string> tool_types);

  caf::error check(const observation_draft& draft, const caller& by) const;

  static caf::error check(
    const observation& current, const observation_changes& changes, const caller& by);

  /// The same of a change that gives `before` the lifetime of `after`.
  static caf::error check_life(
    const observation& before, const observation& after, const caller& by);

private:
  caf::error check_type(const std::string& type, const caller& by) const;

  std::vector<std::string> tool_types_; // sorted
};

/// The members of an observation's metadata that somebody decides by. A tool from outside may
/// write none of them, and nobody else from outside most of them (docs/security.md).
const std::vector<std::string_view>& deciding_members();

} // namespace scratchpage
