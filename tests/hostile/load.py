#!/usr/bin/env python3
"""What hostile clients cost those that are not: everything at once, for a while.

usage: load.py PROGRAM [--seconds N] [--limit files|threads|memory] [--attack NAME] [--summary FILE] [--check]

A server with tokens is attacked in every way that is known to us, by processes that give way to
others. Beside them one measures /healthz on a new connection each time, and one adds observations
to an agent of its own, one after the other. Both are measured before as well. With --check the
exit code is 1 if the server has died, is not ready again, has lost something that was
acknowledged or has taken more memory than `memory.max_bytes` is there; how fast it was decides
nothing.
"""

import argparse
import functools
import json
import multiprocessing
import os
import resource
import signal
import socket
import struct
import sys
import time

from attacks import Server

MEGABYTE = 1 << 20
PATIENCE = 10


class Client:
    """One connection that is kept, and what it was answered."""

    def __init__(self, host, token):
        self.address = (host.rsplit(":", 1)[0], int(host.rsplit(":", 1)[1]))
        self.head = ("Host: localhost\r\nContent-Type: application/json\r\n"
                     + ("Authorization: Bearer %s\r\n" % token if token else ""))
        self.link = None

    def connect(self):
        self.link = socket.create_connection(self.address, PATIENCE)

    def ask(self, method, path, body=b"", headers=""):
        """The status; 0 if the connection was closed or refused."""
        try:
            if self.link is None:
                self.connect()
            head = "%s %s HTTP/1.1\r\n%s%sContent-Length: %d\r\n\r\n" % (
                method, path, self.head, headers, len(body))
            self.link.sendall(head.encode() + body)
            return self.read()
        except OSError:
            self.close()
            return 0

    def read(self):
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.link.recv(65536)
            if not more:
                raise ConnectionError
            data += more
        head, rest = data.split(b"\r\n\r\n", 1)
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(rest) < length:
            more = self.link.recv(1 << 20)
            if not more:
                raise ConnectionError
            rest += more
        if b"connection: close" in head.lower():
            self.close()
        return int(head.split(b" ")[1])

    def close(self):
        if self.link is not None:
            self.link.close()
        self.link = None


