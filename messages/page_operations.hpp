#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/query.hpp"

/// Requests to the SCRATCH PAGE and its answers, one struct each, with the names of
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

/// The stored observation, and warnings about values that the page corrected (contract 1).
struct receipt {
  observation_ptr observation;
  std::vector<std::string> warnings;

  static constexpr auto fields(auto all) {
    return all(
      required("observation", &receipt::observation), optional("warnings", &receipt::warnings));
  }
};

/// The result for one draft: a receipt, or the error that refused it.
struct add_outcome {
  receipt stored;
  caf::error error;

  static constexpr auto fields(auto all) {
    return all(required("stored", &add_outcome::stored), required("error", &add_outcome::error));
  }
};

/// One result for each draft, in the order of the drafts.
struct add_outcomes {
  std::vector<add_outcome> outcomes;

  static constexpr auto fields(auto all) {
    return all(required("outcomes", &add_outcomes::outcomes));
  }
};

/// Limits on queries from outside.
struct query_limits {
  static constexpr double deadline_ms = 1'000; ///< the longest deadline that a query may have
  /// Queries and other reads of a page that may wait for one principal while others are served.
  static constexpr size_t waiting = 512;
  /// Listings of the archive that may wait for one principal, and as many reads of episodes.
  static constexpr size_t waiting_to_read = 64;
  /// A request that has waited longer is not worked on: nobody waits for its answer any more.
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

/// As query_observations, for observations that left the page, and without a text.
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

/// Asks for live observations by priority. A client that pages gets each that was live when it
/// began and still is.
struct get_active_observations {
  /// As `limit`: all of them at once. Only for daemons of the same process; edges refuse it.
  static constexpr uint32_t all_of_them = UINT32_MAX;

  caller by;
  uint32_t limit = 100; ///< 1 to 1000, or `all_of_them`
  std::string cursor;   ///< from a previous answer's `next_cursor`
  /// With `all_of_them`: those that one of the filters selects are enough; empty: all. It saves
  /// time, and is not sent to other processes: a page there answers with all of them.
  std::vector<observation_filter> any_of = {};

  static constexpr auto fields(auto all) {
    using self = get_active_observations;
    return all(required("by", &self::by), optional("limit", &self::limit),
      optional("cursor", &self::cursor));
  }
};

struct observation_list {
  std::vector<observation_ptr> observations;
  /// Only of a turn: changes of the ensemble's observations that did not fit.
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

/// The FRONTAL CORTEX sends it when observations become evidence for a goal, or are no longer
/// evidence (`undo`). The answer names those that are still on the page.
struct link_observations {
  caller by;
  std::string goal_id;
  std::vector<std::string> observation_ids;
  bool undo = false; ///< removes the links, because the goal could not be stored

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

/// The ROUTER sends it at the start of a turn. The page offers again what meets a promotion rule
/// and has no goal yet, and answers how many observations these are.
struct review_candidates {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &review_candidates::by)); }
};

/// The FRONTAL CORTEX sends it when a goal was completed or abandoned.
struct goal_closed {
  caller by;
  std::string goal_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &goal_closed::by), required("goal_id", &goal_closed::goal_id));
  }
};

/// Where a subscriber starts: at the next change, or after `sequence`. If it also gives the epoch
/// in which it saw that change, it learns when a crash has undone some of what it saw: it gets one
/// `lagged` event with the number of lost changes, then the current state.
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
  uint64_t expired = 0;       ///< total
  uint64_t evicted = 0;       ///< total
  uint64_t epoch = 0;         ///< how often the page was opened from its store; 0 without a store
  uint64_t in_turns = 0;      ///< subscribers that take part in turns
  uint64_t text_bytes = 0;    ///< about, of the words of observations and where they are
  uint64_t waiting_texts = 0; ///< observations that are not indexed by their words yet

  static constexpr auto fields(auto all) {
    using self = page_stats;
    return all(required("sequence", &self::sequence),
      required("oldest_sequence", &self::oldest_sequence),
      required("observations", &self::observations), required("live", &self::live),
      required("archived", &self::archived), required("subscribers", &self::subscribers),
      required("open_turns", &self::open_turns), required("expired", &self::expired),
      required("evicted", &self::evicted), optional("epoch", &self::epoch),
      optional("in_turns", &self::in_turns), optional("text_bytes", &self::text_bytes),
      optional("waiting_texts", &self::waiting_texts));
  }
};

/// Asks whether the page could rest now: whether nobody could tell if it ended, and another one
/// took its place later, with its store and its keepsakes.
struct rest_check {
  caller by;
  std::vector<std::string> own_subscribers; ///< names of those that end and come back with the page

  static constexpr auto fields(auto all) {
    return all(
      required("by", &rest_check::by), optional("own_subscribers", &rest_check::own_subscribers));
  }
};

