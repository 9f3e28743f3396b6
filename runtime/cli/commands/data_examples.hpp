#pragma once

/// The examples and exit codes at the end of the help of the commands on a data directory.

namespace scratchpage::help {

inline constexpr auto exit_codes = R"(Exit codes:
  0  done
  1  not found, refused in part, or the storage failed
  2  a usage error, bad input, or a data directory that cannot be used, such as
     one that another process uses; nothing is changed)";

inline constexpr auto add_examples = R"(
FILE has one JSON object per line, with the fields of an observation:
  {"type": "alert", "content": "Smoke in the server room", "confidence": 0.9}
Each line of FILE gets a line of output: the id of the observation, or "refused",
with the reason on the error output. A refused line does not stop the others.

Examples:
  scratchpage add --type alert --tag fire --confidence 0.9 "Smoke in the server room"
  tail -n 20 build.log | scratchpage add --type tool_result --source-tool make -
  scratchpage add --file drafts.jsonl --json)";

inline constexpr auto query_examples = R"(
With filters, TEXT only ranks the results; alone, it selects them.

Examples:
  scratchpage query "server room"
  scratchpage query --tag error --min-confidence 0.8 --after 1h --limit 50
  scratchpage query --where goal_id=trip --where task_id=7 --json)";

inline constexpr auto archive_examples = R"(
Examples:
  scratchpage archive --status expired --type alert)";

inline constexpr auto tail_examples = R"(
Prints one line for each event as it happens. If the process that has the agent open
ends, it continues with the next one that opens it. SIGINT and SIGTERM end it.

Examples:
  scratchpage tail
  scratchpage tail --type alert --min-confidence 0.8
  scratchpage tail --from start -n 100 --json
  scratchpage tail --json --server https://pages.example.com:7443 --agent ada)";

inline constexpr auto top_examples = R"(
If the output is no terminal, it prints one update, or N with -n.

Examples:
  scratchpage top
  scratchpage top --server https://pages.example.com:7443 --agent ada
  scratchpage top --json -n 10 --every 60)";

inline constexpr auto agents_examples = R"(
Shows for each agent its live observations, open turns, open goals, all changes of its
page, the size of its files if they are here, and when it last did something. A
directory that no process uses is only read.

Examples:
  scratchpage agents
  scratchpage agents --ids
  scratchpage agents --server https://pages.example.com:7443 --json)";

inline constexpr auto get_examples = R"(
Examples:
  scratchpage get obs_20251105_001)";

inline constexpr auto goals_examples = R"(
Examples:
  scratchpage goals --status pending --status in_progress)";

inline constexpr auto facts_examples = R"(
Each fact is shown with who said so and the observations that it was learnt from.
Whoever uses the data directory is the owner of its agents, and may correct all facts.

Examples:
  scratchpage facts peanuts
  scratchpage facts --user ann --limit 50 --json
  scratchpage facts --add "Ann is allergic to peanuts"
  scratchpage facts --correct fact_3 "Ann is allergic to hazelnuts"
  scratchpage facts --end fact_3)";

inline constexpr auto episodes_examples = R"(
Examples:
  scratchpage episodes "server room" --limit 3
  scratchpage episodes --turn turn_20251105_001 --json)";

inline constexpr auto turns_examples = R"(
Examples:
  scratchpage turns --limit 50
  scratchpage turns --after 1h)";

inline constexpr auto forget_examples = R"(
What is forgotten cannot be restored, except from an export or a checkpoint. A turn is
forgotten with all its observations. The trace keeps that something was there.

Examples:
  scratchpage forget obs_20251105_001
  scratchpage forget fact_3
  scratchpage forget turn_20251105_001)";

inline constexpr auto context_examples = R"(
Examples:
  scratchpage context "Book a table for tonight" --budget 800 > context.txt)";

inline constexpr auto trace_examples = R"(
Each entry is shown below its cause. Entries are kept for seven days, unless the
configuration's section "trace" says otherwise.

Examples:
  scratchpage trace
  scratchpage trace --turns
  scratchpage trace turn_20251105_001 --json)";

inline constexpr auto scratch_examples = R"(
The scratchbook of a conversation has notes, todos and tasks, which do not expire. A
model sees a view of it: pinned items, then tasks, todos and notes, as many as fit.
Each command has its own --help.

Examples:
  scratchpage scratch add --thread trip --kind todo "Ask for the date" --tag paris
  scratchpage scratch add --thread trip --kind task "Book the flight" --progress 0.2
  scratchpage scratch update s2 --thread trip --status blocked --body "Card refused"
  scratchpage scratch complete s1 --thread trip
  scratchpage scratch pin s2 --thread trip
  scratchpage scratch unpin s2 --thread trip
  scratchpage scratch read --thread trip
  scratchpage scratch list --thread trip
  scratchpage scratch threads)";

inline constexpr auto export_examples = R"(
The export has one JSON object per line: an agent's whole history and its files. The
last line shows that it is complete. Personal data is masked unless the
configuration's privacy.policy is "keep".

Examples:
  scratchpage export --agent ada ada.jsonl
  scratchpage export --agent all | zstd > pages.jsonl.zst
  scratchpage export --config keep.json - | scratchpage import - --data /srv/other)";

inline constexpr auto import_examples = R"(
The whole file is checked before anything of it becomes visible. If one of its agents
exists already, nothing is imported.

Examples:
  scratchpage import ada.jsonl
  zstd -dc pages.jsonl.zst | scratchpage import - --data /srv/pages)";

inline constexpr auto replay_examples = R"(
Examples:
  scratchpage replay --until 120
  scratchpage replay --until 2025-11-05T10:30:00Z --json)";

inline constexpr auto checkpoint_examples = R"(
The file has the histories and files of all agents. It never overwrites another file.

Examples:
  scratchpage checkpoint pages-2025-11-05.db)";

inline constexpr auto restore_examples = R"(
The directory must not have a database or files yet. The checkpoint is not changed.
--until resets the page only: goals, facts, episodes and files stay as they are in
the checkpoint, which does not have their earlier states. No id is used again.

Examples:
  scratchpage restore pages-2025-11-05.db --data /srv/pages
  scratchpage restore pages-2025-11-05.db --until 120 --agent ada --data /srv/then)";

inline constexpr auto repair_examples = R"(
The damaged directory is only read. If changes are missing, the history of an agent
begins anew with the known state of its page. No id is used again. The exit code is 1
if anything is lost.

Examples:
  scratchpage repair --data /srv/pages --into /srv/pages.saved)";

inline constexpr auto mcp_examples = R"(
Configure it in a client as any server over stdio:
  {"mcpServers": {"scratchpage": {"command": "scratchpage",
                                  "args": ["mcp", "--agent", "ada", "--thread", "trip"]}}}
Each line of the input and of the output is one message; the error output is for
people. At the end of the input it answers and stores the rest, and ends.

Examples:
  scratchpage mcp --data /srv/pages --agent ada --thread trip
  scratchpage mcp --data /srv/pages --agent ada --tools simple)";

} // namespace scratchpage::help
