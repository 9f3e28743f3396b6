#!/usr/bin/env python3
"""Export, checkpoint, trace and replay beside a server that others add to.

Each copy is of one state: for each agent it has the changes 1 to some n, without a gap, and all that
was acknowledged before the command began. Nothing here depends on time: tests wait for counts.
"""

import json
import pathlib
import re
import socket
import sys
import threading

from served import Adding, Client, Served

AGENTS = ("ada", "bob")


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def contents_of(lines):
    """The contents of what was added, and the sequences of all changes, by the number of the agent."""
    agents, current = [], None
    for line in lines:
        if line["line"] == "agent":
            current = {"id": line["agent_id"], "contents": set(), "sequences": []}
            agents.append(current)
        elif line["line"] == "event":
            event = line["event"]
            current["sequences"].append(event["sequence"])
            if event["kind"] == "added":
                current["contents"].add(event["observation"]["content"])
    return agents


def check_complete(text, before):
    lines = lines_of(text)
    assert lines[-1]["line"] == "end", "the last line says that it is complete"
    agents = contents_of(lines)
    assert {x["id"] for x in agents} >= set(before), "every agent is in it"
    for agent in agents:
        count = len(agent["sequences"])
        assert agent["sequences"] == list(range(1, count + 1)), "no change is missing or twice"
        missing = set(before.get(agent["id"], ())) - agent["contents"]
        assert not missing, f"{len(missing)} additions that were acknowledged before are missing"
    assert lines[-1]["events"] == sum(len(x["sequences"]) for x in agents)


def check_exports(server, adding, folder):
    before = adding.so_far()
    told = server.here("export", "--agent", "all", folder / "all.jsonl")
    assert re.match(r"2 agents: \d+ changes", told.stdout), told.stdout
    text = (folder / "all.jsonl").read_text()
    check_complete(text, before)
    before = adding.so_far()
    one = server.here("export", "--agent", "ada", "-").stdout
    check_complete(one, {"ada": before["ada"]})
    assert '"bob"' not in one, "an export of one agent has nothing of another"
    # What was exported is what an import has.
    server.run("import", folder / "all.jsonl", "--data", folder / "imported")
    again = server.run("export", "--agent", "all", "--data", folder / "imported").stdout
    assert again == text, "an import has all of it"


def check_checkpoint(server, adding, folder):
    before = adding.so_far()
    server.here("checkpoint", folder / "saved.db")
    assert not list(folder.glob("saved.db.*")), "no other file is left"
    assert not list(server.data.glob("checkpoint*")), "no file is left in the server's directory"
    assert (folder / "saved.db").stat().st_mode & 0o077 == 0, "only the owner can read it"
    server.run("restore", folder / "saved.db", "--data", folder / "restored")
    text = server.run("export", "--agent", "all", "--data", folder / "restored").stdout
    check_complete(text, before)
    size = (folder / "saved.db").stat().st_size
    refused = server.here("checkpoint", folder / "saved.db", code=2)
    assert "expected a name that is free" in refused.stderr
    assert (folder / "saved.db").stat().st_size == size, "it replaces nothing"


def check_looks(server, adding, folder):
    """What is seen while the server runs is what the stored data has afterwards."""
    client = server.client()
    status, text = client.ask("POST", "/v1/agents/ada/turns", {"input": "Is a ship late?"})
    assert status == 200, text
    turn = json.loads(text)["turn_id"]
    seen = {
        ("trace", turn, "--agent", "ada", "--json"): None,
        ("replay", "--until", "20", "--agent", "ada", "--json"): None,
        ("replay", "--until", "20", "--agent", "ada"): None,
    }
    for arguments in seen:
        seen[arguments] = server.here(*arguments).stdout
        assert seen[arguments], arguments
    turns = json.loads(server.here("trace", "--turns", "--agent", "ada", "--json").stdout)["turns"]
    assert [x["turn_id"] for x in turns] == [turn]
    assert len(server.here("trace", "--limit", "3", "--agent", "ada", "--json").stdout.splitlines()) == 3
    missing = server.here("trace", "turn_20000101_001", "--agent", "ada", code=1)
    assert "there is no trace of a turn" in missing.stderr
    far = server.here("replay", "--until", "99999999", "--agent", "ada", code=2)
    assert "--until: expected a sequence from 1 to " in far.stderr, far.stderr
    adding.end()
    server.stop()
    for arguments, text in seen.items():
        later = server.here(*arguments).stdout
        if arguments[0] == "trace":  # what follows from a turn may be traced after its end
            assert later.startswith(text), arguments
        else:
            assert later == text, arguments
    server.start()


class Breaking:
    """Passes one connection on to the server, and breaks it after some bytes of the answer."""

    def __init__(self, port, most):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.most = most
        threading.Thread(target=self.run, args=(port,), daemon=True).start()

    def run(self, port):
        here, _ = self.listener.accept()
        there = socket.create_connection(("127.0.0.1", port))
        there.sendall(here.recv(65536))
        passed = 0
        while passed < self.most:
            piece = there.recv(self.most - passed)
            if not piece:
                break  # the command then succeeds, which the test notices
            here.sendall(piece)
            passed += len(piece)
        here.close()
        there.close()


