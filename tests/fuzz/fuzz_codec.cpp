#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

namespace {

template <class T>
void read_and_write(const json::value& in) {
  auto read = from_json<T>(in);
  if (!read) {
    promise(utf8::is_valid(describe(read.error())), "an error is valid UTF-8");
    return;
  }
  auto text = to_text(to_json(*read));
  auto again = from_json_text<T>(text);
  promise(static_cast<bool>(again), "what was written can be read");
  promise(to_text(to_json(*again)) == text, "writing it again gives the same");
}

template <class... Ts>
void read_as_each(const json::value& in) {
  (read_and_write<Ts>(in), ...);
}

} // namespace

void codec(std::string_view bytes) {
  auto value = parse_json(bytes);
  if (!value)
    return;
  auto text = to_text(*value);
  auto again = parse_json(text);
  promise(again && to_text(*again) == text, "JSON is the same after writing and reading");
  promise(parse_json(to_pretty_text(*value)) == again, "pretty JSON is the same value");
  read_as_each<observation, observation_draft, observation_changes, observation_filter, source,
    caller, query_result, page_event, goal, update_goal, pending_action, fact, episode,
    context_part, trace_entry, begin_turn, planned_call, turn_result, tool_manifest, tool_request,
    tool_response, scratchbook_item, scratchbook, item_draft, item_changes, chat_message,
    compaction_plan, call_operation, operation_answer, page_stats, file_part>(*value);
}

} // namespace scratchpage::fuzz
