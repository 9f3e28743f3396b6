#include <utility>
#include <vector>

#include "scratchpage/actors/scratchbook/scratchbook_rules.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/api/handler.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/config/config.hpp"

/// The operations of working memory and of scratchbooks.

namespace scratchpage {

namespace {

answer_of<scratch_view> read_book(
  operation_run& run, const scratchbook_actor& books, after_argument given) {
  return run.ask<scratch_view>(
    books, scratch_read{run.by(), run.thread_id(), std::move(given.after)});
}

answer_of<scratchbook> list_items(
  operation_run& run, const scratchbook_actor& books, no_arguments) {
  return run.ask<scratchbook>(books, scratch_list{run.by(), run.thread_id()});
}

answer_of<scratchbook_item> add(
  operation_run& run, const scratchbook_actor& books, item_draft given) {
  return run.ask<scratchbook_item>(books, scratch_add{run.by(), run.thread_id(), std::move(given)});
}

answer_of<scratchbook_item> update(
  operation_run& run, const scratchbook_actor& books, item_update given) {
  auto id = std::move(given.id);
  return run.ask<scratchbook_item>(books,
    scratch_update{run.by(), run.thread_id(), id, std::move(static_cast<item_changes&>(given))});
}

template <item_mark As>
answer_of<scratchbook_item> mark(
  operation_run& run, const scratchbook_actor& books, id_argument given) {
  return run.ask<scratchbook_item>(
    books, scratch_mark{run.by(), run.thread_id(), std::move(given.id), As});
}

/// Checks the first item of an agent that does not exist yet.
caf::error check_item(const call_operation& x, const config& with) {
  auto item = read_arguments<item_draft>(x.operation, json::value(x.arguments));
  if (!item)
    return item.error();
  if (auto err = check_thread_id(x.thread_id))
    return err;
  scratchbook empty;
  auto added = add_item(empty, std::move(*item), 0, with.scratchbook.limits);
  return added ? caf::error{} : added.error();
}

constexpr auto memory = &operations_parts::memory;
constexpr auto books = &operations_parts::scratchbooks;

} // namespace

std::vector<operation> memory_operations() {
  using enum effect;
  using enum arguments_in;
  return {
    {.name = "assemble_context",
      .description = "What to know now, within a budget of tokens",
      .for_models =
        "One text with observations, goals, facts and episodes, to read before you begin",
      .also_called = "get_context context build_context",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/context", query},
        {"POST", "/v1/agents/{agent}/context", body}},
      .performed = passed_on<memory, assemble_context, assembled_context>()},
    {.name = "scratch_read",
      .description = "Your notes, todos and tasks",
      .for_models = "Nobody else acts on them",
      .also_called = "read_notes list_notes get_notes list_todos list_tasks get_tasks "
                     "read_scratchbook read_plan",
      .finds = "id",
      .least = role::daemon,
      .routes = {{"GET", "/v1/agents/{agent}/threads/{thread}/scratchbook", query}},
      .resource = {{uri::scratchbook, "scratchbook", "The view of your notes, todos and tasks"}},
      .performed = performed_by<books, read_book>()},
    {.name = "scratch_list",
      .description = "Every item and what is pinned",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/threads/{thread}/items"}},
      .performed = performed_by<books, list_items>()},
    {.name = "scratch_add",
      .description = "Add a note, todo or task to your plan",
      .for_models = "What others should know goes to add_observation instead",
      .also_called = "add_note add_todo add_task create_note create_todo create_task write_note "
                     "save_note new_task todo to_do task plan note",
      .least = role::daemon,
      .does = changes,
      .routes = {{"POST", "/v1/agents/{agent}/threads/{thread}/items", body, 201}},
      .performed = performed_by<books, add>(),
      .check_first = check_item},
    {.name = "scratch_update",
      .description = "Change an item of your plan",
      .also_called = "update_note update_todo update_task edit_note",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"PATCH", "/v1/agents/{agent}/threads/{thread}/items/{id}", body}},
      .performed = performed_by<books, update>()},
    {.name = "scratch_complete",
      .description = "Mark an item as done",
      .also_called = "complete_task complete_todo finish_task mark_done done",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/threads/{thread}/items/{id}/complete"}},
      .performed = performed_by<books, mark<item_mark::complete>>()},
    {.name = "scratch_pin",
      .description = "Keep an item on top",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/threads/{thread}/items/{id}/pin"}},
      .performed = performed_by<books, mark<item_mark::pin>>()},
    {.name = "scratch_unpin",
      .description = "Undo scratch_pin",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/threads/{thread}/items/{id}/unpin"}},
      .performed = performed_by<books, mark<item_mark::unpin>>()},
  };
}

} // namespace scratchpage
