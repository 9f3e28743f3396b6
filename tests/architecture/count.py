"""Counts what the structure of the project is held to, and prints each figure beside its bound.

usage: count.py ROOT

The exit code is 1 if a figure misses its bound. A tree from before the operation table has no
rows, so that its places cannot be counted.
"""

import re
import sys

import check

MOST_SOURCES = 760  # sources and headers outside of tests
MOST_LINES_OF_A_FILE = 500
MOST_MEMBERS = 28  # of the page's state
PAGE = "actors/page/scratch_page.hpp"
MEMBER = re.compile(r"^  [\w:][^()=;{}]*?\b\w+_(?:\{[^;]*\}| = [^;]*)?;", re.MULTILINE)


def outside_tests(tree):
    return [path for path in tree.files if path.endswith((".hpp", ".cpp")) and not path.startswith("tests/")]


def line_count(tree, path):
    return tree.read(path).count("\n")


def most_places(tree):
    found = {name: len(places) for name, places in check.places_of_operations(tree).items()}
    return max(found.values(), default=None)


def members_of_page(tree):
    text = check.without_comments(tree.read(PAGE))
    body = text[text.index("class scratch_page_state"):]
    return len(MEMBER.findall(body))


def public_headers(tree):
    return len(list(check.content_lines(tree.root / check.PUBLIC))) if check.PUBLIC in tree.files else None


def figures(tree):
    """Each figure with its name and its bound, if it has one."""
    files = outside_tests(tree)
    lines = {path: line_count(tree, path) for path in tree.files if path.endswith((".hpp", ".cpp"))}
    yield "places that name an operation, at most", most_places(tree), check.MOST_PLACES
    yield "headers that are installed", public_headers(tree), check.MOST_PUBLIC
    yield "sources and headers outside of tests", len(files), MOST_SOURCES
    yield "their lines", sum(lines[path] for path in files), None
    yield "members of the page's state", members_of_page(tree), MOST_MEMBERS
    yield "files over 500 lines", sum(n > MOST_LINES_OF_A_FILE for n in lines.values()), 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = check.Tree(sys.argv[1], check.HERE / "exceptions.txt")
    missed = False
    print(f"{'figure':44} {'now':>8} {'bound':>8}")
    for name, now, bound in figures(tree):
        print(f"{name:44} {'-' if now is None else now:>8} {'' if bound is None else bound:>8}")
        missed |= None not in (now, bound) and now > bound
    sys.exit(1 if missed else 0)


main()
