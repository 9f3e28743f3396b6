#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"

/// Requests to the SCRATCH PAGE and its answers, one struct each, named after
/// the operations of contract 3. The interface is in handles.hpp.

namespace scratchpage {

struct add_observation {
  caller by;
  observation_draft draft;

  static constexpr auto fields(auto all) {
    return all(required("by", &add_observation::by), required("draft", &add_observation::draft));
  }
};

struct add_observations {
  caller by;
  std::vector<observation_draft> drafts;

  static constexpr auto fields(auto all) {
    return all(
      required("by", &add_observations::by), required("drafts", &add_observations::drafts));
  }
};

/// The stored observation, and what was put right on the way (contract 1).
struct receipt {
  observation_ptr observation;
  std::vector<std::string> warnings;

  static constexpr auto fields(auto all) {
    return all(
      required("observation", &receipt::observation), optional("warnings", &receipt::warnings));
  }
};

/// One draft's fate: a receipt, or the error that refused it.
struct add_outcome {
  receipt stored;
  caf::error error;

  static constexpr auto fields(auto all) {
    return all(required("stored", &add_outcome::stored), required("error", &add_outcome::error));
  }
};

/// A result per draft, in their order.
struct add_outcomes {
  std::vector<add_outcome> outcomes;

  static constexpr auto fields(auto all) {
    return all(required("outcomes", &add_outcomes::outcomes));
  }
};

/// What a query from outside may ask for.
struct query_limits {
  static constexpr double deadline_ms = 1'000; ///< of the work for it
  /// Queries and other looks at a page, of one principal, that wait until others had their turn.
  static constexpr size_t waiting = 512;
  /// Listings of the archive, of one principal, that wait until others had theirs; and as many
  /// readings of episodes.
  static constexpr size_t waiting_to_read = 64;
  /// What has waited for longer is not worked on: nobody waits for its answer any more.
  static constexpr double waiting_ms = 30'000;
};

struct query_observations {
  caller by;
  std::string text; ///< "": no text
  observation_filter filter;
  uint32_t limit = 10;              ///< 1 to 1000
  std::string cursor;               ///< from a previous answer's `next_cursor`
  std::optional<timespan> deadline; ///< for the work itself; default from the configuration

  static constexpr auto fields(auto all) {
    using self = query_observations;
    return all(required("by", &self::by), optional("text", &self::text),
      optional("filter", &self::filter), optional("limit", &self::limit),
      optional("cursor", &self::cursor), optional("deadline", &self::deadline));
  }
};

/// As query_observations, over what left the page. Text is not supported there.
struct list_archive {
  caller by;
  observation_filter filter; ///< an empty `status` means any
  uint32_t limit = 10;
  std::string cursor;

  static constexpr auto fields(auto all) {
    using self = list_archive;
    return all(required("by", &self::by), optional("filter", &self::filter),
      optional("limit", &self::limit), optional("cursor", &self::cursor));
  }
};

struct get_observation {
  caller by;
  std::string observation_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &get_observation::by),
      required("observation_id", &get_observation::observation_id));
  }
};

/// Live ones by priority. Who pages sees each that was there when it began and still is.
struct get_active_observations {
  /// As a limit: every one at once. For daemons beside the page; no edge lets it in.
  static constexpr uint32_t all_of_them = UINT32_MAX;

  caller by;
  uint32_t limit = 100; ///< 1 to 1000, or `all_of_them`
  std::string cursor;   ///< from a previous answer's `next_cursor`

  static constexpr auto fields(auto all) {
    using self = get_active_observations;
    return all(required("by", &self::by), optional("limit", &self::limit),
      optional("cursor", &self::cursor));
  }
};

struct observation_list {
  std::vector<observation_ptr> observations;
  /// Of a turn: changes of what the ensemble put into it for which there was no room.
  uint64_t left_out = 0;

  static constexpr auto fields(auto all) {
    return all(required("observations", &observation_list::observations),
      optional("left_out", &observation_list::left_out));
  }
};

