#include "scratchpage/runtime/api/operations.hpp"

#include <string>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/api/handler.hpp"
#include "scratchpage/runtime/api/history_reader.hpp"

namespace scratchpage {

uint64_t open_answers::begin(promise x, timespan timeout, telemetry::begun_call what) {
  auto steps = static_cast<uint64_t>(timeout / step) + 1;
  open_.emplace_hint(
    open_.end(), ++last_, entry{std::move(x), steps_ + steps, what, work_.begin()});
  return last_;
}

void open_answers::count(const telemetry::begun_call& x, errc how) {
  if (metrics_)
    metrics_->end(x, how);
}

std::optional<open_answers::promise> open_answers::take(uint64_t number, errc how) {
  auto found = open_.find(number);
  if (found == open_.end())
    return std::nullopt;
  auto result = std::move(found->second.to);
  count(found->second.what, how);
  open_.erase(found);
  return result;
}

void open_answers::deliver(uint64_t number, operation_answer x) {
  if (auto to = take(number, errc::none))
    to->deliver(std::move(x));
}

void open_answers::refuse(uint64_t number, const caf::error& why) {
  if (auto to = take(number, code_of(why)))
    to->deliver(why);
}

void open_answers::advance() {
  ++steps_;
  for (auto i = open_.begin(); i != open_.end();) {
    if (i->second.until > steps_) {
      ++i;
      continue;
    }
    count(i->second.what, errc::deadline_exceeded);
    i->second.to.deliver(fail(errc::deadline_exceeded, "", "expected an answer in time"));
    i = open_.erase(i);
  }
}

operations_state::operations_state(
  handle::pointer self, operations_parts parts, operations_config config)
  : self_{self},
    parts_{std::move(parts)},
    open_{parts_.metrics, parts_.work},
    request_timeout_{from_milliseconds(config.request_ms)},
    turn_timeout_{from_milliseconds(config.turn_ms)},
    history_reads_{std::make_shared<http::counter>(history_limits::waiting)} {}

operations_state::~operations_state() {
  for (const auto& reader : {trace_reader_, history_reader_})
    if (reader)
      caf::anon_send_exit(reader, caf::exit_reason::user_shutdown);
}

operations_state::handle::behavior_type operations_state::make_behavior() {
  return {[this](call_operation& x) -> answer {
    const auto* what = find_operation(x.operation);
    if (!parts_.metrics)
      return run(what, x);
    now_ = parts_.metrics->begin(x.operation);
    auto result = run(what, x);
    // Answers that come later are counted then. (The type of the variant depends on CAF's version.)
    if (const auto* refused = get_if<caf::error>(&result.get_data()))
      parts_.metrics->end(now_, code_of(*refused));
    return result;
  }};
}

operations_state::answer operations_state::run(const operation* what, call_operation& x) {
  if (what == nullptr || !what->performed.is_offered(parts_))
    return fail(
      errc::not_found, "operation", "no such operation: '" + shown_name(x.operation) + "'");
  if (auto err = check_principal(what, x.by))
    return err;
  auto key = take_request_key(*what, x.arguments);
  if (!key)
    return key.error();
  x.by = as_outside(x.by);
  x.by.request_key = std::move(*key);
  operation_run call{*this, x};
  return what->performed.perform(call);
}

std::pair<open_answers::promise, uint64_t> operations_state::owe_answer(bool of_turn) {
  auto promise = self_->make_response_promise<operation_answer>();
  auto number = open_.begin(promise, of_turn ? turn_timeout_ : request_timeout_, now_);
  watch_limits();
  return {std::move(promise), number};
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

caf::expected<operations_actor> operations_state::trace_reader() {
  if (!parts_.read_trace)
    return fail(errc::not_found, "turn_id", "no trace is kept");
  if (!trace_reader_)
    trace_reader_ = parts_.read_trace();
  if (!trace_reader_)
    return fail(errc::overloaded, "", "expected a thread that reads traces");
  return trace_reader_;
}

caf::expected<permitted_reader> operations_state::history_reader() {
  if (!parts_.read_history)
    return fail(errc::not_found, "", "no history is kept");
  if (!history_reads_->enter())
    return fail(errc::overloaded, "",
      "expected at most " + std::to_string(history_limits::waiting)
        + " reads of past pages that wait for each other");
  std::shared_ptr<const void> permit{
    history_reads_.get(), [reads = history_reads_](const void*) { reads->leave(); }};
  if (!history_reader_)
    history_reader_ = parts_.read_history();
  if (!history_reader_)
    return fail(errc::overloaded, "", "expected a thread that reads histories");
  return permitted_reader{history_reader_, std::move(permit)};
}

trace_reader_state::handle::behavior_type trace_reader_state::make_behavior() {
  return {[this](call_operation& x) -> caf::result<operation_answer> {
    if (x.operation == traced_turns_query::name)
      return answer_with<traced_turns_query>(x, &stored_trace::read_turns);
    if (x.operation == latest_entries_query::name)
      return answer_with<latest_entries_query>(x, &stored_trace::read_latest);
    return answer_with<trace_query>(x, &stored_trace::read_turn);
  }};
}

template <class Query, class Read>
caf::result<operation_answer> trace_reader_state::answer_with(call_operation& x, Read read) {
  auto which = from_json<Query>(json::value(std::move(x.arguments)));
  if (!which)
    return which.error();
  auto found = (*trace_.*read)(*which);
  if (!found)
    return found.error();
  return operation_answer{to_json_text(*found)};
}

} // namespace scratchpage
