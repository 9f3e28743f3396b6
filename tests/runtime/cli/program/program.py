"""What the tests of the real program share: each runs it as a user would, in an empty folder."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()  # the first argument of each test
LONGEST = 120  # seconds that one command may take on a busy machine


class Folder(unittest.TestCase):
    """A test in an empty folder, with the program in the path and nothing else of the environment."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scratchpage"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/scratchpage").symlink_to(PROGRAM)
        self.data = str(self.folder / "data")
        self.env = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8",
                    "TERM": "xterm"}

    def run_words(self, *words, stdin="", env=None, code=0):
        """Runs the program, checks its exit code, and keeps its outputs."""
        done = subprocess.run([str(PROGRAM), *words], input=stdin, capture_output=True, text=True,
                              cwd=self.folder, env={**self.env, **(env or {})}, timeout=LONGEST)
        self.out, self.err = done.stdout, done.stderr
        if code is not None:
            self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def run_here(self, *words, **how):
        """As above, on this test's data directory."""
        return self.run_words(*words, "--data", self.data, **how)

    def json_here(self, *words, **how):
        return [json.loads(line) for line in self.run_here(*words, "--json", **how).splitlines()]

    def in_terminal(self, *words, columns=80, rows=24, keys=b"", env=None, until=None):
        """Runs the program on a terminal of that size and returns what it shows. Keys are sent when it has
        shown something; it is ended when `until` is shown."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(PROGRAM, ["scratchpage", *words], {**self.env, **(env or {})})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(child, signal.SIGWINCH)
        shown = b""
        try:
            while select.select([terminal], [], [], LONGEST)[0]:
                piece = os.read(terminal, 65536)
                if not piece:
                    break
                shown += piece
                if keys and b"\x1b[J" in shown:
                    os.write(terminal, keys[:1])
                    keys = keys[1:]
                if until and until in shown:
                    os.write(terminal, b"q")
                    until = None
        except OSError:  # the program has ended
            pass
        os.waitpid(child, 0)
        os.close(terminal)
        return shown.decode(errors="replace")


def plain(text):
    """A text without the sequences that colour it or move the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")
