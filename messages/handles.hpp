#pragma once

#include <string>

#include <caf/result.hpp>
#include <caf/typed_actor.hpp>

#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/files.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/journal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/messages/type_ids.hpp"

/// The typed interface of every actor. A request is a struct that is named after what it asks for.
/// The comment at a signature says what the request does and what the answer means.

namespace scratchpage {

/// The SUBSCRIBER interface: the PAGE notifies subscribers of changes. Daemons are subscribers and
/// nothing else.
using subscriber_actor = caf::typed_actor<
  // The batch has changes in their order. The answer acknowledges them and asks for the next batch.
  caf::result<void>(event_batch)>;

/// Asks the PAGE for events. It is not in page_operations.hpp because it contains a handle.
struct subscribe {
  caller by;
  subscriber_actor subscriber;
  observation_filter filter; ///< an empty `status` means any, so that ends are reported, too
  subscribe_from from;
  bool part_of_turns = true; ///< whether turns wait until the subscriber has acknowledged events
  /// The name under which the page stores the position of the last acknowledged event, also across
  /// a restart. If `from` has no sequence, the subscription continues at the stored position. A
  /// later subscription of this name replaces this one, and `unsubscribe` deletes the position. "":
  /// no position is stored.
  std::string keep_as = {};
  /// Further filters: an event is sent if `filter` or one of these matches its observation. It is
  /// sent once, even if several match.
  std::vector<observation_filter> or_filters = {};
  uint64_t at_once = 0; ///< the maximum number of events in a batch; 0: the page's own maximum

  static constexpr auto fields(auto all) {
    using self = subscribe;
    return all(required("by", &self::by), required("subscriber", &self::subscriber),
      optional("filter", &self::filter), optional("from", &self::from),
      optional("part_of_turns", &self::part_of_turns), optional("keep_as", &self::keep_as),
      optional("or_filters", &self::or_filters), optional("at_once", &self::at_once));
  }
};

struct unsubscribe {
  caller by;
  subscriber_actor subscriber;

  static constexpr auto fields(auto all) {
    return all(required("by", &unsubscribe::by), required("subscriber", &unsubscribe::subscriber));
  }
};

/// The GOAL WATCHER interface: the FRONTAL CORTEX notifies watchers of changed goals.
using goal_watcher_actor = caf::typed_actor<
  // Changes come in their order, each revision once.
  caf::result<void>(goal_changed)>;

/// Asks the FRONTAL CORTEX to notify a watcher until the watcher ends.
struct watch_goals {
  caller by;
  goal_watcher_actor watcher;

  static constexpr auto fields(auto all) {
    return all(required("by", &watch_goals::by), required("watcher", &watch_goals::watcher));
  }
};

struct take_candidates;

/// The SCRATCH PAGE interface: one agent's page (contract 3, 5).
using scratch_page_actor = caf::typed_actor<
  // Stores one draft.
  caf::result<receipt>(add_observation),
  // Stores several drafts. An invalid one is refused alone.
  caf::result<add_outcomes>(add_observations),
  // Changes nothing. After the deadline the answer has what was found until then.
  caf::result<query_result>(query_observations),
  // The answer is the observation, or null if it is unknown, expired or archived.
  caf::result<observation_ptr>(get_observation),
  // The answer has live observations by priority: weight of the type, confidence, recency.
  caf::result<query_result>(get_active_observations),
  // The answer has the new revision. The last write wins unless the request says otherwise.
  caf::result<receipt>(update_observation), caf::result<void>(archive_observation),
  // Archives all of them, or none and answers with an error.
  caf::result<void>(clear_resolved),
  // The answer has observations that have left the page.
  caf::result<query_result>(list_archive),
  // The answer is the sequence after which events will come.
  caf::result<uint64_t>(subscribe), caf::result<void>(unsubscribe),
  caf::result<void>(register_type),
  // The answer says which of them are live, and so linked now.
  caf::result<linked_observations>(link_observations),
  // From now on the page sends candidates for promotion to this Frontal Cortex.
  caf::result<void>(take_candidates),
  // The answer is the number of candidates that were offered again.
  caf::result<uint64_t>(review_candidates),
  // Evidence of that goal may be evicted again.
  caf::result<void>(goal_closed), caf::result<page_stats>(caf::get_atom),
  caf::result<subscriber_list>(list_subscribers),
  // Changes nothing. For the program that decides which agents rest.
  caf::result<rest_verdict>(rest_check),
  // -- turns
  caf::result<void>(open_turn), caf::result<void>(hold_turn), caf::result<void>(release_turn),
  // Answered when the turn is quiet for that stage.
  caf::result<void>(await_quiet), caf::result<observation_list>(close_turn),
  // The answer has what was added to the open turn so far.
  caf::result<turn_so_far>(read_turn),
  // Deletes the copies of archived observations.
  caf::result<void>(purge_observations)>;

/// The FRONTAL CORTEX interface: durable goals (contract 8). It subscribes to resolved
/// observations, because these may finish an action.
using frontal_cortex_actor = subscriber_actor::extend<
  // From the page. Answered when every candidate is linked or will be tried again.
  caf::result<promotion_report>(promotion_batch), caf::result<goal>(create_goal),
  caf::result<goal>(get_goal), caf::result<goal_list>(list_goals), caf::result<goal>(update_goal),
  caf::result<goal>(complete_action), caf::result<goal>(refuse_action),
  // From now on the watcher is notified of every change.
  caf::result<void>(watch_goals),
  // Moves the goals that the turn's observations concern, and answers with these goals.
  caf::result<goal_list>(settle_goals),
  // Goals no longer quote these observations.
  caf::result<void>(purge_observations)>;

/// A FRONTAL CORTEX asks the page for candidates with this.
struct take_candidates {
  caller by;
  frontal_cortex_actor cortex;

