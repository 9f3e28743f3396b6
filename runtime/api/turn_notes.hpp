#pragma once

#include "scratchpage/messages/turn.hpp"
#include "scratchpage/persistence/trace/trace_store.hpp"
#include "scratchpage/runtime/api/goal_notes.hpp"
#include "scratchpage/runtime/api/notes.hpp"
#include "scratchpage/runtime/api/page_notes.hpp"

/// Notes (`notes.hpp`) on the arguments and answers of the operations of turns.

namespace scratchpage {

// -- what is asked ------------------------------------------------------------------------

template <>
struct notes<scratch_page_query> {
  static constexpr std::string_view name = "scratch_page_query";
  static constexpr std::array members{
    note{"filters", "Observations that the tool gets before it runs"},
    note{"limit", "The maximum number of them", "10"}};
};

template <>
struct notes<planned_call> {
  static constexpr std::string_view name = "planned_call";
  static constexpr std::array members{
    note{"call_id", "A name for the call, unique within the turn", R"("forecast")"},
    note{"tool_id", "Which tool", R"("weather_api")"},
    note{"inputs", "What the tool is called with", R"({"city": "Oslo"})"},
    note{"depends_on", "The calls that have to succeed before", R"(["locate"])"},
    note{"after", "The calls that have to end before, in success or failure", R"(["notify"])"},
    note{"scratch_page_query", "What the tool learns from the page"}};
};

template <>
struct notes<begin_turn> {
  static constexpr std::string_view name = "new_turn";
  static constexpr std::array members{
    note{"agent_id", "For programs that embed the ensemble", {}, telling::nobody},
    note{"thread_id", "The conversation; absent: the caller's", R"("trip")"},
    told_models(note{"user_id", "The author of the input", R"("ann")"}, "The user who said it"),
    told_models(note{"input", "What to work on", R"("Is it going to rain in Oslo?")"},
      "The user's words, as they were said"),
    told_models(note{"plan", "The tools to call, if the caller knows them", {}},
      "Tools of this agent to call: [{tool_id, inputs}]"),
    note{"mode", "When it begins, and when it is answered", R"("sequential")"},
    note{"deadline_ms", "How long it may take, in milliseconds; 0 is the configured time", "10000",
      telling::programs, within<0, static_cast<int64_t>(begin_turn::longest_ms)>},
    note{
      "context", "The context of the observation that holds the input", R"({"channel": "mail"})"},
    told_models(note{"hold", "keep it open until end_turn", "false"},
      "true: you work in it, then call end_turn"),
    note{"traceparent", "The caller's span, as in W3C Trace Context",
      R"("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")"}};
};

template <>
struct notes<end_turn> {
  static constexpr std::string_view name = "ended_turn";
  static constexpr std::array members{
    told_models(note{"turn_id", "Which turn", R"("turn_20251105_001")"}, "From begin_turn"),
    told_models(note{"response", "What you answered the user", R"("It is going to rain.")"},
      "What you answered the user")};
};

template <>
struct notes<report_tool_call> {
  static constexpr std::string_view name = "tool_call_report";
  static constexpr std::array members{
    told_models(note{"turn_id", "Which turn", R"("turn_20251105_001")"}, "From begin_turn"),
    told_models(note{"tool_id", "Which tool was called", R"("weather_api")"}, "The tool's name"),
    note{"call_id", "A name for the call, unique within the turn; absent: it gets one",
      R"("forecast")"},
    told_models(note{"status", "How it ended", R"("error")"}, "How it ended"),
    told_models(note{"inputs", "What it was called with", R"({"city": "Oslo"})"}, "Its arguments"),
    told_models(note{"outputs", "What it answered", R"({"celsius": 4})"}, "Its answer, an object"),
    told_models(
      note{"error", "What went wrong", R"("503 Service Unavailable")"}, "What went wrong"),
    told_models(note{"idempotent", "Whether the same call again does nothing more", "true"},
      "Whether it may be called again"),
    told_models(note{"alternatives", "Tools that can stand in for it", R"(["weather_backup"])"},
      "Tools that could do it instead"),
    note{"duration_ms", "How long it took, in milliseconds", "120", telling::programs,
      within<0, static_cast<int64_t>(begin_turn::longest_ms)>},
    note{"observations", "Drafts of what the tool noticed",
      R"([{"type": "observation", "content": "Storms are near Oslo"}])"}};
};

template <>
struct notes<await_turn> {
  static constexpr std::string_view name = "awaited_turn";
  static constexpr std::array members{
    note{"turn_id", "Which turn", R"("turn_20251105_001")", telling::models}};
};

template <>
struct notes<list_turns> {
  static constexpr std::string_view name = "turn_part";
  static constexpr std::array members{note{"limit", "The maximum number of results", "20",
                                        telling::models, within<1, list_turns::most>},
    note{"before", "Only turns that ended earlier; the `next_before` of an earlier answer",
      R"("2025-11-05T10:30:00Z")", telling::models}};
};

template <>
struct notes<trace_query> {
  static constexpr std::string_view name = "trace_part";
  static constexpr std::array members{
    note{"turn_id", "Which turn", R"("turn_20251105_001")", telling::models, not_empty},
    note{"limit", "The maximum number of entries", "100", telling::models,
      within<1, trace_query::most>},
    note{"cursor", "The `next_cursor` of an earlier answer, to continue there", R"("3-17")",
      telling::models}};
};

template <>
struct notes<traced_turns_query> {
  static constexpr std::string_view name = "traced_turns_part";
  static constexpr std::array members{note{"limit", "The maximum number of turns", "100",
    telling::programs, within<1, traced_turns_query::most>}};
};

template <>
struct notes<latest_entries_query> {
  static constexpr std::string_view name = "latest_entries_part";
  static constexpr std::array members{
    note{"limit", "The maximum number of entries; fewer if they are large", "100",
      telling::programs, within<1, latest_entries_query::most>}};
};

// -- what is answered ---------------------------------------------------------------------

template <>
struct notes<turn_result> {
  static constexpr std::string_view name = "turn_result";
  static constexpr std::array members{note{"turn_id", "Its id", R"("turn_20251105_001")"},
    note{"status", "How it is going, or has ended", R"("complete")"},
    note{"response", "What the ensemble answers, in words", R"("It is going to rain.")"},
    note{"urgency", "How urgent the input is", R"("low")"},
    note{"goals", "The goals that it made or moved"},
    note{"pending_actions", "What is left to do for those goals"},
    note{"questions", "What the user is asked", R"(["Which city do you mean?"])"},
    note{"assessment", "How the Evaluator judges the turn", R"({"status": "complete"})"},
    note{"observations", "The observations of the turn, in their last version"},
    note{"started_at", "When it began", R"("2025-11-05T10:30:00Z")"},
    note{"ended_at", "When it ended", R"("2025-11-05T10:30:02Z")"},
    note{"waiting", "Questions of earlier turns that are still open"},
    note{"warnings", "The warnings that the response begins with: of live alerts about the input",
      R"(["Warning: Smoke in the server room."])"}};
};

template <>
struct notes<waiting_question> {
  static constexpr std::string_view name = "waiting_question";
  static constexpr std::array members{
    note{"observation_id", "The observation that asks", R"("obs_20251105_003")"},
    note{"kind", "What it asks for", R"("confirm")"},
    note{"question", "The question", R"("Shall I book it?")"}};
};

template <>
struct notes<reported_call> {
  static constexpr std::string_view name = "reported_call";
  static constexpr std::array members{
    note{"observation", "The call on the page: a tool_result or an error_alert"},
    note{"recovery", "What the Error Handler would do about the failure",
      R"({"error_class": "transient", "action": "retry"})"},
    note{"warnings", "What was not taken, and why",
      R"(["observations[0]: type: a tool may not add user_input"])"}};
};

template <>
struct notes<turn_summary> {
  static constexpr std::string_view name = "turn_summary";
  static constexpr std::array members{note{"turn_id", "Its id", R"("turn_20251105_001")"},
    note{"thread_id", "The conversation", R"("trip")"},
    note{"user_id", "The author of the input", R"("ann")"},
    note{"input", "How the input begins", R"("Is it going to rain in Oslo?")"},
    note{"status", "How it is going, or has ended", R"("complete")"},
    note{"urgency", "How urgent the input is, once that is known", R"("low")"},
    note{"observations", "The number of its observations, once it has ended", "7"},
    note{"started_at", "When it began", R"("2025-11-05T10:30:00Z")"},
    note{"ended_at", "When it ended; absent while it is open", R"("2025-11-05T10:30:02Z")"}};
};

template <>
struct notes<turn_list> {
  static constexpr std::string_view name = "turn_list";
  static constexpr std::array members{note{"turns", "Open ones first, then those that ended last"},
    note{"next_before", "If there are more: the `before` of the next call",
      R"("2025-11-05T10:30:00Z")"}};
};

template <>
struct notes<trace_entry> {
  static constexpr std::string_view name = "trace_entry";
  static constexpr std::array members{note{"id", "Its number", "7"},
    note{"parent", "The number of the entry that caused it; 0 if none did", "3"},
    note{"timestamp", "When it was written", R"("2025-11-05T10:30:00Z")"},
    note{"agent_id", "Whose agent", R"("ada")"},
    note{"turn_id", "In which turn", R"("turn_20251105_001")"},
    note{"component", "Which part of the ensemble", R"("router")"},
    note{"operation", "What it did", R"("route")"},
    note{"status", "`success`, `warning`, `partial`, or the code of an error", R"("success")"},
    note{"source", "Who asked for it", R"("user ann")"},
    note{"duration_ms", "How long it took, in milliseconds", "1.5"},
    note{"detail", "What else is known of it", R"({"urgency": "low"})"}};
};

template <>
struct notes<turn_trace> {
  static constexpr std::string_view name = "trace";
  static constexpr std::array members{note{"turn_id", "Which turn", R"("turn_20251105_001")"},
    note{"entries", "In the order in which they were written"},
    note{"total_count", "How many there are in total", "42"},
    note{"next_cursor", "Where to continue; absent if there are no more entries yet", R"("3-17")"}};
};

template <>
struct notes<traced_turn> {
  static constexpr std::string_view name = "traced_turn";
  static constexpr std::array members{note{"turn_id", "Its id", R"("turn_20251105_001")"},
    note{"began", "When its first entry was written", R"("2025-11-05T10:30:00Z")"},
    note{"ended", "When its last entry was written", R"("2025-11-05T10:30:02Z")"},
    note{"entries", "How many there are", "42"},
    note{"failures", "How many of them have the status of a failure", "0"}};
};

template <>
struct notes<traced_turn_list> {
  static constexpr std::string_view name = "traced_turn_list";
  static constexpr std::array members{note{"turns", "Those that ended last, the latest first"}};
};

template <>
struct notes<latest_entries> {
  static constexpr std::string_view name = "latest_entries";
  static constexpr std::array members{
    note{"entries", "The last ones, in the order in which they were written"}};
};

} // namespace scratchpage
