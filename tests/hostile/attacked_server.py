"""The server under attack, and its clients."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from contextlib import contextmanager

PATIENCE = 30  # seconds that a client waits for an answer
METHOD_NOT_FOUND = -32601  # of JSON-RPC


def scripted(*modes):
    """The configuration of a tool server with these modes (scripted_server.py)."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../runtime/mcp/client/scripted_server.py")
    return {"store": {"command": sys.executable, "args": [program, *modes]}}


# The tool `store.erase` is declared destructive, so that a person has to allow each call.
CONFIG = {
    "mcpServers": scripted(),
    "mandates": {"rules": [
        {"id": "no_harm", "match": {"tags_any": ["weapons"]}, "verdict": "deny", "reason": "it could do harm"},
        {"id": "ask_before_destruction",
         "match": {"actions": ["tool_call"], "tags_any": ["destructive"]}, "verdict": "ask_user",
         "reason": "it cannot be undone", "unless_user_consents": True},
        {"id": "ask_before_transfers", "match": {"actions": ["goal"], "tags_any": ["money"]},
         "verdict": "ask_user", "reason": "Transfer 900?"}]},
}
ERASE = [{"tool_id": "store.erase", "inputs": {"folder": "all"}}]


def configured(**more):
    """Decorates an attack on a server that needs these further settings."""
    def mark(attack):
        attack.config = more
        return attack
    return mark


