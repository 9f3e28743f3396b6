#!/usr/bin/env python3
"""Checks that links between the pages of the project lead somewhere: to a file, and to a heading of it.

usage: links_test.py SOURCE_DIR
"""

import pathlib
import re
import sys

CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z]+:")


def anchors(text):
    """The fragments of a page's headings, as GitHub makes them."""
    found = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        number = 0
        while (name := anchor + (f"-{number}" if number else "")) in found:
            number += 1
        found.add(name)
    return found


def broken(page, root):
    text = CODE.sub("", page.read_text())
    for link in LINK.findall(text):
        if ELSEWHERE.match(link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or not target.is_relative_to(root):
            yield f"{page.relative_to(root)}: {link}: there is no such file"
        elif fragment and target.suffix == ".md" and fragment not in anchors(target.read_text()):
            yield f"{page.relative_to(root)}: {link}: there is no such heading"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [x for x in root.rglob("*.md") if not {"build", "node_modules"} & set(x.relative_to(root).parts)]
    wrong = [x for page in sorted(pages) for x in broken(page, root)]
    if wrong or len(pages) < 20:
        sys.exit("\n".join(wrong) or f"only {len(pages)} pages")
    print(f"the links of {len(pages)} pages lead somewhere")


main()
