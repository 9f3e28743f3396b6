"""Processes that the comparison starts, on loopback and in folders of their own, and ends."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
IN_MEMORY = pathlib.Path("/dev/shm")
PATIENCE = 60  # seconds until a server is reachable, and until it has ended


class Missing(Exception):
    """A peer cannot be measured here; the text says what would bring it."""


class Failed(Exception):
    """A contestant failed; the text is its own."""


def found(program, package):
    """The path of a program, which the Debian package brings."""
    path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin")
    if path is None:
        raise Missing(f"there is no {program}; apt-get install {package}")
    return path


def python_with(module, package):
    """A Python that can import the module: the one that runs, or Debian's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run(
                [python, "-c", f"import {module}"], capture_output=True).returncode == 0:
            return python
    raise Missing(f"no Python has the module {module}; apt-get install {package}")


def package_in(folder, name):
    """The folder of packages, in which npm has installed this one."""
    if folder is None or not (pathlib.Path(folder) / "node_modules" / name).is_dir():
        raise Missing(f"there is no package {name}; './dev bench peers' installs it with npm")
    return folder


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end(process):
    """Waits until a process has ended, which has been asked to."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def connected(port, patience=PATIENCE, is_over=lambda: False):
    """A connection to a server that has just been started, as soon as it listens. Gives up when it is
    over with the server."""
    until = time.monotonic() + patience
    while True:
        try:
            one = socket.create_connection(("127.0.0.1", port), timeout=600)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return one
        except OSError:
            if time.monotonic() > until or is_over():
                raise
            time.sleep(0.02)


class Server:
    """A server in a private folder. `with` ends it and removes the folder."""

    def __init__(self, command, port, folder):
        self.folder, self.port, self.process = folder, port, None
        self.log = open(folder / "log", "wb")
        try:
            self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=folder)
            connected(port, is_over=lambda: self.process.poll() is not None).close()
        except OSError as why:
            said = (folder / "log").read_text(errors="replace").strip()[-300:]
            self.close()
            raise Failed(f"{command[0]} cannot be reached: {why}. {said}") from why

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process:
            self.process.terminate()
            end(self.process)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def private_folder(in_memory=False):
    where = IN_MEMORY if in_memory and os.access(IN_MEMORY, os.W_OK) else None
    return pathlib.Path(tempfile.mkdtemp(prefix="peers-", dir=where))


def redis_server():
    """Redis without files."""
    program, port = found("redis-server", "redis-server"), free_port()
    return Server([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
                  port, private_folder())


def nats_server(jetstream=False):
    program, port, folder = found("nats-server", "nats-server"), free_port(), private_folder()
    more = ["--jetstream", "--store_dir", str(folder / "store")] if jetstream else []
    return Server([program, "--addr", "127.0.0.1", "--port", str(port), *more], port, folder)


ROOMY = {  # for a million observations and more
    "page": {"max_observations": 10_000_000, "max_bytes": 16 << 30, "max_bytes_per_source": 16 << 30},
    "durability": {"durability": "async"},
}


class PageServer(Server):
    """`scratchpage serve`, by default with durability `async` and its trace kept."""

    def __init__(self, program, config=None):
        folder, port = private_folder(), free_port()
        (folder / "config.json").write_text(json.dumps(config or ROOMY))
        super().__init__([program, "serve", "--data", str(folder / "data"), "--config", str(folder / "config.json"),
                          "--listen", f"127.0.0.1:{port}"], port, folder)


class Program:
    """A contestant that reads orders and writes answers (answering.py)."""

    def __init__(self, command, folder=None):
        self.folder = folder
        try:
            self.process = subprocess.Popen([str(x) for x in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            text=True, cwd=HERE)
        except OSError as why:
            raise Failed(f"cannot start {command[0]}: {why}") from why

    def order(self, do, **given):
        self.process.stdin.write(json.dumps({"do": do, **given}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"{self.process.args[0]} has ended with {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(f"{pathlib.Path(self.process.args[-1]).name}: {answer['error']}")
        return answer

    def close(self):
        self.process.stdin.close()
        end(self.process)
        self.process.stdout.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def first_number(text, pattern):
    match = re.search(pattern, text)
    if match is None:
        raise Failed(f"expected {pattern!r} in: {text[-300:]}")
    return float(match.group(1))
