"""What the program shows in pipes and on terminals of different widths."""

import json
import unittest

from program import Folder, plain

LONG_TYPE = "a_type_of_" + "x" * 54  # 64 characters, the most that a type may have
CONTENT = "word " * 60


def columns_of(text):
    """The columns of the widest line; the tests use characters of one column."""
    return max(len(line) for line in plain(text).splitlines())


class Widths(Folder):
    def setUp(self):
        super().setUp()
        config = self.folder / "config.json"
        config.write_text(json.dumps({"page": {"types": [LONG_TYPE]}}))
        self.config = ["--config", str(config)]
        self.run_here("add", *self.config, "--type", LONG_TYPE, CONTENT.strip() + " end")
        self.run_here("add", "--type", "alert", "Smoke")

    def test_a_pipe_gets_whole_lines_and_always_the_same_columns(self):
        for env in {}, {"COLUMNS": "40"}:
            out = self.run_here("query", env=env)
            self.assertIn(LONG_TYPE, out)
            self.assertIn("word end\n", out)
            self.assertNotIn("…", out)
            self.assertNotIn("\x1b", out)
            self.assertRegex(out, r"^ID +TYPE +STATUS +CONF +CREATED \(UTC\) +CONTENT\n")
        out = self.run_here("tail", "--from", "start", "-n", "2")
        self.assertIn("word end\n", out)
        self.assertEqual(out.splitlines()[1].index("Smoke"), out.splitlines()[0].index("word"))

    def test_a_terminal_is_never_exceeded_and_what_is_cut_says_so(self):
        for columns in 40, 60, 80, 132:
            shown = self.in_terminal("query", "--data", self.data, columns=columns)
            self.assertLessEqual(columns_of(shown), columns, shown)
            self.assertIn("…", shown)

    def test_the_variable_columns_overrides_the_terminal(self):
        shown = self.in_terminal("query", "--data", self.data, columns=80, env={"COLUMNS": "50"})
        self.assertLessEqual(columns_of(shown), 50)
        shown = self.in_terminal("query", "--data", self.data, columns=80, env={"COLUMNS": "400"})
        self.assertIn("word end", shown)
        shown = self.in_terminal("query", "--data", self.data, columns=60, env={"COLUMNS": "many"})
        self.assertLessEqual(columns_of(shown), 60)

    def test_the_columns_of_tail_stay_where_they_are(self):
        for columns in 80, 100, 132, 200:
            shown = plain(self.in_terminal("tail", "--data", self.data, "--from", "start", "-n", "2",
                                           columns=columns))
            first, second = shown.splitlines()[:2]
            self.assertEqual(first.index("word"), second.index("Smoke"), shown)
            self.assertLessEqual(len(first), columns)
            self.assertIn("…", first)


class Top(Folder):
    def setUp(self):
        super().setUp()
        self.run_here("add", "--type", "alert", "Smoke")

    def subscribers(self):
        found = json.loads(self.run_here("top", "--json"))
        return [one["name"] for one in found["subscribers"]]

    def test_a_pipe_gets_all_subscribers(self):
        shown = self.run_here("top")
        for name in self.subscribers():
            self.assertIn(name, shown)

    def test_a_small_terminal_says_how_many_more_there_are_and_which_key_shows_them(self):
        for word in "heat", "dust", "rain", "snow":
            self.run_here("add", "--type", "alert", word)
        shown = plain(self.in_terminal("top", "--data", self.data, rows=14, until=b"more;"))
        self.assertRegex(shown, r"… \d+ more; n shows all 5 observations")
        shown = plain(self.in_terminal("top", "--data", self.data, "--every", "60", rows=24, keys=b"sq"))
        for name in self.subscribers():
            self.assertIn(name, shown)

    def test_its_keys_and_columns_are_explained(self):
        shown = plain(self.in_terminal("top", "--data", self.data, "--every", "60", rows=30, keys=b"?q"))
        help = self.run_words("top", "--help")
        for line in ("s, t, g, n      show all subscribers", "LAG             changes that the subscriber wants"):
            self.assertIn(line, shown)
            self.assertIn(line, help)

    def test_a_tiny_terminal_is_enough(self):
        for rows, columns in (5, 40), (10, 60):
            shown = self.in_terminal("top", "--data", self.data, rows=rows, columns=columns, until=b"\x1b[J")
            self.assertIn("live 1", plain(shown))


class Threads(Folder):
    def test_no_item_of_the_former_default_thread_is_hidden(self):
        self.run_here("scratch", "add", "--thread", "default", "from before")
        self.run_here("scratch", "add", "--thread", "trip", "Book the flight")
        self.run_here("scratch", "read")
        self.assertIn("the scratchbook of thread 'main' is empty; threads with items: default (1), trip (1)",
                      self.err)
        self.run_here("scratch", "list")
        self.assertIn("threads with items: default (1), trip (1)", self.err)
        self.assertEqual(self.json_here("scratch", "threads"),
                         [{"thread_id": "default", "items": 1, "open": 1},
                          {"thread_id": "trip", "items": 1, "open": 1}])
        self.assertIn("from before", self.run_here("scratch", "read", "--thread", "default"))
        self.assertEqual(self.err, "")

    def test_the_command_line_and_its_clients_share_a_thread(self):
        self.run_here("scratch", "add", "shared")
        calls = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                     "protocolVersion": "2025-06-18", "capabilities": {},
                     "clientInfo": {"name": "test", "version": "1"}}},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                  "params": {"name": "scratch_read", "arguments": {}}}]
        out = self.run_here("mcp", stdin="".join(json.dumps(x) + "\n" for x in calls))
        self.assertIn("s1 note: shared", out)

    def test_a_thread_whose_items_are_done_says_so(self):
        self.run_here("scratch", "add", "--kind", "todo", "Ask")
        self.run_here("scratch", "complete", "s1")
        self.run_here("scratch", "read")
        self.assertIn("has no open items; `scratchpage scratch list` lists the 1 item that it has", self.err)


if __name__ == "__main__":
    unittest.main()
