"""The requests that hostile clients send without end. Each attack runs in its own process."""

import functools
import json
import socket
import struct
import time

PATIENCE = 10


class Client:
    """A client with one keep-alive connection."""

    def __init__(self, host, token):
        self.address = (host.rsplit(":", 1)[0], int(host.rsplit(":", 1)[1]))
        self.head = ("Host: localhost\r\nContent-Type: application/json\r\n"
                     + ("Authorization: Bearer %s\r\n" % token if token else ""))
        self.link = None

    def connect(self):
        self.link = socket.create_connection(self.address, PATIENCE)

    def ask(self, method, path, body=b"", headers=""):
        """Sends a request. Returns the status; 0 if the connection was closed or refused."""
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


def head_of(line, token, *headers):
    """The head of a request, as bytes."""
    lines = [line + " HTTP/1.1", "Host: localhost", "Authorization: Bearer " + token, *headers]
    return "".join(x + "\r\n" for x in [*lines, ""]).encode()


def great_observation(**more):
    return json.dumps({"type": "observation", "content": "x" * 60_000, "context": {"a": "y" * 60_000}, **more}).encode()


def great_turn(mode):
    return json.dumps({"input": "x" * 60_000, "mode": mode, "context": {"a": "y" * 60_000}}).encode()


def batch_of_lists():
    calls = ",".join('{"jsonrpc":"2.0","id":%d,"method":"list_observations","params":{"limit":1000}}' % i
                     for i in range(256))
    return ("[" + calls + "]").encode()


def kept_links(host, begin, most, pause):
    """Opens connections without end and keeps the `most` newest. `begin` sends what each begins with. Yields 1
    for each connection, and 0 for each that was refused."""
    address, links = Client(host, None).address, []
    while True:
        try:
            link = socket.create_connection(address, PATIENCE)
            begin(link)
            links.append(link)
            yield 1
        except OSError:
            yield 0
        if len(links) > most:
            links.pop(0).close()
        time.sleep(pause)


# -- the attacks; each yields statuses without end ------------------------------------------------

def repeated(who):
    """An attack that sends the same requests over and over, with the token of `who`."""
    def attack_of(make):
        @functools.wraps(make)
        def attack(host, tokens):
            client, requests = Client(host, tokens[who]), make()
            while True:
                for method, path, body in requests:
                    yield client.ask(method, path, body)
        return attack
    return attack_of


@repeated("tool")
def filters_of_a_hundred_thousand():
    values = ["v%d" % i for i in range(100_000)]
    return [("POST", "/rpc?agent=junk", rpc("list_observations", **{name: values}))
            for name in ("type", "status", "source", "owner", "tags")]


@repeated("tool")
def batches_of_great_answers():
    return [("POST", "/rpc?agent=junk", batch_of_lists())]


@repeated("tool")
def millions_of_drafts():
    return [("POST", "/v1/agents/junk/observations/batch", b'{"drafts":[' + b"{}," * 1_300_000 + b"{}]}")]


@repeated("tool")
def great_observations():
    one = great_observation(metadata={"b": "z" * 60_000})
    huge = json.dumps({"type": "observation", "content": "x", "metadata": {"b": "z" * 3_000_000}}).encode()
    return [("POST", "/v1/agents/junk/observations", one)] * 8 + [("POST", "/v1/agents/junk/observations", huge)]


@repeated("tool")
def a_million_tags():
    tags = json.dumps({"type": "observation", "content": "x", "tags": ["t"] * 900_000}).encode()
    return [("POST", "/v1/agents/junk/observations", tags)]


@repeated("tool")
def deep_and_wide_json():
    return [("POST", "/rpc?agent=junk", b"[" * 2_000_000), ("POST", "/rpc?agent=junk", b"[" + b"1," * 2_000_000 + b"1]"),
            ("POST", "/v1/agents/junk/observations", b'{"a":' * 500_000)]


@repeated("tool")
def alerts_without_end():
    alert = json.dumps({"type": "alert", "content": "Fire"}).encode()
    return [("POST", "/v1/agents/junk/observations", alert)]


@repeated("tool")
def measurements_without_end():
    drafts = [{"type": "observation", "content": "1 " * 30_000, "tags": ["performance"]}] * 10
    return [("POST", "/v1/agents/junk/observations/batch", json.dumps({"drafts": drafts}).encode())]


@repeated("tool")
def searches_for_hundreds_of_words():
    words = " ".join("w%d" % i for i in range(256))
    return [("POST", "/rpc?agent=junk", rpc("query_observations", query=words, deadline_ms=1000,
                                            metadata={"limit": 1000}))]


