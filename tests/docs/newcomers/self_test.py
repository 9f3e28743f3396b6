#!/usr/bin/env python3
"""A newcomer notices when a page is wrong."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from compare import agrees
from page import Command, File, Visit, section, steps

HERE = pathlib.Path(__file__).resolve().parent

PAGE = """# Title

## First

Save this as `a/b.txt`:

```text
one
```

```console
$ cat \\
    a/b.txt
one
$ cd a && true &
```

Then look at <http://127.0.0.1:7070/>. It asks for `this`
and shows `that`.

### Part of the first

## Second

```console
$ true
```
"""


def outcome(page):
    """How a newcomer ends who follows the section `Role` of a page."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.md"
        file.write_text(page)
        return subprocess.run([sys.executable, HERE / "newcomer.py", "role", file, "Role", "/usr", f"{folder}/reports"],
                              capture_output=True, text=True)


class Pages(unittest.TestCase):
    def test_a_section_has_its_files_and_commands_in_their_order(self):
        found = steps(section(PAGE, "First"))
        self.assertEqual(found, [File("a/b.txt", "one\n"), Command("cat \\\n    a/b.txt", ["one"]),
                                 Command("cd a && true &", []), Visit("http://127.0.0.1:7070/", "that")])
        self.assertTrue(found[2].stays())
        self.assertEqual(steps(section(PAGE, "Second")), [Command("true", [])])

    def test_a_block_that_is_neither_a_session_nor_a_named_file_is_a_mistake(self):
        with self.assertRaises(SystemExit):
            steps("Look at this:\n\n```text\none\n```\n")


class Outputs(unittest.TestCase):
    def test_what_may_differ_does(self):
        for shown, printed in [
                (["obs_20251105_001  2025-11-05 10:30"], "obs_20261128_001 2026-11-28 00:41\n"),
                (["done in 12 ms"], "done in 7.5 s\n"), (["a", "…", "b"], "a\nb\n"), (["a", "…", "b"], "a\nx\ny\nb\n"),
                (["key=…"], "key=abc\n"), ([], ""), (["one", "", "two"], "\x1b[1mone\x1b[0m\ntwo"),
                (["done"], "\r\x1b[K1 of 2\r\x1b[Kdone\r\n|\x1b[1G\x1b[0K")]:
            self.assertTrue(agrees(shown, printed), (shown, printed))

    def test_nothing_else_may_differ(self):
        for shown, printed in [(["a"], ""), ([], "a\n"), (["a"], "a\nb\n"), (["a…"], "a\nb\n"), (["obs_1"], "obs_2\n"),
                               (["a", "…"], "b\n"), (["1 goal"], "2 goals\n")]:
            self.assertFalse(agrees(shown, printed), (shown, printed))


class Newcomers(unittest.TestCase):
    def test_one_who_follows_a_right_page_is_done(self):
        done = outcome("## Role\n\nSave this as `x.txt`:\n\n```text\n$HOME\n```\n\n```console\n$ cat x.txt\n$HOME\n"
                       "$ export A=1; mkdir b && cd b\n$ basename $PWD $A\nb\n$ (sleep 0.1; echo up; sleep 60) &\nup\n"
                       "$ kill %1 && ls\n```\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("role ", done.stdout)

    def test_an_output_that_the_page_does_not_show_is_noticed(self):
        done = outcome("## Role\n\n```console\n$ echo one\ntwo\n```\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("it printed:\none", done.stderr)

    def test_a_command_that_fails_is_noticed(self):
        done = outcome("## Role\n\n```console\n$ ls nothing\n…\n```\n")
        self.assertIn("it ended with 2", done.stderr)

    def test_the_home_and_the_folder_are_empty(self):
        done = outcome("## Role\n\n```console\n$ ls -A && ls -A ~\n```\n")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    os.chdir(HERE)
    unittest.main()
