#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options of `scratchpage add`, not parsed yet: one observation, or a file of drafts.
struct add_options {
  agent_options agent;
  std::string content; ///< "-": the standard input
  std::string type;
  std::vector<std::string> tags;
  std::string confidence;
  std::string owner;
  std::string context;
  std::string metadata;
  std::string ttl_minutes;
  std::string request_key;
  std::string file; ///< drafts, one per line; "-": the standard input
  std::string source_tool;
  std::string source_daemon;
  std::string source_user;
};

/// Adds the observation or the drafts, and waits until the daemons have processed them.
exit_code run_add(const add_options& options, const command_environment& environment);

/// Adds the drafts of `options.file`, one JSON object per line, and prints a line for each. A
/// refused draft does not stop the others; the exit code is `unmet` then.
exit_code add_lines(
  const add_options& options, const caller& by, const command_environment& environment);

/// The options of `scratchpage get`.
struct get_options {
  agent_options agent;
  std::string observation_id;
};

/// Prints one observation of the page; `unmet` if it is not there.
exit_code run_get(const get_options& options, const command_environment& environment);

/// The options of `scratchpage query` and, without a text, of `scratchpage archive`.
struct query_options {
  agent_options agent;
  std::string text;
  filter_options filter;
  paging_options paging;
};

/// Prints observations on the page.
exit_code run_query(const query_options& options, const command_environment& environment);

/// Prints observations that have left the page.
exit_code run_archive(const query_options& options, const command_environment& environment);

/// The options of `scratchpage context`.
struct context_options {
  agent_options agent;
  std::string prompt;
  std::string budget; ///< tokens
};

/// Prints the context that working memory assembles for a prompt on the output, and the sizes of
/// its parts on the error output.
exit_code run_context(const context_options& options, const command_environment& environment);

/// The options of `scratchpage goals`.
struct goals_options {
  agent_options agent;
  std::vector<std::string> status; ///< empty: any
};

exit_code run_goals(const goals_options& options, const command_environment& environment);

struct tail_options {
  agent_options agent;
  filter_options filter;
  std::string from = "now"; ///< an event's id, now, or start
  std::string count;        ///< of events; "": no limit
  std::string wait = "10";  ///< seconds in which no process may have the agent open
};

/// Prints the events of an agent's page, one line each, until a signal asks to end, the output has
/// no reader, there were enough events, or no process has had the agent open for too long
/// (`unmet`).
exit_code run_tail(const tail_options& options, const command_environment& environment);

struct top_options {
  agent_options agent;
  std::string every = "1"; ///< seconds
  std::string count;       ///< of updates; "": no limit on a terminal, else one
};

/// Shows an agent's page, subscribers, turns, goals and rates, and updates them periodically.
exit_code run_top(const top_options& options, const command_environment& environment);

/// An entry in the tree of causes.
struct trace_node {
  const trace_entry* entry;
  size_t depth; ///< 0: its cause is not among the entries
};

/// The entries as a tree of causes, depth first: each one follows its cause. If several entries
/// have the id of a cause, the nearest one is meant. Every entry appears once, also if causes form
/// a cycle.
std::vector<trace_node> tree_of(std::span<const trace_entry> entries);

/// The options of `scratchpage trace`.
struct trace_options {
  agent_options agent;
  std::string turn_id; ///< "": the latest entries of all turns
  bool turns = false;  ///< list turns in place of entries
  uint64_t limit = 50;
};

/// Prints what an agent's components did, as a tree of causes.
exit_code run_trace(const trace_options& options, const command_environment& environment);

struct mcp_options {
  agent_options agent;
  std::string thread = main_thread; ///< the conversation whose scratchbook the client uses
  std::string name;                 ///< the source name recorded for the client; "": mcp_client
  std::string tools = "full";       ///< which tools it is offered: a `tool_set`
};

/// Serves one client of the Model Context Protocol over the standard input and output. Ends when
/// the input ends or a signal comes, after everything is answered; `unmet` if that takes too long.
exit_code run_mcp(const mcp_options& options, const command_environment& environment);

} // namespace scratchpage
