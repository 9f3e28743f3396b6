#include "scratchpage/runtime/cli/commands/data_commands.hpp"

#include <type_traits>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/cli/commands/agents.hpp"
#include "scratchpage/runtime/cli/commands/data_examples.hpp"
#include "scratchpage/runtime/cli/commands/history_commands.hpp"
#include "scratchpage/runtime/cli/commands/memory_commands.hpp"
#include "scratchpage/runtime/cli/commands/option_choices.hpp"
#include "scratchpage/runtime/cli/commands/page_commands.hpp"
#include "scratchpage/runtime/cli/commands/scratch.hpp"
#include "scratchpage/runtime/cli/commands/scratch_threads.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/top_frame.hpp"

namespace scratchpage {

namespace {

using namespace help;

constexpr auto place = "The agent";
constexpr auto filters = "Filters (all must match; a repeated option lists alternatives)";
constexpr auto outputs = "Outputs";

std::string footer(const char* examples) {
  return std::string{examples} + "\n\n" + exit_codes + "\n";
}

void define_data(CLI::App& app, std::filesystem::path& x) {
  app
    .add_option("--data", x,
      "The data directory [$SCRATCHPAGE_DATA, else $XDG_DATA_HOME/scratchpage or "
      "~/.local/share/scratchpage]")
    ->type_name("DIR")
    ->group(place);
}

void define_json(CLI::App& app, bool& x) {
  app.add_flag("--json", x, "Answer in JSON, one value per line")->group(outputs);
}

void define_agent(CLI::App& app, agent_options& x) {
  define_data(app, x.data);
  app.add_option("--agent", x.agent, "The agent whose page it is; $SCRATCHPAGE_AGENT sets it, too")
    ->capture_default_str()
    ->type_name("ID")
    ->group(place);
  app.add_option("--config", x.config, "The ensemble's configuration (JSON, comments allowed)")
    ->type_name("FILE")
    ->group(place);
  define_json(app, x.json);
}

void define_all(CLI::App& app, import_options& x) {
  define_data(app, x.data);
  define_json(app, x.json);
}

void define_all(CLI::App& app, repair_options& x) {
  define_data(app, x.data);
  define_json(app, x.json);
}

void define_all(CLI::App& app, restore_options& x) {
  define_data(app, x.data);
  auto* agent = app.add_option("--agent", x.agent, "The agent whose page --until resets")
                  ->capture_default_str()
                  ->type_name("ID")
                  ->group(place);
  auto* until =
    app.add_option("--until", x.until, "Discard the changes after this one, or after this time")
      ->type_name("SEQUENCE|TIME");
  agent->needs(until);
}

/// A server may be named in place of a directory.
template <class Options>
void define_server(CLI::App& app, Options& x) {
  constexpr auto server = "A running server (its token, if it needs one, in $SCRATCHPAGE_TOKEN)";
  app
    .add_option(
      "--server", x.server, "Its URL, http://HOST:PORT or https://HOST:PORT [$SCRATCHPAGE_SERVER]")
    ->type_name("URL")
    ->group(server)
    ->excludes("--data");
  if (auto* config = app.get_option_no_throw("--config"))
    config->excludes("--server");
  app
    .add_option(
      "--ca", x.ca_file, "Authorities that its certificate may come from (PEM) [the system's]")
    ->type_name("FILE")
    ->group(server);
}

void define_all(CLI::App& app, checkpoint_options& x) {
  define_data(app, x.data);
  define_server(app, x);
}

template <class T, class... Others>
constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

/// Whether a server does for a command what the command does on a directory.
template <class Options>
constexpr bool asks_by_operations = is_one_of<Options, add_options, query_options, get_options,
  goals_options, context_options, tail_options, top_options, mcp_options, facts_options,
  episodes_options, turns_options, forget_options, trace_options, export_options, replay_options>;

template <class Options>
void define_all(CLI::App& app, Options& x) {
  define_agent(app, x.agent);
  if constexpr (asks_by_operations<Options>)
    define_server(app, x.agent);
}

void define_all(CLI::App& app, agents_options& x) {
  define_data(app, x.agent.data);
  define_json(app, x.agent.json);
  define_server(app, x.agent);
}

void define_scratch(CLI::App& app, scratch_options& x) {
  define_agent(app, x.agent);
  define_server(app, x.agent);
  app.get_option("--agent")->description("The agent whose scratchbook it is");
  app.add_option("--thread", x.thread, "The conversation that it belongs to")
    ->capture_default_str()
    ->type_name("ID")
    ->group(place);
}

std::string after_help(std::string what) {
  return std::move(what)
         + " after this time: RFC 3339, a date (UTC), or a span before now, "
           "such as 90s, 15m, 1h, 2d";
}

std::string before_help(std::string what) {
  return std::move(what) + " before this time";
}

/// Adds an option that may be repeated, each time with one value.
CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& to,
  const std::string& what, const char* type) {
  return app.add_option(name, to, what)->type_name(type)->allow_extra_args(false);
}

/// The fields of an item other than its title.
void define_item(CLI::App& app, scratch_item_options& x) {
  app.add_option("--body", x.body, "Further text")->type_name("TEXT");
  add_list(app, "--tag", x.tags, "A tag; may be repeated", "X");
  app.add_option("--phase", x.phase, "The phase that a task is in")->type_name("TEXT");
  app.add_option("--progress", x.progress, "The progress of a task, 0 to 1")->type_name("P");
}

void define_filter(CLI::App& app, filter_options& x) {
  add_list(app, "--type", x.type, "Its type", "T")->group(filters);
  offer_names<status>(
    add_list(app, "--status", x.status, "Its status: " + all_names<status>(), "S"))
    ->group(filters);
  add_list(app, "--tag", x.tag, "A tag that it has; if repeated, it has all of them", "X")
    ->group(filters);
  add_list(app, "--source", x.source, "The tool, daemon or user that added it", "NAME")
    ->group(filters);
  add_list(app, "--owner", x.owner, "Its owner: agent, user, or a tool", "OWNER")->group(filters);
  app.add_option("--min-confidence", x.min_confidence, "The least confidence, 0 to 1")
    ->type_name("C")
    ->group(filters);
  add_list(app, "--where", x.where, "A value in its context; if repeated, all of them", "PATH=JSON")
    ->group(filters);
  app.add_option("--turn", x.turn, "The turn that it was added in")
    ->type_name("ID")
    ->group(filters);
  app.add_option("--after", x.after, after_help("Created"))->type_name("TIME")->group(filters);
  app.add_option("--before", x.before, before_help("Created"))->type_name("TIME")->group(filters);
}

void define_paging(CLI::App& app, paging_options& x) {
  app.add_option("--limit", x.limit, "At most N results, 1 to 1000 [10]")
    ->type_name("N")
    ->group(outputs);
  app.add_option("--cursor", x.cursor, "Continue where an earlier answer ended")
    ->type_name("C")
    ->group(outputs);
}

void define_facts(CLI::App& app, facts_options& x) {
  app.add_option("TEXT", x.text, "Words to look for, or the statement of a fact")->type_name("");
  app.add_option("--user", x.user, "What this user has said")->type_name("NAME")->group(filters);
  constexpr auto changes = "Changes";
  auto* add = app.add_flag("--add", x.add, "Add TEXT as a fact")->group(changes);
  auto* correct = app.add_option("--correct", x.correct, "Make TEXT the statement of this fact");
  auto* end = app.add_option("--end", x.end, "Say that this fact holds no more");
  for (auto* each : {correct, end})
    each->type_name("ID")->group(changes);
  add->excludes(correct, end);
  correct->excludes(end);
  define_paging(app, x.paging);
}

void define_episodes(CLI::App& app, episodes_options& x) {
  app.add_option("TEXT", x.text, "Words that one observation of the turn has")->type_name("");
  app.add_option("--turn", x.turn, "This turn")->type_name("ID")->group(filters);
  app.add_option("--after", x.after, after_help("Ended"))->type_name("TIME")->group(filters);
  app.add_option("--before", x.before, before_help("Ended"))->type_name("TIME")->group(filters);
  define_paging(app, x.paging);
}

void define_turns(CLI::App& app, turns_options& x) {
  app.add_option("--limit", x.limit, "At most N turns, 1 to 1000 [20]")
    ->type_name("N")
    ->group(outputs);
  app.add_option("--after", x.after, after_help("Still open, or ended"))
    ->type_name("TIME")
    ->group(filters);
  app.add_option("--before", x.before, before_help("Ended"))->type_name("TIME")->group(filters);
}

void define_tail(CLI::App& app, tail_options& x) {
  define_filter(app, x.filter);
  app
    .add_option(
      "--from", x.from, "Start after this event; now: with new events; start: with the oldest")
    ->capture_default_str()
    ->type_name("ID|now|start")
    ->group(outputs);
  app.add_option("-n", x.count, "Stop after N events")->type_name("N")->group(outputs);
  app.add_option("--wait", x.wait, "Stop if no process has the agent open for so long")
    ->capture_default_str()
    ->type_name("SECONDS")
    ->group(outputs);
}

void define_add(CLI::App& app, add_options& x) {
  std::vector<CLI::Option*> one;
  auto option = [&](const char* name, auto& to, const char* what, const char* type) {
    one.push_back(app.add_option(name, to, what)->type_name(type));
  };
  option("CONTENT", x.content, "The observation's text; '-' reads the standard input", "");
  option("--type", x.type, "Its type, one of those that the page knows", "T");
  one.push_back(add_list(app, "--tag", x.tags, "A tag; may be repeated", "X"));
  option("--confidence", x.confidence, "How certain it is, 0 to 1 [0.5]", "C");
  option("--owner", x.owner, "Whom it concerns: agent, user, or a tool [agent]", "O");
  option("--context", x.context, "What it belongs to, such as {\"goal_id\": \"trip\"}", "JSON");
  option("--metadata", x.metadata, "Any other data, a JSON object", "JSON");
  option("--ttl-minutes", x.ttl_minutes, "Minutes until it expires [10080, which is 7 days]", "M");
  option("--request-key", x.request_key, "Add it once, however often this is repeated", "KEY");
  auto* file =
    app.add_option("--file", x.file, "Add the drafts of this file, one JSON object per line")
      ->type_name("FILE.jsonl|-");
  for (auto* each : one)
    file->excludes(each);
  constexpr auto source = "The source [the user with your login name]";
  auto* tool = app.add_option("--source-tool", x.source_tool, "A tool");
  auto* daemon = app.add_option("--source-daemon", x.source_daemon, "A daemon");
  auto* user = app.add_option("--source-user", x.source_user, "Another user");
  for (auto* each : {tool, daemon, user})
    each->type_name("NAME")->group(source);
  tool->excludes(daemon, user);
  daemon->excludes(user);
}

} // namespace