def check_broken(program):
    with Served(program, token=True) as server:
        env = {"SCRATCHPAGE_TOKEN": server.token}
        client = server.client()
        for number in range(40):
            client.add("ada", f"Ship {number}")
        folder = server.folder

        def remote(*arguments, port=server.port, **more):
            return server.run(*arguments, "--server", f"http://127.0.0.1:{port}", env=env, **more)

        whole = remote("export", "--agent", "ada").stdout
        check_complete(whole, {"ada": [f"Ship {number}" for number in range(40)]})
        broken = Breaking(server.port, 4_000)
        done = remote("export", "--agent", "ada", port=broken.port, code=1)
        assert "what was written is no complete export" in done.stderr, done.stderr
        assert not done.stdout.rstrip().endswith("}") or '"end"' not in done.stdout.splitlines()[-1]
        broken = Breaking(server.port, 4_000)
        remote("export", "--agent", "ada", folder / "ada.jsonl", port=broken.port, code=1)
        broken = Breaking(server.port, 40_000)
        remote("checkpoint", folder / "saved.db", port=broken.port, code=1)
        left = [x.name for x in folder.iterdir() if x.name not in ("data", "config.json")]
        assert not left, f"nothing is left: {left}"
        remote("checkpoint", folder / "saved.db")
        server.run("restore", folder / "saved.db", "--data", folder / "restored")
        assert server.run("export", "--agent", "ada", "--data", folder / "restored").stdout == whole


def make_token(server, *options):
    """Its id, and the token."""
    made = server.here("token", "add", "--name", "somebody", *options, "--json")
    return json.loads(made.stdout)


def check_rights(program):
    """Only an admin who may use all agents that are in a copy gets it."""
    wanted = (
        (["--role", "daemon"], "/v1/agents/ada/export", 403),
        (["--role", "daemon"], "/v1/checkpoint", 403),
        (["--role", "admin", "--agents", "bob"], "/v1/agents/ada/export", 403),
        (["--role", "admin", "--agents", "bob"], "/v1/export", 403),
        (["--role", "admin", "--agents", "bob"], "/v1/checkpoint", 403),
        (["--role", "admin", "--agents", "ada"], "/v1/agents/ada/export", 200),
        (["--role", "admin"], "/v1/agents/nobody/export", 404))
    server = Served(program, token=True)
    tokens = [make_token(server, *options)["token"] for options, _, _ in wanted]
    with server:
        server.client().add("ada", "A ship is late")
        for token, (options, path, status) in zip(tokens, wanted):
            found, text = Client(server.port, token).ask("GET", path)
            assert found == status, (options, path, found, text)
        assert server.client().ask("POST", "/v1/checkpoint")[0] == 405


class Waiting:
    """A client that has read only the head of an export, so that the server waits for it."""

    def __init__(self, server, token):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(120)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.sendall(f"GET /v1/export HTTP/1.1\r\nhost: 127.0.0.1\r\n"
                            f"authorization: Bearer {token}\r\n\r\n".encode())
        self.read = b""
        while b"\r\n\r\n" not in self.read:
            self.read += self.socket.recv(1024)
        assert self.read.startswith(b"HTTP/1.1 200 "), self.read

    def rest(self):
        while piece := self.socket.recv(65536):
            self.read += piece
        return self.read


def check_interrupted(program):
    """One copy at a time, and one that the server cuts off is seen to be incomplete."""
    server = Served(program, token=True)
    revoked = make_token(server, "--role", "admin")
    with server:
        client = server.client()
        for number in range(200):  # more than the buffers of a connection take
            client.add("ada", f"Ship {number}: " + "late " * 12_000)
        waiting = Waiting(server, server.token)
        status, text = client.ask("GET", "/v1/export")
        assert status == 503 and b"one export or checkpoint at a time" in text, (status, text)
        server.stop()  # does not wait for a client that does not read
        assert b'"line":"end"' not in waiting.rest(), "it is not complete, and does not say so"
        server.start()
        whole = server.client().ask("GET", "/v1/export")[1]
        assert b'"line":"end"' in whole and len(whole) > 10_000_000

        waiting = Waiting(server, revoked["token"])
        server.here("token", "revoke", revoked["id"])
        other = Client(server.port, revoked["token"])
        for _ in range(100):  # the server looks at the file of tokens once a second
            if other.ask("GET", "/v1/agents")[0] == 401:
                break
            threading.Event().wait(0.1)
        assert b'"line":"end"' not in waiting.rest(), "a token that was revoked gets no more"
        assert len(waiting.read) < len(whole)


def main(program):
    for durability in ("sync", "async"):
        with Served(program, config={"durability": {"durability": durability}}) as server:
            adding = Adding(server, AGENTS)
            try:
                adding.await_more(30)
                check_exports(server, adding, server.folder)
                check_checkpoint(server, adding, server.folder)
                check_looks(server, adding, server.folder)
            finally:
                adding.ends = True
    check_broken(program)
    check_rights(program)
    check_interrupted(program)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
