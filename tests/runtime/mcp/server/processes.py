#!/usr/bin/env python3
"""Runs four processes of `scratchpage mcp` on one data directory and ends two of them early.

Each client adds notes, with as many calls in flight as its round says. In the middle two
processes get a signal, one SIGTERM and the other SIGKILL, or both SIGTERM. Even if one of
them hosts the agent, the other processes go on. Afterwards every acknowledged note is there
exactly once. After SIGTERM alone nothing is in doubt: every note that was added was
acknowledged, and no call was refused.

usage: processes.py PROGRAM
"""

import json
import signal
import subprocess
import sys
import tempfile
import threading

PROCESSES = 4
NOTES = 50
IN_FLIGHT = (1, 2, 8, 64)
FAILSAFE = 60  # seconds after which a process or thread counts as hanging


class Client:
    """A client with its own process."""

    def __init__(self, program, data, name, in_flight, death):
        self.name, self.in_flight, self.death = name, in_flight, death
        self.acknowledged, self.refused, self.sent = [], [], 0
        self.process = subprocess.Popen(
            [program, "mcp", "--data", data, "--name", name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.thread = threading.Thread(target=self.work)

    def work(self):
        try:
            self.shake_hands()
            self.add_notes()
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # the process has ended; its last answers can still be read
        for line in self.process.stdout:
            self.take(json.loads(line))

    def shake_hands(self):
        self.send({"id": "first", "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": self.name, "version": "1"}}})
        self.process.stdout.readline()
        self.send({"method": "notifications/initialized"})

    def add_notes(self):
        while self.answered() < NOTES:
            while self.sent < NOTES and self.sent - self.answered() < self.in_flight:
                self.add_note()
            line = self.process.stdout.readline()
            if not line:
                return
            self.take(json.loads(line))
            if self.death and len(self.acknowledged) == NOTES // 2:
                self.process.send_signal(self.death)

    def add_note(self):
        note = {"type": "observation", "content": f"{self.name} {self.sent}"}
        self.send({"id": self.sent, "method": "tools/call",
                   "params": {"name": "add_observation", "arguments": note}})
        self.sent += 1

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def take(self, message):
        if not isinstance(message.get("id"), int):
            return
        result = message.get("result", {"isError": True, "content": message.get("error")})
        if result.get("isError"):
            self.refused.append(json.dumps(result["content"]))
        else:
            self.acknowledged.append(result["structuredContent"]["observation_id"])

    def answered(self):
        return len(self.acknowledged) + len(self.refused)

    def check(self, some_are_killed):
        """The problems of this client."""
        self.thread.join(FAILSAFE)
        if self.thread.is_alive():
            self.process.kill()
            yield f"{self.name} is not done in {FAILSAFE} s"
            return
        code = self.process.wait(FAILSAFE)
        if self.death is not signal.SIGKILL and code != 0:
            yield f"{self.name} ended with {code}"
        if self.death is None and self.answered() != NOTES:
            yield f"{self.name} has {self.answered()} of {NOTES} answers"
        for why in self.refused:
            # The only valid reason is that the process which hosted the agent was killed.
            if not some_are_killed or "not known" not in why:
                yield f"{self.name} was refused: {why}"


def found_notes(program, data):
    """The notes that a later process finds, by id."""
    answer = subprocess.run([program, "query", "--data", data, "--limit", "1000", "--json"],
                            check=True, capture_output=True, text=True, timeout=FAILSAFE)
    return {x["observation_id"]: x["content"] for x in json.loads(answer.stdout)["observations"]}


def run(program, number, in_flight, second_death):
    """Runs one round. Returns its problems."""
    deaths = {number % PROCESSES: signal.SIGTERM, (number + 1) % PROCESSES: second_death}
    some_are_killed = second_death is signal.SIGKILL
    with tempfile.TemporaryDirectory(prefix="mcp-processes-") as data:
        clients = [Client(program, data, f"client {i}", in_flight, deaths.get(i))
                   for i in range(PROCESSES)]
        for client in clients:
            client.thread.start()
        wrong = [problem for client in clients for problem in client.check(some_are_killed)]
        found = found_notes(program, data)
        known = [x for client in clients for x in client.acknowledged]
        doubtful = sum(client.sent for client in clients) - len(known)
        lost = set(known) - set(found)
        if lost:
            wrong.append(f"lost: {sorted(lost)}")
        if len(set(found.values())) != len(found) or len(set(known)) != len(known):
            wrong.append("a note is there twice, or an id was used twice")
        if len(found) > len(known) + doubtful:
            wrong.append(f"{len(found)} notes are there, but only {len(known) + doubtful} were sent")
        unknown = [found[x] for x in set(found) - set(known)]
        if unknown and not some_are_killed:
            wrong.append(f"done, but not acknowledged: {sorted(unknown)}")
        print(f"{in_flight} in flight, SIGTERM and {second_death.name}: {len(known)} acknowledged, "
              f"{len(lost)} of them lost, {doubtful} in doubt, {len(found)} there", flush=True)
        return wrong


def main():
    wrong = [problem for number, in_flight in enumerate(IN_FLIGHT)
             for second_death in (signal.SIGKILL, signal.SIGTERM)
             for problem in run(sys.argv[1], number, in_flight, second_death)]
    for problem in wrong:
        print(problem)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
