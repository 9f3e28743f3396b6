#!/usr/bin/env python3
"""Runs every command of the quick start.

Exceptions: the program is the one of this build. `claude` and `codex` are replaced by
programs that do the same with their arguments: they start the server and speak MCP with it.

usage: quickstart_test.py QUICKSTART PROGRAM MCP_PACKAGES
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request

ORIGIN = "http://127.0.0.1:7070"
PATIENCE = 60

# Starts the command after `--`, and calls a tool as a client does.
CLIENT = """#!/usr/bin/env python3
import json, subprocess, sys
words = sys.argv[sys.argv.index("--") + 1:]
server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(number, method, params):
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}),
          file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())["result"]
ask(1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                      "clientInfo": {"name": "client", "version": "1"}})
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=server.stdin, flush=True)
noted = ask(2, "tools/call", {"name": "add_observation", "arguments":
            {"type": "observation", "content": "The first thing that was noted"}})
assert not noted.get("isError"), noted
server.stdin.close()
sys.exit(server.wait())
"""


def blocks(text):
    return [x.group(1) for x in re.finditer(r"```sh\n(.*?)```", text, re.S)]


def commands(block):
    """The commands of a block, with continued lines joined and without comments."""
    whole = block.replace("\\\n", " ")
    lines = [re.sub(r"\s#\s.*", "", line).strip() for line in whole.splitlines()]
    return [line for line in lines if line]


class Machine:
    def __init__(self, folder, program, packages):
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("claude", "codex"):
            (self.bin / name).write_text(CLIENT)
            (self.bin / name).chmod(0o755)
        self.packages = packages
        self.env = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "HOME": str(folder),
                    "PATH": f"{self.bin}:{pathlib.Path(program).parent}:{packages}/node_modules/.bin:"
                            + os.environ["PATH"]}
        self.left = []

    def start(self, command):
        process = subprocess.Popen(["bash", "-c", f"exec {command}"], env=self.env, text=True,
                                   cwd=self.packages, stdout=subprocess.PIPE)
        self.left.append(process)
        return process

    def run(self, command):
        done = subprocess.run(["bash", "-ec", command], env=self.env, cwd=self.packages, text=True,
                              capture_output=True, timeout=PATIENCE)
        if done.returncode != 0:
            sys.exit(f"{command}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def end(self):
        for process in self.left:
            process.terminate()
        for process in self.left:
            process.wait()


def expect(what, ok, output=""):
    if not ok:
        sys.exit(f"expected {what}, got:\n{output}")
    print(f"ok: {what}")


def add(text):
    draft = json.dumps({"type": "observation", "content": text}).encode()
    urllib.request.urlopen(urllib.request.Request(
        f"{ORIGIN}/v1/agents/ada/observations", draft, {"content-type": "application/json"})).read()


def follow(machine, command):
    """Runs a command that never ends: adds observations until it prints one of them."""
    stream = machine.start(command + " --silent")
    text = "What comes while somebody listens"
    told = threading.Event()

    def read():
        for line in stream.stdout:
            if text in line:
                told.set()

    threading.Thread(target=read, daemon=True).start()
    for _ in range(4 * PATIENCE):
        add(text)
        if told.wait(0.25):
            break
    expect(f"events of: {command}", told.is_set())


def play(machine, command):
    if command.endswith("&"):
        server = machine.start(command.removesuffix("&"))
        return expect(f"{ORIGIN} of: {command}", server.stdout.readline().strip() == ORIGIN)
    if command.startswith("curl -N"):
        return follow(machine, command)
    output = machine.run(command)
    print(f"ok: {command}")
    known = {"query --agent": "The first thing that was noted", "tools/list": "add_observation",
             "Smoke in the server room": "obs_", "top --agent": "Smoke in the server room"}
    for part, shown in known.items():
        if part in command:
            expect(f"{shown!r} in its output", shown in output, output)


def main():
    document, program, packages = (pathlib.Path(x).resolve() for x in sys.argv[1:])
    all_commands = [x for block in blocks(document.read_text()) for x in commands(block)]
    expect("at least nine commands", len(all_commands) >= 9, all_commands)
    with tempfile.TemporaryDirectory(prefix="quickstart-") as folder:
        machine = Machine(pathlib.Path(folder), program, packages)
        try:
            for command in all_commands:
                play(machine, command)
            page = urllib.request.urlopen(f"{ORIGIN}/?agent=ada").read().decode()
            expect("the page at its address", "<title>" in page, page[:200])
        finally:
            machine.end()


if __name__ == "__main__":
    main()
