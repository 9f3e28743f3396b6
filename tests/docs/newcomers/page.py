"""The steps of a section of a page: files to save and commands to run, in their order.

A block of code is a file if the paragraph before it names one, as in "Save this as `agent.py`:".
A block `console` is a session: a line that begins with `$ ` is a command, the lines after it that
begin with two blanks while a command is open (`\\` at its end) continue it, and the others are its
output. Any other block of code in the section is a mistake: a reader would not know what to do.
"""

import re
from dataclasses import dataclass, field

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED_FILE = re.compile(r"`([\w./-]+\.\w+)`[^`]*:\n+\Z")


@dataclass
class File:
    name: str
    text: str

    def lines_of_code(self):
        return sum(1 for line in self.text.splitlines() if line.strip())


@dataclass
class Command:
    text: str
    output: list = field(default_factory=list)

    def stays(self):
        """Whether it runs on while the next commands are entered."""
        return self.text.endswith("&")


def section(page, title):
    """The text under a heading, until the next heading of its level or above."""
    start = re.search(rf"^(#+) {re.escape(title)}\n", page, re.MULTILINE)
    if not start:
        raise SystemExit(f"the page has no section '{title}'")
    end = re.search(rf"^#{{1,{len(start[1])}}} ", page[start.end():], re.MULTILINE)
    return page[start.end():start.end() + end.start()] if end else page[start.end():]


def session(block):
    commands = []
    is_open = False
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(Command(line[2:]))
        elif is_open:
            commands[-1].text += "\n" + line
        elif commands:
            commands[-1].output.append(line)
        else:
            raise SystemExit(f"a session begins with its output: {line}")
        is_open = (line.startswith("$ ") or is_open) and line.endswith("\\")
    return commands


def steps(text):
    found = []
    for block in FENCED.finditer(text):
        name = NAMED_FILE.search(text[:block.start()])
        if block[1] == "console":
            found += session(block[2])
        elif name:
            found.append(File(name[1], block[2]))
        else:
            raise SystemExit(f"neither a session nor a file that the text names:\n{block[0]}")
    return found
