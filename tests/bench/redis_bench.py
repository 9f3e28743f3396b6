#!/usr/bin/env python3
"""Compares adds and queries a second over HTTP with Redis's SET and GET.

Both get load from this machine, by one thread, over the same number of keep-alive
connections with one request at a time: the server from wrk, Redis from redis-benchmark.
They take turns, so that slow moments of the machine affect both. The table shows the
medians of all rounds.

usage: redis_bench.py PROGRAM [--rounds 5] [--seconds 4] [--connections 32]
"""

import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
from processes import redis_server  # noqa: E402

# wrk prepares its requests, as redis-benchmark does. Additions differ only in their tag and
# their number, which always has the same number of digits.
ADD = """
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
local i, head, tails = 100000, nil, {}
function init()
  local content = '{"type":"observation","content":"note number '
  local tail = ' of many","tags":["a'
  local whole = wrk.format(nil, "/v1/agents/ada/observations", nil, content .. i .. tail .. '10"]}')
  head = whole:sub(1, whole:find(content, 1, true) + #content - 1)
  for tag = 10, 99 do
    tails[tag - 10] = tail .. tag .. '"]}'
  end
end
function request()
  i = i + 1
  return head .. i .. tails[i % 90]
end
"""
QUERY = """
local i, requests = 0, {}
function init()
  for tag = 10, 99 do
    local target = "/v1/agents/ada/observations?limit=LIMIT&tags=a" .. tag
    requests[tag - 10] = wrk.format("GET", target)
  end
end
function request()
  i = i + 1
  return requests[i % 90]
end
"""
QUERIES = {"query": 10, "lookup": 1}  # limits of the queries; a GET returns one value
SETTLED = 4  # seconds until additions are in the snapshot


class Scratchpage:
    """A server with durability `async`: changes become durable soon after the answer."""

    def __init__(self, program, folder, trace):
        config = folder / "config.json"
        config.write_text(json.dumps({
            "durability": {"durability": "async"}, "page": {"max_observations": 1_000_000},
            "trace": {"keep": trace}}))
        self.process = subprocess.Popen(
            [program, "serve", "--data", str(folder / "data"), "--config", str(config),
             "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline()).group()
        self.scripts = {}
        queries = {x: QUERY.replace("LIMIT", str(limit)) for x, limit in QUERIES.items()}
        for name, text in {"add": ADD, **queries}.items():
            self.scripts[name] = folder / f"{name}.lua"
            self.scripts[name].write_text(text)

    def load(self, name, options):
        """Requests a second, and the 99th percentile in milliseconds."""
        shown = subprocess.run(
            ["wrk", "-c", str(options.connections), "-t", "1", "-d", f"{options.seconds}s",
             "--latency", "-s", str(self.scripts[name]), self.url],
            check=True, capture_output=True, text=True).stdout
        if "Non-2xx" in shown:
            raise RuntimeError(shown)
        number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", shown).groups()
        p99 = float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
        return float(re.search(r"Requests/sec:\s+([\d.]+)", shown).group(1)), p99

    def stop(self):
        self.process.terminate()
        if self.process.wait(60) != 0:
            raise RuntimeError("the server failed at its end")


class Redis:
    def __init__(self):
        self.server = redis_server()

    def load(self, command, options):
        shown = subprocess.run(
            ["redis-benchmark", "-p", str(self.server.port), "-c", str(options.connections), "-n", "200000",
             "-t", command, "--csv"], check=True, capture_output=True, text=True).stdout
        return float(shown.splitlines()[-1].split(",")[1].strip('"'))

    def stop(self):
        self.server.close()


def one_round(program, trace, options):
    """The figures of one round."""
    with tempfile.TemporaryDirectory(prefix="redis-bench-") as folder:
        folder = pathlib.Path(folder)
        redis, ours = Redis(), Scratchpage(program, folder, trace)
        try:
            result = {"SET": redis.load("set", options)}
            result["add"], result["add p99"] = ours.load("add", options)
            time.sleep(SETTLED)
            result["GET"] = redis.load("get", options)
            for name, limit in QUERIES.items():
                result[name], result[name + " p99"] = ours.load(name, options)
                url = f"{ours.url}/v1/agents/ada/observations?limit={limit}&tags=a10"
                with urllib.request.urlopen(url) as answer:
                    result[name + " bytes"] = len(answer.read())
        finally:
            ours.stop()
            redis.stop()
        return result


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=int, default=4)
    options.add_argument("--connections", type=int, default=32)
    given = options.parse_args()
    missing = [x for x in ("wrk", "redis-server", "redis-benchmark") if not shutil.which(x)]
    if missing:
        sys.exit(f"{' and '.join(missing)} not found: apt install wrk redis")
    print(f"{given.connections} connections, medians of {given.rounds} rounds\n")
    print("| trace | what | requests a second | Redis | of Redis | p99 |")
    print("|---|---|---|---|---|---|")
    for trace in (True, False):
        rounds = [one_round(given.program, trace, given) for _ in range(given.rounds)]
        median = {x: statistics.median(r[x] for r in rounds) for x in rounds[0]}
        for ours, theirs in (("add", "SET"), *((x, "GET") for x in QUERIES)):
            share = statistics.median(r[ours] / r[theirs] for r in rounds)
            what = ours
            if ours in QUERIES:
                what = f"query, {QUERIES[ours]} in {median[ours + ' bytes'] / 1000:.1f} KB"
            print(f"| {'kept' if trace else 'none'} | {what} | {median[ours]:,.0f} "
                  f"| {theirs} {median[theirs]:,.0f} | {share:.2f} "
                  f"| {median[ours + ' p99']:.1f} ms |", flush=True)


if __name__ == "__main__":
    main()
