"""Compares what a command prints with what the page shows.

`…` on the page stands for any text within a line, and a line that is only `…` for any lines.
Times, dates, spans of time and days in ids may differ, so may the blanks between columns; colours and
other effects of a terminal do not count.
"""

import re

BACK = re.compile(r"\r|\x1b\[1?G")  # to the beginning of the line, to write over it
VARIES = [
    (re.compile(r"\x1b\[[0-9;?]*[A-Za-z]"), ""),
    (re.compile(r"\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?"), "TIME"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "TIME"),
    (re.compile(r"_20\d{6}_"), "_DAY_"),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s|min)\b"), "SPAN"),
    (re.compile(r"[ \t]+"), " "),
]


def normal(line):
    line = BACK.split(line.rstrip("\r"))[-1]
    for form, instead in VARIES:
        line = form.sub(instead, line)
    return line.strip()


def pattern(shown):
    """A regular expression for whole outputs, whose lines are normal and end with a newline."""
    parts = []
    for line in map(normal, shown):
        if line == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append("[^\n]*".join(map(re.escape, line.split("…"))) + "\n")
    return re.compile("".join(parts))


def agrees(shown, printed):
    text = "".join(normal(line) + "\n" for line in printed.split("\n") if normal(line))
    return bool(pattern([line for line in shown if line.strip()]).fullmatch(text))