/// What happens when `expected_revision` is not the current one.
enum class on_conflict : uint8_t { last_write_wins, reject };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<on_conflict>{
  "last_write_wins", "reject"};

struct update_observation {
  caller by;
  std::string observation_id;
  observation_changes changes;
  std::optional<uint64_t> expected_revision;
  scratchpage::on_conflict on_conflict = on_conflict::last_write_wins;

  static constexpr auto fields(auto all) {
    using self = update_observation;
    return all(required("by", &self::by), required("observation_id", &self::observation_id),
      required("changes", &self::changes), optional("expected_revision", &self::expected_revision),
      optional("on_conflict", &self::on_conflict));
  }
};

struct archive_observation {
  caller by;
  std::string observation_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &archive_observation::by),
      required("observation_id", &archive_observation::observation_id));
  }
};

struct clear_resolved {
  static constexpr size_t most = 1'000;

  caller by;
  std::vector<std::string> observation_ids; ///< at most `most`

  static constexpr auto fields(auto all) {
    return all(required("by", &clear_resolved::by),
      required("observation_ids", &clear_resolved::observation_ids));
  }
};

/// Adds a type to the registry; for admins.
struct register_type {
  caller by;
  std::string type;

  static constexpr auto fields(auto all) {
    return all(required("by", &register_type::by), required("type", &register_type::type));
  }
};

/// From the FRONTAL CORTEX: these observations are evidence for a goal, or are
/// it no more. The answer names those that are still on the page.
struct link_observations {
  caller by;
  std::string goal_id;
  std::vector<std::string> observation_ids;
  bool undo = false; ///< the goal could not be kept

  static constexpr auto fields(auto all) {
    using self = link_observations;
    return all(required("by", &self::by), required("goal_id", &self::goal_id),
      required("observation_ids", &self::observation_ids), optional("undo", &self::undo));
  }
};

struct linked_observations {
  std::vector<std::string> observation_ids;

  static constexpr auto fields(auto all) {
    return all(required("observation_ids", &linked_observations::observation_ids));
  }
};

/// From the ROUTER at the start of a turn: offer once more what meets a
/// promotion rule and has no goal yet. Answers how many.
struct review_candidates {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &review_candidates::by)); }
};

/// From the FRONTAL CORTEX: this goal is completed or abandoned.
struct goal_closed {
  caller by;
  std::string goal_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &goal_closed::by), required("goal_id", &goal_closed::goal_id));
  }
};

/// Where a subscriber starts: at the next change, or after `sequence`. With the
/// epoch in which it saw that, it is told if a crash has taken back some of what
/// it saw: one `lagged` event that counts them, then the current state.
struct subscribe_from {
  std::optional<uint64_t> sequence; ///< the last one already seen; absent: now
  std::optional<uint64_t> epoch;    ///< of the batch it came in; absent: the current one

  static constexpr auto fields(auto all) {
    using self = subscribe_from;
    return all(optional("sequence", &self::sequence), optional("epoch", &self::epoch));
  }
};

struct page_stats {
  uint64_t sequence = 0;        ///< of the last change
  uint64_t oldest_sequence = 0; ///< of the oldest change that the log still holds
  uint64_t observations = 0;    ///< on the page, resolved ones included
  uint64_t live = 0;
  uint64_t archived = 0; ///< in memory; storage has more
  uint64_t subscribers = 0;
  uint64_t open_turns = 0;
  uint64_t expired = 0;  ///< so far
  uint64_t evicted = 0;  ///< so far
  uint64_t epoch = 0;    ///< counts the page's beginnings on its store; 0: it has none
  uint64_t in_turns = 0; ///< subscribers that take part in turns

  static constexpr auto fields(auto all) {
    using self = page_stats;
    return all(required("sequence", &self::sequence),
      required("oldest_sequence", &self::oldest_sequence),
      required("observations", &self::observations), required("live", &self::live),
      required("archived", &self::archived), required("subscribers", &self::subscribers),
      required("open_turns", &self::open_turns), required("expired", &self::expired),
      required("evicted", &self::evicted), optional("epoch", &self::epoch),
      optional("in_turns", &self::in_turns));
  }
};

