"""The commands that look at what there is: agents, config and completion; and spans of time."""

import json
import pathlib
import subprocess
import unittest

from program import LONGEST, PROGRAM, Folder


class Agents(Folder):
    def test_each_is_listed_with_what_it_has(self):
        self.run_here("add", "--agent", "ada", "--type", "alert", "--confidence", "0.95", "Smoke")
        self.run_here("scratch", "add", "--agent", "bob", "a note")
        ada, bob = self.json_here("agents")
        self.assertEqual((ada["agent"], ada["live"], ada["open_turns"]), ("ada", 1, 0))
        self.assertEqual(ada["open_goals"], len(json.loads(self.run_here("goals", "--agent", "ada", "--json"))["goals"]))
        self.assertIn("last_activity", ada)
        self.assertEqual((bob["agent"], bob["live"]), ("bob", 0))
        self.assertNotIn("last_activity", bob)
        self.assertGreater(bob["file_bytes"], 0)
        self.assertEqual(self.run_here("agents", "--ids"), "ada\nbob\n")
        self.assertIn("2 agents\n", self.run_here("agents"))
        self.assertIn("1 of 2 agents; --limit shows more", self.run_here("agents", "--limit", "1"))

    def test_a_server_tells_the_same_over_the_network_and_on_its_directory(self):
        self.run_here("add", "--agent", "ada", "--type", "alert", "Smoke")
        server = subprocess.Popen([str(PROGRAM), "serve", "--data", self.data, "--listen", "127.0.0.1:0"],
                                  stdout=subprocess.PIPE, text=True, env=self.env)
        try:
            url = server.stdout.readline().split()[0]
            for place in ["--server", url], ["--data", self.data]:
                (ada,) = [json.loads(x) for x in self.run_words("agents", "--json", *place).splitlines()]
                self.assertEqual((ada["agent"], ada["live"]), ("ada", 1))
                self.assertEqual(self.run_words("agents", "--ids", *place), "ada\n")
            self.run_words("scratch", "add", "--server", url, "--agent", "ada", "--thread", "default", "old")
            self.run_words("scratch", "read", "--server", url, "--agent", "ada")
            self.assertIn("threads with items: default (1)", self.err)
        finally:
            server.terminate()
            server.wait(LONGEST)
            server.stdout.close()

    def test_an_empty_directory_is_no_data_directory(self):
        self.run_here("agents", code=2)
        self.assertIn("`scratchpage add` creates one", self.err)
        self.assertFalse(pathlib.Path(self.data).exists())


class Configuration(Folder):
    def check(self, text, *words, **how):
        (self.folder / "mine.json").write_text(text)
        return self.run_words("config", "check", "mine.json", *words, **how)

    def test_every_mistake_is_told_with_its_line_and_what_was_meant(self):
        out = self.check('{\n "page": {\n  "typs": ["a"],\n  "max_observations": -1\n },\n'
                         ' "durability": {"durability": "quick"},\n "scratchbok": {}\n}', code=1)
        self.assertRegex(out, r"mine.json:3: page.typs: unknown field; known are .*; did you mean types\?")
        self.assertIn("mine.json:4: page.max_observations: expected", out)
        self.assertIn("mine.json:6: durability.durability: expected", out)
        self.assertRegex(out, r"mine.json:7: scratchbok: unknown field; .*; did you mean scratchbook\?")
        self.assertIn("4 mistakes", out)

    def test_elements_of_a_list_keep_their_places(self):
        out = self.check('{"page": {"types": ["good", 1, "fine",\n 2]}}', code=1)
        self.assertIn("page.types[1]: expected", out)
        self.assertIn("mine.json:2: page.types[3]: expected", out)

    def test_what_differs_is_shown_and_secrets_are_not(self):
        out = self.check('{"page": {"max_observations": 77}, // fewer\n'
                         '"mcpServers": {"a": {"command": "a", "env": {"KEY": "geheim"}}}}')
        self.assertRegex(out, r"page\.max_observations +77 +\d+")
        self.assertNotIn("geheim", out)
        self.assertNotIn("geheim", self.run_words("config", "show", "mine.json"))
        found = json.loads(self.check('{"page": {"max_observations": 77}}', "--json"))
        self.assertEqual((found["valid"], found["mistakes"]), (True, []))
        self.assertEqual([(x["path"], x["value"]) for x in found["differs"]], [("page.max_observations", 77)])

    def test_what_is_no_json_cannot_be_read(self):
        self.check('{"page": ', code=2)
        self.assertIn("mine.json:1", self.err)
        self.run_words("config", "check", "nothing.json", code=2)
        self.assertIn("nothing.json", self.err)

    def test_what_is_shown_is_a_valid_configuration(self):
        shown = self.run_words("config", "show")
        self.assertIn("nothing differs from the built-in configuration", self.check(shown))
        self.run_words("config", "show", "mine.json")
        self.check(self.out)


