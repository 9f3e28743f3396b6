#include "scratchpage/actors/page/draft_rules.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "scratchpage/actors/page/near_types.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_length = 64;
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view others = "abcdefghijklmnopqrstuvwxyz0123456789_";

caf::error refuse(std::string_view field, std::string expected) {
  return fail(errc::invalid_observation, field, "expected " + std::move(expected));
}

caf::error check_content_size(const std::string& content) {
  if (content.size() > draft_limits::content_bytes)
    return refuse("content", "at most 65536 bytes, got " + std::to_string(content.size()));
  return {};
}

caf::error check_content(const std::string& content) {
  if (auto err = check_content_size(content))
    return err;
  if (utf8::is_blank(content))
    return refuse("content", "a text that is not blank");
  if (!utf8::is_valid(content))
    return refuse("content", "valid UTF-8");
  return {};
}

caf::error check_tag_count(const std::vector<std::string>& tags, size_t limit) {
  if (tags.size() > limit)
    return refuse("tags", "at most 32 tags, got " + std::to_string(tags.size()));
  return {};
}

/// Checks each tag, and removes duplicates except the first. Too many tags are refused before the
/// tags are checked.
caf::error check_tags(std::vector<std::string>& tags) {
  if (auto err = check_tag_count(tags, draft_limits::given_tags))
    return err;
  for (size_t i = 0; i < tags.size(); ++i)
    if (tags[i].empty() || !is_key_text(tags[i])
        || utf8::length(tags[i]) > draft_limits::tag_characters)
      return refuse("tags[" + std::to_string(i) + "]", "1 to 64 characters of UTF-8, not U+0000");
  auto end = tags.end();
  for (auto i = tags.begin(); i != end; ++i)
    end = std::remove(i + 1, end, *i);
  tags.erase(end, tags.end());
  return check_tag_count(tags, draft_limits::tags);
}

caf::error check_owner(const std::string& owner) {
  if (owner.empty() || owner.size() > draft_limits::owner_bytes || !is_key_text(owner))
    return refuse("owner", "agent, user or a tool's name");
  return {};
}

bool is_empty(const json::value& value) {
  return value.is_object() ? value.get_object().empty() : value.get_array().empty();
}

/// Adds the number of scalars in `value` to `scalars`. Returns false as soon as `value` is deeper
/// than `depth`.
bool measure(const json::value& value, size_t depth, size_t& scalars) {
  if (value.is_structured()) {
    if (depth == 0)
      return false;
    scalars += is_empty(value) ? 1 : 0;
    if (value.is_array())
      return std::all_of(value.get_array().begin(), value.get_array().end(),
        [&](const auto& x) { return measure(x, depth - 1, scalars); });
    return std::all_of(value.get_object().begin(), value.get_object().end(),
      [&](const auto& x) { return measure(x.value(), depth - 1, scalars); });
  }
  ++scalars;
  return true;
}

caf::error check_context_size(const json::object& context) {
  if (!is_within(context, draft_limits::context_bytes))
    return refuse("context", "at most 65536 bytes of JSON");
  return {};
}

caf::error check_context(const json::object& context) {
  if (auto err = check_context_size(context))
    return err;
  size_t scalars = 0;
  for (const auto& [key, value] : context)
    if (!measure(value, draft_limits::context_depth - 1, scalars))
      return refuse("context." + std::string{key}, "at most 8 levels");
  if (scalars > draft_limits::context_scalars)
    return refuse("context", "at most 64 values, got " + std::to_string(scalars));
  return {};
}

caf::error check_metadata(const json::object& metadata) {
  if (!is_within(metadata, draft_limits::metadata_bytes))
    return refuse("metadata", "at most 65536 bytes of JSON");
  return {};
}

/// Clamps a confidence to [0, 1], with a warning. Refuses NaN.
caf::error check_confidence(double& confidence, std::vector<std::string>& warnings) {
  if (std::isnan(confidence))
    return refuse("confidence", "a number in [0, 1]");
  auto clamped = std::clamp(confidence, 0.0, 1.0);
  if (clamped != confidence)
    warnings.push_back("confidence: " + to_text(json::value(confidence)) + " is outside [0, 1]; "
                       + to_text(json::value(clamped)) + " is used");
  confidence = clamped;
  return {};
}

void check_ttl(double& ttl, double default_ttl, std::vector<std::string>& warnings) {
  if (ttl >= 0 && ttl <= draft_limits::max_ttl_minutes)
    return;
  warnings.push_back("ttl_minutes: " + to_text(json::value(ttl))
                     + " is outside [0, 525600]; the default, " + to_text(json::value(default_ttl))
                     + ", is used");
  ttl = default_ttl;
}

