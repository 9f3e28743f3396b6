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
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/messages/type_ids.hpp"

/// The typed interface of every actor. Requests are structs named after what
/// they ask for; each signature's comment says what the answer means.

namespace scratchpage {

/// The SUBSCRIBER interface: whoever the PAGE tells about changes. Daemons are
/// subscribers and nothing else.
using subscriber_actor = caf::typed_actor<
  // Changes, in order. Answering acknowledges them and asks for the next.
  caf::result<void>(event_batch)>;

/// A subscriber's order; not part of page_operations.hpp since it names a handle.
struct subscribe {
  caller by;
  subscriber_actor subscriber;
  observation_filter filter; ///< an empty `status` means any here: events tell of ends
  subscribe_from from;
  bool part_of_turns = true; ///< whether a turn waits for its acknowledgement
  /// Under which name the page keeps up to where it has acknowledged, also beyond
  /// a restart; an order without a sequence in `from` goes on from there. A later
  /// order of that name takes the place of this one, and `unsubscribe` forgets it.
  /// "": nothing is kept.
  std::string keep_as = {};
  /// What one of these selects is wanted, too; told once, whoever selects it.
  std::vector<observation_filter> or_filters = {};
  uint64_t at_once = 0; ///< events in one batch at most; 0: as many as the page gives anybody

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

/// The GOAL WATCHER interface: whoever the FRONTAL CORTEX tells about its goals.
using goal_watcher_actor = caf::typed_actor<
  // In the order of the changes, each revision once.
  caf::result<void>(goal_changed)>;

/// A watcher's order at the FRONTAL CORTEX, which lasts until the watcher ends.
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
  // Stores several; a bad one refuses itself only.
  caf::result<add_outcomes>(add_observations),
  // Changes nothing; past its deadline it answers what it has.
  caf::result<query_result>(query_observations),
  // One observation, or null if it is unknown, expired or archived.
  caf::result<observation_ptr>(get_observation),
  // Live ones by priority: type weight, confidence, recency.
  caf::result<query_result>(get_active_observations),
  // A new revision; last write wins unless told otherwise.
  caf::result<receipt>(update_observation), caf::result<void>(archive_observation),
  // All of them, or an error and none.
  caf::result<void>(clear_resolved),
  // What left the page.
  caf::result<query_result>(list_archive),
  // The sequence after which events will come.
  caf::result<uint64_t>(subscribe), caf::result<void>(unsubscribe),
  caf::result<void>(register_type),
  // Which of them are live, and linked now.
  caf::result<linked_observations>(link_observations),
  // From now on candidates for promotion go to this Frontal Cortex.
  caf::result<void>(take_candidates),
  // How many candidates were offered again.
  caf::result<uint64_t>(review_candidates),
  // What was evidence for it may be evicted again.
  caf::result<void>(goal_closed), caf::result<page_stats>(caf::get_atom),
  caf::result<subscriber_list>(list_subscribers),
  // -- turns
  caf::result<void>(open_turn), caf::result<void>(hold_turn), caf::result<void>(release_turn),
  // Answered when the turn is quiet for that stage.
  caf::result<void>(await_quiet), caf::result<observation_list>(close_turn),
  // What an open turn has added so far.
  caf::result<turn_so_far>(read_turn),
  // Copies of what was archived go.
  caf::result<void>(purge_observations)>;

/// The FRONTAL CORTEX interface: durable goals (contract 8). It subscribes to
/// what is resolved, for that may finish an action.
using frontal_cortex_actor = subscriber_actor::extend<
  // From the page; answered when every candidate is linked, or to be tried again.
  caf::result<promotion_report>(promotion_batch), caf::result<goal>(create_goal),
  caf::result<goal>(get_goal), caf::result<goal_list>(list_goals), caf::result<goal>(update_goal),
  caf::result<goal>(complete_action), caf::result<goal>(refuse_action),
  // From now on the watcher hears of every change.
  caf::result<void>(watch_goals),
  // The goals that the turn's observations concern, moved.
  caf::result<goal_list>(settle_goals),
  // Goals no longer quote them.
  caf::result<void>(purge_observations)>;

/// A FRONTAL CORTEX's order at the page.
struct take_candidates {
  caller by;
  frontal_cortex_actor cortex;

