#!/usr/bin/env python3
"""Prints the section of CHANGELOG.md about one version.

usage: release_notes.py VERSION|unreleased           as Markdown
       release_notes.py --debian VERSION MAINTAINER  as a changelog of a Debian package

With --debian, a version without a section gets the section "Unreleased". Its date is
SOURCE_DATE_EPOCH, or the modification time of the file.
"""

import datetime
import email.utils
import os
import pathlib
import re
import sys
import textwrap

CHANGELOG = pathlib.Path(__file__).resolve().parent.parent / "CHANGELOG.md"
HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?\s*$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def sections(text):
    """The sections by version in lower case, each as its date, or None, and its text."""
    headings = list(HEADING.finditer(text))
    ends = [h.start() for h in headings[1:]] + [len(text)]
    return {h["version"].lower(): (h["date"], text[h.end():end].strip()) for h, end in zip(headings, ends)}


def entries(section):
    """Yields each entry as its kind, such as "Added", and its text on one line."""
    kind = ""
    for block in re.split(r"\n(?=- |### )|\n\n", section):
        if block.startswith("### "):
            kind = block[4:].strip()
        elif block.startswith("- "):
            words = " ".join(block[2:].split())
            yield kind, LINK.sub(r"\1", words).replace("`", "").replace("**", "")


def moment(date):
    if date:
        return datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.timezone.utc)
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or CHANGELOG.stat().st_mtime
    return datetime.datetime.fromtimestamp(int(float(seconds)), datetime.timezone.utc)


def debian(version, maintainer, date, section):
    lines = [f"scratchpage ({version}) unstable; urgency=medium", ""]
    last = None
    for kind, words in entries(section):
        if kind != last:
            lines.append(f"  [ {kind} ]")
            last = kind
        lines += textwrap.wrap(words, 78, initial_indent="  * ", subsequent_indent="    ")
    lines += ["", f" -- {maintainer}  {email.utils.format_datetime(moment(date))}"]
    return "\n".join(lines)


def main(arguments):
    known = sections(CHANGELOG.read_text(encoding="utf-8"))
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        if arguments[0] not in known:
            sys.exit(f"release_notes.py: CHANGELOG.md has no section '{arguments[0]}'; it has {', '.join(known)}")
        print(known[arguments[0]][1])
    elif len(arguments) == 3 and arguments[0] == "--debian":
        _, version, maintainer = arguments
        print(debian(version, maintainer, *known.get(version, known["unreleased"])))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
