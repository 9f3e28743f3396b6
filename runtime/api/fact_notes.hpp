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
    note{"query", "Words to look for; only facts that share some are found, the closest first",
      R"("peanuts")", telling::models, characters_up_to<filter_limits::query_bytes>},
    note{"user_id", "Said by this user, also over an agent", R"("ann")", telling::models,
      characters_up_to<fact_request_limits::id_bytes>},
    note{"tags", "With all of these tags", R"(["food"])", telling::programs, limits::tags_of_fact},
    note{"min_confidence", "At least this confidence", "0.5", telling::programs, within<0, 1>},
    note{
      "limit", "The maximum number of results", "10", telling::models, within<1, max_query_limit>},
    note{"cursor", "The `next_cursor` of an earlier answer, to continue there",
      R"("0.4603579539098121011.1.7")", telling::models,
      characters_up_to<fact_request_limits::id_bytes>}};
};

template <>
struct notes<add_fact> {
  static constexpr std::string_view name = "new_fact";
  static constexpr std::array members{
    note{"statement", "What is so, in the third person", R"("Ann is allergic to peanuts")",
      telling::models, characters<1, fact_limits::statement_bytes>},
    note{"user_id", "The user who said so, if an agent passes it on", R"("ann")", telling::models,
      characters_up_to<fact_request_limits::id_bytes>},
    note{"tags", "Words to find it by", R"(["food"])", telling::models, limits::tags_of_fact},
    note{"confidence", "How sure it is, from 0 to 1", "0.9", telling::programs, within<0, 1>},
    note{"valid_from", "Since when it holds; absent: now", R"("2025-11-05T10:30:00Z")"}};
};

template <>
struct notes<update_fact> {
  static constexpr std::string_view name = "changed_fact";
  static constexpr std::array members{note{"fact_id", "Which fact", R"("fact_1")", telling::models,
                                        characters_up_to<fact_request_limits::id_bytes>},
    note{"statement", "The right statement", R"("Ann is allergic to hazelnuts")", telling::models,
      characters<1, fact_limits::statement_bytes>},
    note{"confidence", "How sure it is, from 0 to 1", "0.9", telling::programs, within<0, 1>},
    note{"tags", "The new tags; they replace all others", R"(["food"])", telling::programs,
      limits::tags_of_fact},
    note{"valid_until", "Since when it does not hold any more", R"("2025-11-06T10:30:00Z")"},
    note{"ended", "Whether it does not hold from now on", "true", telling::models}};
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
    note{"valid_from", "Since when it holds", R"("2025-11-05T10:30:00Z")"},
    note{"valid_until", "Since when it does not hold any more; absent: it holds",
      R"("2025-11-06T10:30:00Z")"}};
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

} // namespace scratchpage