struct data_commands::everything {
  add_options add;
  query_options query;
  tail_options tail;
  top_options top;
  query_options archive;
  get_options get;
  goals_options goals;
  facts_options facts;
  episodes_options episodes;
  turns_options turns;
  forget_options forget;
  context_options context;
  mcp_options mcp;
  trace_options trace;
  scratch_read_options scratch_read;
  agents_options agents;
  scratch_options scratch_list;
  scratch_options scratch_threads;
  scratch_item_options scratch_add;
  scratch_item_options scratch_update;
  scratch_item_options scratch_complete;
  scratch_item_options scratch_pin;
  scratch_item_options scratch_unpin;
  export_options exported;
  import_options imported;
  replay_options replay;
  checkpoint_options checkpoint;
  restore_options restore;
  repair_options repair;
};

data_commands::data_commands(CLI::App& app)
  : options_{std::make_unique<everything>()} {
  auto& x = *options_;
  auto define = [&](const char* name, const char* about, auto& options, auto* run,
                  const char* examples) -> CLI::App& {
    auto* command = app.add_subcommand(name, about);
    define_all(*command, options);
    command->footer(footer(examples));
    command->callback([this, &options, run] {
      chosen_ = [&options, run](const command_environment& env) { return run(options, env); };
    });
    return *command;
  };
  define_add(define("add", "Add an observation to an agent's page, or a file of them", x.add,
               &run_add, add_examples),
    x.add);
  auto& query = define(
    "query", "List an agent's observations, newest first", x.query, &run_query, query_examples);
  query.add_option("TEXT", x.query.text, "Words to look for")->type_name("");
  define_filter(query, x.query.filter);
  define_paging(query, x.query.paging);
  define_tail(
    define("tail", "Follow the events of an agent's page", x.tail, &run_tail, tail_examples),
    x.tail);
  auto& top = define("top", "Watch an agent's page: rates, subscribers, turns and goals", x.top,
    &run_top, top_examples);
  std::string keys;
  for (const auto& line : top_help())
    keys += "\n" + line;
  top.footer(keys + "\n" + footer(top_examples));
  top.add_option("--every", x.top.every, "Seconds between two updates")
    ->capture_default_str()
    ->type_name("SECONDS")
    ->group(outputs);
  top.add_option("-n", x.top.count, "Stop after N updates")->type_name("N")->group(outputs);
  auto& agents = define("agents", "List the agents of a data directory or of a server", x.agents,
    &run_agents, agents_examples);
  agents.add_flag("--ids", x.agents.ids, "Print only their ids, all of them")->group(outputs);
  agents.add_option("--limit", x.agents.limit, "Look at N agents at most [100]")
    ->type_name("N")
    ->group(outputs);
  define("get", "Show one observation of an agent's page", x.get, &run_get, get_examples)
    .add_option("ID", x.get.observation_id, "The observation's id")
    ->required()
    ->type_name("");
  auto& archive =
    define("archive", "List observations that have left an agent's page, latest first", x.archive,
      &run_archive, archive_examples);
  define_filter(archive, x.archive.filter);
  define_paging(archive, x.archive.paging);
  offer_names<goal_status>(add_list(
    define("goals", "List an agent's goals", x.goals, &run_goals, goals_examples), "--status",
    x.goals.status, "Their status; may be repeated: " + all_names<goal_status>(), "S"));
  define_facts(
    define("facts", "List what an agent knows, or correct it", x.facts, &run_facts, facts_examples),
    x.facts);
  define_episodes(define("episodes", "List what happened in earlier turns, latest first",
                    x.episodes, &run_episodes, episodes_examples),
    x.episodes);
  define_turns(define("turns", "List an agent's turns: open ones, then the latest", x.turns,
                 &run_turns, turns_examples),
    x.turns);
  define(forget_name, "Remove an observation, a fact or a turn from everything that is kept",
    x.forget, &run_forget, forget_examples)
    .add_option("ID", x.forget.id, "Its id: obs_…, fact_… or turn_…")
    ->required()
    ->type_name("");
  auto& context = define("context", "Assemble what an agent knows that matters to a prompt",
    x.context, &run_context, context_examples);
  context.add_option("PROMPT", x.context.prompt, "The prompt that the agent is about to get")
    ->required()
    ->type_name("");
  context.add_option("--budget", x.context.budget, "At most N tokens in all")
    ->required()
    ->type_name("N");
  auto& mcp = define("mcp", "Serve a client of the Model Context Protocol over stdio", x.mcp,
    &run_mcp, mcp_examples);
  mcp.add_option("--thread", x.mcp.thread, "The conversation whose scratchbook the client uses")
    ->capture_default_str()
    ->type_name("ID")
    ->group(place);
  offer_names<tool_set>(
    mcp.add_option("--tools", x.mcp.tools,
      "Which tools the client is offered: full, or simple (three for what it remembers)"))
    ->type_name("SET")
    ->capture_default_str();
  mcp.add_option("--name", x.mcp.name, "The source name recorded for this client [mcp_client]")
    ->type_name("NAME")
    ->group(place);
  mcp.remove_option(mcp.get_option("--json"));
  auto& trace = define(
    "trace", "Show what an agent's components did, and why", x.trace, &run_trace, trace_examples);
  trace.add_option("TURN", x.trace.turn_id, "A turn's id [the latest entries of all turns]")
    ->type_name("");
  trace.add_flag("--turns", x.trace.turns, "List turns in place of entries, latest first")
    ->group(outputs);
  trace
    .add_option("--limit", x.trace.limit, "At most N of them, 1 to 10000; TURN is shown in full")
    ->capture_default_str()
    ->type_name("N")
    ->group(outputs);
  define_scratch_commands(app);
  auto& exporting = define("export", "Write an agent's whole history as JSON lines", x.exported,
    &run_export, export_examples);
  exporting.get_option("--agent")->description("The agent to export; 'all' exports every agent");
  exporting.add_option("FILE", x.exported.file, "The file to write; '-': the standard output")
    ->capture_default_str()
    ->type_name("");
  define("import", "Import an exported file into a data directory", x.imported, &run_import,
    import_examples)
    .add_option("FILE", x.imported.file, "The exported file; '-': the standard input")
    ->required()
    ->type_name("");
  define("replay", "List what was on an agent's page at an earlier time", x.replay, &run_replay,
    replay_examples)
    .add_option("--until", x.replay.until, "The page after this change, or at this time")
    ->required()
    ->type_name("SEQUENCE|TIME");
  define("checkpoint", "Copy the contents of a data directory into one file", x.checkpoint,
    &run_checkpoint, checkpoint_examples)
    .add_option("FILE", x.checkpoint.file, "The file to write; it must not exist")
    ->required()
    ->type_name("");
  define("restore", "Create a data directory from a checkpoint", x.restore, &run_restore,
    restore_examples)
    .add_option("FILE", x.restore.file, "A checkpoint")
    ->required()
    ->type_name("");
  define("repair", "Recover intact data from a damaged directory", x.repair, &run_repair,
    repair_examples)
    .add_option("--into", x.repair.into, "The directory to create for it")
    ->required()
    ->type_name("DIR");
}

