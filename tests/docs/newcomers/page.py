"""The steps of a section of a page: files to save, commands to run and addresses to look at, in their order.

A block of code is a file if the paragraph before it names one, as in "Save this as `agent.py`:".
A block `console` is a session: a line that begins with `$ ` is a command, the lines after it that
begin with two blanks while a command is open (`\\` at its end) continue it, and the others are its
output. A paragraph with an address, `<http://…>`, is one to look at; its last words in code are what is
to be seen there. Any other block of code in the section is a mistake: a reader would not know what to do.
"""

import re
from dataclasses import dataclass, field

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ADDRESS = re.compile(r"<(http://[^>]+)>.*`([^`]+)`")
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


@dataclass
class Visit:
    address: str
    shows: str


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


def visits(prose):
    paragraphs = (" ".join(x.split()) for x in prose.split("\n\n"))
    return [Visit(*found.groups()) for x in paragraphs if (found := ADDRESS.search(x))]


def step_of(block, prose):
    if block[1] == "console":
        return session(block[2])
    if name := NAMED_FILE.search(prose):
        return [File(name[1], block[2])]
    raise SystemExit(f"neither a session nor a file that the text names:\n{block[0]}")


def steps(text):
    found = []
    at = 0
    for block in FENCED.finditer(text):
        prose = text[at:block.start()]
        found += visits(prose) + step_of(block, prose)
        at = block.end()
    return found + visits(text[at:])
