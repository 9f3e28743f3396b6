#pragma once

#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/notes.hpp"

/// Notes (`notes.hpp`) on the arguments and answers of the operations of facts.

namespace scratchpage {

namespace limits {

inline json::object tags_of_fact() {
  return {
    {"maxItems", fact_request_limits::tags}, {"items", characters<1, fact_limits::text_bytes>()}};
}

} // namespace limits

// -- what is asked ------------------------------------------------------------------------

template <>
struct notes<fact_arguments> {
  static constexpr std::string_view name = "fact_query";
  static constexpr std::array members{
    told_models(
      note{"query", "Words to look for; only facts that share some are found, the closest first",
        R"("peanuts")", telling::models, characters_up_to<filter_limits::query_bytes>},
      "Words to look for"),
    told_models(note{"user_id", "Said by this user, also over an agent", R"("ann")",
                  telling::models, characters_up_to<fact_request_limits::id_bytes>},
      "Only what this user said"),
    note{"tags", "With all of these tags", R"(["food"])", telling::programs, limits::tags_of_fact},
    note{"min_confidence", "At least this confidence", "0.5", telling::programs, within<0, 1>},
    told_models(note{"limit", "The maximum number of results", "10", telling::models,
                  within<1, max_query_limit>},
      "Default 10"),
    told_models(note{"cursor", "The `next_cursor` of an earlier answer, to continue there",
                  R"("0.4603579539098121011.1.7")", telling::models,
                  characters_up_to<fact_request_limits::id_bytes>},
      "next_cursor of the last answer")};
};

template <>
struct notes<add_fact> {
  static constexpr std::string_view name = "new_fact";
  static constexpr std::array members{
    told_models(
      note{"statement", "What is so, in the third person", R"("Ann is allergic to peanuts")",
        telling::models, characters<1, fact_limits::statement_bytes>},
      "In the third person: Ann is allergic to peanuts"),
    told_models(note{"user_id", "The user who said so, if an agent passes it on", R"("ann")",
                  telling::models, characters_up_to<fact_request_limits::id_bytes>},
      "The user who said it, if not you"),
    told_models(note{"tags", "Words to find it by", R"(["food"])", telling::models,
                  limits::tags_of_fact, true},
      "Words to find it by"),
    note{"confidence", "How sure it is, from 0 to 1", "0.9", telling::programs, within<0, 1>},
    note{"valid_from", "Since when it holds; absent: now", R"("2025-11-05T10:30:00Z")"}};
};

template <>
struct notes<update_fact> {
  static constexpr std::string_view name = "changed_fact";
  static constexpr std::array members{
    told_models(note{"fact_id", "Which fact", R"("fact_1")", telling::models,
                  characters_up_to<fact_request_limits::id_bytes>},
      "Such as fact_1"),
    told_models(note{"statement", "The right statement", R"("Ann is allergic to hazelnuts")",
                  telling::models, characters<1, fact_limits::statement_bytes>},
      "The right statement"),
    note{"confidence", "How sure it is, from 0 to 1", "0.9", telling::programs, within<0, 1>},
    note{"tags", "The new tags; they replace all others", R"(["food"])", telling::programs,
      limits::tags_of_fact},
    note{"valid_until", "Since when it does not hold any more", R"("2025-11-06T10:30:00Z")"},
    told_models(
      note{"ended", "Whether it does not hold from now on", "true"}, "true: it holds no more")};
};

template <>
struct notes<episode_arguments> {
  static constexpr std::string_view name = "episode_query";
  static constexpr std::array members{
    told_models(note{"query", "Words that one observation of the turn has, all of them",
                  R"("smoke")", telling::models, characters_up_to<filter_limits::query_bytes>},
      "Words that the turn has, all of them"),
    told_models(note{"turn_id", "Of this turn", R"("turn_20251105_001")"}, "Only this turn"),
    note{"tags", "Tags that the same observation has, all of them", R"(["server_room"])"},
    note{"after", "Ended after this time", R"("2025-11-05T10:00:00Z")"},
    note{"before", "Ended before this time", R"("2025-11-05T11:00:00Z")"},
    told_models(note{"limit", "The maximum number of results", "10", telling::models,
                  within<1, max_query_limit>},
      "Default 10"),
    told_models(note{"cursor", "The `next_cursor` of an earlier answer, to continue there",
                  R"("1762338600000.1")"},
      "next_cursor of the last answer")};
};

template <>
struct notes<search_memory> {
  static constexpr std::string_view name = "memory_search";
  static constexpr std::array members{
    told_models(note{"query", "What to look for, in words", R"("smoke in the server room")",
                  telling::models, characters<1, filter_limits::query_bytes>},
      "Words to look for"),
    told_models(note{"in", "Any of page, archive, episodes, facts; absent: all", R"(["facts"])",
                  telling::models, nullptr, true},
      "Absent: all of them"),
    told_models(note{"limit", "The maximum number of results", "10", telling::models,
                  within<1, max_query_limit>},
      "Default 10")};
};

// -- what is answered ---------------------------------------------------------------------

template <>
struct notes<fact> {
  static constexpr std::string_view name = "fact";
  static constexpr std::array members{note{"fact_id", "Its id", R"("fact_1")"},
    note{"statement", "What is so", R"("Ann is allergic to peanuts")"},
    note{"confidence", "How sure it is, from 0 to 1", "0.9"},
    note{"support", "How many experiences confirm it", "2"},
    note{"contradicted", "How many say the opposite", "0"},
    note{"tags", "Words to find it by", R"(["food"])"},
    note{"observation_ids", "The latest observations that it was learnt from",
      R"(["obs_20251105_001"])"},
    note{"sources", "The latest who said so", R"(["user ann"])"},
    note{"first_seen", "When it was learnt", R"("2025-11-05T10:30:00Z")"},
    note{"last_seen", "When something was last said about it", R"("2025-11-05T10:30:00Z")"},
    note{"attribute", "What it is about; of the facts about the same, the latest holds",
      R"("user ann: home")"},
    note{"valid_from", "Since when it holds", R"("2025-11-05T10:30:00Z")"},
    note{"valid_until", "Since when it does not hold any more; absent: it holds",
      R"("2025-11-06T10:30:00Z")"},
    note{
      "has_more_sources", "Whether others have said so, too, who are not named any more", "false"}};
};

template <>
struct notes<fact_list> {
  static constexpr std::string_view name = "fact_list";
  static constexpr std::array members{
    note{"facts", "The closest to the query first, then the surest"},
    note{"total_count", "How many match, without the limit", "1"},
    note{"next_cursor", "Where to continue; absent in the last part",
      R"("0.4603579539098121011.1.7")"}};
};

template <>
struct notes<episode> {
  static constexpr std::string_view name = "episode";
  static constexpr std::array members{note{"turn_id", "Its turn", R"("turn_20251105_001")"},
    note{"thread_id", "The thread of the turn", R"("trip")"},
    note{"started_at", "When the turn began", R"("2025-11-05T10:30:00Z")"},
    note{"ended_at", "When it ended", R"("2025-11-05T10:30:02Z")"},
    note{"observations", "Its observations, in their last form"},
    note{"status", "How it ended", R"("completed")"},
    note{"left_out", "How many observations did not fit", "0"}};
};

template <>
struct notes<episode_list> {
  static constexpr std::string_view name = "episode_list";
  static constexpr std::array members{note{"episodes", "Those that ended last come first"},
    note{"next_cursor", "Where to continue; absent in the last part", R"("1762338600000.1")"}};
};

template <>
struct notes<memory_hit> {
  static constexpr std::string_view name = "memory_hit";
  static constexpr std::array members{note{"in", "Where it is remembered", R"("facts")"},
    note{"text", "What it says; a long text is cut", R"("Ann is allergic to peanuts")"},
    note{
      "score", "How close it is, above 0 and at most 1, to be compared within the answer", "0.8"},
    note{"source", "Who said so", R"("user ann")"},
    note{"at", "When it was said", R"("2025-11-05T10:30:00Z")"},
    note{"observation_id", "Which observation; empty if it is a fact", R"("obs_20251105_001")"},
    note{"fact_id", "Which fact; empty if it is an observation", R"("fact_1")"},
    note{"turn_id", "Of which turn; empty if it is of none", R"("turn_20251105_001")"}};
};

template <>
struct notes<memory_hits> {
  static constexpr std::string_view name = "memory_hits";
  static constexpr std::array members{note{"hits", "The closest first, then the newest"},
    note{"total_count", "How many were found, without the limit", "1"},
    note{"partial", "Whether some of what is remembered was not searched", "false"}};
};

template <>
struct notes<forgotten> {
  static constexpr std::string_view name = "removed_memories";
  static constexpr std::array members{
    note{"observation_ids", "The observations that were removed", R"(["obs_20251105_001"])"},
    note{"fact_ids", "The facts that were removed", R"(["fact_1"])"},
    note{"turn_ids", "The turns whose episodes were removed", R"(["turn_20251105_001"])"}};
};

} // namespace scratchpage
