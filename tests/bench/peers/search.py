"""Finding: the page in the process and behind HTTP beside Xapian, SQLite, Redis and LangGraph's store,
all with the same observations and questions, at each size."""

import json
import statistics
import time
import urllib.parse
from dataclasses import dataclass

from answering import timed
from clients import Http, Redis, as_resp
from comparison import LESS, MORE, Row
from drawing import read_observations
from processes import (HERE, ROOMY, Failed, PageServer, Program, found, package_in, private_folder, python_with,
                       redis_server)

SECONDS = 2  # for the questions of one kind in one round
BATCH = 500
OBSERVATIONS = "/v1/agents/bench/observations"
PATIENT = {**ROOMY, "page": {**ROOMY["page"], "query_deadline_ms": 60_000}}


class Served:
    """`scratchpage serve`, asked over HTTP on one connection."""

    def __init__(self, bench):
        self.server = PageServer(bench.program, PATIENT)
        self.client = Http(self.server.port)

    def order(self, do, **given):
        return getattr(self, do)(**given)

    def load(self, file, count):
        took, drafts = 0, []
        for number, draft in read_observations(file, count):
            drafts.append(draft)
            if len(drafts) == BATCH or number + 1 == count:
                began = time.perf_counter()
                self.client.ask("POST", f"{OBSERVATIONS}/batch", {"drafts": drafts})
                took += time.perf_counter() - began
                drafts = []
        while self.is_partial("query=anything"):
            pass  # the page goes on with the texts
        return {"seconds": took}

    def is_partial(self, parameters):
        return b'"partial":true' in self.client.ask("GET", f"{OBSERVATIONS}?limit=1&{parameters}")

    def ask(self, parameters):
        answer = self.client.ask("GET", f"{OBSERVATIONS}?limit=10&{parameters}")
        if b'"partial":true' in answer:
            raise Failed("the page ran out of time in a query")
        begin = answer.rindex(b'"total_count":') + 14
        return int(answer[begin:answer.index(b",", begin)])

    def text(self, questions, seconds):
        return timed([f"query={urllib.parse.quote(x)}" for x in questions], seconds, self.ask)

    def tags(self, questions, seconds):
        return timed([f"tags={a}&tags={b}" for a, b in questions], seconds, self.ask)

    def goal(self, questions, seconds):
        return timed([f"context.goal_id={x}" for x in questions], seconds, self.ask)

    def close(self):
        self.client.close()
        self.server.close()


class RedisSets:
    """Redis with the bodies, and a set of ids for each tag and each goal."""

    def __init__(self, _):
        self.server = redis_server()
        self.client = Redis(self.server.port)

    def order(self, do, **given):
        return getattr(self, do)(**given)

    def _send(self, data):
        """Sends commands and waits for the last answer. It looks at none but the first: reading lists
        of ids would take Python longer than Redis."""
        self.client.send(data + as_resp("PING"))
        head = self.client.line()
        while not self.client.rest.endswith(b"+PONG\r\n"):
            self.client.more()
        self.client.rest = b""
        return head

    def load(self, file, count):
        took, commands = 0, []
        for number, draft in read_observations(file, count):
            commands.append(as_resp("SET", f"obs:{number}", json.dumps(draft)))
            commands += [as_resp("SADD", f"tag:{tag}", number) for tag in draft["tags"]]
            commands.append(as_resp("SADD", draft["context"]["goal_id"], number))
            if len(commands) >= 5 * BATCH or number + 1 == count:
                data, commands = b"".join(commands), []
                began = time.perf_counter()
                self._send(data)
                took += time.perf_counter() - began
        return {"seconds": took}

    def _count(self, *words):
        return int(self._send(as_resp(*words))[1:])

    def tags(self, questions, seconds):
        return timed(questions, seconds, lambda x: self._count("SINTER", f"tag:{x[0]}", f"tag:{x[1]}"))

    def tags_counted(self, questions, seconds):
        return timed(questions, seconds, lambda x: self._count("SINTERCARD", 2, f"tag:{x[0]}", f"tag:{x[1]}"))

    def close(self):
        self.client.close()
        self.server.close()


def xapian(bench):
    folder = private_folder(in_memory=True)
    return Program([python_with("xapian", "python3-xapian"), HERE / "xapian_contestant.py", folder], folder)


def sqlite(bench):
    return Program([python_with("sqlite3", "python3"), HERE / "sqlite_contestant.py"])


def langgraph(bench):
    package_in(bench.packages, "@langchain/langgraph")
    return Program([found("node", "nodejs"), HERE / "langgraph_contestant.mjs", bench.packages])


PAGE, SERVE = "page", "serve"
START = {PAGE: lambda bench: Program([bench.tool("page_contestant")]), SERVE: Served, "xapian": xapian,
         "sqlite": sqlite, "redis": RedisSets, "langgraph": langgraph}
MOST = {"langgraph": 100_000}  # its store looks at every item


