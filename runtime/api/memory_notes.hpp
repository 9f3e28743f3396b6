#pragma once

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/notes.hpp"

/// Notes (`notes.hpp`) on the arguments and answers of working memory and scratchbooks.

namespace scratchpage {

// -- what is asked ------------------------------------------------------------------------

template <>
struct notes<assemble_context> {
  static constexpr std::string_view name = "context_order";
  static constexpr std::array members{
    told_models(note{"prompt", "What the context is for; related entries come first",
                  R"("Is it going to rain?")"},
      "What you are about to work on"),
    told_models(note{"budget", "The maximum number of tokens", "1000"}, "At most so many tokens")};
};

template <>
struct notes<after_argument> {
  static constexpr std::string_view name = "scratchbook_part";
  static constexpr std::array members{
    told_models(note{"after", "The `last` of an earlier answer, to continue there", R"("s7")"},
      "To go on: last of the last answer")};
};

template <>
struct notes<id_argument> {
  static constexpr std::string_view name = "item_id";
  static constexpr std::array members{
    told_models(note{"id", "Which item", R"("s1")"}, "Such as s1")};
};

template <>
struct notes<item_draft> {
  static constexpr std::string_view name = "item_draft";
  static constexpr std::array members{
    told_models(note{"kind", "A note, a todo or a task", R"("task")"},
      "todo: one step; task: work with progress"),
    told_models(
      note{"title", "What it is, in one line", R"("Book the train")", telling::models, not_empty},
      "One line"),
    told_models(note{"body", "Further text", R"("Not before eight")"}, "More text"),
    told_models(note{"tags", "Words to find it by", R"(["trip"])"}, "Words to find it by"),
    note{"status", "Its first status; absent: `open`", R"("open")"},
    note{"phase", "For a task: its phase", R"("planning")"},
    note{"progress", "For a task: how much is done, from 0 to 1", "0.5"},
    told_models(note{"goal_id", "The goal that is completed with the item", R"("goal_1")"},
      "A goal that is completed with it"),
    note{"action_id", "An action of that goal: only this action is completed with the item",
      R"("goal_1_action_1")"},
    note{"observation_id", "The observation that it comes from", R"("obs_20251105_001")"}};
};

template <>
struct notes<item_update> {
  static constexpr std::string_view name = "item_update";
  static constexpr std::array members{
    told_models(note{"id", "Which item", R"("s1")"}, "Such as s1"),
    told_models(note{"status", "The new status", R"("in_progress")"}, "The new one"),
    told_models(
      note{"title", "The new title", R"("Book the night train")", telling::models, not_empty},
      "The new one"),
    told_models(
      note{"body", "The new text; it replaces the old one", R"("Not before ten")"}, "All new text"),
    note{"tags", "The new tags; they replace all others", R"(["trip"])"},
    note{"phase", "For a task: its phase; empty removes it", R"("booking")"},
    told_models(
      note{"progress", "For a task: how much is done, from 0 to 1", "0.5"}, "Of a task, 0 to 1")};
};

// -- what is answered ---------------------------------------------------------------------

template <>
struct notes<context_part> {
  static constexpr std::string_view name = "context_part";
  static constexpr std::array members{note{"name", "The kind of entries", R"("observations")"},
    note{"budget", "The tokens that it could use", "400"},
    note{"tokens", "The tokens that it has used", "120"},
    note{"entries", "The number of its entries", "6"},
    note{"left_out", "The number of entries that did not fit", "0"}};
};

template <>
struct notes<assembled_context> {
  static constexpr std::string_view name = "assembled_context";
  static constexpr std::array members{
    note{"text", "What the agent should know now, the most important first",
      R"("- alert: Smoke in the server room")"},
    note{"tokens", "The number of its tokens, never more than the budget", "120"},
    note{"parts", "The kind of entries"}};
};

template <>
struct notes<scratch_view> {
  static constexpr std::string_view name = "scratchbook_view";
  static constexpr std::array members{note{"view", "A line for each item, pinned ones first",
                                        R"("s1 pinned todo blocked: Ask for the date")"},
    note{"last", "The id of the last item: `after` for the next part", R"("s7")"},
    note{"left", "The number of items after it", "0"}};
};

template <>
struct notes<scratchbook_item> {
  static constexpr std::string_view name = "scratchbook_item";
  static constexpr std::array members{
    note{"id", "Its id, unique within the thread for ever", R"("s1")"},
    note{"kind", "A note, a todo or a task", R"("task")"},
    note{"status", "Its status", R"("open")"},
    note{"title", "What it is, in one line", R"("Book the train")"},
    note{"body", "Further text", R"("Not before eight")"},
    note{"tags", "Words to find it by", R"(["trip"])"},
    note{"created_at_ns",
      "When it was added, in nanoseconds since 1970; JavaScript does not read it exactly",
      "1762338600000000000"},
    note{"updated_at_ns", "When it was last changed, likewise", "1762338600000000000"},
    note{"phase", "For a task: its phase", R"("planning")"},
    note{"progress", "For a task: how much is done, from 0 to 1", "0.5"},
    note{"goal_id", "The goal that is completed with the item", R"("goal_1")"},
    note{"action_id", "An action of that goal: only this action is completed with the item",
      R"("goal_1_action_1")"},
    note{"observation_id", "The observation that it comes from", R"("obs_20251105_001")"},
    note{"written_by", "Who wrote its title or body last", R"("user ann")"},
    note{"title_by", "Who wrote its title last, if it was another caller", R"("daemon other")"},
    note{"body_by", "Who wrote its body last, if it was another caller", R"("daemon other")"},
    note{
      "marked_by", "Who set its tags or phase last, if it was another caller", R"("daemon other")"},
    note{
      "linked_by", "Who chose its goal and action, if it was another caller", R"("daemon other")"}};
  /// The members that an answer has beside those of the item.
  static constexpr std::array times{note{"created_at", "When it was added, to the nanosecond",
                                      R"("2025-11-05T10:30:00.000000000Z")"},
    note{"updated_at", "When it was last changed, to the nanosecond",
      R"("2025-11-05T10:30:00.000000000Z")"}};
};

template <>
struct notes<scratchbook> {
  static constexpr std::string_view name = "scratchbook";
  static constexpr std::array members{note{"thread_id", "Its thread", R"("trip")"},
    note{"items", "In the order in which they were added"},
    note{"pins", "The ids of pinned items, in the order in which they were pinned", R"(["s1"])"}};
};

} // namespace scratchpage
