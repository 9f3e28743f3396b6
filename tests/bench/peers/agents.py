"""Turns, notes, what is durable, and what ends: LangGraph, server-memory, SQLite and Redis."""

import pathlib
import shlex
import statistics
import tempfile
import time

from clients import Http, Redis
from comparison import LESS, MORE
from drawing import read_observations
from processes import HERE, ROOMY, Failed, PageServer, Program, found, package_in, redis_server

import mcp_bench
import search

TURNS = 320
AT_ONCE = 8
NOTES = 10_000  # server-memory writes its whole file for each note
CALLS = 200
ENDS_AT_ONCE = 1_000  # keys that one command gives an end


# -- turns ---------------------------------------------------------------------------------------------

def served_turns(bench):
    """Turns a second of one client that waits for each."""
    with PageServer(bench.program, ROOMY) as server:
        client = Http(server.port)
        turn = {"input": "How far is it from Lyon to Nice?", "mode": "parallel"}
        for _ in range(20):
            client.ask("POST", "/v1/agents/bench/turns", turn)
        began = time.perf_counter()
        for _ in range(TURNS):
            client.ask("POST", "/v1/agents/bench/turns", turn)
        result = TURNS / (time.perf_counter() - began)
        client.close()
        return result


def turns(bench):
    if not bench.wants("turns", "langgraph"):
        return

    def measure():
        package_in(bench.packages, "@langchain/langgraph")
        node = found("node", "nodejs")
        shapes = [("one at a time", 1, True, "LangGraph, states kept"), ("one at a time", 1, False, "LangGraph, nothing kept"),
                  (f"{AT_ONCE} at once", AT_ONCE, True, "LangGraph, states kept")]
        rows = [bench.row("turns", f"turns of six daemons or nodes, {how}", "a second", MORE, "team, trace kept", name)
                for how, _, _, name in shapes]
        rows.append(bench.row("turns", "turns of six daemons or nodes, one at a time", "a second", MORE,
                              "serve, HTTP, trace and page kept", "LangGraph, states kept"))
        for number in range(1, bench.rounds + 1):
            bench.say(f"turns: round {number} of {bench.rounds}")
            theirs = {}
            for row, (_, at_once, keeps, _) in zip(rows, shapes):
                ours = turns_of([bench.tool("page_contestant")], at_once)
                theirs[at_once, keeps] = turns_of([node, HERE / "langgraph_contestant.mjs", bench.packages], at_once,
                                                  keeps=keeps)
                row.add(ours, theirs[at_once, keeps])
            rows[-1].add(served_turns(bench), theirs[1, True])
    bench.attempt("langgraph", measure)


def turns_of(command, at_once, **more):
    one = Program(command)
    try:
        return one.order(do="turns", count=TURNS, at_once=at_once, **more)["per_second"]
    finally:
        one.close()


# -- notes over MCP ------------------------------------------------------------------------------------

def notes(bench):
    """Notes of an agent over MCP on stdio: ours is durable when it is answered, theirs is not synced."""
    if not bench.wants("notes", "server-memory"):
        return

    def measure():
        package_in(bench.packages, "@modelcontextprotocol/server-memory")
        command = [found("node", "nodejs"),
                   f"{bench.packages}/node_modules/@modelcontextprotocol/server-memory/dist/index.js"]
        for size in [x for x in bench.sizes if x <= NOTES]:
            added = bench.row("notes", "a note added over MCP", "ms", LESS, "mcp, durable", "server-memory, not synced", size)
            sought = bench.row("notes", "notes found over MCP", "ms", LESS, "mcp", "server-memory", size)
            for number in range(1, bench.few + 1):
                bench.say(f"{size} notes over MCP: round {number} of {bench.few}")
                ours = times_of_notes(size, lambda x: mcp_bench.Ours(bench.program, x))
                theirs = times_of_notes(size, lambda x: mcp_bench.Peer(shlex.join(command), x))
                added.add(ours["add"], theirs["add"])
                sought.add(ours["find"], theirs["find"])
    bench.attempt("server-memory", measure)


def times_of_notes(size, made_in):
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        times = mcp_bench.measure(made_in(pathlib.Path(folder)), size, CALLS)
    return {what: statistics.median(values) for what, values in times.items()}


# -- durable additions ---------------------------------------------------------------------------------

