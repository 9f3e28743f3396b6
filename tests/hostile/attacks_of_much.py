"""Attacks with large amounts of data or requests, which cost the server time and memory."""

import fcntl
import http.client
import itertools
import json
import os
import select
import socket
import time
from contextlib import contextmanager

from attacked_server import PATIENCE, configured, is_out_of_proportion, request, scripted, send_on, waited_for


# -- limits -------------------------------------------------------------------------------------------

def a_filter_has_a_hundred_thousand_values(s):
    s.call("agent", "add_observation", type="observation", content="Something")
    begin = time.monotonic()
    found = s.call("tool", "list_observations", tags=["t%d" % i for i in range(100_000)])
    return found and "it was worked on for %.1f s" % (time.monotonic() - begin)


def context_and_metadata_are_of_any_size(s):
    s.call("agent", "add_observation", type="observation", content="Something")
    big = {"x": "y" * 200_000}
    return (s.call("tool", "add_observation", type="observation", content="x", context=big)
            or s.call("tool", "add_observation", type="observation", content="x", metadata=big)) and "it is kept"


def a_million_drafts_come_at_once(s):
    s.call("agent", "add_observation", type="observation", content="Something")
    status, body = s.send("POST", "/v1/agents/ada/observations/batch", b'{"drafts":[' + b"{}," * 1_000_000 + b"{}]}",
                          s.headers("agent"))
    return status == 200 and "%d answers" % len(body["results"])


def a_query_is_worked_on_for_half_a_minute(s):
    s.call("agent", "add_observation", type="observation", content="Something")
    return s.call("tool", "query_observations", query="something", deadline_ms=30_000) and "it was begun"


def claiming(name):
    """The header with which a program claims a name on a server without tokens."""
    return {"Scratchpage-Caller": json.dumps({"role": "daemon", "kind": "daemon", "name": name})}


def a_program_takes_all_turns_under_many_names(s):
    if s.with_tokens:
        return None  # with tokens, a name cannot be claimed
    held = 0
    for i in range(150):
        status, body = s.send("POST", "/rpc?agent=ada&thread=main", {
            "jsonrpc": "2.0", "id": 1, "method": "begin_turn",
            "params": {"input": "x", "hold": True, "mode": "parallel"}}, claiming("name%d" % (i % 3)))
        held += status == 200 and "error" not in body
    return held > 100 and "%d turns are held" % held


def a_program_fills_the_page_with_alerts_under_many_names(s):
    if s.with_tokens:
        return None
    drafts = [{"type": "alert", "content": "Fire %d" % i} for i in range(600)]
    for i in range(3):
        s.send("POST", "/rpc?agent=ada&thread=main", {
            "jsonrpc": "2.0", "id": 1, "method": "add_observations", "params": {"drafts": drafts}}, claiming("name%d" % i))
    found = s.call("agent", "list_observations", type="alert")
    return found["total_count"] > 1_000 and "%d alerts stand there" % found["total_count"]


def one_credential_takes_all_streams(s):
    s.call("agent", "add_observation", type="observation", content="Something")
    head = "GET /v1/agents/ada/events HTTP/1.1\r\nHost: localhost\r\n" + "".join(
        "%s: %s\r\n" % x for x in s.headers("agent").items()) + "\r\n"
    host, port = s.host.rsplit(":", 1)
    links, opened = [], 0
    try:
        for _ in range(200):
            links.append(socket.create_connection((host, int(port)), PATIENCE))
            links[-1].sendall(head.encode())
            opened += links[-1].recv(64).split(b" ")[1:2] == [b"200"]
    finally:
        for link in links:
            link.close()
    return opened > 128 and "%d streams are open" % opened  # a caller may have a quarter of all


def the_id_of_a_call_has_a_megabyte(s):
    s.call("agent", "add_observation", type="observation", content="Something")
    status, body = s.send("POST", "/rpc?agent=ada&thread=main", {
        "jsonrpc": "2.0", "id": "x" * 1_000_000, "method": "page_stats", "params": {}}, s.headers("agent"))
    return status == 200 and "error" not in body and "it was answered"


