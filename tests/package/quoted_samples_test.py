"""Checks that the C++ code in docs/embedding.md is code of the samples, which are built and run.

usage: quoted_samples_test.py SOURCE_DIR

Each block of the page is preceded by `<!-- FILE PART -->`. The part of the file is between
`--(PART begin)--` and `--(PART end)--`; its common indentation does not count.
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(sys.argv[1])
PAGE = (ROOT / "docs/embedding.md").read_text()
QUOTED = re.compile(r"<!-- (\S+) (\S+) -->\n+```\w+\n(.*?)```", re.DOTALL)


def part_of(path, name):
    text = (ROOT / path).read_text()
    found = re.search(rf"^[^\n]*--\({name} begin\)--\n(.*?)^[^\n]*--\({name} end\)--", text, re.DOTALL | re.MULTILINE)
    if not found:
        sys.exit(f"{path} has no part '{name}'")
    return textwrap.dedent(found[1])


quoted = QUOTED.findall(PAGE)
if not quoted or len(quoted) != PAGE.count("```cpp"):
    sys.exit("docs/embedding.md has no block of C++, or one that does not name its sample")
for path, name, block in quoted:
    if block != part_of(path, name):
        sys.exit(f"docs/embedding.md shows another '{name}' than {path} has:\n{part_of(path, name)}")
print(f"{len(quoted)} blocks are the same as in the samples")