@dataclass
class Pair:
    """What one of us and one peer are asked, and how both are called in the table."""

    figure: str
    what: str
    ours: str
    peer: str
    kind: str
    peer_kind: str
    peer_name: str
    same_totals: bool = True
    our_name: str = ""


TEXT, TOTAL = "four common words, top ten", "four common words, top ten and exact total"
TAGS, GOAL = "two tags, ten and exact total", "one of 1 000 goals, ten and exact total"
PAIRS = [
    Pair("text", TEXT, PAGE, "xapian", "text", "text_top", "Xapian, total estimated", False),
    Pair("text", TOTAL, PAGE, "xapian", "text", "text", "Xapian"),
    Pair("text", TOTAL, SERVE, "xapian", "text", "text", "Xapian, in process"),
    Pair("text", TOTAL, PAGE, "sqlite", "text", "text", "SQLite FTS5"),
    Pair("tags", TAGS, PAGE, "sqlite", "tags", "tags", "SQLite, table of tags"),
    Pair("tags", TAGS, SERVE, "redis", "tags", "tags", "Redis SINTER"),
    Pair("tags", "two tags, ten and exact total", SERVE, "redis", "tags", "tags_counted",
         "Redis SINTERCARD, total only"),
    Pair("goal", GOAL, PAGE, "sqlite", "goal", "goal", "SQLite, JSON index"),
    Pair("goal", GOAL, PAGE, "langgraph", "goal", "goal", "LangGraph store, no total", False),
]
LOADED = {"xapian": "Xapian", "sqlite": "SQLite, all indexes", "langgraph": "LangGraph store", "redis": "Redis, pipelined"}


def same_so_far(ours, theirs):
    return all(a == b for a, b in zip(ours, theirs))


class Contest:
    """All contestants at one size."""

    def __init__(self, bench, size, pairs):
        self.bench, self.size, self.pairs = bench, size, pairs
        self.contestants, self.loaded = {}, {}

    def __enter__(self):
        names = [x for pair in self.pairs for x in (pair.ours, pair.peer)]
        try:
            for name in dict.fromkeys(names):
                if self.size <= MOST.get(name, self.size):
                    self.bench.attempt(name, lambda name=name: self._start(name))
        except BaseException:  # also when the run is interrupted
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for one in self.contestants.values():
            one.close()

    def _start(self, name):
        one = START[name](self.bench)
        self.contestants[name] = one
        self.bench.say(f"{name} adds {self.size} observations")
        try:
            self.loaded[name] = one.order("load", file=str(self.bench.drawn), count=self.size)["seconds"]
        except Exception:
            self.contestants.pop(name).close()
            raise

    def here(self):
        return [x for x in self.pairs if x.ours in self.contestants and x.peer in self.contestants]

    def rows(self):
        """One row for each pair, with the median of each round."""
        kept = [(pair, Row(pair.figure, pair.what, "µs", LESS,
                           "page" if pair.ours == PAGE else "serve, HTTP", pair.peer_name, self.size))
                for pair in self.here()]
        for number, questions in enumerate(self.bench.questions(), 1):
            self.bench.say(f"{self.size} observations: round {number} of {self.bench.rounds}")
            asked = {}
            for pair, row in kept:
                ours = self._ask(asked, pair.ours, pair.kind, questions)
                theirs = self._ask(asked, pair.peer, pair.peer_kind, questions)
                if ours is None or theirs is None:
                    continue
                row.add(statistics.median(ours["us"]), statistics.median(theirs["us"]))
                if pair.same_totals and not same_so_far(ours["totals"], theirs["totals"]):
                    row.note = "the totals differ"
        return [row for _, row in kept]

    def _ask(self, asked, name, kind, questions):
        """Each contestant is asked once a round, however many pairs it is in. None: it has failed."""
        if (name, kind) not in asked:
            asked[name, kind] = self.bench.attempt(name, lambda: self.contestants[name].order(
                kind, questions=questions[kind.split("_")[0]], seconds=SECONDS))
        return asked[name, kind]

    def load_rows(self):
        for peer, name in LOADED.items():
            ours = SERVE if peer == "redis" else PAGE
            if self.bench.wants("load", peer) and peer in self.loaded and ours in self.loaded:
                yield Row("load", "additions with all indexes", "a second", MORE,
                          "page, batches" if ours == PAGE else "serve, HTTP batches", name, self.size,
                          [self.size / self.loaded[ours]], [self.size / self.loaded[peer]])


def measure(bench):
    """Rows of the figures text, tags, goal and load."""
    pairs = [x for x in PAIRS if bench.wants(x.figure, x.peer) or bench.wants("load", x.peer)]
    if not pairs:
        return
    for size in bench.sizes:
        with Contest(bench, size, pairs) as contest:
            for row in contest.load_rows():
                bench.add(row)
            contest.pairs = [x for x in pairs if bench.wants(x.figure, x.peer)]
            for row in contest.rows():
                bench.add(row)
