#!/usr/bin/env python3
"""How much additions are slowed down by copies and looks beside a server.

It runs a server on a page with a history, and clients that add without a pause. Rounds without
anything else alternate with rounds in which one command after the other runs: export, checkpoint,
trace or replay. It prints the additions a second of each, and the ratio to the rounds around it, in
the same run: below 1, additions are slowed down.

With --every S, a command begins S seconds after the one before it began, as somebody who looks at
what happens does; by default it begins when that one has ended.

usage: copies_bench.py PROGRAM [--rounds N] [--seconds S] [--every S] [--history N] [--clients N]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "operating"))
from served import Served  # noqa: E402


class Load:
    def __init__(self, server, clients):
        self.count = 0
        self.guard = threading.Lock()
        self.ends = False
        self.threads = [threading.Thread(target=self.add, args=(server, f"agent_{i % 2}"))
                        for i in range(clients)]
        for thread in self.threads:
            thread.start()

    def add(self, server, agent):
        client = server.client()
        while not self.ends:
            client.add(agent, "A ship is late at pier seven, and the harbour master knows it")
            with self.guard:
                self.count += 1

    def rate(self, seconds):
        before, began = self.count, time.monotonic()
        time.sleep(seconds)
        return (self.count - before) / (time.monotonic() - began)


def fill(server, count):
    """A history of additions, 500 at a time."""
    client = server.client()
    for agent in ("agent_0", "agent_1"):
        for first in range(0, count // 2, 500):
            drafts = [{"type": "observation", "content": f"Ship {first + i} " + "of the line " * 20}
                      for i in range(500)]
            status, text = client.ask("POST", f"/v1/agents/{agent}/observations/batch",
                                      {"drafts": drafts})
            assert status == 200, text


def commands(server, folder, last):
    def checkpoint():
        (folder / "saved.db").unlink(missing_ok=True)
        return ("checkpoint", folder / "saved.db")

    return {
        "export": lambda: ("export", "--agent", "all", folder / "all.jsonl"),
        "checkpoint": checkpoint,
        "trace": lambda: ("trace", "--agent", "agent_0", "--limit", "2000", "--json"),
        "replay": lambda: ("replay", "--agent", "agent_0", "--until", str(last), "--json"),
    }


def during(load, server, command, seconds, every):
    """The rate while the command runs again and again."""
    ends, done, failures = threading.Event(), [0], []

    def run():
        while not ends.is_set():
            began = time.monotonic()
            made = subprocess.run([server.program, *map(str, command()), "--data", server.data],
                                  capture_output=True, text=True)
            if made.returncode != 0 and not ends.is_set():
                failures.append(made.stderr)
            done[0] += made.returncode == 0
            ends.wait(max(0, began + every - time.monotonic()))

    runner = threading.Thread(target=run)
    runner.start()
    rate = load.rate(seconds)
    ends.set()
    runner.join()
    assert not failures, failures[0]
    return rate, done[0]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=6)
    options.add_argument("--every", type=float, default=0)
    options.add_argument("--history", type=int, default=20_000)
    options.add_argument("--clients", type=int, default=8)
    given = options.parse_args()
    with Served(str(pathlib.Path(given.program).resolve())) as server:
        fill(server, given.history)
        load = Load(server, given.clients)
        load.rate(2)
        ratios, kinds = {}, commands(server, server.folder, given.history // 4)
        try:
            before = load.rate(given.seconds)
            for _ in range(given.rounds):
                for name, command in kinds.items():
                    rate, done = during(load, server, command, given.seconds, given.every)
                    after = load.rate(given.seconds)
                    alone = (before + after) / 2
                    ratios.setdefault(name, []).append(rate / alone)
                    print(f"{name:10} {rate:7.0f}/s beside {done} of them, {alone:7.0f}/s without: "
                          f"{rate / alone:.3f}", flush=True)
                    before = after
        finally:
            load.ends = True
            for thread in load.threads:
                thread.join()
        print(json.dumps({name: round(statistics.median(x), 3) for name, x in ratios.items()}))


if __name__ == "__main__":
    main()
