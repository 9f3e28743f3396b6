#!/usr/bin/env python3
"""What agents cost a server, as its clients see it.

known   the time until a server answers whose data directory knows --known agents
open    threads, descriptors and memory of --open agents that are open and have nothing to do
woken   the first answer of agents at rest with a thousand observations: one after the other, and
        --woken at once. The ratio tells how many times the processor time of the former the latter
        take on all cores; 1 is the limit
turns   --agents agents are used by turns, more than are open at once: the memory, the answers that
        were no success, observations that were served after their end, and how late ends were

usage: agents_bench.py PROGRAM [PART…] [--known N] [--open N] [--woken N] [--agents N] [--max-open N]
"""

import argparse
import json
import os
import pathlib
import random
import selectors
import socket
import sqlite3
import statistics
import sys
import threading
import time
from datetime import datetime

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "operating"))
from served import Served  # noqa: E402

OBSERVATIONS = 1_000
PAUSE = 0.05  # seconds, for what follows an answer, as the words of texts: the next agent wakes alone
TICKS = os.sysconf("SC_CLK_TCK")


class Measured(Served):
    def of_process(self, name):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1])
        raise KeyError(name)

    def resident(self):
        return self.of_process("VmRSS") * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def metric(self, name):
        _, text = self.client().ask("GET", "/metrics")
        for line in text.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        raise KeyError(name)

    def await_rest(self, count):
        until = time.monotonic() + 600
        while self.metric('scratchpage_agents{state="resting"}') < count:
            assert time.monotonic() < until, "the agents do not rest"
            time.sleep(0.5)


def show(part, **figures):
    print(json.dumps({"part": part, **{k: round(v, 2) if isinstance(v, float) else v for k, v in figures.items()}}),
          flush=True)


def in_threads(count, work):
    """Calls `work(number)` in so many threads; a failure of one is raised."""
    failures = []

    def run(number):
        try:
            work(number)
        except BaseException as why:  # noqa: BLE001 - raised below
            failures.append(why)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if failures:
        raise failures[0]