source identity_of(const caller& by, timestamp now) {
  return {by.kind, by.name, by.turn_id, now, by.relayed_by};
}

bool is_same(const json::object& a, const json::object& b, std::string_view member) {
  json::string_view key{member.data(), member.size()};
  const auto* x = a.if_contains(key);
  const auto* y = b.if_contains(key);
  return x == nullptr || y == nullptr ? x == y : *x == *y;
}

bool has_same_answer(const json::object& a, const json::object& b) {
  return is_same(a, b, "answer") && is_same(a, b, "answered_by") && is_same(a, b, "answer_id");
}

/// Whether `by` resolved it, in the same turn.
bool is_resolved_by(const observation& x, const caller& by) {
  return x.resolved_by && x.resolved_by->kind == by.kind && x.resolved_by->name == by.name
         && x.resolved_by->turn_id == by.turn_id && x.resolved_by->relayed_by == by.relayed_by;
}

/// The first answer, and who gave it, cannot be changed: several callers may have seen the question
/// open.
caf::error check_answer(
  const observation& current, const observation_changes& changes, const caller& by) {
  if (!changes.metadata)
    return {};
  auto is_answered = current.metadata.contains("answer_id");
  if (is_answered && !has_same_answer(current.metadata, *changes.metadata))
    return fail(errc::conflict, "metadata.answer_id", "expected no change of the existing answer");
  auto is_answer = !is_answered && changes.metadata->contains("answer_id");
  if (is_answer && !is_live(current.status) && !is_resolved_by(current, by))
    return fail(errc::conflict, "metadata.answer_id",
      "expected no answer to an observation that somebody else has resolved");
  return {};
}

/// The time of the source: the claimed time if it is not in the future, otherwise `now`, with a
/// warning.
timestamp noticed_at(timestamp claimed, timestamp now, std::vector<std::string>& warnings) {
  auto at = to_milliseconds(claimed);
  if (at <= now)
    return at;
  warnings.push_back("source.timestamp: " + to_rfc3339(at) + " is later than the page's time; "
                     + to_rfc3339(now) + " is used");
  return now;
}

source identify(const std::optional<source>& claim, const caller& by, timestamp now,
  std::vector<std::string>& warnings) {
  auto result = identity_of(by, now);
  if (!claim)
    return result;
  if (claim->at != timestamp{})
    result.at = noticed_at(claim->at, now, warnings);
  if (claim->kind != by.kind || claim->name != by.name
      || (!claim->turn_id.empty() && claim->turn_id != by.turn_id))
    warnings.emplace_back("source: the caller's identity replaces the claimed one");
  return result;
}

/// The statuses that may follow, for an error.
std::string next_statuses(status from) {
  std::string result;
  for (auto to : {status::active, status::pending_review, status::resolved, status::archived})
    if (may_become(from, to))
      result.append(result.empty() ? "" : ", ").append(name_of(to));
  return result.empty() ? "stay as it is" : result;
}

template <class... Errors>
caf::error first_of(Errors... errors) {
  caf::error result;
  ((result = result ? std::move(result) : std::move(errors)), ...);
  return result;
}

} // namespace

type_registry::type_registry(const std::vector<std::string>& types) {
  for (const auto& type : types)
    if (is_well_formed(type))
      types_.push_back(type);
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  types_.shrink_to_fit(); // every page has them
}

bool type_registry::knows(std::string_view type) const {
  return std::binary_search(types_.begin(), types_.end(), type);
}

caf::error type_registry::check(std::string_view type) {
  if (is_well_formed(type))
    return {};
  return fail(errc::invalid_request, "type",
    "expected a lower-case letter, then at most 63 letters, digits or underscores");
}

caf::error type_registry::add(std::string_view type) {
  if (auto err = check(type))
    return err;
  auto i = std::lower_bound(types_.begin(), types_.end(), type);
  if (i == types_.end() || *i != type)
    types_.insert(i, std::string{type});
  return {};
}

caf::error type_registry::unknown(std::string_view type, const std::vector<std::string>& may_add) {
  auto expected = "'" + escaped(type.substr(0, max_length)) + "' is not registered";
  auto separator = "; did you mean ";
  for (const auto& near : near_types(type, may_add))
    expected.append(std::exchange(separator, " or ")).append(near);
  expected.append(*separator == ' ' ? "?" : ".").append(" You may add");
  separator = ": ";
  for (const auto& known : may_add)
    expected.append(std::exchange(separator, ", ")).append(known);
  expected += ". Add it again with one of these types (docs/types.md); the owner of the agent "
              "registers others";
  return fail(errc::unknown_type, "type", expected);
}