struct rest_verdict {
  bool may_rest = false;
  std::string why_not; ///< for people; "" if the page may rest
  /// When the page changes next by itself: an observation expires or is archived for its age.
  std::optional<timestamp> next_deadline;
  /// The changes after this sequence lie in the log of the page. Its successor reads them from the
  /// store.
  uint64_t log_after = 0;
  page_stats stats;

  static constexpr auto fields(auto all) {
    using self = rest_verdict;
    return all(required("may_rest", &self::may_rest), optional("why_not", &self::why_not),
      optional("next_deadline", &self::next_deadline), optional("log_after", &self::log_after),
      required("stats", &self::stats));
  }
};

/// Asks the page for its subscribers.
struct list_subscribers {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &list_subscribers::by)); }
};

/// A subscriber and its progress.
struct subscriber_state {
  std::string name;
  /// Changes since the first one that it wants and has not acknowledged. After it has fallen
  /// behind, also the largest number of observations that it may still have to get.
  uint64_t lag = 0;
  bool in_turns = false; ///< whether turns wait for it
  double waiting_ms = 0; ///< how long it has not acknowledged the last batch

  static constexpr auto fields(auto all) {
    using self = subscriber_state;
    return all(required("name", &self::name), required("lag", &self::lag),
      required("in_turns", &self::in_turns), optional("waiting_ms", &self::waiting_ms));
  }
};

/// Subscribers in the order in which they subscribed.
struct subscriber_list {
  uint64_t sequence = 0; ///< of the page's last change
  std::vector<subscriber_state> subscribers;

  static constexpr auto fields(auto all) {
    using self = subscriber_list;
    return all(required("sequence", &self::sequence), required("subscribers", &self::subscribers));
  }
};

// -- turns, as the page sees them ------------------------------------------------

/// Opens a turn: from here on its observations are collected.
struct open_turn {
  caller by; ///< `by.turn_id` names the turn
  /// Who asked for the turn. If they come from outside, the ensemble's questions and reports in the
  /// turn count towards their limits.
  std::optional<caller> begun_by = {};
  /// The turn was open before, in a process that has ended. What is on the page of it belongs to it
  /// again.
  bool again = false;

  static constexpr auto fields(auto all) {
    return all(required("by", &open_turn::by), optional("begun_by", &open_turn::begun_by),
      optional("again", &open_turn::again));
  }
};

/// Asks what was added in an open turn so far. Only for daemons of the same process; edges do not
/// offer it.
struct read_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &read_turn::by)); }
};

/// The observations of an open turn, each in its last form and with any status, in the order in
/// which they were added.
struct turn_so_far {
  /// Those of the ensemble, its tools and the embedding program, and the input of the user.
  std::vector<observation_ptr> own;
  std::vector<observation_ptr> others; ///< those of callers from outside
  uint64_t left_out = 0;               ///< changes of `own` that did not fit

  static constexpr auto fields(auto all) {
    using self = turn_so_far;
    return all(required("own", &self::own), required("others", &self::others),
      optional("left_out", &self::left_out));
  }
};

/// Keeps a turn from being quiet while its holder works. Holds are counted for each holder; the
/// holds of a holder that ends are released.
struct hold_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &hold_turn::by)); }
};

struct release_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &release_turn::by)); }
};

/// The stages of a turn's quiet. Each is reached when the one before has finished and the turn is
/// quiet again; then those who wait for it are answered.
enum class quiet_stage : uint8_t {
  started,  ///< everybody has read the input; work may go on under holds
  worked,   ///< the ensemble has finished its work; whoever works outside is told
  executed, ///< whoever works outside has finished too; the turn can be evaluated
  ended,    ///< evaluation and reflection have finished; the turn can be closed
};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<quiet_stage>{
  "started", "worked", "executed", "ended"};

/// Whether the answer for this stage gives the asker a hold on the turn.
constexpr bool comes_with_hold(quiet_stage x) {
  return x == quiet_stage::worked || x == quiet_stage::executed;
}

/// The answer comes when the turn is quiet for `stage` (docs/architecture.md, "Delivery and
/// quiet"). The answers for `worked` and `executed` come with a hold that the asker must release.
/// Without a turn the answer comes when the whole page is quiet: everything is committed, delivered
/// and acknowledged, nothing is overdue, and no candidate is being handled. `stage` is ignored
/// then.
struct await_quiet {
  caller by;
  quiet_stage stage = quiet_stage::executed;

  static constexpr auto fields(auto all) {
    return all(required("by", &await_quiet::by), required("stage", &await_quiet::stage));
  }
};

/// Ends a turn: archives what is resolved, drops the holds, and answers all observations of the
/// turn in their last form, with any status.
struct close_turn {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &close_turn::by)); }
};

} // namespace scratchpage
