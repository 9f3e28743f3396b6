#include "scratchpage/messages/goal_limits.hpp"

#include <string>
#include <string_view>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

/// Keeps the first text or list of a request that is too long.
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

} // namespace

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
    .most("status", x.status.size(), filter_limits::values, "of them")
    .id("cursor", x.cursor)
    .error();
}

caf::error check_limits(const complete_action& x) {
  return check_decision(x);
}

caf::error check_limits(const refuse_action& x) {
  return check_decision(x);
}

} // namespace scratchpage