bool type_registry::is_well_formed(std::string_view type) {
  return !type.empty() && type.size() <= max_length
         && letters.find(type.front()) != std::string_view::npos
         && type.find_first_not_of(others) == std::string_view::npos;
}

caf::error check_sizes(const observation_draft& draft) {
  return first_of(check_content_size(draft.content),
    check_tag_count(draft.tags, draft_limits::given_tags), check_context_size(draft.context),
    check_metadata(draft.metadata));
}

caf::error check_sizes(const observation_changes& changes) {
  auto check = [](const auto& value, auto rule) { return value ? rule(*value) : caf::error{}; };
  auto count = [](const auto& tags) { return check_tag_count(tags, draft_limits::given_tags); };
  return first_of(check(changes.content, check_content_size), check(changes.tags, count),
    check(changes.context, check_context_size), check(changes.metadata, check_metadata));
}

caf::expected<accepted_draft> accept(observation_draft&& draft, const caller& by,
  const type_registry& types, double default_ttl_minutes, timestamp now) {
  if (!types.knows(draft.type))
    return types.unknown(draft.type);
  if (draft.status && !is_live(*draft.status))
    return refuse("status", "active or pending_review");
  accepted_draft result{std::make_shared<observation>(), {}};
  auto& x = *result.value;
  x.confidence = draft.confidence.value_or(x.confidence);
  x.owner = std::move(draft.owner).value_or(std::move(x.owner));
  if (auto err = first_of(check_content(draft.content), check_tags(draft.tags),
        check_owner(x.owner), check_context(draft.context), check_metadata(draft.metadata),
        check_confidence(x.confidence, result.warnings)))
    return err;
  x.ttl_minutes = draft.ttl_minutes.value_or(default_ttl_minutes);
  check_ttl(x.ttl_minutes, default_ttl_minutes, result.warnings);
  x.type = std::move(draft.type);
  x.content = std::move(draft.content);
  x.tags = std::move(draft.tags);
  x.source = identify(draft.source, by, now, result.warnings);
  x.context = std::move(draft.context);
  x.status = draft.status.value_or(status::active);
  x.metadata = std::move(draft.metadata);
  x.created_at = x.updated_at = now;
  x.expires_at = to_milliseconds(now + from_minutes(x.ttl_minutes));
  return result;
}

caf::expected<accepted_draft> apply(const observation& current, observation_changes changes,
  const caller& by, double default_ttl_minutes, timestamp now) {
  accepted_draft result{std::make_shared<observation>(current), {}};
  auto& x = *result.value;
  if (changes.status && *changes.status != current.status
      && !may_become(current.status, *changes.status))
    return fail(errc::invalid_transition, "status",
      to_string(current.status) + " cannot become " + to_string(*changes.status) + ", only "
        + next_statuses(current.status));
  if (auto err = check_answer(current, changes, by))
    return err;
  auto changes_context = changes.context.has_value();
  auto changes_metadata = changes.metadata.has_value();
  x.status = changes.status.value_or(x.status);
  if (x.status == status::resolved && current.status != status::resolved)
    x.resolved_by = identity_of(by, now);
  x.content = std::move(changes.content).value_or(std::move(x.content));
  x.tags = std::move(changes.tags).value_or(std::move(x.tags));
  x.owner = std::move(changes.owner).value_or(std::move(x.owner));
  x.context = std::move(changes.context).value_or(std::move(x.context));
  x.metadata = std::move(changes.metadata).value_or(std::move(x.metadata));
  x.confidence = changes.confidence.value_or(x.confidence);
  // Unchanged members are not checked: they may have been stored when the limits were higher.
  if (auto err = first_of(check_content(x.content), check_tags(x.tags), check_owner(x.owner),
        changes_context ? check_context(x.context) : caf::error{},
        changes_metadata ? check_metadata(x.metadata) : caf::error{},
        check_confidence(x.confidence, result.warnings)))
    return err;
  x.updated_at = now;
  if (changes.ttl_minutes) {
    x.ttl_minutes = *changes.ttl_minutes;
    check_ttl(x.ttl_minutes, default_ttl_minutes, result.warnings);
    x.expires_at = to_milliseconds(now + from_minutes(x.ttl_minutes));
  }
  ++x.revision;
  return result;
}

bool may_become(status from, status to) {
  switch (from) {
  case status::active:
    return to == status::pending_review || to == status::resolved || to == status::archived;
  case status::pending_review:
    return to == status::active || to == status::resolved || to == status::archived;
  case status::resolved:
    return to == status::archived;
  default:
    return false;
  }
}

} // namespace scratchpage
