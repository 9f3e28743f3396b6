"""Messages to six subscribers, and messages that are kept: CAF, Redis and NATS."""

import json
import shutil
import subprocess
import time
import types

from clients import Drain, Http, Nats, Redis, as_resp
from comparison import MORE
from drawing import read_observations
from processes import ROOMY, Failed, PageServer, found, nats_server, redis_server

import redis_bench

SUBSCRIBERS = 6
MESSAGES = 60_000
BATCH = 500
KEPT = 100_000  # messages to a stream
SECONDS = 3  # of load by wrk
IN_FLIGHT = 64
ALL_OF_THEM = {**ROOMY, "page": {**ROOMY["page"], "log_capacity": 4_000_000, "log_bytes": 4 << 30}}


def bodies(bench, count):
    """Drawn observations as texts, over and over if there are fewer."""
    drawn = [json.dumps(x, separators=(",", ":")).encode()
             for _, x in read_observations(bench.drawn, min(count, bench.most))]
    return [drawn[i % len(drawn)] for i in range(count)]


def parts_of(texts):
    return [texts[i:i + BATCH] for i in range(0, len(texts), BATCH)]


def deliveries(sockets, marker, texts, publish):
    """Deliveries a second to subscribers on these connections, from the first sent to the last read."""
    readers = Drain(sockets, marker, len(texts))
    began = time.perf_counter()
    for part in parts_of(texts):
        publish(part)
    readers.wait()
    return SUBSCRIBERS * len(texts) / (time.perf_counter() - began)


def fan_out_of_page(bench, texts):
    """Six event streams, each with another filter that selects everything."""
    with PageServer(bench.program, ALL_OF_THEM) as server:
        publisher = Http(server.port)
        publisher.ask("POST", "/v1/agents/bench/observations", {"type": "observation", "content": "the first"})
        readers = []
        for number in range(SUBSCRIBERS):
            one = Http(server.port)
            one.send(f"GET /v1/agents/bench/events?type=observation&min_confidence=0.0{number} HTTP/1.1\r\n"
                     "Host: 127.0.0.1\r\n\r\n".encode())
            if b" 200 " not in one.line() + b" ":
                raise Failed("the event stream was refused")
            while one.line():
                pass
            readers.append(one)

        def publish(part):
            publisher.ask_raw("POST", "/v1/agents/bench/observations/batch", b'{"drafts":[' + b",".join(part) + b"]}")
        result = deliveries([x.socket for x in readers], b"event: added\n", texts, publish)
        for one in [publisher, *readers]:
            one.close()
        return result


def fan_out_of_redis(_, texts):
    with redis_server() as server:
        publisher = Redis(server.port)
        publisher.ask("CONFIG", "SET", "client-output-buffer-limit", "pubsub 0 0 0")
        readers = [Redis(server.port) for _ in range(SUBSCRIBERS)]
        for one in readers:
            one.ask("SUBSCRIBE", "page")

        def publish(part):
            publisher.send(b"".join(as_resp("PUBLISH", "page", x) for x in part))
            for _ in part:
                publisher.line()
        result = deliveries([x.socket for x in readers], b"$7\r\nmessage\r\n", texts, publish)
        for one in [publisher, *readers]:
            one.close()
        return result


def fan_out_of_nats(_, texts):
    with nats_server() as server:
        publisher = Nats(server.port)
        readers = [Nats(server.port) for _ in range(SUBSCRIBERS)]
        for one in readers:
            one.send(b"SUB page 1\r\nPING\r\n")
            one.until(b"PONG")

        def publish(part):
            publisher.send(b"".join(b"PUB page %d\r\n%s\r\n" % (len(x), x) for x in part) + b"PING\r\n")
            publisher.until(b"PONG")
        result = deliveries([x.socket for x in readers], b"MSG page 1 ", texts, publish)
        for one in [publisher, *readers]:
            one.close()
        return result


