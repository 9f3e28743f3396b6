#pragma once

/// What `--help` of the commands on a data directory ends with.

namespace scratchpage::help {

inline constexpr auto exit_codes = R"(Exit codes:
  0  done
  1  it is not there, some of it was refused, or the storage failed
  2  a usage error, bad input, or a data directory that cannot be used, such as
     one that another process uses; nothing is changed)";

inline constexpr auto add_examples = R"(
A file has a JSON object a line, with the fields of an observation:
  {"type": "alert", "content": "Smoke in the server room", "confidence": 0.9}
Each line is answered by one: an id, or "refused" with the reason on the error
output; one that is refused stops none of the others.

Examples:
  scratchpage add --type alert --tag fire --confidence 0.9 "Smoke in the server room"
  tail -n 20 build.log | scratchpage add --type tool_result --source-tool make -
  scratchpage add --file drafts.jsonl --json)";

inline constexpr auto query_examples = R"(
With any filter a text ranks what is found; alone it selects.

Examples:
  scratchpage query "server room"
  scratchpage query --tag error --min-confidence 0.8 --after 2025-11-05 --limit 50
  scratchpage query --where goal_id=trip --where task_id=7 --json)";

inline constexpr auto archive_examples = R"(
Examples:
  scratchpage archive --status expired --type alert)";

inline constexpr auto tail_examples = R"(
A line an event, as it happens. It goes on when the process that has the agent ends
and another takes its place. SIGINT and SIGTERM end it.

Examples:
  scratchpage tail
  scratchpage tail --type alert --min-confidence 0.8
  scratchpage tail --from start -n 100 --json
  scratchpage tail --json --server https://pages.example.com:7443 --agent ada)";

inline constexpr auto top_examples = R"(
q ends it. What is no terminal gets one look, or as many as -n says.

Examples:
  scratchpage top
  scratchpage top --server https://pages.example.com:7443 --agent ada
  scratchpage top --json -n 10 --every 60)";

inline constexpr auto get_examples = R"(
Examples:
  scratchpage get obs_20251105_001)";

inline constexpr auto goals_examples = R"(
Examples:
  scratchpage goals --status pending --status in_progress)";

inline constexpr auto context_examples = R"(
Examples:
  scratchpage context "Book a table for tonight" --budget 800 > context.txt)";

inline constexpr auto trace_examples = R"(
Each entry stands below what caused it. Entries are kept for seven days, unless
the configuration's section "trace" says otherwise.

Examples:
  scratchpage trace
  scratchpage trace --turns
  scratchpage trace turn_12 --json)";

inline constexpr auto scratch_examples = R"(
A thread's scratchbook keeps notes, todos and tasks for as long as the data lasts.
What it shows a model is its view: what is pinned, then tasks, todos and notes, as
far as there is room. Each command has a --help of its own.

Examples:
  scratchpage scratch add --thread trip --kind todo "Ask for the date" --tag paris
  scratchpage scratch add --thread trip --kind task "Book the flight" --progress 0.2
  scratchpage scratch update s2 --thread trip --status blocked --body "Card refused"
  scratchpage scratch complete s1 --thread trip
  scratchpage scratch read --thread trip)";

inline constexpr auto export_examples = R"(
A JSON object a line, all of an agent's history and its files; the last line
tells whether the file is whole. Personal data is masked unless the configuration's
privacy.policy is "keep".

Examples:
  scratchpage export --agent ada ada.jsonl
  scratchpage export --agent all | zstd > pages.jsonl.zst
  scratchpage export --config keep.json - | scratchpage import - --data /srv/other)";

inline constexpr auto import_examples = R"(
All of the file is checked before any of it can be seen. An agent that is there
already is refused, and then nothing is imported.

Examples:
  scratchpage import ada.jsonl
  zstd -dc pages.jsonl.zst | scratchpage import - --data /srv/pages)";

inline constexpr auto replay_examples = R"(
Examples:
  scratchpage replay --until 120
  scratchpage replay --until 2025-11-05T10:30:00Z --json)";

inline constexpr auto checkpoint_examples = R"(
The file has the histories and files of all agents, and is never written over
another one.

Examples:
  scratchpage checkpoint pages-2025-11-05.db)";

inline constexpr auto restore_examples = R"(
The directory must not have a database or files yet. The checkpoint stays as it
is. With --until goals, facts, episodes and files stay as it has them: what they
were before is not kept. No id is used again.

Examples:
  scratchpage restore pages-2025-11-05.db --data /srv/pages
  scratchpage restore pages-2025-11-05.db --until 120 --agent ada --data /srv/then)";

inline constexpr auto repair_examples = R"(
The damaged directory is only read. Where changes are missing, an agent's history
begins anew with what is known of its page; no id is used again. Ends with 1 if
anything is lost.

Examples:
  scratchpage repair --data /srv/pages --into /srv/pages.saved)";

inline constexpr auto mcp_examples = R"(
A client starts it as it starts any server over stdio:
  {"mcpServers": {"scratchpage": {"command": "scratchpage",
                                  "args": ["mcp", "--agent", "ada", "--thread", "trip"]}}}
A message a line comes in and goes out; the error output is for people. It ends
when the input does, and everything is answered and stored.

Examples:
  scratchpage mcp --data /srv/pages --agent ada --thread trip)";

} // namespace scratchpage::help
