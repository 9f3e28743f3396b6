#include "scratchpage/messages/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

/// The path of a member, as a text only when an error needs it: every query checks a filter.
struct field_name {
  std::string_view path;
  std::string_view member;

  std::string text() const { return sub_path(path, member); }
};

caf::error too_long(const std::string& field) {
  return fail(errc::invalid_request, field,
    "expected a text of at most " + std::to_string(filter_limits::text_bytes) + " bytes");
}

caf::error too_many(const std::string& field, size_t most, std::string_view what, size_t got) {
  return fail(errc::invalid_request, field,
    "expected at most " + std::to_string(most) + " " + std::string{what} + ", got "
      + std::to_string(got));
}

bool is_long(std::string_view text) {
  return text.size() > filter_limits::text_bytes;
}

template <class T>
caf::error check_count(const std::vector<T>& values, field_name field) {
  if (values.size() <= filter_limits::values)
    return {};
  return too_many(field.text(), filter_limits::values, "values", values.size());
}

caf::error check_texts(const std::vector<std::string>& texts, field_name field) {
  if (auto err = check_count(texts, field))
    return err;
  return std::any_of(texts.begin(), texts.end(), is_long) ? too_long(field.text()) : caf::error{};
}

bool is_long(const json::value& x) {
  return x.is_string() && is_long(std::string_view{x.get_string()});
}

caf::error check_context(const observation_filter& x, field_name field) {
  if (x.context.size() > filter_limits::context_paths)
    return too_many(field.text(), filter_limits::context_paths, "paths", x.context.size());
  for (const auto& [path, value] : x.context)
    if (is_long(path) || is_long(value))
      return too_long(is_long(path) ? field.text() : sub_path(field.text(), path));
  return {};
}

caf::error check_turn(const observation_filter& x, field_name field) {
  return x.turn_id && is_long(*x.turn_id) ? too_long(field.text()) : caf::error{};
}

/// Checks the texts and lists of a request and keeps the first error.
class length_check {
public:
  explicit length_check(std::string_view path)
    : check_{path} {}

  length_check& id(std::string_view field, const std::string& x) {
    if (x.size() <= goal_limits::id_bytes)
      check_.require(is_key_text(x), field, "UTF-8 without U+0000");
    return most(field, x.size(), goal_limits::id_bytes, "bytes");
  }

  length_check& title(std::string_view field, const std::string& x) {
    return most(field, x.size(), goal_limits::title_bytes, "bytes");
  }

  length_check& description(std::string_view field, const std::string& x) {
    return most(field, x.size(), goal_limits::description_bytes, "bytes");
  }

  length_check& most(
    std::string_view field, size_t given, size_t allowed, std::string_view of_what) {
    if (given > allowed)
      check_.require(
        false, field, "at most " + std::to_string(allowed) + " " + std::string{of_what});
    return *this;
  }

  length_check& also(const caf::error& part) {
    check_.also(part);
    return *this;
  }

  const caf::error& error() const { return check_.error(); }

private:
  config_check check_;
};

caf::error check_action(const pending_action& x, const std::string& path) {
  return length_check{path}
    .id("action_id", x.action_id)
    .id("action_type", x.action_type)
    .description("description", x.description)
    .error();
}

template <class Decision>
caf::error check_decision(const Decision& x) {
  return length_check{{}}.id("goal_id", x.goal_id).id("action_id", x.action_id).error();
}

std::string at_most(size_t most, std::string_view what) {
  return "at most " + std::to_string(most) + " " + std::string{what};
}

bool is_long_id(const std::string& id) {
  return id.size() > plan_limits::id_bytes;
}

bool are_few(const std::vector<std::string>& ids) {
  return ids.size() <= plan_limits::dependencies;
}

bool are_short(const std::vector<std::string>& ids) {
  return std::none_of(ids.begin(), ids.end(), is_long_id);
}

/// Whether `check_call` finds nothing. Nearly every plan is so, and then no text is made.
bool is_call_in_limits(const planned_call& x) {
  return are_few(x.depends_on) && are_few(x.after) && !is_long_id(x.call_id)
         && !is_long_id(x.tool_id) && are_short(x.depends_on) && are_short(x.after)
         && is_within(x.inputs, plan_limits::inputs_bytes) && !x.scratch_page_query;
}

