#pragma once

#include <cstdint>

#include <caf/type_id.hpp>

namespace scratchpage {

enum class errc : uint8_t;
class observation_ptr;
struct event_batch;
struct add_observation;
struct add_observations;
struct receipt;
struct add_outcomes;
struct query_observations;
struct query_result;
struct list_archive;
struct get_observation;
struct get_active_observations;
struct observation_list;
struct update_observation;
struct archive_observation;
struct clear_resolved;
struct register_type;
struct link_observations;
struct linked_observations;
struct review_candidates;
struct page_stats;
struct list_subscribers;
struct subscriber_list;
struct open_turn;
struct hold_turn;
struct release_turn;
struct await_quiet;
struct close_turn;
struct subscribe;
struct unsubscribe;
struct goal;
struct create_goal;
struct list_goals;
struct goal_list;
struct update_goal;
struct complete_action;
struct refuse_action;
struct promotion_batch;
struct promotion_report;
struct settle_goals;
struct proposal;
struct verdict;
struct tool_request;
struct tool_response;
struct list_tools;
struct tool_list;
struct begin_turn;
struct turn_result;
struct await_turn;
struct list_turns;
struct turn_list;
struct trace_entry;
struct record_episode;
struct query_episodes;
struct episode_list;
struct query_facts;
struct fact_list;
struct assemble_context;
struct assembled_context;
struct take_candidates;
struct goal_closed;
struct append_events;
struct journal_stats;
struct keep_documents;
struct fold_journal;
struct purge_observations;
struct write_file;
struct append_file;
struct read_file;
struct file_part;
struct scratchbook_item;
struct scratchbook;
struct scratch_view;
struct scratch_read;
struct scratch_list;
struct scratch_add;
struct scratch_update;
struct scratch_mark;
struct append_messages;
struct conversation_stats;
struct make_prompt;
struct model_prompt;
struct compact_messages;
struct compaction_plan;
struct get_goal;
struct goal_changed;
struct watch_goals;
struct call_operation;
struct operation_answer;
struct end_turn;
struct read_turn;
struct turn_so_far;

} // namespace scratchpage

/// CAF's ids of every type that travels. Append only: an id is part of what
/// nodes say to each other.
CAF_BEGIN_TYPE_ID_BLOCK(scratchpage, caf::first_custom_type_id)

CAF_ADD_TYPE_ID(scratchpage, (scratchpage::errc))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::observation_ptr))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::event_batch))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::add_observation))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::add_observations))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::receipt))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::add_outcomes))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::query_observations))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::query_result))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::list_archive))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::get_observation))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::get_active_observations))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::observation_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::update_observation))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::archive_observation))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::clear_resolved))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::register_type))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::link_observations))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::linked_observations))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::review_candidates))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::page_stats))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::open_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::hold_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::release_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::await_quiet))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::close_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::subscribe))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::unsubscribe))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::goal))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::create_goal))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::list_goals))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::goal_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::update_goal))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::complete_action))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::promotion_batch))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::promotion_report))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::settle_goals))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::proposal))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::verdict))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::tool_request))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::tool_response))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::list_tools))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::tool_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::begin_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::turn_result))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::await_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::trace_entry))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::record_episode))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::query_episodes))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::episode_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::query_facts))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::fact_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::assemble_context))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::assembled_context))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::take_candidates))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::goal_closed))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::append_events))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::keep_documents))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::fold_journal))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::purge_observations))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::journal_stats))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::write_file))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::append_file))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::read_file))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::file_part))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratchbook_item))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratchbook))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratch_view))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratch_read))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratch_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratch_add))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratch_update))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::scratch_mark))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::append_messages))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::conversation_stats))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::make_prompt))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::model_prompt))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::compact_messages))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::compaction_plan))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::get_goal))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::goal_changed))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::watch_goals))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::call_operation))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::operation_answer))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::end_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::refuse_action))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::list_turns))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::turn_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::list_subscribers))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::subscriber_list))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::read_turn))
CAF_ADD_TYPE_ID(scratchpage, (scratchpage::turn_so_far))

CAF_END_TYPE_ID_BLOCK(scratchpage)

namespace scratchpage {

/// Tells CAF about the types above and its own. Call it once, before the first
/// actor system is made.
void init_messages();

} // namespace scratchpage
