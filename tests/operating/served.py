"""A server on a data directory of its own, commands beside it, and clients that add."""

import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading


class Served:
    """A running server. `with Served(program) as server:` ends it and removes its directory."""

    def __init__(self, program, options=(), config=None, token=False):
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="operating-"))
        self.data = self.folder / "data"
        self.options = list(options)
        self.token = None
        if config is not None:
            (self.folder / "config.json").write_text(json.dumps(config))
            self.options += ["--config", str(self.folder / "config.json")]
        if token:
            made = self.run("token", "add", "--data", self.data, "--name", "backup", "--role", "admin",
                            "--json")
            self.token = json.loads(made.stdout)["token"]
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--data", self.data, "--listen", "127.0.0.1:0", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), line + self.process.stderr.read()
        self.url = line
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        _, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        self.process = None

    def run(self, *arguments, code=0, env=None):
        """Runs a command and checks its exit code."""
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True,
                              timeout=240, env={**os.environ, **(env or {})})
        assert done.returncode == code, (arguments, done.returncode, done.stdout[-500:], done.stderr)
        return done

    def here(self, *arguments, code=0):
        return self.run(*arguments, "--data", self.data, code=code)

    def client(self):
        return Client(self.port, self.token)


class Client:
    """A connection to the server."""

    def __init__(self, port, token=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.headers = {"content-type": "application/json"}
        if token:
            self.headers["authorization"] = "Bearer " + token

    def ask(self, method, path, body=None):
        self.connection.request(method, path, json.dumps(body) if body is not None else None,
                                self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, text

    def add(self, agent, content):
        status, text = self.ask("POST", f"/v1/agents/{agent}/observations",
                                {"type": "observation", "content": content})
        assert status == 201, text
        return json.loads(text)["observation_id"]


class Adding:
    """Threads that add to agents one observation after the other, and note what was acknowledged."""

    def __init__(self, server, agents):
        self.acknowledged = {agent: [] for agent in agents}
        self.ends = False
        self.failure = None
        self.progress = threading.Condition()
        self.threads = [threading.Thread(target=self.add, args=(server, agent)) for agent in agents]
        for thread in self.threads:
            thread.start()

    def add(self, server, agent):
        try:
            client = server.client()
            number = 0
            while not self.ends:
                content = f"{agent} has seen ship {number} at pier {number % 7}"
                client.add(agent, content)
                with self.progress:
                    self.acknowledged[agent].append(content)
                    self.progress.notify_all()
                number += 1
        except Exception as why:  # noqa: BLE001 - told by `end`
            with self.progress:
                self.failure = why
                self.progress.notify_all()

    def so_far(self):
        with self.progress:
            return {agent: list(contents) for agent, contents in self.acknowledged.items()}

    def await_more(self, count):
        """Waits until each agent has so many more."""
        before = {agent: len(contents) for agent, contents in self.so_far().items()}
        with self.progress:
            self.progress.wait_for(lambda: self.failure or all(
                len(self.acknowledged[agent]) >= before[agent] + count for agent in before))
        assert self.failure is None, self.failure

    def end(self):
        self.ends = True
        for thread in self.threads:
            thread.join()
        assert self.failure is None, self.failure
