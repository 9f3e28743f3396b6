#include "scratchpage/actors/page/write_rules.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/component_names.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

bool is_tool(const caller& by) {
  return by.role == role::tool;
}

/// A tool reports about itself: what it says of another tool would count for that one.
caf::error check_tool_id(const json::object& metadata, const caller& by) {
  const auto* id = metadata.if_contains("tool_id");
  if (id == nullptr || id->is_null() || (id->is_string() && id->get_string() == by.name))
    return {};
  return fail(errc::forbidden, "metadata.tool_id", "expected the tool's own name");
}

caf::error check_tool_metadata(const json::object& metadata, const caller& by) {
  for (const auto& [name, value] : metadata) {
    const auto& all = deciding_members();
    if (std::binary_search(all.begin(), all.end(), std::string_view{name}))
      return fail(errc::forbidden, "metadata." + std::string{name},
        "expected none from a tool: daemons decide by it");
  }
  return check_tool_id(metadata, by);
}

bool is_own(const observation& x, const caller& by) {
  return x.source.kind == by.kind && x.source.name == by.name
         && x.source.relayed_by == by.relayed_by;
}

/// Said by a person, or decided by the ensemble.
bool is_authentic(const observation& x) {
  return x.source.kind == source_kind::user
         || (x.source.kind == source_kind::daemon && is_component(x.source.name));
}

/// The first member of `changes` that changes what an observation says; "": none does.
std::string_view changed_words(const observation_changes& x) {
  return x.content      ? "content"
         : x.confidence ? "confidence"
         : x.tags       ? "tags"
         : x.context    ? "context"
         : x.metadata   ? "metadata"
                        : "";
}

} // namespace

const std::vector<std::string_view>& deciding_members() {
  static const std::vector<std::string_view> all{"action", "alert_id", "alternative", "answer",
    "answer_id", "answered_by", "attempt", "backoff_ms", "by_owner", "call", "call_id",
    "confirmation_id", "consent_for", "consent_of", "error_class", "fact", "fact_key", "input_id",
    "instead_of", "mandate_id", "outcome", "parallel", "plan", "prefer", "resolved_as", "resumed",
    "urgency", "verdict"};
  return all;
}

write_rules::write_rules(std::vector<std::string> tool_types)
  : tool_types_{std::move(tool_types)} {
  std::sort(tool_types_.begin(), tool_types_.end());
}

caf::error write_rules::check(const observation_draft& draft, const caller& by) const {
  if (auto err = check_type(draft.type, by))
    return err;
  return is_tool(by) && by.outside ? check_tool_metadata(draft.metadata, by) : caf::error{};
}

caf::error write_rules::check_type(const std::string& type, const caller& by) const {
  if (by.outside && type == "user_input")
    return fail(errc::forbidden, "type", "expected another type: begin_turn puts a user's input");
  if (!is_tool(by) || std::binary_search(tool_types_.begin(), tool_types_.end(), type))
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
  if (is_tool(by) && changes.metadata)
    if (auto err = check_tool_metadata(*changes.metadata, by))
      return err;
  auto words = changed_words(changes);
  if (words.empty() || is_own(current, by) || is_owner(by) || !is_authentic(current))
    return {};
  return fail(errc::forbidden, words,
    "expected the words of " + current.source.name + " to stay as they are");
}

} // namespace scratchpage
