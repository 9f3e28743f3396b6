#!/usr/bin/env python3
"""Measures calls of tools over MCP on stdio, and checks that acknowledged adds are stored.

Adds and searches notes, one call at a time, while a given number of notes is stored. Each
add is durable when it is answered. The table also shows the time of a sync of the disk, and
the figures of another server if its command is given. Then several processes on one
directory add notes with several calls in flight, and the script counts how many of the
acknowledged ones are stored.

usage: mcp_bench.py PROGRAM [--sizes 10,1000,…] [--calls 500] [--peer 'npx -y PACKAGE']
"""

import argparse
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import threading
import time

WARM_UP = 50
ADDS = 200  # for each process, when several calls are in flight
PEER_SIZES = 10_000  # most notes for the other server: more take minutes to load
WORDS = [f"w{k * 7919 % 100003:x}" for k in range(2000)]


def line_of(message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def is_answer(message):
    return "id" in message and "method" not in message


class Server:
    """A process that speaks MCP, and a simple client of it."""

    def __init__(self, command, env=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            bufsize=0, env={**os.environ, **(env or {})})
        self.rest = b""
        self.last = 0
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})
        self.write({"method": "notifications/initialized"})

    def write(self, message):
        self.write_line(line_of(message))

    def write_line(self, data):
        while data:
            data = data[os.write(self.process.stdin.fileno(), data):]

    def read_line(self):
        while b"\n" not in self.rest:
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise EOFError(f"{self.process.args} ended")
            self.rest += part
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def read(self):
        """The next answer."""
        while True:
            message = json.loads(self.read_line())
            if is_answer(message):
                return message

    def request_of(self, method, params):
        self.last += 1
        return {"id": self.last, "method": method, "params": params}

    def begin(self, method, params):
        self.write(self.request_of(method, params))

    def request(self, method, params):
        self.begin(method, params)
        return self.read()

    def call(self, tool, arguments):
        """The milliseconds from the request's first byte to the answer's last: what the
        client needs to make the one and to understand the other is not among them."""
        line = line_of(self.request_of("tools/call", {"name": tool, "arguments": arguments}))
        started = time.perf_counter()
        self.write_line(line)
        answered = self.read_line()
        took = 1000 * (time.perf_counter() - started)
        answer = json.loads(answered)
        if not is_answer(answer):
            raise RuntimeError(f"{tool}: expected an answer, got {answer}")
        if "error" in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{tool}: {answer}")
        return took

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


class Ours:
    name = "scratchpage"
    add_tool, find_tool, load_tool = "add_observation", "query_observations", "add_observations"

    def __init__(self, program, folder):
        config = folder / "config.json"
        config.write_text(json.dumps({"page": {"max_observations": 1_000_000}}))
        self.folder = folder
        self.command = [program, "mcp", "--data", str(folder / "data"), "--config", str(config)]

    def start(self, name="bench"):
        return Server([*self.command, "--name", name])

    def note(self, text):
        return {"type": "observation", "content": text}

    def add(self, text):
        return self.note(text)

    def find(self, word):
        return {"query": word}

    def load(self, texts):
        return {"drafts": [self.note(x) for x in texts]}


class Peer:
    """Another server: a knowledge graph in a file (@modelcontextprotocol/server-memory)."""

    add_tool, find_tool, load_tool = "create_entities", "search_nodes", "create_entities"

    def __init__(self, command, folder):
        self.command = shlex.split(command)
        self.name = pathlib.Path(self.command[-1]).name
        self.file = folder / "memory.jsonl"
        self.count = 0

    def start(self):
        return Server(self.command, {"MEMORY_FILE_PATH": str(self.file)})

    def add(self, text):
        return self.load([text])

    def find(self, word):
        return {"query": word}

    def load(self, texts):
        self.count += len(texts)
        return {"entities": [{"name": f"n{self.count - i}", "entityType": "note",
                              "observations": [x]} for i, x in enumerate(texts)]}


def quantile(times, q):
    return sorted(times)[min(len(times) - 1, int(len(times) * q))]


def sync_times(folder, count=200):
    """Milliseconds that an fdatasync after a small append takes in that folder."""
    times = []
    with open(folder / "synced", "wb", buffering=0) as file:
        for _ in range(count):
            file.write(bytes(4096))
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(1000 * (time.perf_counter() - started))
    return times


