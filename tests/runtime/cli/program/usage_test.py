"""What the program says to words that it does not know, and which variables it reads."""

import unittest

from program import Folder


class Advice(Folder):
    def refused(self, *words, **how):
        self.run_words(*words, code=2, **how)
        self.assertEqual(self.out, "")
        self.assertLessEqual(len(self.err.splitlines()), 2, self.err)
        return self.err

    def test_an_option_that_is_given_twice_is_expected_once(self):
        self.assertIn("--agent: expected it once", self.refused("query", "--agent", "a", "--agent", "b"))

    def test_a_mistyped_command_is_answered_with_the_nearest_one(self):
        self.assertIn("has no command 'qurey'; did you mean 'query'?", self.refused("qurey"))
        self.assertIn("'scratchpage --help' lists the commands", self.err)
        self.assertIn("has no command 'lst'; did you mean 'list'?", self.refused("scratch", "lst"))
        self.assertIn("has no command 'xyzzyx'", self.refused("xyzzyx"))
        self.assertNotIn("did you mean", self.err)

    def test_a_mistyped_option_is_answered_with_the_nearest_one(self):
        self.assertIn("'scratchpage query' has no option '--agnet'; did you mean '--agent'?",
                      self.refused("query", "--agnet", "ada"))
        self.assertIn("'--stauts'; did you mean '--status'?", self.refused("query", "--stauts=active"))
        self.assertIn("'scratchpage scratch add' has no option '--knid'; did you mean '--kind'?",
                      self.refused("scratch", "add", "--knid", "todo", "x"))

    def test_a_mistyped_value_is_answered_with_the_nearest_one(self):
        self.run_here("add", "--type", "alert", "x")
        self.run_here("query", "--status", "resolvd", code=2)
        self.assertIn("--status: expected one of active, pending_review", self.err)
        self.assertIn("did you mean 'resolved'?", self.err)
        self.run_here("goals", "--status", "in-progress", code=2)
        self.assertIn("did you mean 'in_progress'?", self.err)
        self.assertIn("did you mean 'bash'?", self.refused("completion", "bsh"))

    def test_an_option_before_its_command_is_told_where_it_belongs(self):
        self.assertIn("the option --agent follows the command", self.refused("--agent", "ada", "query"))

    def test_what_is_missing_is_named_with_an_example(self):
        said = self.refused("context", "Book a table")
        self.assertIn("--budget is required, for example: scratchpage context ", said)
        self.assertIn("ID is required, for example: scratchpage get obs_", self.refused("get"))
        self.assertIn("expected a command after 'scratchpage scratch': read, list", self.refused("scratch"))
        self.assertIn("--type: expected a value", self.refused("query", "--type"))
        self.assertIn("a text of several words needs quotation marks", self.refused("query", "two", "words"))

    def test_what_the_program_cannot_know_is_shown_harmlessly(self):
        self.assertNotIn("\x1b", self.refused("\x1b[2Jquery"))
        self.assertNotIn("\x1b", self.refused("query", "--\x1b[2J"))


class Variables(Folder):
    def test_they_stand_for_options_and_options_win(self):
        env = {"SCRATCHPAGE_DATA": self.data, "SCRATCHPAGE_AGENT": "ada"}
        self.run_words("add", "--type", "alert", "Smoke", env=env)
        self.assertIn("Smoke", self.run_words("query", "--agent", "ada", "--data", self.data))
        self.assertIn("Smoke", self.run_words("query", env=env))
        self.run_words("query", "--agent", "bob", env=env, code=2)
        self.assertIn("--agent: expected an agent of this data directory (ada), got 'bob'", self.err)
        other = str(self.folder / "other")
        self.run_words("add", "--data", other, "--type", "alert", "Water", env=env)
        self.assertIn("Water", self.run_words("query", "--data", other, env=env))

    def test_an_empty_one_is_unset(self):
        env = {"SCRATCHPAGE_DATA": self.data, "SCRATCHPAGE_AGENT": "", "SCRATCHPAGE_SERVER": ""}
        self.run_words("add", "--type", "alert", "Smoke", env=env)
        self.assertIn("Smoke", self.run_here("query", "--agent", "agent"))

    def test_errors_name_the_variable(self):
        self.run_here("add", "--type", "alert", "x")
        self.run_here("query", env={"SCRATCHPAGE_AGENT": "bob"}, code=2)
        self.assertIn("scratchpage: SCRATCHPAGE_AGENT: expected an agent of this data directory", self.err)
        self.run_words("query", env={"SCRATCHPAGE_SERVER": "nonsense"}, code=2)
        self.assertIn("scratchpage: SCRATCHPAGE_SERVER: expected http://HOST:PORT", self.err)
        self.run_words("query", env={"SCRATCHPAGE_DATA": "/no/such/place"}, code=2)
        self.assertIn("scratchpage: SCRATCHPAGE_DATA: expected a data directory", self.err)

    def test_a_server_and_a_directory_contradict_each_other(self):
        env = {"SCRATCHPAGE_DATA": self.data, "SCRATCHPAGE_SERVER": "http://127.0.0.1:1"}
        self.run_words("query", env=env, code=2)
        self.assertIn("SCRATCHPAGE_SERVER: expected only one of it and SCRATCHPAGE_DATA", self.err)
        self.run_here("add", "--type", "alert", "Smoke", env=env)
        self.assertIn("Smoke", self.run_here("query", env=env))
        self.run_words("query", "--server", "nonsense", env=env, code=2)
        self.assertIn("scratchpage: --server: expected http://HOST:PORT", self.err)

    def test_help_shows_them(self):
        help = self.run_words("query", "--help")
        for name in "SCRATCHPAGE_AGENT", "SCRATCHPAGE_DATA", "SCRATCHPAGE_SERVER", "SCRATCHPAGE_TOKEN":
            self.assertIn("$" + name, help)


if __name__ == "__main__":
    unittest.main()
