#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The HOUSEKEEPING sends it about observations that left the page long ago and held personal data.
/// Whoever has a copy in memory drops or masks it, so that nothing stores it again. The sender
/// itself purges the store.
struct purge_observations {
  caller by;
  std::vector<std::string> observation_ids; ///< all revisions of these are purged
  std::vector<std::string> aged_ids;        ///< only revisions with personal data are purged
  std::vector<std::string> contents;        ///< of the observations, because goals may quote them
  std::vector<std::string> held;            ///< the personal data in them, as it was written
  std::vector<std::string> kinds;           ///< what counts as personal data (pii_kind)

  static constexpr auto fields(auto all) {
    using self = purge_observations;
    return all(required("by", &self::by), required("observation_ids", &self::observation_ids),
      optional("aged_ids", &self::aged_ids), optional("contents", &self::contents),
      optional("held", &self::held), optional("kinds", &self::kinds));
  }
};

// -- episodic: what happened --------------------------------------------------------

/// What happened in a turn: all its observations, in their last form.
struct episode {
  std::string turn_id;
  std::string thread_id;
  timestamp started_at;
  timestamp ended_at;
  std::vector<observation_ptr> observations;
  std::optional<turn_status> status; ///< how it ended; absent in episodes of older versions
  uint64_t left_out = 0;             ///< observations that did not fit into the episode

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

/// Members are ANDed; empty ones filter nothing. The newest episodes come first. An answer ends
/// early when its episodes have many bytes.
struct query_episodes {
  caller by;
  std::string turn_id;
  std::vector<std::string> tags; ///< one observation of the episode has all of them
  std::string text;              ///< the content of that observation has all words of it
  std::optional<timestamp> after;
  std::optional<timestamp> before;
  uint32_t limit = 10;
  std::string cursor = {}; ///< the `next_cursor` of an earlier answer

  static constexpr auto fields(auto all) {
    using self = query_episodes;
    return all(required("by", &self::by), optional("turn_id", &self::turn_id),
      one_or_many("tags", &self::tags), optional("text", &self::text),
      optional("after", &self::after), optional("before", &self::before),
      optional("limit", &self::limit), optional("cursor", &self::cursor));
  }
};

struct episode_list {
  std::vector<episode> episodes;
  std::string next_cursor = {}; ///< "": there are no more

  static constexpr auto fields(auto all) {
    return all(required("episodes", &episode_list::episodes),
      optional("next_cursor", &episode_list::next_cursor));
  }
};

// -- semantic: what is known ----------------------------------------------------------

/// A statement that the agent has learnt (contract 9).
struct fact {
  std::string fact_id;
  std::string statement;
  double confidence = 0.5; ///< rises with success, falls with failure
  uint64_t support = 0;    ///< how many experiences confirmed it
  uint64_t contradicted = 0;
  std::vector<std::string> tags;
  std::vector<std::string> observation_ids; ///< the latest that it was learnt from
  std::vector<std::string> sources;         ///< the latest who said so, in the form of `said_by`
  timestamp first_seen;
  timestamp last_seen;
  std::string attribute; ///< what it is about; of the facts with the same one, the latest holds
  timestamp valid_from;  ///< since when it holds
  std::optional<timestamp> valid_until; ///< when it ceased to hold; absent: it holds
  bool has_more_sources = false; ///< whether others have said so, too, who are not named any more

  static constexpr auto fields(auto all) {
    using self = fact;
    return all(required("fact_id", &self::fact_id), required("statement", &self::statement),
      required("confidence", &self::confidence), required("support", &self::support),
      optional("contradicted", &self::contradicted), optional("tags", &self::tags),
      optional("observation_ids", &self::observation_ids), optional("sources", &self::sources),
      optional("first_seen", &self::first_seen), optional("last_seen", &self::last_seen),
      optional("attribute", &self::attribute), optional("valid_from", &self::valid_from),
      optional("valid_until", &self::valid_until),
      optional("has_more_sources", &self::has_more_sources));
  }
};

struct query_facts {
  caller by;
  std::string text; ///< ranks by shared words; "" lists by confidence
  std::vector<std::string> tags;
  double min_confidence = 0;
  uint32_t limit = 10;
  std::string user_id = {}; ///< what this user said, also over a relay; "": whoever said it
  std::string cursor = {};  ///< the `next_cursor` of an earlier answer
  bool selects = false;     ///< facts that share nothing with the text are left out
  bool latest = false;      ///< only facts that have no end, the last seen first

  static constexpr auto fields(auto all) {
    using self = query_facts;
    return all(required("by", &self::by), optional("text", &self::text),
      one_or_many("tags", &self::tags), optional("min_confidence", &self::min_confidence),
      optional("limit", &self::limit), optional("user_id", &self::user_id),
      optional("cursor", &self::cursor), optional("selects", &self::selects),
      optional("latest", &self::latest));
  }
};

struct fact_list {
  std::vector<fact> facts;
  uint64_t total_count = 0;     ///< of all that match, whatever the limit
  std::string next_cursor = {}; ///< "": there are no more

  static constexpr auto fields(auto all) {
    using self = fact_list;
    return all(required("facts", &self::facts), optional("total_count", &self::total_count),
      optional("next_cursor", &self::next_cursor));
  }
};

// -- working memory: what the next step should see --------------------------------------

struct assemble_context {
  caller by;
  std::string prompt;
  uint32_t budget = 1'000; ///< tokens for the whole text

  static constexpr auto fields(auto all) {
    using self = assemble_context;
    return all(required("by", &self::by), optional("prompt", &self::prompt),
      optional("budget", &self::budget));
  }
};

/// One share of an assembled context.
struct context_part {
  std::string name;    ///< "observations", "goals", "facts", "episodes"
  uint32_t budget = 0; ///< tokens that it could use, with those that earlier parts left
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