  static constexpr auto fields(auto all) {
    return all(required("by", &take_candidates::by), required("cortex", &take_candidates::cortex));
  }
};

/// The CONSCIOUSNESS interface: mandates (contract 8).
using consciousness_actor = caf::typed_actor<caf::result<verdict>(proposal)>;

/// The TOOL interface: one tool of any kind (contract 6). It always answers; a
/// failure is a status, not an error.
using tool_actor = caf::typed_actor<caf::result<tool_response>(tool_request)>;

/// The TOOLBOX interface: all tools by name. Whoever holds a manifest checks it;
/// an unknown tool is `not_found`.
using toolbox_actor = tool_actor::extend<caf::result<tool_list>(list_tools)>;

/// The EPISODIC MEMORY interface (contract 9).
using episodic_memory_actor =
  caf::typed_actor<caf::result<void>(record_episode), caf::result<episode_list>(query_episodes),
    caf::result<turn_list>(list_turns), caf::result<void>(purge_observations)>;

/// The SEMANTIC MEMORY interface: learns from `learning` observations, which it
/// subscribes to like a daemon.
using semantic_memory_actor = subscriber_actor::extend<caf::result<fact_list>(query_facts),
  // Facts no longer hold what they held.
  caf::result<void>(purge_observations)>;

/// The WORKING MEMORY interface (contract 9).
using working_memory_actor = caf::typed_actor<caf::result<assembled_context>(assemble_context)>;

/// The ARCHIVE interface: what left the page, however long ago (contract 3).
using archive_actor = caf::typed_actor<caf::result<query_result>(list_archive)>;

/// The JOURNAL interface: makes changes durable, those of all pages that wait in
/// one commit (architecture, "Durability").
using journal_actor =
  caf::typed_actor<caf::result<void>(append_events), caf::result<void>(keep_documents),
    // From itself: what has come together is committed now.
    caf::result<void>(caf::tick_atom),
    // The sequence where the snapshot is then.
    caf::result<uint64_t>(fold_journal), caf::result<journal_stats>(caf::get_atom)>;

/// The FILE KEEPER interface: an agent's files, one request at a time.
using file_keeper_actor = caf::typed_actor<caf::result<void>(write_file),
  caf::result<void>(append_file), caf::result<file_part>(read_file)>;

/// The SCRATCHBOOK interface: notes, todos and tasks by thread (contract 11). What
/// changes one answers the item as it is then, once it is durable. It watches the
/// goals that items are linked to.
using scratchbook_actor = goal_watcher_actor::extend<caf::result<scratch_view>(scratch_read),
  caf::result<scratchbook>(scratch_list), caf::result<scratchbook_item>(scratch_add),
  caf::result<scratchbook_item>(scratch_update), caf::result<scratchbook_item>(scratch_mark)>;

/// The COMPACTOR interface: says what of a conversation is worth keeping.
using compactor_actor = caf::typed_actor<caf::result<compaction_plan>(compact_messages)>;

/// The CONVERSATIONS interface: what models see of the agent's threads.
using conversations_actor = caf::typed_actor<caf::result<conversation_stats>(append_messages),
  caf::result<model_prompt>(make_prompt)>;

/// The OPERATIONS interface: everything that can be asked of an agent, by name
/// (contract 3). An operation that is not known is `not_found` on `operation`; an
/// argument that is wrong is named.
using operations_actor = caf::typed_actor<caf::result<operation_answer>(call_operation)>;

/// The HOUSEKEEPING interface: looks after what is stored, on its own.
using housekeeping_actor = caf::typed_actor<
  // From itself: the next step.
  caf::result<void>(caf::tick_atom)>;

/// The TURNS interface: one agent's turns, from input to result (contract 7).
using turns_actor =
  caf::typed_actor<caf::result<turn_result>(begin_turn), caf::result<turn_result>(await_turn),
    caf::result<turn_result>(end_turn), caf::result<turn_list>(list_turns)>;

} // namespace scratchpage
