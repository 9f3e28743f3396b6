"""SQLite in memory: the bodies in JSON with an index on the goal in them, a table of tags, and FTS5.
answering.py says how it is asked."""

import json
import sqlite3
import time

from answering import obey, timed
from drawing import read_observations

TABLES = """
CREATE TABLE observation (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE INDEX observation_goal ON observation (json_extract(body, '$.context.goal_id'));
CREATE TABLE tag (tag TEXT, id INTEGER, PRIMARY KEY (tag, id)) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (content, content = '', tokenize = 'porter unicode61');
"""
BATCH = 1_000
TAGS = "FROM tag a JOIN tag b ON b.id = a.id WHERE a.tag = ? AND b.tag = ?"
GOAL = "FROM observation WHERE json_extract(body, '$.context.goal_id') = ?"
TEXT = "FROM words WHERE words MATCH ?"


class Sqlite:
    def __init__(self):
        self.store = None

    def load(self, file, count):
        self.store = sqlite3.connect(":memory:", isolation_level=None)
        self.store.executescript(TABLES)
        rows, took = [], 0
        for number, draft in read_observations(file, count):
            rows.append((number, draft))
            if len(rows) == BATCH or number + 1 == count:
                took += self._add(rows)
                rows = []
        return {"seconds": took}

    def _add(self, rows):
        began = time.perf_counter()
        run = self.store.executemany
        self.store.execute("BEGIN")
        run("INSERT INTO observation VALUES (?, ?)", [(i, json.dumps(x)) for i, x in rows])
        run("INSERT INTO tag VALUES (?, ?)", [(tag, i) for i, x in rows for tag in x["tags"]])
        run("INSERT INTO words (rowid, content) VALUES (?, ?)", [(i, x["content"]) for i, x in rows])
        self.store.execute("COMMIT")
        return time.perf_counter() - began

    def _found(self, ten, count, values):
        """The ten best or newest, and how many there are."""
        self.store.execute(ten, values).fetchall()
        return self.store.execute(count, values).fetchone()[0]

    def tags(self, questions, seconds):
        bodies = f"SELECT body FROM observation WHERE id IN (SELECT a.id {TAGS} ORDER BY a.id DESC LIMIT 10)"
        return timed(questions, seconds, lambda x: self._found(bodies, f"SELECT count(*) {TAGS}", x))

    def goal(self, questions, seconds):
        return timed(questions, seconds, lambda x: self._found(
            f"SELECT body {GOAL} ORDER BY id DESC LIMIT 10", f"SELECT count(*) {GOAL}", [x]))

    def text(self, questions, seconds):
        def ask(question):
            words = [" OR ".join(question.split())]
            return self._found(f"SELECT rowid {TEXT} ORDER BY rank LIMIT 10", f"SELECT count(*) {TEXT}", words)
        return timed(questions, seconds, ask)


if __name__ == "__main__":
    obey(Sqlite())