def rpc(method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


# -- the attacks; each yields statuses until it is told to end ------------------------------------

def repeated(make):
    """An attack that sends the same requests over and over."""
    @functools.wraps(make)
    def attack(host, tokens):
        client, requests = Client(host, tokens["tool"]), make()
        while True:
            for method, path, body in requests:
                yield client.ask(method, path, body)
    return attack


@repeated
def filters_of_a_hundred_thousand():
    values = ["v%d" % i for i in range(100_000)]
    return [("POST", "/rpc?agent=junk", rpc("list_observations", **{name: values}))
            for name in ("type", "status", "source", "owner", "tags")]


@repeated
def batches_of_great_answers():
    calls = ",".join('{"jsonrpc":"2.0","id":%d,"method":"list_observations","params":{"limit":1000}}' % i
                     for i in range(256))
    return [("POST", "/rpc?agent=junk", ("[" + calls + "]").encode())]


@repeated
def millions_of_drafts():
    return [("POST", "/v1/agents/junk/observations/batch", b'{"drafts":[' + b"{}," * 1_300_000 + b"{}]}")]


@repeated
def great_observations():
    one = json.dumps({"type": "observation", "content": "x" * 60_000, "context": {"a": "y" * 60_000},
                      "metadata": {"b": "z" * 60_000}}).encode()
    huge = json.dumps({"type": "observation", "content": "x", "metadata": {"b": "z" * 3_000_000}}).encode()
    return [("POST", "/v1/agents/junk/observations", one)] * 8 + [("POST", "/v1/agents/junk/observations", huge)]


@repeated
def a_million_tags():
    tags = json.dumps({"type": "observation", "content": "x", "tags": ["t"] * 900_000}).encode()
    return [("POST", "/v1/agents/junk/observations", tags)]


@repeated
def deep_and_wide_json():
    return [("POST", "/rpc?agent=junk", b"[" * 2_000_000), ("POST", "/rpc?agent=junk", b"[" + b"1," * 2_000_000 + b"1]"),
            ("POST", "/v1/agents/junk/observations", b'{"a":' * 500_000)]


@repeated
def alerts_without_end():
    alert = json.dumps({"type": "alert", "content": "Fire"}).encode()
    return [("POST", "/v1/agents/junk/observations", alert)]


def ever_new_agents(host, tokens):
    client, n = Client(host, tokens["agent"]), 0
    while True:
        n += 1
        yield client.ask("GET", "/rpc?agent=new%d" % n)
        yield client.ask("POST", "/v1/agents/new%d/observations" % n, b'{"type":"observation","content":" "}')


def great_observations_in_many_agents(host, tokens):
    body = json.dumps({"type": "observation", "content": "x" * 60_000, "context": {"a": "y" * 60_000}}).encode()
    client, n = Client(host, tokens["agent"]), 0
    while True:
        n += 1
        yield client.ask("POST", "/v1/agents/new%d/observations" % (n % 300), body)


def texts_of_ever_new_words(host, tokens):
    """Each word is one more in the index of texts, as soon as somebody looks for a text."""
    client, n = Client(host, tokens["agent"]), 0
    while True:
        words = " ".join("w%d" % i for i in range(n, n + 8_000))
        n += 8_000
        yield client.ask("POST", "/v1/agents/junk/observations",
                         json.dumps({"type": "observation", "content": words[:60_000]}).encode())
        yield client.ask("POST", "/rpc?agent=junk", rpc("query_observations", query="w1 w2 w3"))


def turns_of_long_words(host, tokens):
    """What they have added is kept for a while, for who asks for their results."""
    client = Client(host, tokens["agent"])
    body = json.dumps({"input": "x" * 60_000, "mode": "background",
                       "context": {"a": "y" * 60_000}}).encode()
    while True:
        yield client.ask("POST", "/v1/agents/junk/turns", body)


def batches_that_nobody_waits_for(host, tokens):
    """A long batch, and then the client hangs up."""
    address = Client(host, None).address
    calls = ",".join('{"jsonrpc":"2.0","id":%d,"method":"list_observations","params":{"limit":1000}}' % i
                     for i in range(256))
    body = ("[" + calls + "]").encode()
    ask = ("POST /rpc?agent=junk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
           "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (tokens["tool"], len(body))).encode()
    while True:
        try:
            with socket.create_connection(address, PATIENCE) as link:
                link.sendall(ask + body)
            yield 1
        except OSError:
            yield 0
        time.sleep(.02)


def plans_of_thousands(host, tokens):
    plan = [{"call_id": "c%d" % i, "tool_id": "store.read", "depends_on": ["c%d" % j for j in range(max(0, i - 20), i)]}
            for i in range(3_000)]
    body = json.dumps({"input": "x", "plan": plan}).encode()
    client = Client(host, tokens["agent"])
    while True:
        yield client.ask("POST", "/v1/agents/junk/turns", body)


def held_turns(host, tokens):
    client = Client(host, tokens["other"])
    body = json.dumps({"input": "x", "hold": True, "mode": "parallel", "deadline_ms": 604_800_000}).encode()
    while True:
        yield client.ask("POST", "/v1/agents/junk/turns", body)
        time.sleep(.01)


def slow_heads(host, tokens):
    """Connections that never end their first line; the oldest make room for new ones."""
    address, links = Client(host, None).address, []
    while True:
        try:
            link = socket.create_connection(address, PATIENCE)
            link.sendall(b"GET / HTTP/1.1\r\nHost: ")
            links.append(link)
            yield 1
        except OSError:
            yield 0
        if len(links) > 1_500:
            links.pop(0).close()
        time.sleep(.002)


def messages_that_do_not_end(host, tokens):
    """Fragments of a WebSocket's message, of which the last never comes."""
    address, links = Client(host, None).address, []
    head = ("GET /rpc?agent=junk HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            % tokens["agent"]).encode()
    piece = struct.pack(">BBQ", 0x01, 0xFF, 3_900_000) + b"\0\0\0\0" + b"x" * 3_900_000
    while True:
        try:
            link = socket.create_connection(address, PATIENCE)
            link.sendall(head)
            link.recv(4096)
            link.sendall(piece)
            links.append(link)
            yield 1
        except OSError:
            yield 0
        if len(links) > 300:
            links.pop(0).close()
        time.sleep(.05)


def answers_that_nobody_reads(host, tokens):
    address, links = Client(host, None).address, []
    ask = ("GET /v1/agents/junk/observations?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
           % tokens["reader"]).encode()
    while True:
        try:
            link = socket.create_connection(address, PATIENCE)
            link.sendall(ask)
            links.append(link)
            yield 1
        except OSError:
            yield 0
        if len(links) > 100:
            links.pop(0).close()
        time.sleep(.05)


ATTACKS = [filters_of_a_hundred_thousand, batches_of_great_answers, millions_of_drafts, great_observations,
           a_million_tags, deep_and_wide_json, alerts_without_end, ever_new_agents,
           great_observations_in_many_agents, texts_of_ever_new_words, turns_of_long_words,
           batches_that_nobody_waits_for, plans_of_thousands, held_turns, slow_heads,
           messages_that_do_not_end, answers_that_nobody_reads]


def run_attack(attack, host, tokens, until, results):
    os.nice(10)
    statuses = {}
    for status in attack(host, tokens):
        statuses[status] = statuses.get(status, 0) + 1
        if time.monotonic() > until:
            break
    results.put((attack.__name__, statuses))


# -- what is measured ---------------------------------------------------------------------------------

def measure_health(host, until, results):
    times, failed = [], 0
    while time.monotonic() < until:
        client, begin = Client(host, None), time.monotonic()
        if client.ask("GET", "/healthz") == 200:
            times.append((time.monotonic() - begin) * 1000)
        else:
            failed += 1
        client.close()
        time.sleep(.01)
    times.sort()
    results.put(("health", {"count": len(times), "failed": failed, "p50": times[len(times) // 2] if times else None,
                            "p99": times[int(len(times) * .99)] if times else None}))


def measure_additions(host, token, until, results):
    client, acknowledged, failed, begin = Client(host, token), 0, 0, time.monotonic()
    while time.monotonic() < until:
        body = json.dumps({"type": "observation", "content": "Note", "tags": ["victim"], "ttl_minutes": 60}).encode()
        if client.ask("POST", "/v1/agents/victim/observations", body) == 201:
            acknowledged += 1
        else:
            failed += 1
            time.sleep(.01)
    results.put(("additions", {"acknowledged": acknowledged, "failed": failed,
                               "per_second": acknowledged / (time.monotonic() - begin)}))


def memory_of(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as status:
        return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS")), 0)


def play(server, seconds, attacks):
    """Measures for so long beside these attacks; the figures, and the most memory."""
    until, results = time.monotonic() + seconds, multiprocessing.Queue()
    jobs = [multiprocessing.Process(target=measure_health, args=(server.host, until, results)),
            multiprocessing.Process(target=measure_additions, args=(server.host, server.tokens["agent"], until, results))]
    jobs += [multiprocessing.Process(target=run_attack, args=(x, server.host, server.tokens, until, results))
             for x in attacks]
    for job in jobs:
        job.start()
    most = 0
    while time.monotonic() < until + 1 and server.process.poll() is None:
        most = max(most, memory_of(server.process.pid))
        time.sleep(.1)
    found, patience = {}, time.monotonic() + 3 * PATIENCE
    while len(found) < len(jobs) and time.monotonic() < patience:
        try:
            name, what = results.get(timeout=1)
            found[name] = what
        except Exception:  # pylint: disable=broad-except
            continue
    for job in jobs:
        job.terminate()
        job.join()
    return found, most


# -- limits of the server --------------------------------------------------------------------------------

def make_group(kind):
    """A cgroup for the server, of version 2 or 1; None if none can be made."""
    name, value = {"threads": ("pids.max", "200"), "memory": ("memory.max", str(512 * MEGABYTE))}[kind]
    controller = {"threads": "pids", "memory": "memory"}[kind]
    old_name = {"threads": "pids.max", "memory": "memory.limit_in_bytes"}[kind]
    for root, file in (("/sys/fs/cgroup", name), ("/sys/fs/cgroup/" + controller, old_name)):
        folder = "%s/scratchpage-%d" % (root, os.getpid())
        try:
            os.mkdir(folder)
            if os.path.exists(os.path.join(folder, file)):  # else it is a folder like any other
                with open(os.path.join(folder, file), "w", encoding="ascii") as out:
                    out.write(value)
                return folder
            os.rmdir(folder)
        except OSError:
            if os.path.isdir(folder):
                os.rmdir(folder)
    return None


def limit_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))


def entering(group):
    """Puts whoever calls it into the group."""
    def enter():
        with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as out:
            out.write(str(os.getpid()))
    return enter


def bound_of_memory(limit):
    """`memory.max_bytes` where nothing is configured, and the quarter that what is under way may take
    (docs/operating.md)."""
    with open("/proc/meminfo", encoding="ascii") as info:
        machine = next(int(line.split()[1]) * 1024 for line in info if line.startswith("MemTotal"))
    there_is = min(machine, 512 * MEGABYTE) if limit == "memory" else machine
    return min(4096 * MEGABYTE, there_is // 2) * 5 // 4


def show(before, during, most, alive, ready, lost, bound):
    def row(*cells):
        print("%-34s %14s %14s   %s" % cells)
    row("", "before", "during", "")
    for name in ("p50", "p99"):
        row("/healthz, %s in ms" % name, *("%.1f" % x["health"][name] if x["health"][name] else "-" for x in (before, during)),
            "asked: 100" if name == "p99" else "")
    row("/healthz, not answered", before["health"]["failed"], during["health"]["failed"], "of %d" % during["health"]["count"])
    slower = during["additions"]["per_second"] / max(before["additions"]["per_second"], 1e-9)
    row("additions of another agent, a s", *("%.0f" % x["additions"]["per_second"] for x in (before, during)),
        "%.2f, asked: 0.5" % slower)
    row("additions that were refused", before["additions"]["failed"], during["additions"]["failed"], "")
    row("resident memory, MiB", "", "%.0f" % (most / MEGABYTE), "bound: %.0f" % (bound / MEGABYTE))
    row("alive, ready, acknowledged and lost", "", "%s, %s, %s" % (alive, ready, lost), "")
    for name, statuses in sorted(during.items()):
        if name not in ("health", "additions"):
            print("  %-32s %s" % (name, ", ".join("%s: %d" % x for x in sorted(statuses.items()))))


def count(server, operation, patience=60):
    """How many of the honest client's observations an operation finds; it may have to wait for what is
    still to be done."""
    until = time.monotonic() + patience
    while True:
        try:
            found = server.call("agent", operation, agent="victim", tags=["victim"], limit=1)
            if found:
                return found["total_count"]
        except OSError:
            pass
        if time.monotonic() > until:
            return 0
        time.sleep(.2)


def is_ready(server, patience=15):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            if server.send("GET", "/readyz")[0] == 200:
                return True
        except OSError:
            pass
        time.sleep(.2)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--limit", choices=["files", "threads", "memory"])
    parser.add_argument("--attack", action="append", choices=sorted(x.__name__ for x in ATTACKS),
                        help="this one alone; may be repeated")
    parser.add_argument("--summary")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    group = make_group(options.limit) if options.limit in ("threads", "memory") else None
    if options.limit:
        print("limited: " + options.limit if group or options.limit == "files" else
              "no cgroup can be made here: not limited")
    prepare = limit_files if options.limit == "files" else entering(group) if group else None
    server = Server(options.program, with_tokens=True, prepare=prepare)
    try:
        server.call("agent", "add_observation", agent="junk", type="observation", content="Something")
        before, _ = play(server, min(5, options.seconds), [])
        during, most = play(server, options.seconds,
                            [x for x in ATTACKS if not options.attack or x.__name__ in options.attack])
        alive, ready = server.process.poll() is None, is_ready(server)
        wanted = before["additions"]["acknowledged"] + during["additions"]["acknowledged"]
        kept = sum(count(server, x) for x in ("list_observations", "list_archive")) if alive else 0
        lost = max(0, wanted - kept)
        bound = bound_of_memory(options.limit if group else None)
        show(before, during, most, alive, ready, lost, bound)
        if options.summary:
            with open(options.summary, "w", encoding="utf-8") as out:
                json.dump({"before": before, "during": during, "memory": most, "alive": alive, "ready": ready,
                           "lost": lost}, out, indent=1)
        good = alive and ready and lost == 0 and most < bound
        return 1 if options.check and not good else 0
    finally:
        server.end()
        if group:
            time.sleep(.5)
            try:
                os.rmdir(group)
            except OSError:
                print("left behind: %s" % group)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