def an_agent_listens_to_thousands_of_addresses_at_which_nothing_is(s):
    uris = ["scratchpage://nothing/%d" % i for i in range(256)]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"resourceSubscriptions": uris},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {}}}})
    headers = {**s.headers("agent"), "Content-Type": "application/json",
               "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"}
    s.call("agent", "add_observation", type="observation", content="Something")
    listening = []
    try:
        for i in range(100):
            link = http.client.HTTPConnection(s.host, timeout=PATIENCE)
            listening.append(link)
            link.request("POST", "/mcp?agent=ada&thread=t%d" % i, body, headers)
            link.getresponse()  # reads the head only
        time.sleep(2)  # the server checks the resources twice a second
    except (OSError, http.client.HTTPException):
        pass  # the server may have ended
    finally:
        for link in listening:
            link.close()
    return s.process.poll() is not None and "the server has ended"


# -- too much computing; the cost is compared with that of a similar harmless request --------------------------

def a_long_input_is_read_again_for_each_of_its_words(s):
    s.call("agent", "begin_turn", input="hello")
    words = 15_000
    usual = s.cost_of(lambda: s.call("agent", "begin_turn", input="so " * words + "?", thread_id="u"))
    cost = s.cost_of(lambda: s.call("agent", "begin_turn", input="in," * words + "?", thread_id="v"))
    return is_out_of_proportion(cost, usual) and "%.1f s instead of %.1f s" % (cost, usual)


def a_tools_alerts_are_read_whole_for_each_turn(s):
    def turns():
        for _ in range(3):
            s.call("agent", "begin_turn", input="hello there")
    usual = s.cost_of(turns)
    for i in range(10):
        texts = (" ".join("b%xational" % (9_973 * j) for j in range(k, k + 3_500))
                 for k in range(52_500 * i, 52_500 * i + 52_500, 3_500))
        s.fill("tool", [{"type": "alert", "content": x, "confidence": .5} for x in texts])
    cost = s.cost_of(turns)
    return is_out_of_proportion(cost, usual) and "three turns take %.1f s instead of %.1f s" % (cost, usual)


def a_tools_measurements_are_read_again_for_each_of_them(s):
    s.add("agent", "Something")

    def measure(word):
        for _ in range(2):
            s.fill("tool", [{"type": "observation", "content": word * 30_000, "tags": ["performance"]}] * 10)
        s.call("agent", "begin_turn", input="hello there")
    usual = s.cost_of(lambda: measure("a "))
    cost = s.cost_of(lambda: measure("1 "))
    return is_out_of_proportion(cost, usual) and "%.1f s instead of %.1f s" % (cost, usual)


def small_measurements_that_come_together_are_looked_at_one_by_one(s):
    s.add("agent", "Something")

    def add(more):
        s.fill("tool", [{"type": "observation", "content": "took 3 s", "metadata": {"duration_ms": 3_000 + i}, **more}
                        for i in range(800)])
        s.call("agent", "begin_turn", input="hello there")
    usual = s.cost_of(lambda: add({}))
    cost = s.cost_of(lambda: add({"tags": ["performance"]}))
    return is_out_of_proportion(cost, usual) and "%.1f s instead of %.1f s" % (cost, usual)


@configured(mcpServers=scripted("heavy", "restless"))
def a_server_of_tools_changes_them_without_end(s):
    s.add("agent", "Something")
    s.call("agent", "begin_turn", input="hello there", plan=[{"tool_id": "store.echo", "inputs": {}}])  # starts it
    time.sleep(1)
    before = s.computed()
    time.sleep(4)
    cost = s.computed() - before
    return cost > 2 and "it computed for %.1f s of 4, and nobody asked for anything" % cost


WORD = (1 << 64) - 1
MURMUR = 0xC6A4A7935BD1E995
BACK = pow(MURMUR, -1, 1 << 64)


def mixed(block, by=MURMUR):
    """The mixing step of libstdc++'s hash for eight bytes; with `BACK`, its inverse."""
    block = block * by & WORD
    return (block ^ block >> 47) * by & WORD


