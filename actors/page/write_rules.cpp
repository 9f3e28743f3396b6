#include "scratchpage/actors/page/write_rules.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/actors/policies/consent_question.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

bool is_tool(const caller& by) {
  return by.role == role::tool;
}

/// The deciding members that agents and persons may write in their own observations. Decisions by
/// these consider the source.
constexpr std::array<std::string_view, 11> open_members{"action", "alternative", "attempt",
  "backoff_ms", "call_id", "error_class", "fact", "instead_of", "outcome", "prefer", "urgency"};

bool may_write(std::string_view member, const caller& by) {
  return !is_tool(by)
         && std::find(open_members.begin(), open_members.end(), member) != open_members.end();
}

const json::value* value_of(const json::object& metadata, std::string_view member) {
  return metadata.if_contains(json::string_view{member.data(), member.size()});
}

bool is_same(const json::value* a, const json::value* b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

caf::error refuse_member(std::string_view member, bool was_there, const caller& by) {
  auto expected = was_there     ? "expected no change: the ensemble uses it for decisions"
                  : is_tool(by) ? "expected none from a tool: daemons use it for decisions"
                                : "expected none from outside: the ensemble uses it for decisions";
  return fail(errc::forbidden, "metadata." + std::string{member}, expected);
}

/// Callers from outside may not add, change or remove deciding members.
caf::error check_deciding(
  const json::object& before, const json::object& after, const caller& by, bool is_own) {
  if (before.empty() && after.empty())
    return {};
  for (auto member : deciding_members()) {
    const auto* was = value_of(before, member);
    if (!(is_own && may_write(member, by)) && !is_same(was, value_of(after, member)))
      return refuse_member(member, was != nullptr, by);
  }
  return {};
}

/// A tool reports only about itself, because a report counts for the tool that it names.
caf::error check_tool_id(const json::object& metadata, const caller& by) {
  const auto* id = value_of(metadata, "tool_id");
  if (!is_tool(by) || id == nullptr || id->is_null()
      || (id->is_string() && id->get_string() == by.name))
    return {};
  return fail(errc::forbidden, "metadata.tool_id", "expected the tool's own name");
}

caf::error check_metadata(
  const json::object& before, const json::object& after, const caller& by, bool is_own) {
  if (auto err = check_deciding(before, after, by, is_own))
    return err;
  return check_tool_id(after, by);
}

bool has_name_of_source(const observation& x, const caller& by) {
  return x.source.kind == by.kind && x.source.name == by.name;
}

/// Whether the observation is the caller's own. What a tool added in one turn is not its own in
/// another, where it may have been decided on already.
bool is_own(const observation& x, const caller& by) {
  return has_name_of_source(x, by) && x.source.relayed_by == by.relayed_by
         && (!is_tool(by) || x.source.turn_id == by.turn_id);
}

/// Whether the observation is resolved or answered, so that its words stay.
bool is_settled(const observation& x) {
  return !is_live(x.status) || x.metadata.contains("answer_id");
}

/// The name of the first member of `x` that changes the words of an observation; "": none does.
std::string_view changed_words(const observation_changes& x) {
  return x.content      ? "content"
         : x.confidence ? "confidence"
         : x.tags       ? "tags"
         : x.context    ? "context"
         : x.metadata   ? "metadata"
         : x.owner      ? "owner"
                        : "";
}

/// Why `by` may not change the words of `x`, for an error; "" if it may.
std::string fixed_words(const observation& x, const caller& by) {
  if (x.type == "user_input")
    return "expected no change of the words of an input";
  if (x.type == "agent_response")
    return "expected no change of the words of a response";
  if (is_settled(x))
    return "expected no change of the words of a resolved or answered observation";
  if (x.type == "pending_confirmation")
    return "expected no change of the words of a question: archive it and ask another one";
  if (is_own(x, by) || is_owner(by))
    return {};
  return "expected no change of the words of " + x.source.name;
}

/// Why `by` may not extend the lifetime of `x`, for an error; "" if it may. The lifetime is part of
/// what a person has said, and of what the ensemble decides by.
std::string fixed_life(const observation& x, const caller& by) {
  auto speaks_as = [&](const std::string& user) { return is_person(by) && by.name == user; };
  if (is_owner(by))
    return {};
  if (x.source.kind == source_kind::user)
    return speaks_as(x.source.name)
             ? ""
             : "expected no extension of the lifetime of an observation of " + x.source.name;
  if (auto question = read_consent_question(x))
    return speaks_as(question->user)
             ? ""
             : "expected no extension of the lifetime of a question to " + question->user;
  if (is_of_ensemble(x.source) && !is_person(by))
    return "expected no extension of the lifetime of an observation of the ensemble";
  return {};
}

} // namespace