  static constexpr auto fields(auto all) {
    return all(required("by", &take_candidates::by), required("cortex", &take_candidates::cortex));
  }
};

/// The CONSCIOUSNESS interface: mandates (contract 8).
using consciousness_actor = caf::typed_actor<caf::result<verdict>(proposal)>;

/// The TOOL interface: one tool of any kind (contract 6). It always answers; a failure is a status,
/// not an error.
using tool_actor = caf::typed_actor<caf::result<tool_response>(tool_request)>;

/// The TOOLBOX interface: all tools by name. The inputs of a call are checked by the actor that has
/// the tool's manifest. An unknown tool is `not_found`.
using toolbox_actor = tool_actor::extend<caf::result<tool_list>(list_tools)>;

/// The EPISODIC MEMORY interface (contract 9).
using episodic_memory_actor =
  caf::typed_actor<caf::result<void>(record_episode), caf::result<episode_list>(query_episodes),
    caf::result<turn_list>(list_turns), caf::result<void>(purge_observations),
    // Removes the episode of a turn.
    caf::result<void>(forget),
    // Turns that are open.
    caf::result<void>(keep_turn), caf::result<void>(drop_turn),
    caf::result<kept_turn_list>(list_kept_turns)>;

/// The SEMANTIC MEMORY interface. It learns from `learning` observations, to which it subscribes as
/// a daemon does.
using semantic_memory_actor = subscriber_actor::extend<caf::result<fact_list>(query_facts),
  caf::result<fact>(add_fact), caf::result<fact>(update_fact),
  // Removes a fact.
  caf::result<void>(forget),
  // Facts no longer contain what these observations gave them.
  caf::result<void>(purge_observations)>;

/// The WORKING MEMORY interface (contract 9).
using working_memory_actor = caf::typed_actor<caf::result<assembled_context>(assemble_context)>;

/// The MEMORIES interface: what concerns several memories at once (contract 14).
using memories_actor =
  caf::typed_actor<caf::result<memory_hits>(search_memory), caf::result<forgotten>(forget)>;

/// The ARCHIVE interface: observations that have left the page, however long ago (contract 3).
using archive_actor = caf::typed_actor<caf::result<query_result>(list_archive)>;

/// The JOURNAL interface: makes changes durable. All changes that wait, of all pages, go into one
/// commit (docs/durability.md).
using journal_actor =
  caf::typed_actor<caf::result<void>(append_events), caf::result<void>(keep_documents),
    // From itself: commits what has come since the last commit.
    caf::result<void>(caf::tick_atom),
    // The answer is the sequence that the snapshot has reached.
    caf::result<uint64_t>(fold_journal), caf::result<journal_stats>(caf::get_atom)>;

/// The FILE KEEPER interface: an agent's files, one request at a time.
using file_keeper_actor = caf::typed_actor<caf::result<void>(write_file),
  caf::result<void>(append_file), caf::result<file_part>(read_file)>;

/// The SCRATCHBOOK interface: notes, todos and tasks by thread (contract 11). The answer to a
/// change is the changed item, once it is durable. It watches the goals to which items are linked.
using scratchbook_actor = goal_watcher_actor::extend<caf::result<scratch_view>(scratch_read),
  caf::result<scratchbook>(scratch_list), caf::result<scratchbook_item>(scratch_add),
  caf::result<scratchbook_item>(scratch_update), caf::result<scratchbook_item>(scratch_mark)>;

/// The COMPACTOR interface: decides what of a conversation is kept.
using compactor_actor = caf::typed_actor<caf::result<compaction_plan>(compact_messages)>;

/// The CONVERSATIONS interface: what models see of the agent's threads.
using conversations_actor = caf::typed_actor<caf::result<conversation_stats>(append_messages),
  caf::result<model_prompt>(make_prompt)>;

/// The OPERATIONS interface: all operations of an agent, by name (contract 3). An unknown operation
/// is `not_found` on `operation`. The error about a wrong argument names it.
using operations_actor = caf::typed_actor<caf::result<operation_answer>(call_operation)>;

/// The HOUSEKEEPING interface: keeps what is stored small and in order, without being asked.
using housekeeping_actor = caf::typed_actor<
  // From itself: the next step.
  caf::result<void>(caf::tick_atom),
  // The answer, when all copies are gone, is the number of observations that were stored.
  caf::result<uint64_t>(forget_observations)>;

/// The TURNS interface: one agent's turns, from input to result (contract 7).
using turns_actor = caf::typed_actor<caf::result<turn_result>(begin_turn),
  caf::result<turn_result>(await_turn), caf::result<turn_result>(end_turn),
  caf::result<turn_list>(list_turns), caf::result<reported_call>(report_tool_call)>;

} // namespace scratchpage