def ways(state, count):
    """Texts of sixteen bytes that change the state of the hash from `state` to `MURMUR`."""
    found = []
    for n in itertools.count():
        first = bytes(97 + (n >> 4 * i & 15) for i in range(8))
        between = (state ^ mixed(int.from_bytes(first, "little"))) * MURMUR & WORD
        second = mixed(between ^ 1, BACK).to_bytes(8, "little")
        if min(second) >= 0x20 and max(second) < 0x7F:
            found.append((first + second).decode())
            if len(found) == count:
                return found


def colliding_tags(ways_of_each):
    """Tags of 48 bytes with the same value of that hash, whose seed is the same in each process."""
    begin = 0xC70F6907 ^ (48 * MURMUR & WORD)
    go_on = ways(MURMUR, ways_of_each)
    return ["".join(x) for x in itertools.product(ways(begin, ways_of_each), go_on, go_on)]


def tags_of_a_tool_have_one_place_in_every_dictionary(s):
    s.add("agent", "Something")

    def add(tags):
        s.fill("tool", [
            {"type": "observation", "content": "x", "tags": tags[i:i + 16]} for i in range(0, len(tags), 16)])
    tags = colliding_tags(23)
    usual = s.cost_of(lambda: add(["%048d" % i for i in range(len(tags))]))
    cost = s.cost_of(lambda: add(tags))
    return is_out_of_proportion(cost, usual) and "%.1f s instead of %.1f s" % (cost, usual)


def one_listing_reads_the_whole_archive(s):
    s.add("agent", "Something")
    draft = {"type": "observation", "content": "x" * 60_000, "context": {"a": "y" * 60_000},
             "metadata": {"b": "z" * 60_000}, "ttl_minutes": 0}
    for _ in range(11):
        s.fill("agent", [draft] * 20)
    found = s.call("tool", "list_archive", context={"nothing": 1})
    return found and not found["partial"] and "40 MB were read for an answer of none"


def additions_wait_for_all_queries_of_another(s):
    words = ["w%d" % i for i in range(3_000)]
    for i in range(6):
        s.fill("agent", [
            {"type": "observation", "content": " ".join(words[(7 * j + 601 * k) % 3_000] for k in range(600)),
             "tags": ["same"]} for j in range(100 * i, 100 * i + 100)])
    query = json.dumps(request("query_observations", query=" ".join(words[:256]), deadline_ms=1000,
                               metadata={"limit": 10})).encode()
    s.call("tool", "query_observations", query="w1")
    # A slow disk delays the addition too, so that only the smallest of five numbers counts.
    answered = min(answered_before_an_addition(s, query) for _ in range(5))
    return answered >= 50 and "it waited for %d of 60" % answered


def answered_before_an_addition(s, query):
    links = [ask_raw(s, "tool", query) for _ in range(60)]
    try:
        s.add("agent", "Urgent")
        return sum(is_result(x) for x in select.select(links, [], [], 0)[0])
    finally:
        for link in links:
            link.close()


def ask_raw(server, who, body):
    """Sends a call on a new connection without reading the answer."""
    host, port = server.host.rsplit(":", 1)
    link = socket.create_connection((host, int(port)), PATIENCE)
    head = "POST /rpc?agent=ada HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" \
        "Content-Type: application/json\r\n" + "".join("%s: %s\r\n" % x for x in server.headers(who).items()) \
        + "Content-Length: %d\r\n\r\n" % len(body)
    link.sendall(head.encode() + body)
    return link


def is_result(link):
    """Whether the call on that connection was answered with a result."""
    with link.makefile("rb") as answer:
        return b'"result"' in answer.read()


# -- too much that is stored, or stops the server ---------------------------------------------------------------

