#include "scratchpage/runtime/api/trace_reader.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json_writer.hpp"

namespace scratchpage {

trace_reader_state::handle::behavior_type trace_reader_state::make_behavior() {
  return {[this](call_operation& x) -> caf::result<operation_answer> {
    auto which = from_json<trace_order>(json::value(std::move(x.arguments)));
    if (!which)
      return which.error();
    auto found = trace_->read_turn(*which);
    if (!found)
      return found.error();
    return operation_answer{to_json_text(*found)};
  }};
}

} // namespace scratchpage
