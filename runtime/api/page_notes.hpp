#pragma once

#include "scratchpage/actors/page/draft_rules.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/persistence/transfer/past_page.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/notes.hpp"

/// Notes (`notes.hpp`) on the arguments and answers of the operations of the page.

namespace scratchpage {

template <class Request>
struct notes<arguments_of<Request>> : notes<Request> {};

namespace limits {

inline json::object type_name() {
  return {{"pattern", "^[a-z][a-z0-9_]{0,63}$"}};
}

inline json::object tags() {
  return {{"items", characters<1, draft_limits::tag_characters>()}};
}

inline json::object status_of_draft() {
  return {{"enum", {"active", "pending_review"}}};
}

inline json::object status_of_change() {
  return {{"enum", {"active", "pending_review", "resolved", "archived"}}};
}

} // namespace limits

// -- what is stored ----------------------------------------------------------------------

template <>
struct notes<observation_draft> {
  static constexpr std::string_view name = "observation_draft";
  static constexpr std::array members{
    told_models(note{"type", "What kind of observation it is: one of the page's types",
                  R"("alert")", telling::models, limits::type_name},
      "observation: anything noticed (the usual); contextual_insight: what a person wants or is "
      "like; action_suggestion; pattern_detected; dependency: waits for something; reminder; "
      "alert, "
      "risk_alert, security_alert: danger; error_alert: a failure; pending_confirmation: a "
      "question "
      "to the user; learning: a lesson. The configuration may add others"),
    told_models(note{"content", "What was observed, in words", R"("Smoke in the server room")",
                  telling::models, characters<1, draft_limits::content_bytes>},
      "One thing, in plain words"),
    told_models(
      note{"confidence",
        "How sure the observer is; a value outside [0, 1] is clamped, with a warning", "0.95"},
      "0 to 1, default 0.5; from 0.9 it can start a goal"),
    told_models(note{"tags", "Words to find it by; they are normalised",
                  R"(["smoke", "server_room"])", telling::models, limits::tags},
      "Words to find it by: [\"smoke\", \"cellar\"]"),
    note{"source", "The claimed observer; the name of the caller counts"},
    told_models(
      note{"context", "What it belongs to, such as a goal or a thread", R"({"goal_id": "goal_1"})"},
      "What it belongs to: {\"goal_id\": \"goal_1\"}"),
    note{"owner", "Whom it concerns: the agent, the user, or the name of a tool", R"("agent")",
      telling::programs, characters<1, draft_limits::owner_bytes>},
    note{"status", "Whether it is active at once, or needs a review first", R"("active")",
      telling::programs, limits::status_of_draft},
    note{"metadata", "Further data of the observer", R"({"sensor": "r2"})"},
    told_models(note{"ttl_minutes",
                  "How long it stays on the page; a value outside [0, 525600] becomes the default, "
                  "with a warning",
                  "60"},
      "Minutes until it expires; default 10080")};
};

template <>
struct notes<draft_arguments> {
  static constexpr std::string_view name = "draft";
  static constexpr auto members = joined(notes<observation_draft>::members,
    std::array{told_models(note{"turn_id", "The open turn in which it is added; empty if in none",
                             R"("turn_20251105_001")"},
      "The open turn it is part of, if any")});
};

template <>
struct notes<drafts_arguments> {
  static constexpr std::string_view name = "drafts";
  static constexpr std::array members{
    told_models(note{"drafts", "The observations; each is stored or refused by itself", {},
                  telling::models, items_up_to<draft_limits::drafts>},
      "[{type, content, …}], as for add_observation"),
    told_models(note{"turn_id", "The open turn in which all of them are added; empty if in none",
                  R"("turn_20251105_001")"},
      "The open turn they are part of, if any")};
};

template <>
struct notes<observation_changes> {
  static constexpr std::string_view name = "observation_changes";
  static constexpr std::array members{
    told_models(
      note{"status", "The new status", R"("resolved")", telling::models, limits::status_of_change},
      "resolved: dealt with. From active or pending_review to any other; from resolved only to "
      "archived"),
    note{"content", "The new content", R"("The smoke is gone")", telling::programs,
      characters<1, draft_limits::content_bytes>},
    told_models(
      note{"confidence",
        "How sure the caller is; a value outside [0, 1] is clamped, with a warning", "0.5"},
      "0 to 1"),
    told_models(note{"tags", "The new tags; they replace all others", R"(["smoke"])",
                  telling::models, limits::tags},
      "All new tags"),
    note{"context", "All of the new context", R"({"goal_id": "goal_1"})"},
    note{"metadata", "All of the new metadata", R"({"sensor": "r3"})"},
    note{"owner", "Whom it concerns from then on", R"("user")", telling::programs,
      characters<1, draft_limits::owner_bytes>},
    told_models(
      note{"ttl_minutes",
        "How long it stays from then on; a value outside [0, 525600] becomes the default, "
        "with a warning",
        "60"},
      "Minutes from now")};
};

template <>
struct notes<update_observation> {
  static constexpr std::string_view name = "observation_update";
  static constexpr std::array members{
    told_models(note{"observation_id", "Which observation", R"("obs_20251105_001")"}, "Which one"),
    told_models(
      note{"changes", "What changes; members that are absent stay as they are", {}, telling::models,
        nullptr, false, "status content confidence tags context ttl_minutes"},
      "What changes; the rest stays"),
    told_models(note{"expected_revision", "The revision that the caller has seen", "1"},
      "The revision you saw"),
    told_models(
      note{"on_conflict", "What happens if the observation has another revision", R"("reject")"},
      "reject: refuse if its revision is another one")};
};

template <>
struct notes<archive_observation> {
  static constexpr std::string_view name = "archived_observation";
  static constexpr std::array members{
    told_models(note{"observation_id", "Which observation", R"("obs_20251105_001")"}, "Which one")};
};

template <>
struct notes<clear_resolved> {
  static constexpr std::string_view name = "resolved_observations";
  static constexpr std::array members{
    told_models(note{"observation_ids", "Which observations; all of them are resolved",
                  R"(["obs_20251105_001"])", telling::models, items_up_to<clear_resolved::most>},
      "Which ones")};
};

template <>
struct notes<register_type> {
  static constexpr std::string_view name = "new_type";
  static constexpr std::array members{
    note{"type", "The name of the type", R"("measurement")", telling::models, limits::type_name}};
};

// -- what is asked ------------------------------------------------------------------------

template <>
struct notes<observation_filter> {
  static constexpr std::string_view name = "observation_filter";
  static constexpr std::array members{
    told_models(note{"type", "Any of these types", R"(["alert"])"}, "Such as alert"),
    told_models(note{"status", "Any of these statuses; absent: live ones", R"(["active"])"},
      "Absent: live ones; in the archive all"),
    note{"source", "Observed by any of these tools, daemons or users", R"(["weather_api"])"},
    note{"owner", "Concerning any of these", R"(["agent"])"},
    told_models(
      note{"tags", "With all of these tags", R"(["smoke"])", telling::models, nullptr, true},
      "With all of these tags"),
    note{"min_confidence", "At least this confidence", "0.5"},
    note{
      "context", "With these values in the context, by dotted paths", R"({"goal_id": "goal_1"})"},
    note{"turn_id", "Added in this turn", R"("turn_20251105_001")"},
    note{"created_after", "Created after this time", R"("2025-11-05T10:00:00Z")"},
    note{"created_before", "Created before this time", R"("2025-11-05T11:00:00Z")"}};
};

template <>
struct notes<listing_arguments> {
  static constexpr std::string_view name = "observation_listing";
  static constexpr auto members = joined(notes<observation_filter>::members,
    std::array{told_models(note{"limit", "The maximum number of results", "10", telling::models,
                             within<1, max_query_limit>},
                 "Default 10"),
      told_models(
        note{"cursor", "The `next_cursor` of an earlier answer, to continue there", R"("17")"},
        "next_cursor of the last answer")});
};

template <>
struct notes<query_arguments> {
  static constexpr std::string_view name = "query";
  static constexpr auto members = joined(notes<listing_arguments>::members,
    std::array{
      told_models(note{"query", "Words to look for; the most relevant observations come first",
                    R"("smoke in the server room")"},
        "Words to look for"),
      note{"metadata", "An older form: the members of the filter, `limit` and `cursor` in here", {},
        telling::nobody},
      note{"deadline_ms", "How long the page may work on it, in milliseconds", "50",
        telling::programs, within<0, static_cast<int64_t>(query_limits::deadline_ms)>}});
};

template <>
struct notes<get_observation> {
  static constexpr std::string_view name = "observation_id";
  static constexpr std::array members{
    told_models(note{"observation_id", "Which observation", R"("obs_20251105_001")"},
      "Such as obs_20251105_001")};
};

template <>
struct notes<get_active_observations> {
  static constexpr std::string_view name = "active_part";
  static constexpr std::array members{
    told_models(note{"limit", "The maximum number of results", "100", telling::models,
                  within<1, max_query_limit>},
      "Default 100"),
    told_models(
      note{"cursor", "The `next_cursor` of an earlier answer, to continue there", R"("17")"},
      "next_cursor of the last answer")};
};

template <>
struct notes<past_page_query> {
  static constexpr std::string_view name = "past_page_part";
  static constexpr std::array members{note{"sequence", "The page after this change", "12"},
    note{"at", "Or the page at this time; without both, the page after the last change",
      R"("2025-11-05T10:30:00Z")"},
    note{"limit", "The maximum number of observations", "100", telling::programs,
      within<1, max_query_limit>},
    note{"cursor", "The `next_cursor` of an earlier answer about the same page", R"("12-7")"}};
};

template <>
struct notes<no_arguments> {
  static constexpr std::string_view name = "nothing";
  static constexpr std::array<note, 0> members{};
};

template <>
struct notes<list_subscribers> : notes<no_arguments> {};

// -- what is answered ---------------------------------------------------------------------

template <>
struct notes<observation> {
  static constexpr std::string_view name = "observation";
  static constexpr std::array members{
    note{"observation_id", "Its id, unique within the agent for ever", R"("obs_20251105_001")"},
    note{"type", "What kind of observation it is", R"("alert")"},
    note{"content", "What was observed, in words", R"("Smoke in the server room")"},
    note{"confidence", "How sure the observer is, from 0 to 1", "0.95"},
    note{"tags", "Words to find it by, normalised", R"(["server_room", "smoke"])"},
    note{"source", "The observer, as the server knows it"},
    note{"context", "What it belongs to", R"({"goal_id": "goal_1"})"},
    note{"owner", "Whom it concerns", R"("agent")"},
    note{"status", "Whether it is active, or how it has ended", R"("active")"},
    note{"metadata", "Further data", R"({"sensor": "r2"})"},
    note{"ttl_minutes", "How long it stays on the page", "60"},
    note{"created_at", "When it was added", R"("2025-11-05T10:30:00Z")"},
    note{"updated_at", "When it was last changed", R"("2025-11-05T10:30:00Z")"},
    note{"expires_at", "When it expires", R"("2025-11-05T11:30:00Z")"},
    note{"revision", "The number of its changes", "1"},
    note{"resolved_by", "Who resolved it; absent if it is not resolved"},
    note{"linked_goal_ids", "The goals for which it is evidence", R"(["goal_1"])"},
    note{"linked_to_goal", "Whether it is evidence for a goal", "true"}};
};

template <>
struct notes<contradiction> {
  static constexpr std::string_view name = "contradiction";
  static constexpr std::array members{
    note{"subject", "What the observations are about", R"("server_room temperature")"},
    note{"observation_ids", "The observations that contradict each other",
      R"(["obs_20251105_001", "obs_20251105_002"])"}};
};

template <>
struct notes<query_result> {
  static constexpr std::string_view name = "query_result";
  static constexpr std::array members{
    note{"observations", "The newest first, or the most relevant if there was a text"},
    note{"total_count", "How many there are, without the limit", "1"},
    note{"query_time_ms", "The time that the page has needed, in milliseconds", "0.4"},
    note{"next_cursor", "Where to continue; absent in the last part", R"("17")"},
    note{"partial", "Whether the time ended before all observations were searched", "false"},
    note{"conflicts", "Observations in this answer that contradict each other"}};
};

template <>
struct notes<past_page> {
  static constexpr std::string_view name = "past_page";
  static constexpr std::array members{
    note{"sequence", "The number of the last change until then", "12"},
    note{"at",
      "The time that was asked for, or the time of that change; absent if nothing ever "
      "changed",
      R"("2025-11-05T10:30:00Z")"},
    note{
      "first_sequence", "The first change that can be asked for; 0 if nothing ever changed", "1"},
    note{"last_sequence", "The last change so far", "18"},
    note{"first_at", "When the first one was", R"("2025-11-05T10:00:00Z")"},
    note{"last_at", "When the last one was", R"("2025-11-05T10:40:00Z")"},
    note{"observations", "What was on the page, resolved ones included, the newest first"},
    note{"total_count", "How many there were, without the limit", "7"},
    note{"next_cursor", "Where to continue; absent in the last part", R"("12-7")"}};
};

template <>
struct notes<page_stats> {
  static constexpr std::string_view name = "page_counters";
  static constexpr std::array members{note{"sequence", "The number of the last change", "18"},
    note{"oldest_sequence", "The number of the oldest change that can still be followed", "1"},
    note{"observations", "How many are on the page, resolved ones included", "12"},
    note{"live", "How many of them are live", "9"},
    note{"archived", "How many ended observations are in memory", "3"},
    note{"subscribers", "How many follow the page", "11"},
    note{"open_turns", "How many turns are open", "0"},
    note{"expired", "How many have expired so far", "2"},
    note{"evicted", "How many left because the page was full", "0"},
    note{"epoch", "How often the page has started on its store", "3"},
    note{"in_turns", "How many subscribers take part in turns", "10"},
    note{"text_bytes", "How many bytes the index of words takes, about", "14208"},
    note{"waiting_texts", "How many observations are not in the index of words yet", "0"}};
};

template <>
struct notes<subscriber_state> {
  static constexpr std::string_view name = "subscriber";
  static constexpr std::array members{note{"name", "Its name", R"("router")"},
    note{"lag", "How many changes it has not acknowledged", "0"},
    note{"in_turns", "Whether turns wait for it", "true"},
    note{"waiting_ms", "How long it has not acknowledged a batch, in milliseconds", "0"}};
};

template <>
struct notes<subscriber_list> {
  static constexpr std::string_view name = "subscriber_list";
  static constexpr std::array members{
    note{"sequence", "The number of the page's last change", "18"},
    note{"subscribers", "In the order in which they subscribed"}};
};

} // namespace scratchpage