def a_goal_keeps_60_kb_of_each_of_its_observations(s):
    s.goal("wine")
    for i in range(3):
        note = s.add("tool", "Note %d" % i, "reminder", confidence=.95, context={"goal_id": "wine"})
        waited_for(lambda of=note: of in s.call("agent", "goal_get", goal_id="wine")["observation_ids"],
                   "it is not linked")
        s.change("tool", note, content="w" * 60_000)
        s.call("agent", "begin_turn", input="Go on")
    longest = max(len(x["content"]) for x in s.call("agent", "goal_get", goal_id="wine")["evidence"])
    return longest > 5_000 and "%d bytes of one" % longest


def a_fact_has_a_statement_of_60_kb(s):
    s.add("agent", "x y " * 15_000, "learning", confidence=.95)
    s.call("agent", "begin_turn", input="Go on")
    s.stop()
    export = os.path.join(s.folder, "export.jsonl")
    s.run("export", "--data", s.data, "--agent", "ada", export)
    with open(export, encoding="utf-8") as lines:
        facts = [x["body"]["statement"] for x in map(json.loads, lines) if x.get("collection") == "facts"]
    most = max(map(len, facts))
    return most > 50_000 and "%d bytes of it are kept" % most


def a_short_text_has_a_nul(s):
    s.add("agent", "Something")
    taken = [name for name, value in (("owner", "\0"), ("tags", ["a\0b"]))
             if s.add("tool", "x", **{name: value})]
    taken += [name for name in ("thread_id", "user_id")
              if s.call("agent", "begin_turn", **{"input": "x", "user_id": "ann", name: "a\0b"})]
    return taken and "taken: " + ", ".join(taken)


def is_well(server, requests):
    """Whether the server still answers after that many requests that it refuses and logs."""
    for path in ["/v1/agents/" + "x" * 190] * requests + ["/healthz"]:
        link = http.client.HTTPConnection(server.host, timeout=5)
        try:
            status, _ = send_on(link, "GET", path, headers={"Authorization": "Bearer wrong"})
        except (OSError, http.client.HTTPException):
            return False
        finally:
            link.close()
    return status == 200


@contextmanager
def log_of(server):
    """Restarts the server with a pipe of 4 KiB as its log. Gives the pipe's end for reading."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    server.stop()
    server.start(log=writer)
    os.close(writer)
    with open(reader, "rb") as log:
        yield log


def nobody_reads_the_log(s):
    with log_of(s):
        return not is_well(s, 100) and "the server does not answer any more"


def the_reader_of_the_log_has_ended(s):
    with log_of(s) as log:
        log.close()
        return not is_well(s, 5) and "the server does not answer any more"


# -- many reads that block the ensemble --------------------------------------------------------------------------

def answered_of(links):
    """How many of the calls have been answered with a result."""
    return sum(is_result(x) for x in select.select(links, [], [], 0)[0])


def a_persons_answer_waits_for_all_listings_of_a_tool(s):
    draft = {"type": "observation", "content": "x" * 60_000, "metadata": {"b": "z" * 60_000}, "ttl_minutes": 0}
    for _ in range(11):
        s.fill("agent", [draft] * 20)
    question = s.ask_user()
    listing = json.dumps(request("list_archive", limit=1, context={"nothing": 1})).encode()
    links = [ask_raw(s, "tool", listing) for _ in range(60)]
    try:
        s.answer(question)
        answered = answered_of(links)
    finally:
        for link in links:
            link.close()
    return answered >= 50 and "it waited for %d of 60" % answered


def a_turn_waits_for_all_lists_of_turns_of_another(s):
    draft = {"type": "observation", "content": "a b " * 15_000, "ttl_minutes": 5}
    for i in range(8):
        turn = s.call("other", "begin_turn", input="work", hold=True, thread_id="w%d" % i)["turn_id"]
        s.call("other", "add_observations", turn_id=turn, drafts=[draft] * 55)
        s.call("other", "end_turn", turn_id=turn)
    listing = json.dumps(request("turns_list", limit=1000)).encode()
    links = [ask_raw(s, "other", listing) for _ in range(60)]
    try:
        s.call("agent", "begin_turn", input="hello there")
        answered = answered_of(links)
    finally:
        for link in links:
            link.close()
    return answered >= 50 and "it waited for %d of 60" % answered
