"""What hostile clients send without end, each in a process of its own."""

import functools
import json
import socket
import struct
import time

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


@repeated
def measurements_without_end():
    drafts = [{"type": "observation", "content": "1 " * 30_000, "tags": ["performance"]}] * 10
    return [("POST", "/v1/agents/junk/observations/batch", json.dumps({"drafts": drafts}).encode())]


@repeated
def searches_for_hundreds_of_words():
    words = " ".join("w%d" % i for i in range(256))
    return [("POST", "/rpc?agent=junk", rpc("query_observations", query=words, deadline_ms=1000,
                                            metadata={"limit": 1000}))]


@repeated
def listings_of_a_great_archive():
    row = json.dumps({"type": "observation", "content": "x" * 60_000, "context": {"a": "y" * 60_000},
                      "metadata": {"b": "z" * 60_000}, "ttl_minutes": 0}).encode()
    return [("POST", "/v1/agents/junk/observations", row)] * 4 \
        + [("POST", "/rpc?agent=junk", rpc("list_archive", context={"nothing": 1}))]


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


def lists_of_great_turns(host, tokens):
    client = Client(host, tokens["agent"])
    body = json.dumps({"input": "x" * 60_000, "context": {"a": "y" * 60_000}, "mode": "parallel"}).encode()
    while True:
        yield client.ask("POST", "/v1/agents/junk/turns", body)
        yield client.ask("GET", "/v1/agents/junk/turns?limit=1000")


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
           a_million_tags, deep_and_wide_json, alerts_without_end, measurements_without_end, ever_new_agents,
           great_observations_in_many_agents, texts_of_ever_new_words, turns_of_long_words,
           searches_for_hundreds_of_words, listings_of_a_great_archive, lists_of_great_turns,
           batches_that_nobody_waits_for, plans_of_thousands, held_turns, slow_heads,
           messages_that_do_not_end, answers_that_nobody_reads]