/// Asks the page who listens.
struct list_subscribers {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &list_subscribers::by)); }
};

/// A subscriber, and how far it is.
struct subscriber_state {
  std::string name;
  /// Changes since the first that it wants and has not acknowledged, and, after it has
  /// fallen behind, at most so many observations that it is yet to be told.
  uint64_t lag = 0;
  bool in_turns = false; ///< whether turns wait for it
  double waiting_ms = 0; ///< since a batch was sent to it that it has not acknowledged

  static constexpr auto fields(auto all) {
    using self = subscriber_state;
    return all(required("name", &self::name), required("lag", &self::lag),
      required("in_turns", &self::in_turns), optional("waiting_ms", &self::waiting_ms));
  }
};

/// In the order in which they came.
struct subscriber_list {
  uint64_t sequence = 0; ///< of the page's last change
  std::vector<subscriber_state> subscribers;

  static constexpr auto fields(auto all) {
    using self = subscriber_list;
    return all(required("sequence", &self::sequence), required("subscribers", &self::subscribers));
  }
};

// -- turns, as the page sees them ------------------------------------------------

/// A turn's observations are collected from here on.
struct open_turn {
  caller by; ///< `by.turn_id` names the turn
  /// Who asked for it. Where they come from outside, what the ensemble has to ask and to report
  /// in the turn counts for them.
  std::optional<caller> begun_by = {};

  static constexpr auto fields(auto all) {
    return all(required("by", &open_turn::by), optional("begun_by", &open_turn::begun_by));
  }
};

/// Asks what an open turn has added so far. For daemons beside the page; no edge lets it in.
struct read_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &read_turn::by)); }
};

/// Each in its last form, whatever became of it, and in the order in which they were added.
struct turn_so_far {
  /// Of the ensemble, its tools and the program that embeds it, with the user's input.
  std::vector<observation_ptr> own;
  std::vector<observation_ptr> others; ///< of whoever came from outside
  uint64_t left_out = 0;               ///< changes of its own for which there was no room

  static constexpr auto fields(auto all) {
    using self = turn_so_far;
    return all(required("own", &self::own), required("others", &self::others),
      optional("left_out", &self::left_out));
  }
};

/// Keeps a turn from being quiet while its holder works. Holds are counted per
/// holder; a holder that dies lets go.
struct hold_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &hold_turn::by)); }
};

struct release_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &release_turn::by)); }
};

/// The stages in which those who wait for a turn's quiet get their word, each
/// when the one before has finished and the turn is quiet again.
enum class quiet_stage : uint8_t {
  started,  ///< everybody has read the input; work may go on under holds
  worked,   ///< nobody works on it any more: time to tell who works outside
  executed, ///< nor does anybody outside: time to evaluate
  ended,    ///< evaluated and reflected upon: time to close
};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<quiet_stage>{
  "started", "worked", "executed", "ended"};

/// Whether who is let into it holds the turn from then on.
constexpr bool comes_with_hold(quiet_stage x) {
  return x == quiet_stage::worked || x == quiet_stage::executed;
}

/// Answered when the turn is quiet for `stage` (architecture, "Quiet"). The answers
/// of `worked` and `executed` come with a hold that the asker must release. Without a
/// turn it is answered when the whole page is: everything committed, delivered
/// and acknowledged, nothing overdue, no candidate on its way; `stage` says nothing.
struct await_quiet {
  caller by;
  quiet_stage stage = quiet_stage::executed;

  static constexpr auto fields(auto all) {
    return all(required("by", &await_quiet::by), required("stage", &await_quiet::stage));
  }
};

/// Ends a turn: archives what is resolved, forgets the holds, and answers every
/// observation of the turn in its last form, whatever became of it.
struct close_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &close_turn::by)); }
};

} // namespace scratchpage