BASH = """
. <(scratchpage completion bash)
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_scratchpage
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(Folder):
    def complete(self, *words):
        """What bash offers for the last of these words of a command line."""
        script = "compopt() { :; }\n" + BASH
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", "scratchpage", *words], capture_output=True,
                              text=True, cwd=self.folder, env=self.env, timeout=LONGEST)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.splitlines() if line]

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(self.complete("que"), ["query"])
        self.assertIn("threads", self.complete("scratch", ""))
        self.assertEqual(self.complete("query", "--min"), ["--min-confidence"])
        self.assertEqual(self.complete("completion", "z"), ["zsh"])

    def test_bash_completes_values_that_are_known(self):
        self.assertEqual(self.complete("query", "--status", "res"), ["resolved"])
        self.assertEqual(self.complete("query", "--status", "=", "res"), ["resolved"])
        self.assertIn("pending", self.complete("goals", "--status", ""))
        self.assertNotIn("--status", self.complete("goals", "--status", ""))
        self.assertEqual(self.complete("serve", "--log-format", "j"), ["json"])

    def test_bash_completes_agents_and_never_runs_what_they_are_called(self):
        for agent in "ada", "adam", "bob", "ad$(touch bad)", "ad`touch bad`;":
            self.run_here("add", "--agent", agent, "--type", "alert", "x")
        found = self.complete("query", "--data", self.data, "--agent", "ad")
        self.assertEqual(found[:1], [r"ad\$\(touch\ bad\)"])
        self.assertEqual(sorted(found)[:1] + found[-2:], [found[0], "ada", "adam"])
        self.assertFalse((self.folder / "bad").exists())

    def test_the_other_shells_read_theirs(self):
        for shell, check in ("zsh", ["zsh", "-f", "-n"]), ("fish", ["fish", "--no-config", "-n"]):
            script = self.folder / f"completion.{shell}"
            script.write_text(self.run_words("completion", shell))
            try:
                done = subprocess.run([*check, str(script)], capture_output=True, text=True, env=self.env)
            except FileNotFoundError:
                continue  # that shell is not installed
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class Times(Folder):
    def test_a_span_means_so_long_before_now(self):
        self.run_here("add", "--type", "alert", "Smoke")
        for after in "90s", "15m", "1h", "2d", "2020-01-01", "2020-01-01T10:30:00Z":
            self.assertIn("Smoke", self.run_here("query", "--after", after))
            self.assertNotIn("Smoke", self.run_here("query", "--before", after))
        for command in ["archive"], ["episodes"], ["turns"]:
            self.run_here(*command, "--after", "1h", "--before", "1s")

    def test_what_is_no_time_is_told_what_is(self):
        self.run_here("add", "--type", "alert", "Smoke")
        for wrong in "yesterday", "1y", "h", "-1h", "0s", "99999999d":
            self.run_here("query", f"--after={wrong}", code=2)
            self.assertIn("a date such as 2025-11-05, or a span before now such as 90s, 15m, 1h or 2d", self.err)
        self.run_here("query", "--after", "1h", "--before", "2h", code=2)
        self.assertIn("--after: expected a time before that of --before", self.err)


if __name__ == "__main__":
    unittest.main()
