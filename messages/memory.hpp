#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn_status.hpp"

namespace scratchpage {

// -- episodic: what happened --------------------------------------------------------

/// A turn's story: all its observations, in their last form.
struct episode {
  std::string turn_id;
  std::string thread_id;
  timestamp started_at;
  timestamp ended_at;
  std::vector<observation_ptr> observations;
  std::optional<turn_status> status; ///< how it ended; absent: the story is older than this
  uint64_t left_out = 0;             ///< observations that were too much for the story

  static constexpr auto fields(auto all) {
    using self = episode;
    return all(required("turn_id", &self::turn_id), optional("thread_id", &self::thread_id),
      optional("started_at", &self::started_at), optional("ended_at", &self::ended_at),
      required("observations", &self::observations), optional("status", &self::status),
      optional("left_out", &self::left_out));
  }
};

struct record_episode {
  caller by;
  scratchpage::episode episode;

  static constexpr auto fields(auto all) {
    return all(required("by", &record_episode::by), required("episode", &record_episode::episode));
  }
};

/// Members are ANDed; empty ones filter nothing. Newest episodes first; an answer also ends
/// when its episodes have many bytes.
struct query_episodes {
  caller by;
  std::string turn_id;
  std::vector<std::string> tags; ///< an episode matches if one observation has all
  std::string text;              ///< words that one observation's content has all
  std::optional<timestamp> after;
  std::optional<timestamp> before;
  uint32_t limit = 10;

  static constexpr auto fields(auto all) {
    using self = query_episodes;
    return all(required("by", &self::by), optional("turn_id", &self::turn_id),
      one_or_many("tags", &self::tags), optional("text", &self::text),
      optional("after", &self::after), optional("before", &self::before),
      optional("limit", &self::limit));
  }
};

struct episode_list {
  std::vector<episode> episodes;

  static constexpr auto fields(auto all) {
    return all(required("episodes", &episode_list::episodes));
  }
};

// -- semantic: what is known ----------------------------------------------------------

/// Something that held often enough to be known (contract 9).
struct fact {
  std::string fact_id;
  std::string statement;
  double confidence = 0.5; ///< rises with success, falls with failure
  uint64_t support = 0;    ///< how many observations stand behind it
  uint64_t contradicted = 0;
  std::vector<std::string> tags;
  std::vector<std::string> observation_ids; ///< the latest of them
  std::vector<std::string> sources;         ///< who said so, as `said_by` has it; the latest
  timestamp first_seen;
  timestamp last_seen;

  static constexpr auto fields(auto all) {
    using self = fact;
    return all(required("fact_id", &self::fact_id), required("statement", &self::statement),
      required("confidence", &self::confidence), required("support", &self::support),
      optional("contradicted", &self::contradicted), optional("tags", &self::tags),
      optional("observation_ids", &self::observation_ids), optional("sources", &self::sources),
      optional("first_seen", &self::first_seen), optional("last_seen", &self::last_seen));
  }
};

struct query_facts {
  caller by;
  std::string text; ///< ranks by shared words; "" lists by confidence
  std::vector<std::string> tags;
  double min_confidence = 0;
  uint32_t limit = 10;

  static constexpr auto fields(auto all) {
    using self = query_facts;
    return all(required("by", &self::by), optional("text", &self::text),
      one_or_many("tags", &self::tags), optional("min_confidence", &self::min_confidence),
      optional("limit", &self::limit));
  }
};

struct fact_list {
  std::vector<fact> facts;

  static constexpr auto fields(auto all) { return all(required("facts", &fact_list::facts)); }
};

// -- working memory: what the next step should see --------------------------------------

struct assemble_context {
  caller by;
  std::string prompt;
  uint32_t budget = 1'000; ///< tokens, for everything together

  static constexpr auto fields(auto all) {
    using self = assemble_context;
    return all(required("by", &self::by), optional("prompt", &self::prompt),
      optional("budget", &self::budget));
  }
};

/// One share of an assembled context.
struct context_part {
  std::string name;    ///< "observations", "goals", "facts", "episodes"
  uint32_t budget = 0; ///< tokens it could use, passed-on ones included
  uint32_t tokens = 0; ///< tokens it used
  uint32_t entries = 0;
  uint32_t left_out = 0; ///< entries that did not fit

  static constexpr auto fields(auto all) {
    using self = context_part;
    return all(required("name", &self::name), required("budget", &self::budget),
      required("tokens", &self::tokens), required("entries", &self::entries),
      required("left_out", &self::left_out));
  }
};

struct assembled_context {
  std::string text;
  uint32_t tokens = 0; ///< never more than the budget
  std::vector<context_part> parts;

  static constexpr auto fields(auto all) {
    using self = assembled_context;
    return all(required("text", &self::text), required("tokens", &self::tokens),
      required("parts", &self::parts));
  }
};

} // namespace scratchpage
