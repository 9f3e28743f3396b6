#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/runtime/api/arguments.hpp"

/// Memory for an agent that does not know pages, facts and episodes: what it remembers, recalls and
/// forgets.

namespace scratchpage {

struct recall_limits {
  static constexpr uint32_t most = 100;        ///< memories in one answer
  static constexpr size_t text_bytes = 60'000; ///< fits into an observation with whom it is about
  static constexpr size_t about_bytes = 128;
  static constexpr double least_days = 1;
  static constexpr double days = 365;
};

/// What was remembered.
struct remembered {
  std::string id;
  std::string text;
  std::string kept_as; ///< "fact" or "observation"
  timestamp until;     ///< when it is forgotten by itself; not set: never

  static constexpr auto fields(auto all) {
    using self = remembered;
    return all(required("id", &self::id), required("text", &self::text),
      required("kept_as", &self::kept_as), optional("until", &self::until));
  }
};

/// One thing that is remembered.
struct recalled_memory {
  std::string id;
  std::string text;
  timestamp when;
  std::string who; ///< who said it

  static constexpr auto fields(auto all) {
    using self = recalled_memory;
    return all(required("id", &self::id), required("text", &self::text),
      optional("when", &self::when), optional("who", &self::who));
  }
};

struct recollection {
  std::vector<recalled_memory> memories; ///< the closest first, or the latest
  uint64_t total_count = 0;
  std::string said; ///< what to know about the answer, such as that nothing was found

  static constexpr auto fields(auto all) {
    using self = recollection;
    return all(required("memories", &self::memories), required("total_count", &self::total_count),
      optional("said", &self::said));
  }
};

/// What is stored for a text: a fact if it may hold for ever, otherwise an observation.
struct kept_text {
  std::string text;
  bool is_fact = false;
  double ttl_minutes = 0; ///< of the observation
};

/// Decides what is stored. Errors: `invalid_request` about a member, also if the text gives away a
/// secret, since everything that works for the agent reads what is remembered.
caf::expected<kept_text> read_memory(const remember_arguments& given, double default_ttl_minutes);

/// The memories of a search.
recollection told(const memory_hits& found);

/// The latest memories of both.
recollection told(const query_result& page, const fact_list& facts, uint32_t limit);

/// The types of observations that say something to an agent that does not know the ensemble.
const std::vector<std::string>& telling_types();

} // namespace scratchpage
