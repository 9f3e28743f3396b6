#!/usr/bin/env python3
"""Measures how much hostile clients slow honest ones, with all attacks at once.

usage: load.py PROGRAM [--seconds N] [--limit files|threads|memory] [--attack NAME] [--summary FILE] [--check]

Processes of low priority run every known attack on a server with tokens. At the same time one
process measures /healthz on new connections, and one adds observations to its own agent, one
after another. Both are also measured without the attacks. With --check the exit code is 1 if the
server has ended, is not ready again, has lost something acknowledged, or has used more memory
than its bound. Its speed does not affect the exit code.
"""

import argparse
import json
import multiprocessing
import os
import resource
import signal
import sys
import time

from attacked_server import Server
from load_kinds import ATTACKS, PATIENCE, Client

MEGABYTE = 1 << 20


def run_attack(attack, host, tokens, until, results):
    os.nice(10)
    statuses = {}
    for status in attack(host, tokens):
        statuses[status] = statuses.get(status, 0) + 1
        if time.monotonic() > until:
            break
    results.put((attack.__name__, statuses))


# -- measurements -------------------------------------------------------------------------------------

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
    """Measures for that long beside these attacks. Returns the figures and the peak of memory."""
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
    """Creates a cgroup (version 2 or 1) for the server; None if that is not possible."""
    name, value = {"threads": ("pids.max", "200"), "memory": ("memory.max", str(512 * MEGABYTE))}[kind]
    controller = {"threads": "pids", "memory": "memory"}[kind]
    old_name = {"threads": "pids.max", "memory": "memory.limit_in_bytes"}[kind]
    for root, file in (("/sys/fs/cgroup", name), ("/sys/fs/cgroup/" + controller, old_name)):
        folder = "%s/scratchpage-%d" % (root, os.getpid())
        try:
            os.mkdir(folder)
            if os.path.exists(os.path.join(folder, file)):  # otherwise it is no cgroup
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
    """A function that moves the calling process into the cgroup."""
    def enter():
        with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as out:
            out.write(str(os.getpid()))
    return enter


def bound_of_memory(limit):
    """The default of `memory.max_bytes`, and a quarter more for requests under way (docs/operating.md)."""
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
            "goal: 100" if name == "p99" else "")
    row("/healthz, not answered", before["health"]["failed"], during["health"]["failed"], "of %d" % during["health"]["count"])
    slower = during["additions"]["per_second"] / max(before["additions"]["per_second"], 1e-9)
    row("additions to another agent, per s", *("%.0f" % x["additions"]["per_second"] for x in (before, during)),
        "%.2f, goal: 0.5" % slower)
    row("additions, refused", before["additions"]["failed"], during["additions"]["failed"], "")
    row("resident memory, MiB", "", "%.0f" % (most / MEGABYTE), "bound: %.0f" % (bound / MEGABYTE))
    row("alive, ready, acknowledged and lost", "", "%s, %s, %s" % (alive, ready, lost), "")
    for name, statuses in sorted(during.items()):
        if name not in ("health", "additions"):
            print("  %-32s %s" % (name, ", ".join("%s: %d" % x for x in sorted(statuses.items()))))


def count(server, operation, patience=60):
    """How many observations of the honest client an operation finds. Tries again while the server is
    still busy."""
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
                        help="run only this attack; may be repeated")
    parser.add_argument("--summary")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    group = make_group(options.limit) if options.limit in ("threads", "memory") else None
    if options.limit:
        print("limited: " + options.limit if group or options.limit == "files" else
              "no cgroup can be created: not limited")
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
                print("not removed: %s" % group)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