def measure(what, size, calls):
    """Milliseconds of adds and searches while `size` notes are stored."""
    texts = random.Random(size)
    text = lambda: " ".join(texts.choice(WORDS) for _ in range(12))
    server = what.start()
    for begin in range(0, size, 500):
        server.call(what.load_tool, what.load([text() for _ in range(min(500, size - begin))]))
    result = {}
    for name, tool, arguments in (("add", what.add_tool, lambda: what.add(text())),
                                  ("find", what.find_tool, lambda: what.find(texts.choice(WORDS)))):
        times = [server.call(tool, arguments()) for _ in range(WARM_UP + calls)]
        result[name] = times[WARM_UP:]
    server.end()
    return result


def in_flight(what, processes, at_once):
    """Adds from several processes at once. Returns the acknowledged ids and the seconds."""
    servers = [what.start(f"bench {i}") for i in range(processes)]
    kept, lock = set(), threading.Lock()

    def work(server):
        sent = 0
        for done in range(ADDS):
            while sent < ADDS and sent - done < at_once:
                server.begin("tools/call", {"name": what.add_tool, "arguments": what.add("n")})
                sent += 1
            result = server.read().get("result", {})
            if "structuredContent" in result:
                with lock:
                    kept.add(result["structuredContent"]["observation_id"])

    threads = [threading.Thread(target=work, args=(x,)) for x in servers]
    started = time.perf_counter()
    for x in threads:
        x.start()
    for x in threads:
        x.join()
    took = time.perf_counter() - started
    for x in servers:
        x.end()
    return kept, took


def stored_ids(what):
    server, found, cursor = what.start(), set(), {}
    while True:
        server.begin("tools/call", {"name": "list_observations",
                                    "arguments": {"limit": 1000, **cursor}})
        result = server.read()["result"]["structuredContent"]
        found.update(x["observation_id"] for x in result["observations"])
        if not result.get("next_cursor"):
            server.end()
            return found
        cursor = {"cursor": result["next_cursor"]}


def table_of_sizes(program, peer, sizes, calls):
    print(f"\nOne call at a time, milliseconds, p50 and p99 of {calls}\n")
    print("| notes | server | add | add in syncs | find by a word |")
    print("|---|---|---|---|---|")
    for size in sizes:
        for kind, command in ((Ours, program), (Peer, peer)):
            if not command or (kind is Peer and size > PEER_SIZES):
                continue
            with tempfile.TemporaryDirectory(prefix="mcp-bench-") as folder:
                folder = pathlib.Path(folder)
                what = kind(command, folder)
                syncs = sync_times(folder)
                times = measure(what, size, calls)
                sync = quantile(syncs + sync_times(folder), .5)  # the disk's speed varies
                shown = {x: f"{quantile(times[x], .5):.2f}, {quantile(times[x], .99):.2f}"
                         for x in times}
                share = f"{quantile(times['add'], .5) / sync:.1f} x {sync:.2f}"
                print(f"| {size} | {what.name} | {shown['add']} | {share} | {shown['find']} |",
                      flush=True)


def table_of_processes(program):
    print(f"\n{ADDS} durable adds of each process on one directory\n")
    print("| processes | in flight, each | adds a second | acknowledged | of these stored |")
    print("|---|---|---|---|---|")
    lost = 0
    for processes in (1, 4):
        for at_once in (1, 2, 8, 64):
            with tempfile.TemporaryDirectory(prefix="mcp-bench-") as folder:
                what = Ours(program, pathlib.Path(folder))
                acknowledged, took = in_flight(what, processes, at_once)
                kept = len(acknowledged & stored_ids(what))
                lost += processes * ADDS - kept
                print(f"| {processes} | {at_once} | {len(acknowledged) / took:.0f} "
                      f"| {len(acknowledged)} | {kept} |", flush=True)
    return lost


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--sizes", default="10,1000,10000,100000")
    options.add_argument("--calls", type=int, default=500)
    options.add_argument("--peer", help="the command of a server to compare with, such as "
                                        "'npx -y @modelcontextprotocol/server-memory'")
    given = options.parse_args()
    sizes = [int(x) for x in given.sizes.split(",")]
    table_of_sizes(given.program, given.peer, sizes, given.calls)
    sys.exit(1 if table_of_processes(given.program) else 0)


if __name__ == "__main__":
    main()