def durable(bench):
    if not bench.wants("durable", "sqlite"):
        return
    shapes = [("1 024 in flight", "a second", MORE, "durable_adds_1024_per_s", "sqlite_rows_256_per_s", "SQLite, 256 a commit"),
              ("64 in flight", "a second", MORE, "durable_adds_64_per_s", "sqlite_rows_64_per_s", "SQLite, 64 a commit"),
              ("alone, p99", "µs", LESS, "durable_lone_p99_us", "fdatasync_p50_us", "one fdatasync, p50")]

    def measure():
        rows = [bench.row("durable", f"durable additions, {how}", unit, better, "page and journal", peer)
                for how, unit, better, _, _, peer in shapes]
        for number in range(1, bench.few + 1):
            bench.say(f"durable additions: round {number} of {bench.few}")
            values = bench.summary_of("durable_adds")
            for row, (_, _, _, ours, theirs, _) in zip(rows, shapes):
                row.add(values[ours], values[theirs])
    bench.attempt("scratchpage_bench", measure)


# -- what ends -----------------------------------------------------------------------------------------

def longest_wait(ask, until, is_over):
    """The milliseconds of the slowest of many reads, one after the other, from `until` on."""
    time.sleep(max(0, until - time.time() - 0.2))
    longest = 0
    while True:
        began = time.perf_counter()
        answer = ask()
        longest = max(longest, (time.perf_counter() - began) * 1000)
        if time.time() > until and is_over(answer):
            return longest
        if time.time() > until + 300:
            raise Failed("not everything has ended after five minutes")


def time_to_load(count):
    return 10 + count / 12_000


def ends_of_redis(bench):
    """The longest slice in which Redis ends keys, by itself, and the longest read meanwhile."""
    count = bench.most
    with redis_server() as server:
        client = Redis(server.port)
        client.ask("CONFIG", "SET", "latency-monitor-threshold", 1)
        until = time.time() + time_to_load(count)
        commands = []
        for number, draft in read_observations(bench.drawn, count):
            commands.append(("SET", f"obs:{number}", draft["content"], "PXAT", int(until * 1000)))
            if len(commands) == ENDS_AT_ONCE or number + 1 == count:
                client.ask_all(commands)
                commands = []
        if time.time() > until:
            raise Failed("the keys ended while they were set")
        client.ask("LATENCY", "RESET")
        seen = longest_wait(lambda: (client.ask("GET", "nothing"), client.ask("DBSIZE"))[1], until, lambda left: left == 0)
        history = client.ask("LATENCY", "HISTORY", "expire-cycle")
        client.close()
        return max((ms for _, ms in history), default=1), seen


def ends_of_page(bench):
    """The longest read while as many observations end at one time, over HTTP."""
    count = bench.most
    with PageServer(bench.program, search.PATIENT) as server:
        client = Http(server.port)
        until = time.time() + time_to_load(count)
        drafts = []
        for number, draft in read_observations(bench.drawn, count):
            drafts.append({**draft, "ttl_minutes": max(0.001, (until - time.time()) / 60)})
            if len(drafts) == search.BATCH or number + 1 == count:
                client.ask("POST", "/v1/agents/bench/observations/batch", {"drafts": drafts})
                drafts = []
        if time.time() > until:
            raise Failed("observations ended while they were added")
        client.close()  # the server would close it while nothing is asked
        time.sleep(max(0, until - time.time() - 1))
        client = Http(server.port)
        path = "/v1/agents/bench/observations?limit=1&tags=nothing"

        def ask():
            client.ask("GET", path)
            return client.ask("GET", "/v1/agents/bench/stats")
        result = longest_wait(ask, until, lambda stats: b'"observations":0,' in stats)
        client.close()
        return result


def ends(bench):
    if not bench.wants("ends", "redis"):
        return

    def measure():
        found("redis-server", "redis-server")
        seen = bench.row("ends", "slowest read while all end", "ms", LESS, "serve, HTTP", "Redis GET", bench.most)
        slices = bench.row("ends", "longest slice while all end", "ms", LESS, "page, processor time",
                           "Redis, its own clock", bench.most)
        of_redis = []
        for number in range(1, bench.few + 1):
            bench.say(f"{bench.most} ends at one time: round {number} of {bench.few}")
            slice_ms, seen_ms = ends_of_redis(bench)
            of_redis.append(slice_ms)
            seen.add(ends_of_page(bench), seen_ms)
        if bench.most == 1_000_000:  # so many has the figure of scratchpage_bench, of five rounds
            bench.say("a million ends in the process")
            longest = bench.summary_of("expire_1m")["expire_1m_max_pause_ms"]
            for slice_ms in of_redis:
                slices.add(longest, slice_ms)
    bench.attempt("redis", measure)


def measure(bench):
    turns(bench)
    notes(bench)
    durable(bench)
    ends(bench)