def fan_out_of_basp(bench, texts):
    done = subprocess.run([bench.tool("basp_contestant"), str(len(texts))], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failed(f"basp_contestant: {done.stderr[-300:]}")
    return float(done.stdout)


NETWORK = {"basp": ("CAF over BASP", fan_out_of_basp), "redis": ("Redis pub/sub", fan_out_of_redis),
           "nats": ("NATS", fan_out_of_nats)}


def fan_out_in_process(bench):
    if not bench.wants("fanout", "caf"):
        return
    plain = bench.row("fanout", "deliveries to six, in process", "a second", MORE, "page", "bare CAF")
    traced = bench.row("fanout", "deliveries to six, in process", "a second", MORE, "page, with a trace", "bare CAF")
    for number in range(1, bench.few + 1):
        bench.say(f"fan-out in the process: round {number} of {bench.few}")
        values = bench.summary_of("fanout6")
        for row, name in ((plain, "fanout6_deliveries_per_s"), (traced, "fanout6_traced_deliveries_per_s")):
            row.add(values[name], values["caf_fanout6_deliveries_per_s"])


def fan_out_over_loopback(bench):
    peers = {x: y for x, y in NETWORK.items() if bench.wants("fanout", x)}
    if not peers:
        return
    texts = bodies(bench, MESSAGES)
    rows = {}
    for number in range(1, bench.rounds + 1):
        bench.say(f"fan-out over loopback: round {number} of {bench.rounds}")
        ours = bench.attempt("serve", lambda: fan_out_of_page(bench, texts))
        for peer, (name, measure) in peers.items():
            theirs = None if peer in bench.skipped else bench.attempt(peer, lambda m=measure: m(bench, texts))
            if ours is None or theirs is None:
                continue
            if peer not in rows:
                rows[peer] = bench.row("fanout", "deliveries to six clients", "a second", MORE,
                                       "serve, events over HTTP", name)
            rows[peer].add(ours, theirs)


def publish_kept(port, texts, in_flight):
    """Messages a second that JetStream acknowledges, with so many on their way."""
    client = Nats(port)
    client.ask("$JS.API.STREAM.CREATE.kept", {"name": "kept", "subjects": ["kept"], "storage": "file", "num_replicas": 1})
    client.send(b"SUB _ack 2\r\nPING\r\n")
    client.until(b"PONG")
    sent = acknowledged = 0
    began = time.perf_counter()
    while acknowledged < len(texts):
        part = texts[sent:acknowledged + in_flight]
        if part:
            client.send(b"".join(b"PUB kept _ack %d\r\n%s\r\n" % (len(x), x) for x in part))
            sent += len(part)
        client.more()
        while b"\r\n" in client.rest:
            line = client.line()
            if line.startswith(b"MSG _ack"):
                answer = client.block(int(line.split()[-1]) + 2)
                if b'"error"' in answer:
                    raise Failed(f"nats: {answer.decode()}")
                acknowledged += 1
    result = len(texts) / (time.perf_counter() - began)
    client.ask("$JS.API.STREAM.DELETE.kept", {})
    client.close()
    return result


def additions_by_wrk(bench, connections):
    folder = bench.folder / "wrk"
    folder.mkdir(exist_ok=True)
    ours = redis_bench.Scratchpage(bench.program, folder, True)
    try:
        return ours.load("add", types.SimpleNamespace(connections=connections, seconds=SECONDS))[0]
    finally:
        ours.stop()
        shutil.rmtree(folder)


def streams(bench):
    """Additions and messages that are on the way to the disk when they are acknowledged."""
    if not bench.wants("stream", "nats"):
        return

    def measure():
        found("wrk", "wrk")
        texts = bodies(bench, KEPT)
        row = None
        for number in range(1, bench.rounds + 1):
            bench.say(f"messages that are kept: round {number} of {bench.rounds}")
            with nats_server(jetstream=True) as server:
                theirs = publish_kept(server.port, texts, IN_FLIGHT)
            ours = additions_by_wrk(bench, IN_FLIGHT)
            row = row or bench.row("stream", f"kept messages, {IN_FLIGHT} in flight", "a second", MORE,
                                   "serve, async, HTTP", "NATS JetStream, file")
            row.add(ours, theirs)
    bench.attempt("nats", measure)


def http(bench):
    """Additions and queries over HTTP beside SET and GET."""
    if not bench.wants("http", "redis"):
        return

    def measure():
        for program, package in (("wrk", "wrk"), ("redis-server", "redis-server"), ("redis-benchmark", "redis-tools")):
            found(program, package)
        options = types.SimpleNamespace(connections=32, seconds=SECONDS)
        rows = {}
        for number in range(1, bench.rounds + 1):
            bench.say(f"HTTP beside Redis: round {number} of {bench.rounds}")
            values = redis_bench.one_round(bench.program, True, options)
            for what, name, command in (("add", "additions, trace kept", "SET"), ("query", "query by a tag, ten", "GET"),
                                        ("lookup", "query by a tag, one", "GET")):
                if what not in rows:
                    rows[what] = bench.row("http", f"{name}, 32 connections", "a second", MORE, "serve, HTTP",
                                           f"Redis {command}")
                rows[what].add(values[what], values[command])
    bench.attempt("redis", measure)


def measure(bench):
    bench.attempt("scratchpage_bench", lambda: fan_out_in_process(bench))
    fan_out_over_loopback(bench)
    streams(bench)
    http(bench)