/// Whether the calls are far below the limit, so that no byte needs to be counted. A number counts
/// as at most `longest` bytes, however short its text is.
bool is_small_plan(const std::vector<planned_call>& plan) {
  constexpr size_t longest = 24;
  std::string text;
  for (const auto& x : plan)
    append_json(text, x);
  return text.size() * longest < plan_limits::plan_bytes;
}

caf::error check_call(const planned_call& x, const std::string& path) {
  if (is_call_in_limits(x))
    return {};
  auto few = at_most(plan_limits::dependencies, "calls");
  auto brief = "ids of " + at_most(plan_limits::id_bytes, "bytes");
  config_check result{path};
  result.require(are_few(x.depends_on), "depends_on", few).require(are_few(x.after), "after", few);
  if (result.error())
    return result.error();
  result.require(!is_long_id(x.call_id), "call_id", at_most(plan_limits::id_bytes, "bytes"))
    .require(!is_long_id(x.tool_id), "tool_id", at_most(plan_limits::id_bytes, "bytes"))
    .require(are_short(x.depends_on), "depends_on", brief)
    .require(are_short(x.after), "after", brief)
    .require(is_within(x.inputs, plan_limits::inputs_bytes), "inputs",
      at_most(plan_limits::inputs_bytes, "bytes of JSON"));
  if (x.scratch_page_query)
    result.also(
      check_filter(x.scratch_page_query->filters, sub_path(path, "scratch_page_query.filters")));
  return result.error();
}

} // namespace

caf::error check_filter(const observation_filter& x, std::string_view path) {
  // The first error counts. A list that is too long costs only the look at its size.
  config_check result{path};
  auto name = [&](std::string_view member) { return field_name{path, member}; };
  result.also(check_texts(x.type, name("type")))
    .also(check_count(x.status, name("status")))
    .also(check_texts(x.source, name("source")))
    .also(check_texts(x.owner, name("owner")))
    .also(check_texts(x.tags, name("tags")))
    .also(check_context(x, name("context")))
    .also(check_turn(x, name("turn_id")));
  return result.error();
}

caf::error check_query_text(std::string_view text, std::string_view field) {
  if (text.size() <= filter_limits::query_bytes)
    return {};
  return fail(errc::invalid_request, field,
    "expected at most " + std::to_string(filter_limits::query_bytes) + " bytes, got "
      + std::to_string(text.size()));
}

caf::error check_limits(const create_goal& x) {
  const auto& draft = x.draft;
  length_check result{"draft"};
  result.id("goal_id", draft.goal_id)
    .id("goal_type", draft.goal_type)
    .title("title", draft.title)
    .description("description", draft.description)
    .most("pending_actions", draft.pending_actions.size(), goal_limits::actions, "actions")
    .most("context", json_size(draft.context, goal_limits::context_bytes),
      goal_limits::context_bytes, "bytes of JSON");
  for (size_t i = 0; !result.error() && i < draft.pending_actions.size(); ++i)
    result.also(check_action(draft.pending_actions[i], sub_path("draft", "pending_actions", i)));
  return result.error();
}

caf::error check_limits(const update_goal& x) {
  length_check result{{}};
  result.id("goal_id", x.goal_id);
  if (x.title)
    result.title("title", *x.title);
  if (x.description)
    result.description("description", *x.description);
  return result.error();
}

caf::error check_limits(const get_goal& x) {
  return length_check{{}}.id("goal_id", x.goal_id).error();
}

caf::error check_limits(const list_goals& x) {
  return length_check{{}}
    .most("status", x.status.size(), filter_limits::values, "values")
    .id("cursor", x.cursor)
    .error();
}

caf::error check_limits(const complete_action& x) {
  return check_decision(x);
}

caf::error check_limits(const refuse_action& x) {
  return check_decision(x);
}

caf::error check_plan(const std::vector<planned_call>& plan, std::string_view path) {
  if (plan.size() > plan_limits::calls)
    return fail(errc::invalid_request, path,
      "expected " + at_most(plan_limits::calls, "calls") + ", got " + std::to_string(plan.size()));
  size_t bytes = 0;
  auto is_small = is_small_plan(plan);
  for (size_t i = 0; i < plan.size(); ++i) {
    if (auto err = check_call(plan[i], sub_path({}, path, i)))
      return err;
    if (is_small)
      continue;
    bytes += json_size(to_json(plan[i]), plan_limits::plan_bytes) + 1;
    if (bytes > plan_limits::plan_bytes)
      return fail(errc::invalid_request, path,
        "expected " + at_most(plan_limits::plan_bytes, "bytes of JSON"));
  }
  return {};
}

} // namespace scratchpage
