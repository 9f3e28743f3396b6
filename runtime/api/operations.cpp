#include "scratchpage/runtime/api/operations.hpp"

#include <type_traits>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/messages/plan_limits.hpp"
#include "scratchpage/messages/query_limit.hpp"
#include "scratchpage/messages/turn_id.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/draft_batch.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/api/principal_rules.hpp"

namespace scratchpage {

namespace {

template <class T>
caf::expected<T> read(call_operation& x) {
  return from_json<T>(json::value(std::move(x.arguments)));
}

/// Looks at the list before anything is made of it.
caf::error check_count_of_drafts(const json::object& arguments) {
  const auto* drafts = arguments.if_contains("drafts");
  if (drafts == nullptr || !drafts->is_array()
      || drafts->get_array().size() <= draft_limits::drafts)
    return {};
  return fail(errc::invalid_request, "drafts",
    "expected at most " + std::to_string(draft_limits::drafts) + " drafts, got "
      + std::to_string(drafts->get_array().size()));
}

caf::expected<listing_arguments> read_listing(call_operation& x) {
  auto result = read<listing_arguments>(x);
  if (result)
    if (auto err = check_filter(*result, {}))
      return err;
  return result;
}

/// For the page, which knows whether the turn is open.
void claim_turn(const std::string& turn_id, const caller& by, observation_draft& draft) {
  if (!turn_id.empty())
    draft.source = source{by.kind, by.name, turn_id, draft.source ? draft.source->at : timestamp{}};
}

query_observations as_query(const caller& by, listing_arguments x, std::string text = {}) {
  query_observations result;
  result.by = by;
  result.text = std::move(text);
  result.limit = x.limit;
  result.cursor = std::move(x.cursor);
  result.filter = std::move(static_cast<observation_filter&>(x));
  return result;
}

} // namespace

operations_state::operations_state(
  handle::pointer self, operations_parts parts, operations_config config)
  : self_{self},
    parts_{std::move(parts)},
    open_{parts_.metrics},
    patience_{from_milliseconds(config.request_ms)},
    patience_for_turns_{from_milliseconds(config.turn_ms)} {
  if (parts_.page)
    offer_page();
  if (parts_.goals)
    offer_goals();
  if (parts_.turns)
    offer_turns();
  if (parts_.scratchbooks)
    offer_scratchbook();
  runners_["turn_trace"] = [this](call_operation& x) { return read_trace(x); };
  if (parts_.memory)
    runners_["assemble_context"] =
      passing_on<assemble_context, assembled_context>(parts_.memory, patience_);
}

operations_state::~operations_state() {
  if (trace_reader_)
    caf::anon_send_exit(trace_reader_, caf::exit_reason::user_shutdown);
}

operations_state::handle::behavior_type operations_state::make_behavior() {
  return {[this](call_operation& x) -> answer {
    if (!parts_.metrics)
      return run(x);
    now_ = parts_.metrics->begin(x.operation);
    auto result = run(x);
    // What is answered later is counted then. (Which variant that is, differs by CAF.)
    if (const auto* refused = get_if<caf::error>(&result.get_data()))
      parts_.metrics->end(now_, code_of(*refused));
    return result;
  }};
}

operations_state::answer operations_state::run(call_operation& x) {
  auto found = runners_.find(x.operation);
  if (found == runners_.end())
    return fail(errc::not_found, "operation", "no such operation: '" + x.operation + "'");
  if (auto err = check_principal(x.operation, x.by))
    return err;
  x.by = as_outside(x.by);
  return found->second(x);
}

// -- asking --------------------------------------------------------------------------

template <class Answer, class Handle, class Request>
operations_state::answer operations_state::ask_for(
  const Handle& to, timespan patience, Request request) {
  if constexpr (std::is_void_v<Answer>)
    return ask_for<Answer>(to, patience, std::move(request), [] { return "null"; });
  else
    return ask_for<Answer>(
      to, patience, std::move(request), [](const Answer& x) { return to_result(x); });
}

template <class Answer, class Handle, class Request, class Tell>
operations_state::answer operations_state::ask_for(
  const Handle& to, timespan patience, Request request, Tell tell) {
  auto promise = self_->make_response_promise<operation_answer>();
  auto number = open_.begin(promise, patience, now_);
  watch_limits();
  auto failed = [this, number](const caf::error& err) { open_.refuse(number, err); };
  auto asked = ask(self_, to, caf::infinite, std::move(request));
  auto answer = [this, number, tell](const auto&... x) {
    if (open_.is_open(number)) // to make a text of a turn takes long
      open_.deliver(number, {tell(x...)});
  };
  if constexpr (std::is_void_v<Answer>)
    std::move(asked).then([answer] { answer(); }, failed);
  else
    std::move(asked).then([answer](const Answer& x) { answer(x); }, failed);
  return promise;
}

void operations_state::watch_limits() {
  if (std::exchange(watches_, true))
    return;
  self_->run_delayed(open_answers::step, [this] {
    open_.advance();
    watches_ = false;
    if (!open_.empty())
      watch_limits();
  });
}

template <class Request, class Answer, class Handle>
operations_state::runner operations_state::passing_on(Handle to, timespan patience) {
  return [this, to, patience](call_operation& x) -> answer {
    auto given = read<arguments_of<Request>>(x);
    if (!given)
      return given.error();
    Request request = std::move(static_cast<Request&>(*given));
    request.by = x.by;
    return ask_for<Answer>(to, patience, std::move(request));
  };
}

// -- what there is ---------------------------------------------------------------------

void operations_state::offer_page() {
  const auto& page = parts_.page;
  runners_["add_observation"] = [this, page](call_operation& x) -> answer {
    auto given = read<draft_arguments>(x);
    if (!given)
      return given.error();
    if (auto err = check_turn_id(given->turn_id))
      return err;
    claim_turn(given->turn_id, x.by, *given);
    return ask_for<receipt>(page, patience_, add_observation{x.by, std::move(*given)});
  };
  runners_["add_observations"] = [this, page](call_operation& x) -> answer {
    if (auto err = check_count_of_drafts(x.arguments))
      return err;
    auto given = read<unread_drafts_arguments>(x);
    if (!given)
      return given.error();
    if (auto err = check_turn_id(given->turn_id))
      return err;
    auto all = read_drafts(given->drafts);
    for (auto& draft : all.readable)
      claim_turn(given->turn_id, x.by, draft);
    add_observations request{x.by, std::move(all.readable)};
    return ask_for<add_outcomes>(
      page, patience_, std::move(request), [all = std::move(all)](const add_outcomes& stored) {
        return to_result(outcomes_of(all, stored));
      });
  };
  runners_["query_observations"] = [this, page](call_operation& x) -> answer {
    auto given = read<query_arguments>(x);
    if (!given)
      return given.error();
    auto query = as_query(x.by, std::move(given->metadata), std::move(given->query));
    if (auto err = check_filter(query.filter, "metadata"))
      return err;
    if (auto err = check_query_text(query.text, "query"))
      return err;
    query.deadline = given->deadline_ms;
    if (query.deadline > from_milliseconds(query_limits::deadline_ms))
      return fail(errc::invalid_request, "deadline_ms", "expected at most 1000");
    return ask_for<query_result>(page, patience_, std::move(query));
  };
  runners_["list_observations"] = [this, page](call_operation& x) -> answer {
    auto given = read_listing(x);
    if (!given)
      return given.error();
    return ask_for<query_result>(page, patience_, as_query(x.by, std::move(*given)));
  };
  runners_["list_archive"] = [this, page](call_operation& x) -> answer {
    auto given = read_listing(x);
    if (!given)
      return given.error();
    auto query = as_query(x.by, std::move(*given));
    return ask_for<query_result>(page, patience_,
      list_archive{query.by, std::move(query.filter), query.limit, std::move(query.cursor)});
  };
  runners_["page_stats"] = [this, page](call_operation& x) -> answer {
    if (auto given = read<no_arguments>(x); !given)
      return given.error();
    return ask_for<page_stats>(page, patience_, caf::get_atom_v);
  };
  runners_["subscribers_list"] = passing_on<list_subscribers, subscriber_list>(page, patience_);
  runners_["get_observation"] = passing_on<get_observation, observation_ptr>(page, patience_);
  runners_["get_active_observations"] = [this, page](call_operation& x) -> answer {
    auto given = read<arguments_of<get_active_observations>>(x);
    if (!given)
      return given.error();
    if (auto err = check_limit(given->limit))
      return err;
    get_active_observations request = std::move(static_cast<get_active_observations&>(*given));
    request.by = x.by;
    return ask_for<query_result>(page, patience_, std::move(request));
  };
  runners_["update_observation"] = passing_on<update_observation, receipt>(page, patience_);
  runners_["archive_observation"] = passing_on<archive_observation, void>(page, patience_);
  runners_["clear_resolved"] = passing_on<clear_resolved, void>(page, patience_);
  runners_["register_type"] = passing_on<register_type, void>(page, patience_);
}

void operations_state::offer_goals() {
  runners_["goals_list"] = [this](call_operation& x) -> answer {
    auto given = read<arguments_of<list_goals>>(x);
    if (!given)
      return given.error();
    list_goals request = std::move(static_cast<list_goals&>(*given));
    request.by = x.by;
    request.limit = request.limit.value_or(list_goals::most);
    return ask_for<goal_list>(parts_.goals, patience_, std::move(request));
  };
  runners_["goal_get"] = passing_on<get_goal, goal>(parts_.goals, patience_);
  runners_["goal_update"] = passing_on<update_goal, goal>(parts_.goals, patience_);
  runners_["action_complete"] = passing_on<complete_action, goal>(parts_.goals, patience_);
  runners_["action_refuse"] = passing_on<refuse_action, goal>(parts_.goals, patience_);
}

void operations_state::offer_turns() {
  auto turns = parts_.turns;
  runners_["begin_turn"] = [this, turns](call_operation& x) -> answer {
    auto request = read<arguments_of<begin_turn>>(x);
    if (!request)
      return request.error();
    request->by = x.by;
    if (!request->agent_id.empty())
      return fail(errc::invalid_request, "agent_id", "expected none: the agent is known");
    if (request->thread_id.empty())
      request->thread_id = x.thread_id;
    begin_turn turn = std::move(static_cast<begin_turn&>(*request));
    return ask_for<turn_result>(turns, patience_for_turns_, std::move(turn));
  };
  runners_["end_turn"] = passing_on<end_turn, turn_result>(turns, patience_for_turns_);
  runners_["turns_list"] = passing_on<list_turns, turn_list>(turns, patience_);
  runners_["await_turn"] = passing_on<await_turn, turn_result>(turns, patience_for_turns_);
}

operations_state::answer operations_state::read_trace(call_operation& x) {
  if (!parts_.read_trace)
    return fail(errc::not_found, "turn_id", "no trace is kept");
  if (!trace_reader_)
    trace_reader_ = parts_.read_trace();
  if (!trace_reader_)
    return fail(errc::overloaded, "", "expected a thread that reads traces");
  return ask_for<operation_answer>(trace_reader_, patience_, std::move(x),
    [](const operation_answer& found) { return found.result; });
}

void operations_state::offer_scratchbook() {
  auto books = parts_.scratchbooks;
  runners_["scratch_read"] = [this, books](call_operation& x) -> answer {
    auto given = read<after_argument>(x);
    if (!given)
      return given.error();
    return ask_for<scratch_view>(
      books, patience_, scratch_read{x.by, x.thread_id, std::move(given->after)});
  };
  runners_["scratch_list"] = [this, books](call_operation& x) -> answer {
    if (auto given = read<no_arguments>(x); !given)
      return given.error();
    return ask_for<scratchbook>(books, patience_, scratch_list{x.by, x.thread_id});
  };
  runners_["scratch_add"] = [this, books](call_operation& x) -> answer {
    auto item = read<item_draft>(x);
    if (!item)
      return item.error();
    return ask_for<scratchbook_item>(
      books, patience_, scratch_add{x.by, x.thread_id, std::move(*item)});
  };
  runners_["scratch_update"] = [this, books](call_operation& x) -> answer {
    auto given = read<item_update>(x);
    if (!given)
      return given.error();
    auto id = std::move(given->id);
    return ask_for<scratchbook_item>(books, patience_,
      scratch_update{x.by, x.thread_id, id, std::move(static_cast<item_changes&>(*given))});
  };
  auto mark = [this, books](item_mark as) -> runner {
    return [this, books, as](call_operation& x) -> answer {
      auto given = read<id_argument>(x);
      if (!given)
        return given.error();
      return ask_for<scratchbook_item>(
        books, patience_, scratch_mark{x.by, x.thread_id, std::move(given->id), as});
    };
  };
  runners_["scratch_complete"] = mark(item_mark::complete);
  runners_["scratch_pin"] = mark(item_mark::pin);
  runners_["scratch_unpin"] = mark(item_mark::unpin);
}

} // namespace scratchpage
