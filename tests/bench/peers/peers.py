#!/usr/bin/env python3
"""Measures Scratchpage beside what one would use instead, in the same run, the ratio first.

The peers are bare CAF, CAF over BASP, Redis, NATS with JetStream, SQLite, Xapian, the MCP server
server-memory, and LangGraph for JavaScript. This script starts and ends each of them on loopback, in
folders of its own and on free ports. A peer that is not installed is skipped, and the end of the run
says which package would bring it. All get the same drawn observations and questions. We and a peer
take turns, and a figure is the median of the rounds. A ratio of 2 says that we are twice as good,
whether more or less is better.

usage: peers.py BUILD [--packages DIR] [--rounds 5] [--sizes 1000,10000,…] [--only NAME,…] [--json FILE]
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import agents  # noqa: E402
import drawing  # noqa: E402
import messaging  # noqa: E402
import search  # noqa: E402
from bench import Bench, Progress  # noqa: E402
from comparison import table_of  # noqa: E402

FIGURES = {
    "text": "four common words, beside Xapian and SQLite FTS5",
    "tags": "two tags, beside Redis and SQLite",
    "goal": "one of 1 000 goals, beside SQLite's JSON index and LangGraph's store",
    "load": "additions with all indexes, beside all of these",
    "fanout": "deliveries to six subscribers, beside CAF, Redis and NATS",
    "stream": "messages that are kept, beside NATS JetStream",
    "http": "additions and queries over HTTP, beside Redis",
    "turns": "turns of six daemons, beside a graph of LangGraph",
    "notes": "notes over MCP, beside server-memory",
    "durable": "durable additions, beside SQLite and a sync of the disk",
    "ends": "observations that all end at one time, beside Redis",
}
PEERS = ["caf", "basp", "redis", "nats", "sqlite", "xapian", "server-memory", "langgraph"]
SIZES = [1_000, 10_000, 100_000, 1_000_000]
MOST_SIZE, MOST_ROUNDS = 10_000_000, 1_000


def whole_number(least, most):
    def read(text):
        if not text.strip().isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got '{text}'")
        return int(text)
    return read


def read_sizes(text):
    read = whole_number(1_000, MOST_SIZE)
    return sorted({read(part) for part in text.split(",")})


def read_names(text):
    names = text.split(",")
    for name in names:
        if name not in FIGURES and name not in PEERS:
            raise argparse.ArgumentTypeError(
                f"expected figures ({', '.join(FIGURES)}) or peers ({', '.join(PEERS)}), got '{name}'")
    return names


def read_options(arguments):
    figures = "\n".join(f"  {name:9} {what}" for name, what in FIGURES.items())
    options = argparse.ArgumentParser(
        prog="./dev bench peers", description=__doc__.rpartition("\n\nusage")[0],
        epilog=f"figures:\n{figures}\n\npeers:\n  {', '.join(PEERS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", help=argparse.SUPPRESS)
    options.add_argument("--packages", help=argparse.SUPPRESS)
    options.add_argument("--check-options", action="store_true", help=argparse.SUPPRESS)  # and end
    options.add_argument("--rounds", type=whole_number(1, MOST_ROUNDS), default=5,
                         help="rounds of each figure, 5 by default; at most 3 of those that take minutes")
    options.add_argument("--sizes", type=read_sizes, default=SIZES, metavar="N,…",
                         help="numbers of observations, by default 1000,10000,100000,1000000")
    options.add_argument("--only", type=read_names, default=[], metavar="NAME,…",
                         help="only these figures, and those with these peers")
    options.add_argument("--seed", type=whole_number(0, 2**31), default=drawing.SEED,
                         help="of the drawn observations and questions")
    options.add_argument("--json", metavar="FILE", help="also write everything as JSON, for report.py")
    return options.parse_args(arguments)


# -- what is told with the figures -----------------------------------------------------------------------

def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = (done.stdout or done.stderr).strip()
    return text.splitlines()[0] if done.returncode == 0 and text else None


def debian_version(package):
    return first_line(["dpkg-query", "-W", "-f", "${Version}", package])


def npm_version(packages, name):
    try:
        return json.loads((pathlib.Path(packages or "") / "node_modules" / name / "package.json").read_text())["version"]
    except OSError:
        return None


def versions(options):
    import sqlite3
    found = {"scratchpage": first_line([f"{options.build}/runtime/scratchpage", "--version"]),
             "redis-server": debian_version("redis-server"), "nats-server": debian_version("nats-server"),
             "python3-xapian": debian_version("python3-xapian"), "wrk": debian_version("wrk"),
             "sqlite (of Python)": sqlite3.sqlite_version, "python": platform.python_version(),
             "node": first_line(["node", "--version"])}
    for name in ("@langchain/langgraph", "@langchain/core", "@modelcontextprotocol/server-memory"):
        found[name] = npm_version(options.packages, name)
    return {name: version for name, version in found.items() if version}


def machine():
    """The processor, its cores, the memory, and how busy all of it was at the beginning."""
    def of(file, key):
        try:
            for line in pathlib.Path(file).read_text().splitlines():
                if line.startswith(key):
                    return line.partition(":")[2].strip()
        except OSError:
            pass
        return "unknown"
    memory = of("/proc/meminfo", "MemTotal").split()[0]
    return {"processor": of("/proc/cpuinfo", "model name"), "cores": os.cpu_count(),
            "memory_gib": round(int(memory) / 2**20) if memory.isdigit() else None,
            "system": f"{platform.system()} {platform.release().split('-')[0]}",
            "load_before": round(os.getloadavg()[0], 2)}


def report_of(bench, options, began):
    rows = [row.as_json() for row in bench.rows if row.our_values and row.peer_values]
    command = ["./dev", "bench", "peers", "--rounds", str(options.rounds), "--sizes", ",".join(map(str, options.sizes))]
    if options.only:
        command += ["--only", ",".join(options.only)]
    if options.seed != drawing.SEED:
        command += ["--seed", str(options.seed)]
    return {"began": began, "ended": now(), "command": " ".join(command), "seed": options.seed,
            "rounds": options.rounds, "sizes": options.sizes, "machine": machine(), "versions": versions(options),
            "rows": rows, "skipped": bench.skipped, "failed": bench.failed}


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def main():
    options = read_options(sys.argv[1:])
    if options.json and not pathlib.Path(options.json).resolve().parent.is_dir():
        sys.exit(f"--json: there is no folder for {options.json}")
    if options.check_options:
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what was started, as Ctrl-C does
    say, began = Progress(), now()
    load = machine()["load_before"]
    with Bench(options, say) as bench:
        try:
            for part in (search, messaging, agents):
                part.measure(bench)
        except KeyboardInterrupt:
            bench.failed["the run"] = "interrupted; the figures so far follow"
    say.clear()
    report = report_of(bench, options, began)
    report["machine"]["load_before"] = load
    print(table_of(report["rows"], colours=sys.stdout.isatty()))
    for peer, why in report["skipped"].items():
        print(f"skipped {peer}: {why}")
    for peer, why in report["failed"].items():
        print(f"{peer} failed: {why}", file=sys.stderr)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    sys.exit(1 if report["failed"] or not report["rows"] else 0)


if __name__ == "__main__":
    main()