def known(program, given):
    server = Measured(program)
    try:
        server.start()
        server.client().add("first", "The kettle boils")
        server.stop()
        with sqlite3.connect(server.data / "scratchpage.db") as db:
            columns = [x[1] for x in db.execute("PRAGMA table_info(agent)")]
            row = dict(zip(columns, db.execute("SELECT * FROM agent").fetchone()))
            keys = random.Random(1).sample(range(1, 1 << 62), given.known)
            key, name = columns[0], columns[1]
            db.executemany(f"INSERT INTO agent ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                           ([{**row, key: k, name: f"agent_{i}", "last_sequence": 0}[c] for c in columns] for i, k in enumerate(keys)))
        began = time.monotonic()
        server.start()
        status, _ = server.client().ask("GET", "/readyz")
        assert status == 200, status
        started = time.monotonic() - began
        began = time.monotonic()
        status, text = server.client().ask("POST", "/v1/agents/agent_7/observations",
                                           {"type": "observation", "content": "The kettle boils"})
        assert status == 201, text
        show("known", agents=given.known, start_s=started, first_addition_ms=(time.monotonic() - began) * 1e3,
             resident_mb=server.resident() / 1e6)
        server.stop()
    finally:
        server.__exit__()


def opened(program, given):
    config = {"host": {"rest_minutes": 0}}
    with Measured(program, config=config) as server:
        server.client().add("first", "The kettle boils")
        before, began = server.resident(), time.monotonic()

        def work(number):
            client = server.client()
            for i in range(number, given.open, 8):
                client.add(f"agent_{i}", "The kettle boils")
        in_threads(8, work)
        took = time.monotonic() - began
        time.sleep(3)
        show("open", agents=given.open, a_second=given.open / took, threads=server.of_process("Threads"),
             descriptors=server.descriptors(), bytes_each=int((server.resident() - before) / given.open))


def ask_all(server, count):
    """Sends a query to each agent at once, and waits for all answers. Returns the seconds."""
    ready = selectors.DefaultSelector()
    sockets = []
    for i in range(count):
        one = socket.create_connection(("127.0.0.1", server.port))
        sockets.append((one, f"GET /v1/agents/agent_{i}/observations?limit=1 HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()))
        ready.register(one, selectors.EVENT_READ)
    began = time.monotonic()
    for one, request in sockets:
        one.sendall(request)
    left = count
    while left:
        for key, _ in ready.select():
            answer = key.fileobj.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200"), answer
            ready.unregister(key.fileobj)
            left -= 1
    took = time.monotonic() - began
    for one, _ in sockets:
        one.close()
    return took


def woken(program, given):
    config = {"host": {"rest_minutes": 0.05}}
    with Measured(program, config=config) as server:
        words = random.Random(1)

        def work(number):
            client = server.client()
            for i in range(number, given.woken, 4):
                for _ in range(0, OBSERVATIONS, 500):
                    drafts = [{"type": "observation", "tags": [f"tag{words.randrange(200)}"],
                               "content": " ".join(f"word{words.randrange(20_000)}" for _ in range(12))}
                              for _ in range(500)]
                    status, text = client.ask("POST", f"/v1/agents/agent_{i}/observations/batch", {"drafts": drafts})
                    assert status == 200, text
        in_threads(4, work)
        server.await_rest(given.woken)
        kept = server.metric("scratchpage_resting_agents_bytes") / given.woken
        times, before, client = [], server.processor_time(), server.client()
        for i in range(given.woken):
            began = time.monotonic()
            status, text = client.ask("GET", f"/v1/agents/agent_{i}/observations?limit=1")
            times.append((time.monotonic() - began) * 1e3)
            assert status == 200, text
            time.sleep(PAUSE)
        alone = server.processor_time() - before
        server.await_rest(given.woken)
        together = ask_all(server, given.woken)
        cores = len(os.sched_getaffinity(0))
        show("woken", agents=given.woken, alone_p50_ms=statistics.median(times),
             alone_p99_ms=statistics.quantiles(times, n=100)[98], processor_ms_each=alone / given.woken * 1e3,
             together_s=together, ratio=together * cores / alone, kept_bytes_each=int(kept))


def ends(server, agents):
    """By how many ms observations of these agents ended after their time, as their exports tell."""
    for i in agents:
        exported = server.run("export", "--data", server.data, "--agent", f"agent_{i}").stdout
        for line in map(json.loads, exported.splitlines()):
            if line.get("line") == "archived" and line["observation"]["status"] == "expired":
                due, at = map(datetime.fromisoformat, (line["observation"]["expires_at"], line["left_at"]))
                yield (at - due).total_seconds() * 1e3


def by_turns(program, given):
    config = {"host": {"rest_minutes": 1, "max_agents": given.max_open}}
    with Measured(program, config=config) as server:
        refused, expired, memory = [], [], []
        began = time.monotonic()

        def work(number):
            client, chance = server.client(), random.Random(number)
            for round_number in range(2):
                for i in range(number, given.agents, 8):
                    status, text = client.ask("POST", f"/v1/agents/agent_{i}/observations",
                                              {"type": "observation", "content": "The kettle boils",
                                               "ttl_minutes": chance.choice([0.5, 2, 60])})
                    if status != 201:
                        refused.append(text)
                        continue
                    asked = time.time()
                    status, text = client.ask("GET", f"/v1/agents/agent_{i}/observations?limit=100")
                    if status != 200:
                        refused.append(text)
                        continue
                    now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(asked))
                    expired.extend(x for x in json.loads(text)["observations"] if x["expires_at"][:19] < now)
                    if i % 1_000 == 0:
                        memory.append(server.resident())
        in_threads(8, work)
        took = time.monotonic() - began
        ended = list(ends(server, range(0, given.agents, max(1, given.agents // 100))))
        show("turns", agents=given.agents, requests_a_second=4 * given.agents / took, most_mb=max(memory) / 1e6,
             last_mb=server.resident() / 1e6, refused=len(refused), expired_served=len(expired),
             ended=len(ended), latest_end_ms=max(ended, default=0),
             rests=server.metric("scratchpage_agent_rests_total"), wakings=server.metric("scratchpage_agent_wakings_total"),
             open=server.metric('scratchpage_agents{state="open"}'),
             kept_bytes_each=int(server.metric("scratchpage_resting_agents_bytes")
                                 / max(1, server.metric('scratchpage_agents{state="resting"}'))))
        if refused:
            print(refused[0].decode(), file=sys.stderr)


PARTS = {"known": known, "open": opened, "woken": woken, "turns": by_turns}


def main():
    options = argparse.ArgumentParser(prog="./dev bench agents", description=__doc__.split("\n\nusage")[0],
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", help=argparse.SUPPRESS)
    options.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help="known, open, woken or turns; default: all")
    options.add_argument("--known", type=int, default=1_000_000)
    options.add_argument("--open", type=int, default=10_000)
    options.add_argument("--woken", type=int, default=300)
    options.add_argument("--agents", type=int, default=100_000)
    options.add_argument("--max-open", type=int, default=4_000)
    given = options.parse_args()
    for part in given.parts or PARTS:
        PARTS[part](str(pathlib.Path(given.program).resolve()), given)


if __name__ == "__main__":
    main()
