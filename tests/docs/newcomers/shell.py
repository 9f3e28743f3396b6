"""A shell on a terminal, to which commands are given one after the other."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

# Runs commands in this shell, as if they were typed: `cd`, `export` and jobs last. A command ends
# with a mark, which no program prints.
LOOP = r"""
while IFS= read -r -d '' command <&3; do
  eval "$command" </dev/null 3<&-
  printf '\001%d\001' $?
done
"""
MARK = re.compile("\x01(\\d+)\x01")
END = re.compile(r"\Z")


class Shell:
    def __init__(self, folder, environment, columns=100):
        self.terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        modes = termios.tcgetattr(inside)
        modes[1] &= ~termios.ONLCR  # lines end as in a file
        termios.tcsetattr(inside, termios.TCSANOW, modes)
        commands, self.commands = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-c", f"exec 3<&{commands} {commands}<&-\n{LOOP}"],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=inside, stderr=inside,
            pass_fds=[commands], start_new_session=True)
        os.close(inside)
        os.close(commands)
        self.unread = ""

    def enter(self, command):
        os.write(self.commands, command.encode() + b"\0")

    def read_until(self, ends, seconds):
        """What is printed until `ends` finds an end in it, which is a match. (text, None) if there is none."""
        deadline = time.monotonic() + seconds
        while not (end := ends(self.unread)):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                text, self.unread = self.unread, ""
                return text, None
            try:
                self.unread += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:  # the shell has ended
                text, self.unread = self.unread, ""
                return text, None
        text, self.unread = self.unread[:end.start()], self.unread[end.end():]
        return text, end

    def run(self, command, seconds):
        """The output of a command, and its exit code; None if it does not end in time."""
        self.enter(command)
        text, end = self.read_until(MARK.search, seconds)
        return text, end and int(end[1])

    def listen(self, is_enough, seconds):
        """What is printed from now on by a program that stays, until that is enough."""
        text, _ = self.read_until(lambda unread: is_enough(unread) and END.search(unread), seconds)
        return text

    def end(self):
        """Ends the shell and all that still runs in its session, and waits for them."""
        os.close(self.commands)
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.process.wait(timeout=30)
        self.read_until(lambda unread: None, 30)  # the terminal ends when nobody holds it any more
        os.close(self.terminal)