void data_commands::define_scratch_commands(CLI::App& app) {
  auto& x = *options_;
  auto* scratch = app.add_subcommand("scratch", "Keep notes, todos and tasks of a conversation");
  scratch->require_subcommand(1);
  scratch->footer(footer(scratch_examples));
  auto define = [&](const char* name, const char* about, auto& options, scratch_options& in,
                  auto* run) -> CLI::App& {
    auto* command = scratch->add_subcommand(name, about);
    define_scratch(*command, in);
    command->callback([this, &options, run] {
      chosen_ = [&options, run](const command_environment& env) { return run(options, env); };
    });
    return *command;
  };
  auto define_for_item = [&](const char* name, const char* about, scratch_item_options& options,
                           auto* run) -> CLI::App& {
    auto& command = define(name, about, options, options.in, run);
    command.add_option("ID", options.id, "The item's id, such as s1")->required()->type_name("");
    return command;
  };
  define("read", "Show the items as a model sees them", x.scratch_read, x.scratch_read.in,
    &run_scratch_read)
    .add_option("--after", x.scratch_read.after, "Show what follows this item")
    ->type_name("ID");
  define("list", "List all items, also finished ones", x.scratch_list, x.scratch_list,
    &run_scratch_list);
  define("threads", "List the threads that have items", x.scratch_threads, x.scratch_threads,
    &run_scratch_threads);
  auto& add = define("add", "Add an item", x.scratch_add, x.scratch_add.in, &run_scratch_add);
  add.add_option("TITLE", x.scratch_add.title, "Its title")->required()->type_name("");
  offer_names<item_kind>(
    add.add_option("--kind", x.scratch_add.kind, "One of " + all_names<item_kind>() + " [note]"))
    ->type_name("K");
  define_item(add, x.scratch_add);
  add.add_option("--goal", x.scratch_add.goal_id, "The goal that is completed when the item is")
    ->type_name("ID");
  add
    .add_option(
      "--action", x.scratch_add.action_id, "The action of that goal that is completed instead")
    ->type_name("ID");
  add
    .add_option("--observation", x.scratch_add.observation_id, "The observation that it comes from")
    ->type_name("ID");
  auto& update = define_for_item("update", "Change an item", x.scratch_update, &run_scratch_update);
  update.add_option("--title", x.scratch_update.title, "Its new title")->type_name("TEXT");
  offer_names<item_status>(update.add_option("--status", x.scratch_update.status,
                             "Its new status: " + all_names<item_status>()))
    ->type_name("S");
  define_item(update, x.scratch_update);
  define_for_item("complete", "Mark an item as done", x.scratch_complete, &run_scratch_complete);
  define_for_item(
    "pin", "Keep an item at the top of what a model sees", x.scratch_pin, &run_scratch_pin);
  define_for_item("unpin", "Unpin an item", x.scratch_unpin, &run_scratch_unpin);
}

data_commands::~data_commands() = default;

exit_code data_commands::run(const command_environment& environment) const {
  return chosen_(environment);
}

} // namespace scratchpage
