#pragma once

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/notes.hpp"

/// Notes (`notes.hpp`) on the arguments and answers of the operations of goals.

namespace scratchpage {

namespace limits {

/// Without a limit, an answer has as many goals as it may have.
inline json::object goals() {
  auto result = within<1, list_goals::most>();
  result["default"] = list_goals::most;
  return result;
}

} // namespace limits

// -- what is asked ------------------------------------------------------------------------

template <>
struct notes<list_goals> {
  static constexpr std::string_view name = "goal_part";
  static constexpr std::array members{
    told_models(
      note{"status", "Any of these statuses; absent: all", R"(["in_progress"])"}, "Absent: all"),
    told_models(
      note{"limit", "The maximum number of results", "10", telling::models, limits::goals},
      "Absent: all"),
    told_models(
      note{"cursor", "The `next_cursor` of an earlier answer, to continue there", R"("goal_1")"},
      "next_cursor of the last answer")};
};

template <>
struct notes<new_action_arguments> {
  static constexpr std::string_view name = "new_action";
  static constexpr std::array members{
    note{"action_type", "What kind of action it is", R"("investigate")", telling::models},
    note{"description", "What should be done, in words", R"("Look after the server room")",
      telling::models, characters_up_to<goal_limits::description_bytes>},
    note{"assigned_to", "Who should do it", R"("agent")", telling::models},
    note{"priority", "How important it is", R"("high")", telling::models}};
};

template <>
struct notes<new_goal_arguments> {
  static constexpr std::string_view name = "new_goal";
  static constexpr std::array members{
    told_models(note{"title", "Its name", R"("Find the source of the smoke")", telling::models,
                  characters<1, goal_limits::title_bytes>},
      "What is to be reached, in one line"),
    note{"goal_type", "What kind of goal it is", R"("respond_to_alert")", telling::programs,
      characters<1, goal_limits::id_bytes>},
    told_models(
      note{"description", "What should be reached, in words", R"("Nothing burns any more.")",
        telling::models, characters_up_to<goal_limits::description_bytes>},
      "More about it"),
    told_models(note{"priority", "How important it is", R"("high")"}, "Default medium"),
    note{"context", "What it belongs to", R"({"thread_id": "trip"})"},
    told_models(note{"pending_actions", "What is to be done for it", {}, telling::models,
                  items_up_to<goal_limits::actions>},
      "Steps: [{action_type: \"call\", description: \"Call Ann\", assigned_to: agent or user}]")};
};

template <>
struct notes<get_goal> {
  static constexpr std::string_view name = "goal_id";
  static constexpr std::array members{
    note{"goal_id", "Which goal", R"("goal_1")", telling::models}};
};

template <>
struct notes<update_goal> {
  static constexpr std::string_view name = "changed_goal";
  static constexpr std::array members{
    told_models(note{"goal_id", "Which goal", R"("goal_1")"}, "Such as goal_1"),
    told_models(note{"status", "The new status", R"("in_progress")"},
      "completed: reached; abandoned: given up; blocked: waits for somebody"),
    told_models(note{"priority", "The new priority", R"("high")"}, "The new one"),
    note{"title", "The new title", R"("Find the source of the smoke")", telling::programs,
      characters_up_to<goal_limits::title_bytes>},
    note{"description", "What should be reached, in words", R"("Nothing burns any more.")",
      telling::programs, characters_up_to<goal_limits::description_bytes>},
    told_models(note{"progress", "How much of it is reached, from 0 to 1; it must not decrease",
                  "0.5", telling::models, within<0, 1>},
      "0 to 1, never less than before"),
    note{"expected_revision", "The revision that the caller has seen", "1"}};
};

template <>
struct notes<complete_action> {
  static constexpr std::string_view name = "completed_action";
  static constexpr std::array members{
    told_models(note{"goal_id", "The goal of the action", R"("goal_1")"}, "Such as goal_1"),
    told_models(
      note{"action_id", "Which action", R"("goal_1_action_1")"}, "Such as goal_1_action_1")};
};

template <>
struct notes<refuse_action> {
  static constexpr std::string_view name = "refused_action";
  static constexpr auto members = notes<complete_action>::members;
};

// -- what is answered ---------------------------------------------------------------------

template <>
struct notes<pending_action> {
  static constexpr std::string_view name = "pending_action";
  static constexpr std::array members{
    note{"action_id", "Its id, unique within the goal", R"("goal_1_action_1")"},
    note{"action_type", "What kind of action it is", R"("investigate")"},
    note{"description", "What should be done, in words", R"("Look after the server room")"},
    note{"assigned_to", "Who should do it", R"("agent")"},
    note{"priority", "How important it is", R"("high")"},
    note{"status", "Its status", R"("pending")"},
    note{"requires_confirmation", "Whether a person has to decide on it", "false"}};
};

template <>
struct notes<goal_evidence> {
  static constexpr std::string_view name = "goal_evidence";
  static constexpr std::array members{
    note{"observation_id", "Which observation", R"("obs_20251105_001")"},
    note{"content", "Its content when it was linked", R"("Smoke in the server room")"},
    note{"confidence", "How sure the observer was", "0.95"},
    note{"source", "Who observed it", R"("tool smoke_sensor")"}};
};

template <>
struct notes<goal> {
  static constexpr std::string_view name = "goal";
  static constexpr std::array members{note{"goal_id", "Its id", R"("goal_1")"},
    note{"goal_type", "What kind of goal it is", R"("respond_to_alert")"},
    note{"title", "Its name", R"("Find the source of the smoke")"},
    note{"description", "What should be reached, in words", R"("Nothing burns any more.")"},
    note{"priority", "How important it is", R"("high")"},
    note{"status", "Its status", R"("in_progress")"},
    note{"progress", "How much of it is reached, from 0 to 1", "0.5"},
    note{"observation_ids", "The observations that are evidence for it", R"(["obs_20251105_001"])"},
    note{"observation_id", "The first of them", R"("obs_20251105_001")"},
    note{"evidence", "Their contents when they were linked"},
    note{"context", "What it belongs to", R"({"thread_id": "trip"})"},
    note{"pending_actions", "What is left to do for it"},
    note{"revision", "The number of its changes", "2"},
    note{"created_at", "When it was made", R"("2025-11-05T10:30:00Z")"},
    note{"updated_at", "When it was last changed", R"("2025-11-05T10:30:02Z")"}};
};

template <>
struct notes<goal_list> {
  static constexpr std::string_view name = "goal_list";
  static constexpr std::array members{note{"goals", "The oldest first"},
    note{"total_count", "How many there are in total", "1"},
    note{"next_cursor", "Where to continue; absent in the last part", R"("goal_1")"}};
};

} // namespace scratchpage