class Server:
    """A server on a temporary directory, and requests to it."""

    def __init__(self, program, with_tokens, prepare=None, config=None):
        """`prepare` is called in the new process before the program starts."""
        self.program, self.with_tokens, self.prepare = program, with_tokens, prepare
        self.folder = tempfile.mkdtemp(prefix="scratchpage-attacks-")
        self.data = os.path.join(self.folder, "data")
        with open(os.path.join(self.folder, "config.json"), "w", encoding="utf-8") as out:
            json.dump({**CONFIG, **(config or {})}, out)
        self.tokens, self.session = {}, None
        if with_tokens:
            self.tokens = {"person": self.token("ann", "--person"), "agent": self.token("assistant"),
                           "other": self.token("other"), "tool": self.token("gauge", "--role", "tool"),
                           "reader": self.token("reader", "--read-only"), "bob": self.token("bob", "--person")}
        self.process = self.host = None
        self.start()

    def start(self, *more, log=subprocess.DEVNULL):
        """Runs the server with these further arguments; true if it serves."""
        self.process = subprocess.Popen(
            [self.program, "serve", "--data", self.data, "--listen", "127.0.0.1:0",
             "--config", os.path.join(self.folder, "config.json"), *more],
            stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=self.prepare)
        self.host, self.session = urllib.parse.urlparse(self.process.stdout.readline().strip()).netloc, None
        return bool(self.host)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *arguments):
        """The output of a command of the program. Raises RuntimeError if the command fails."""
        made = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        if made.returncode:
            raise RuntimeError(made.stderr)
        return made.stdout

    def token(self, name, *more):
        return self.run("token", "add", "--data", self.data, "--name", name, *more).split()[0]

    def named(self, name, role, *more):
        """The headers of a client with that name: with a new token that the server accepts already, or with a
        claim if the server has no tokens. None if no such token can be made."""
        if not self.with_tokens:
            return {"Scratchpage-Caller": json.dumps({"role": role, "kind": role, "name": name})}
        try:
            who = {"Authorization": "Bearer " + self.token(name, "--role", role, *more)}
            waited_for(lambda: self.send("GET", "/v1/agents", headers=who)[0] != 401, "the token is refused", 3)
        except RuntimeError:
            return None
        return who

    # -- clients -------------------------------------------------------------------------------

    def headers(self, who):
        """The headers that identify a client: a token, or a claim if the server has no tokens. A `user` is a
        person in both cases: without tokens, the user of this machine."""
        if who is None or isinstance(who, dict):
            return who or {}
        if who == "user":
            return self.headers("person") if self.with_tokens else {"Authorization": "Bearer " + self.opened()[0]}
        if self.with_tokens:
            return {"Authorization": "Bearer " + self.tokens[who]}
        claim = {"tool": {"role": "tool", "kind": "tool", "name": "gauge"},
                 "person": {"role": "daemon", "kind": "user", "name": "ann"},
                 "reader": {"role": "tool", "kind": "tool", "name": "reader"},
                 "other": {"role": "daemon", "kind": "daemon", "name": "other"},
                 "agent": {"role": "daemon", "kind": "daemon", "name": "assistant"}}[who]
        return {"Scratchpage-Caller": json.dumps(claim)}

    def opened(self):
        """The session token and the name of the user of this machine."""
        if self.session is None:
            key = self.run("page", "--data", self.data).strip().split("key=")[1]
            token = self.send("POST", "/v1/session", {"key": key})[1]["token"]
            who = self.send("GET", "/v1/session", headers={"Authorization": "Bearer " + token})[1]
            self.session = token, who["name"]
        return self.session

    def user(self):
        return "ann" if self.with_tokens else self.opened()[1]

    # -- requests --------------------------------------------------------------------------------

    def send(self, method, path, body=None, headers=None):
        """Sends a request. Returns the status and the body, parsed if it is JSON."""
        link = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            return send_on(link, method, path, body, headers)
        finally:
            link.close()

    def call(self, who, operation, agent="ada", **arguments):
        """The result of an operation, or None if it was refused. Raises RuntimeError if there is no such
        operation, since an attack that misspells it would always count as refused."""
        status, body = self.send("POST", "/rpc?agent=" + agent + "&thread=main", request(
            operation, **arguments), self.headers(who))
        if isinstance(body, dict) and body.get("error", {}).get("code") == METHOD_NOT_FOUND:
            raise RuntimeError("there is no operation " + operation)
        return body.get("result", {}) or {"done": True} if status == 200 and "error" not in body else None

    def add(self, who, content, type="observation", **more):
        """Adds an observation. Returns its id, or None if it was refused."""
        added = self.call(who, "add_observation", type=type, content=content, **more)
        return added and added["observation_id"]

    def fill(self, who, drafts):
        """Adds all drafts. Raises RuntimeError if the server refuses, because the attack needs them."""
        if not self.call(who, "add_observations", drafts=drafts):
            raise RuntimeError("drafts were refused")

    def change(self, who, observation_id, **changes):
        return self.call(who, "update_observation", observation_id=observation_id, changes=changes)

    def answer(self, question, thread_id="t", **context):
        """A turn of the user that confirms a question by its id, as the page's button does."""
        return self.call("user", "begin_turn", input="Yes", thread_id=thread_id,
                         context={"confirms": question, **context})

    def ask_user(self, thread_id="t", user_id=None, plan=None):
        """An agent begins a turn whose call needs the user's consent. Returns the question's id."""
        self.call("agent", "begin_turn", input="Remove it", user_id=user_id or self.user(), thread_id=thread_id,
                  plan=plan or ERASE)
        return self.open_questions()[0]["observation_id"]

    def ask_ann(self):
        return self.ask_user(user_id="ann")

    # -- results -----------------------------------------------------------------------------------

    def open_questions(self):
        found = self.call("agent", "list_observations", type="pending_confirmation", limit=50)
        return found["observations"]

    def observation(self, observation_id):
        """The observation on the page or in the archive; {} if there is none."""
        status, found = self.send("GET", "/v1/agents/ada/observations/" + observation_id, headers=self.headers("agent"))
        if status == 200:
            return found
        left = self.call("agent", "list_archive", limit=100)["observations"]
        return next((x for x in left if x["observation_id"] == observation_id), {})

    def has_erased(self):
        found = self.call("agent", "list_observations", type="tool_result", source="store.erase")
        return found["total_count"] > 0

    def agents(self):
        _, body = self.send("GET", "/v1/agents", headers=self.headers("agent"))
        return set(body["agents"])

    def goal(self, goal_id, type="contextual_insight", content="Ann likes Burgundy", tags=()):
        """Waits until an observation of an agent has become a goal, and returns that."""
        self.add("agent", content, type, confidence=.95, tags=list(tags), context={"goal_id": goal_id})
        return waited_for(lambda: self.call("agent", "goal_get", goal_id=goal_id), "there is no goal")

    def computed(self):
        """Seconds of processor time that all threads of the server have used."""
        with open("/proc/%d/stat" % self.process.pid, encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def cost_of(self, ask):
        """Seconds of processor time that the server uses to answer `ask`."""
        before = self.computed()
        ask()
        return self.computed() - before


def request(operation, **arguments):
    return {"jsonrpc": "2.0", "id": 1, "method": operation, "params": arguments}


def send_on(link, method, path, body=None, headers=None):
    """Sends a request on an open connection. Returns the status and the body, parsed if it is JSON."""
    data = body if isinstance(body, (bytes, str, type(None))) else json.dumps(body)
    link.request(method, path, data, {**({"Content-Type": "application/json"} if data else {}), **(headers or {})})
    answer = link.getresponse()
    text = answer.read()
    try:
        return answer.status, json.loads(text)
    except ValueError:
        return answer.status, text


def waited_for(look, what, seconds=10):
    """Calls `look` until its result is true, and returns that. Raises RuntimeError(what) after `seconds`."""
    until = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > until:
            raise RuntimeError(what)
        time.sleep(.05)


@contextmanager
def meanwhile(s, *steps, seconds=3):
    """Repeats each step on its own thread and connection, until the step returns true or the block ends."""
    until, over = time.monotonic() + seconds, threading.Event()

    def repeat(step):
        link = http.client.HTTPConnection(s.host, timeout=PATIENCE)
        try:
            while not over.is_set() and time.monotonic() < until and not step(link):
                pass
        except (OSError, http.client.HTTPException):
            pass  # the server may have ended
        finally:
            link.close()
    threads = [threading.Thread(target=repeat, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def is_out_of_proportion(cost, usual):
    """Whether the cost is more than the speed and load of the machine can explain."""
    return cost > .3 + 10 * usual


def id_after(observation_id):
    """The id that follows, which the next observation will have."""
    stem, number = observation_id.rsplit("_", 1)
    return "%s_%0*d" % (stem, len(number), int(number) + 1)