@repeated("tool")
def listings_of_a_great_archive():
    row = great_observation(metadata={"b": "z" * 60_000}, ttl_minutes=0)
    return [("POST", "/v1/agents/junk/observations", row)] * 4 \
        + [("POST", "/rpc?agent=junk", rpc("list_archive", context={"nothing": 1}))]


def ever_new_agents(host, tokens):
    client, n = Client(host, tokens["agent"]), 0
    while True:
        n += 1
        yield client.ask("GET", "/rpc?agent=new%d" % n)
        yield client.ask("POST", "/v1/agents/new%d/observations" % n, b'{"type":"observation","content":" "}')


def great_observations_in_many_agents(host, tokens):
    body = great_observation()
    client, n = Client(host, tokens["agent"]), 0
    while True:
        n += 1
        yield client.ask("POST", "/v1/agents/new%d/observations" % (n % 300), body)


def texts_of_ever_new_words(host, tokens):
    """Each new word enlarges the text index as soon as somebody queries by text."""
    client, n = Client(host, tokens["agent"]), 0
    while True:
        words = " ".join("w%d" % i for i in range(n, n + 8_000))
        n += 8_000
        yield client.ask("POST", "/v1/agents/junk/observations",
                         json.dumps({"type": "observation", "content": words[:60_000]}).encode())
        yield client.ask("POST", "/rpc?agent=junk", rpc("query_observations", query="w1 w2 w3"))


@repeated("agent")
def turns_of_long_words():
    """The server keeps their results for a while."""
    return [("POST", "/v1/agents/junk/turns", great_turn("background"))]


@repeated("agent")
def lists_of_great_turns():
    return [("POST", "/v1/agents/junk/turns", great_turn("parallel")),
            ("GET", "/v1/agents/junk/turns?limit=1000", b"")]


def batches_that_nobody_waits_for(host, tokens):
    """Sends a long batch and closes the connection at once."""
    address, body = Client(host, None).address, batch_of_lists()
    ask = head_of("POST /rpc?agent=junk", tokens["tool"], "Content-Type: application/json",
                  "Content-Length: %d" % len(body))
    while True:
        try:
            with socket.create_connection(address, PATIENCE) as link:
                link.sendall(ask + body)
            yield 1
        except OSError:
            yield 0
        time.sleep(.02)


@repeated("agent")
def plans_of_thousands():
    plan = [{"call_id": "c%d" % i, "tool_id": "store.read", "depends_on": ["c%d" % j for j in range(max(0, i - 20), i)]}
            for i in range(3_000)]
    return [("POST", "/v1/agents/junk/turns", json.dumps({"input": "x", "plan": plan}).encode())]


def held_turns(host, tokens):
    client = Client(host, tokens["other"])
    body = json.dumps({"input": "x", "hold": True, "mode": "parallel", "deadline_ms": 604_800_000}).encode()
    while True:
        yield client.ask("POST", "/v1/agents/junk/turns", body)
        time.sleep(.01)


def slow_heads(host, _tokens):
    """Connections whose request never ends its head; the server closes the oldest for new ones."""
    return kept_links(host, lambda link: link.sendall(b"GET / HTTP/1.1\r\nHost: "), 1_500, .002)


def messages_that_do_not_end(host, tokens):
    """Large fragments of WebSocket messages, of which the last fragment never comes."""
    head = head_of("GET /rpc?agent=junk", tokens["agent"], "Connection: Upgrade", "Upgrade: websocket",
                   "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    piece = struct.pack(">BBQ", 0x01, 0xFF, 3_900_000) + b"\0\0\0\0" + b"x" * 3_900_000

    def begin(link):
        link.sendall(head)
        link.recv(4096)
        link.sendall(piece)
    return kept_links(host, begin, 300, .05)


def answers_that_nobody_reads(host, tokens):
    ask = head_of("GET /v1/agents/junk/observations?limit=1000", tokens["reader"])
    return kept_links(host, lambda link: link.sendall(ask), 100, .05)


ATTACKS = [filters_of_a_hundred_thousand, batches_of_great_answers, millions_of_drafts, great_observations,
           a_million_tags, deep_and_wide_json, alerts_without_end, measurements_without_end, ever_new_agents,
           great_observations_in_many_agents, texts_of_ever_new_words, turns_of_long_words,
           searches_for_hundreds_of_words, listings_of_a_great_archive, lists_of_great_turns,
           batches_that_nobody_waits_for, plans_of_thousands, held_turns, slow_heads,
           messages_that_do_not_end, answers_that_nobody_reads]
