#include "scratchpage/runtime/api/history_reader.hpp"

#include <string>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/transfer/past_page.hpp"

namespace scratchpage {

namespace {

/// An error after a time.
may_go_on within(std::shared_ptr<const clock> clock, timespan most) {
  auto until = clock->steady() + most;
  return [clock = std::move(clock), until]() -> caf::error {
    if (clock->steady() < until)
      return {};
    return fail(errc::deadline_exceeded, "",
      "expected a page that is read in " + std::to_string(history_limits::read_ms / 1'000)
        + " s, but the journal before it is too long");
  };
}

} // namespace

history_reader_state::handle::behavior_type history_reader_state::make_behavior() {
  return {[this](call_operation& x) { return read(x); }};
}

caf::result<operation_answer> history_reader_state::read(call_operation& x) {
  auto which = from_json<past_page_query>(json::value(std::move(x.arguments)));
  if (!which)
    return which.error();
  http::permit permit{*access_.running};
  if (!permit)
    return fail(errc::overloaded, "",
      "expected at most " + std::to_string(history_limits::at_once)
        + " agents whose past pages are read at once; ask again in a second");
  auto from = access_.open();
  if (!from)
    return from.error();
  constexpr auto most = std::chrono::milliseconds{history_limits::read_ms};
  auto found = read_past_page(**from, access_.agent, *which, within(access_.clock, most));
  if (!found)
    return found.error();
  return operation_answer{to_json_text(*found)};
}

} // namespace scratchpage