const std::vector<std::string_view>& deciding_members() {
  static const std::vector<std::string_view> all{"action", "alert_id", "alert_ids", "alternative",
    "answer", "answer_id", "answered_by", "attempt", "backoff_ms", "by_owner", "call", "call_id",
    "call_ids", "confirmation_id", "consent_for", "consent_of", "error_alert_id", "error_class",
    "fact", "fact_key", "input_id", "instead_of", "mandate_id", "outcome", "parallel", "plan",
    "planned_by", "prefer", "reported", "resolved_as", "resolved_by", "resumed", "urgency",
    "verdict"};
  return all;
}

write_rules::write_rules(std::vector<std::string> tool_types)
  : tool_types_{std::move(tool_types)} {
  std::sort(tool_types_.begin(), tool_types_.end()); // the order in the text of an error
}

caf::error write_rules::check(const observation_draft& draft, const caller& by) const {
  if (auto err = check_type(draft.type, by))
    return err;
  return by.outside ? check_metadata({}, draft.metadata, by, true) : caf::error{};
}

caf::error write_rules::check(
  const observation_draft& draft, const caller& by, const type_registry& types) const {
  if (types.knows(draft.type))
    return check(draft, by);
  std::vector<std::string> may_add;
  for (const auto& one : types.all())
    if (!check_type(one, by))
      may_add.push_back(one);
  return type_registry::unknown(draft.type, may_add);
}

caf::error write_rules::check_type(const std::string& type, const caller& by) const {
  if (by.outside && type == "user_input")
    return fail(errc::forbidden, "type", "expected another type: only begin_turn adds inputs");
  if (by.outside && type == "agent_response")
    return fail(errc::forbidden, "type", "expected another type: only end_turn adds responses");
  if (!is_tool(by) || std::find(tool_types_.begin(), tool_types_.end(), type) != tool_types_.end())
    return {};
  std::string expected = "expected a type that tools may add, not '" + type + "':";
  for (const auto& known : tool_types_)
    expected.append(&known == &tool_types_.front() ? " " : ", ").append(known);
  return fail(errc::forbidden, "type", expected);
}

caf::error write_rules::check(
  const observation& current, const observation_changes& changes, const caller& by) {
  if (!by.outside)
    return {};
  if (auto words = changed_words(changes); !words.empty())
    if (auto expected = fixed_words(current, by); !expected.empty())
      return fail(errc::forbidden, words, expected);
  if (!changes.metadata)
    return {};
  return check_metadata(current.metadata, *changes.metadata, by, is_own(current, by));
}

caf::error write_rules::check_author(const observation& x, const caller& by) {
  // What a call of the ensemble gave has a turn. A tool from outside, which has none, did not add
  // it, also if it has the same name.
  auto is_of_call = by.outside && x.source.turn_id != by.turn_id;
  if (!is_tool(by) || (has_name_of_source(x, by) && !is_of_call))
    return {};
  auto turn = x.source.turn_id.empty() ? "" : " in " + x.source.turn_id;
  return fail(errc::forbidden, "observation_id",
    "a tool may change only what it added itself; " + x.observation_id + " is from " + x.source.name
      + turn);
}

caf::error write_rules::check_life(
  const observation& before, const observation& after, const caller& by) {
  if (!by.outside || after.expires_at <= before.expires_at)
    return {};
  auto expected = fixed_life(before, by);
  return expected.empty() ? caf::error{} : fail(errc::forbidden, "ttl_minutes", expected);
}

} // namespace scratchpage
