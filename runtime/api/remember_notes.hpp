#pragma once

#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/runtime/api/arguments.hpp"
#include "scratchpage/runtime/api/fact_notes.hpp"
#include "scratchpage/runtime/api/notes.hpp"
#include "scratchpage/runtime/api/recollection.hpp"

/// Notes (`notes.hpp`) on the arguments and answers of remembering, recalling and forgetting.

namespace scratchpage {

namespace limits {

inline json::object days() {
  return {{"minimum", recall_limits::least_days}, {"maximum", recall_limits::days}};
}

} // namespace limits

// -- what is asked ------------------------------------------------------------------------

template <>
struct notes<remember_arguments> {
  static constexpr std::string_view name = "new_memory";
  static constexpr std::array members{
    told_models(note{"text", "What to remember, in words that can be understood later",
                  R"("Ann is allergic to peanuts")", telling::models,
                  characters<1, recall_limits::text_bytes>},
      "One thing, as a sentence that is clear without this conversation: Ann is allergic to "
      "peanuts"),
    told_models(note{"about", "Whom or what it is about, if the text does not say so", R"("Ann")",
                  telling::models, characters_up_to<recall_limits::about_bytes>},
      "Whom or what it is about, if the text does not say so: Ann"),
    told_models(note{"tags", "Words to find it by", R"(["food"])", telling::models,
                  limits::tags_of_fact, true},
      "More words to find it by: [\"food\"]"),
    told_models(note{"days", "How many days it is of use; absent: as long as it is true", "7",
                  telling::models, limits::days},
      "Only for what passes: how many days it is of use")};
};

template <>
struct notes<recall_arguments> {
  static constexpr std::string_view name = "recall_order";
  static constexpr std::array members{
    told_models(note{"query", "Words to look for; absent: the latest", R"("peanuts")",
                  telling::models, characters_up_to<filter_limits::query_bytes>},
      "A few words of what you look for: Ann peanuts. Absent: the latest"),
    told_models(note{"limit", "The maximum number of results", "10", telling::models,
                  within<1, recall_limits::most>},
      "At most so many, 1 to 100, default 10")};
};

template <>
struct notes<forget_arguments> {
  static constexpr std::string_view name = "forgotten_memory";
  static constexpr std::array members{
    told_models(
      note{"id", "What to forget: the id of an observation, a fact or a turn", R"("fact_1")"},
      "The id in the answer of remember or recall, such as fact_1"),
    note{"observation_id", "An observation, wherever it is; exactly one of the four is given",
      R"("obs_20251105_001")"},
    note{"fact_id", "A fact", R"("fact_1")"},
    note{"turn_id", "A turn that has ended, with all its observations", R"("turn_20251105_001")"}};
};

// -- what is answered ---------------------------------------------------------------------

template <>
struct notes<remembered> {
  static constexpr std::string_view name = "remembered_text";
  static constexpr std::array members{note{"id", "Its id, for `forget`", R"("fact_1")"},
    note{"text", "What is remembered", R"("Ann is allergic to peanuts")"},
    note{"kept_as", "`fact` or `observation`", R"("fact")"},
    note{"until", "When it is forgotten by itself; absent: never", R"("2025-11-12T10:30:00Z")"}};
};

template <>
struct notes<recalled_memory> {
  static constexpr std::string_view name = "memory";
  static constexpr std::array members{note{"id", "Its id, for `forget`", R"("fact_1")"},
    note{"text", "What it says", R"("Ann is allergic to peanuts")"},
    note{"when", "When it was said", R"("2025-11-05T10:30:00Z")"},
    note{"who", "Who said it", R"("daemon assistant")"}};
};

template <>
struct notes<recollection> {
  static constexpr std::string_view name = "recollection";
  static constexpr std::array members{
    note{"memories", "The closest to the query first; without a query the latest first"},
    note{"total_count", "How many there are, without the limit", "1"},
    note{"said", "What to know about the answer, such as that nothing was found",
      R"("Nothing is remembered yet")"}};
};

} // namespace scratchpage
