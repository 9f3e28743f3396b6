"""Checks what no compiler does: who may include whom, who may touch files and
clocks, that ids are only ever appended, that the repository speaks of itself
alone.

usage: check.py ROOT
       check.py --test   plants a violation of each rule and expects to find it

Prints a line a finding, as FILE:LINE: RULE: sentence; exit 1 if there is any.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOMS = ["messages", "persistence", "actors", "runtime"]  # includes go down to the left
EDGES = ["tests", "samples"]

# rule: (where it holds, what it forbids, the sentence); exceptions.txt names who may
PATTERNS = {
    "writing": (
        ROOMS,
        r"\bofstream\b|(?<!i)\bfstream\s+\w|\bf(re)?open\s*\(|(?<!\w)::(open|creat|unlink)\s*\(|\bmk(s|d)temp\b"
        r"|\bfilesystem::(create_\w+|remove|remove_all|rename|copy|copy_file|resize_file)\b",
        "only persistence/ writes to files",
    ),
    "clock": (
        ROOMS,
        r"\b(system|steady|high_resolution|utc|file)_clock::now\b|\bmake_timestamp\s*\("
        r"|\btime\s*\(\s*(nullptr|NULL|0)\s*\)|\bgettimeofday\b|\bclock_gettime\b|\bstd::clock\b",
        "only runtime/ reads a wall clock; take a time or a scratchpage::clock",
    ),
    "sleep": (
        ROOMS + ["tests", "samples"],
        r"\bsleep_(for|until)\b|\bu?sleep\s*\(|\bnanosleep\b",
        "nothing sleeps: actors use timers, tests virtual time",
    ),
    "chance": (
        ROOMS + ["tests"],
        r"\brandom_device\b|\bs?rand\s*\(",
        "chance comes from a seed that the caller gives",
    ),
    "hash": (
        ROOMS,
        r"\bstd::hash<std::string|\bunordered_(?:flat_|multi)?(?:map|set)<\s*std::string(?:_view)?\b"
        r"(?!.*\b(?:keyed_text_hash|text_hash)\b)",
        "texts that are keys are hashed by messages/keyed_hash.hpp, so that nobody foresees the hash",
    ),
    "internals": (
        ROOMS + EDGES,
        r"<caf/(detail|internal)/|<caf/scheduler/test_coordinator",
        "CAF's internals change between versions",
    ),
    "network": (
        ["messages", "persistence", "actors"],
        r"<caf/(io|openssl|net)/",
        "only runtime/ knows of nodes and sockets",
    ),
}

COMMENT_OR_TEXT = re.compile(
    r'(?P<raw>R"(?P<end>[^(\s]*)\(.*?\)(?P=end)")|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\')'
    r"|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
TYPE_ID = re.compile(r"CAF_ADD_TYPE_ID\(\s*scratchpage\s*,\s*\(\s*scratchpage::(\w+)\s*\)\s*\)")

# Written so that this file does not match itself.
PLACES = re.compile(r"(?<![\w./~}])/(?:root|home|work)(?=[/\s\"'`),;:]|$)|\.\./(?:shared|seeds)\b")
HOSTS = re.compile(
    r"\b(?:(?:deb|security|snapshot|ftp)\.debian\.org|archive\.ubuntu\.com|pypi\.org|pythonhosted\.org"
    r"|registry\.npmjs\.org|crates\.io|proxy\.golang\.org|conan\.io|hub\.docker\.com)\b"
)


class Tree:
    def __init__(self, root, exceptions):
        self.root = pathlib.Path(root)
        self.allowed = [line.split(None, 2)[:2] for line in content_lines(exceptions)]
        self.found = []
        self.files = sorted(tracked(self.root))

    def sources(self, folders):
        for path in self.files:
            if path.split("/")[0] in folders and path.endswith((".hpp", ".cpp")):
                yield path, without_comments(self.read(path))

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def report(self, rule, path, text, position, sentence):
        if not any(r == rule and path.startswith(p) for r, p in self.allowed):
            line = text.count("\n", 0, position) + 1
            self.found.append(f"{path}:{line}: {rule}: {sentence}")


def content_lines(path):
    for line in pathlib.Path(path).read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield line


def tracked(root):
    """What git knows or would take; without git, all but the build trees."""
    ask = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists():
        names = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.split("\0")
    else:
        names = [p.relative_to(root).as_posix() for p in root.rglob("*")]
        names = [n for n in names if not n.startswith("build/")]
    return {n for n in names if n and (root / n).is_file()}


def without_comments(text):
    """Keeps every line where it is."""

    def blank(match):
        if match["raw"] or match["text"]:
            return match[0]
        return "\n" * match[0].count("\n")

    return COMMENT_OR_TEXT.sub(blank, text)


def check_includes(tree):
    for path, text in tree.sources(ROOMS + EDGES):
        room = path.split("/")[0]
        for match in INCLUDE.finditer(text):
            quote, name = match[1], match[2]
            at = match.start(2)
            parts = name.split("/")
            if quote == '"' and parts[0] != "scratchpage":
                tree.report("includes", path, text, at, f'write "scratchpage/<folder>/…", not "{name}"')
            if path.endswith(".hpp") and name == "caf/all.hpp":
                tree.report("includes", path, text, at, "caf/all.hpp costs each includer two seconds")
            if parts[0] != "scratchpage" or len(parts) < 3:
                continue
            to = parts[1]
            if room in ROOMS and (to not in ROOMS or ROOMS.index(to) > ROOMS.index(room)):
                tree.report("includes", path, text, at, f"{room}/ may not look into {to}/")
            if room == "samples" and to not in ROOMS + ["samples"]:
                tree.report("includes", path, text, at, f"a sample has what users have, not {to}/")


def check_headers(tree):
    for path, text in tree.sources(ROOMS + EDGES):
        if path.endswith(".hpp") and "#pragma once" not in text:
            tree.report("headers", path, text, 0, "no #pragma once")


def check_patterns(tree):
    for rule, (folders, pattern, sentence) in PATTERNS.items():
        for path, text in tree.sources(folders):
            for match in re.finditer(pattern, text):
                tree.report(rule, path, text, match.start(), f"{match[0].strip()}: {sentence}")


def check_type_ids(tree):
    """An id is its place in the block: the committed list stays its beginning."""
    header, committed = "messages/type_ids.hpp", "tests/architecture/type_ids.txt"
    if header not in tree.files:
        return
    text = without_comments(tree.read(header))
    block = TYPE_ID.findall(text)
    listed = list(content_lines(tree.root / committed)) if committed in tree.files else []
    for number, name in enumerate(listed):
        if number >= len(block) or block[number] != name:
            now = block[number] if number < len(block) else "nothing"
            tree.report("ids", header, text, 0, f"id {number} was {name} and is {now}; append only")
            return
    if len(block) > len(listed):
        new = ", ".join(block[len(listed):])
        tree.report("ids", committed, "", 0, f"append what is new, in this order: {new}")


def check_itself_alone(tree):
    for path in tree.files:
        text = tree.read(path)
        if "\0" in text:
            continue
        for match in PLACES.finditer(text):
            tree.report("places", path, text, match.start(), f"'{match[0]}' is a place on one machine")
        for match in HOSTS.finditer(text):
            tree.report("places", path, text, match.start(), f"'{match[0]}' is a registry's host name")


def check(root, exceptions):
    tree = Tree(root, exceptions)
    check_includes(tree)
    check_headers(tree)
    check_patterns(tree)
    check_type_ids(tree)
    check_itself_alone(tree)
    return tree.found


# What each rule has to find, in a small tree; and what it has to leave alone.
PLANTED = {
    "messages/up.hpp": ('#pragma once\n#include "scratchpage/actors/x.hpp"\n', "up.hpp:2: includes"),
    "actors/all.hpp": ("#pragma once\n#include <caf/all.hpp>\n", "all.hpp:2: includes"),
    "actors/near.cpp": ('#include "x.hpp"\n', "near.cpp:1: includes"),
    "samples/peek.cpp": ('#include "scratchpage/tests/support/x.hpp"\n', "peek.cpp:1: includes"),
    "runtime/twice.hpp": ("struct x {};\n", "twice.hpp:1: headers"),
    "actors/write.cpp": ("\nstd::ofstream out{path};\n", "write.cpp:2: writing"),
    "actors/now.cpp": ("auto t = std::chrono::system_clock::now();\n", "now.cpp:1: clock"),
    "tests/wait.cpp": ("/* a\n b */ std::this_thread::sleep_for(1s);\n", "wait.cpp:2: sleep"),
    "persistence/dice.cpp": ("std::random_device seed;\n", "dice.cpp:1: chance"),
    "actors/table.cpp": ("std::unordered_map<std::string, int> x;\n", "table.cpp:1: hash"),
    "actors/keyed.cpp": ("std::unordered_set<std::string, keyed_text_hash> x;\n", None),
    "runtime/deep.cpp": ("#include <caf/detail/x.hpp>\n", "deep.cpp:1: internals"),
    "actors/wire.cpp": ("#include <caf/io/all.hpp>\n", "wire.cpp:1: network"),
    "messages/type_ids.hpp": (
        "#pragma once\nCAF_ADD_TYPE_ID(scratchpage, (scratchpage::b))\n",
        "type_ids.hpp:1: ids",
    ),
    "tests/architecture/type_ids.txt": ("a\nb\n", None),
    "docs/place.md": ("see /" + "home/somebody\n", "place.md:1: places"),
    "docs/host.md": ("from pypi" + ".org\n", "host.md:1: places"),
    "runtime/clock.cpp": ("auto t = std::chrono::steady_clock::now();\n", None),
    "persistence/write.cpp": ("std::ofstream out{path}; // never in actors/\n", None),
    "actors/fine.cpp": (
        '#include "scratchpage/messages/x.hpp"\n// system_clock::now() would be wrong\n'
        'auto time = "at work/home";\nstd::ifstream in{path};\n',
        None,
    ),
}


def test():
    with tempfile.TemporaryDirectory() as root:
        for path, (text, _) in PLANTED.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        found = check(root, HERE / "exceptions.txt")
    wanted = [finding for _, finding in PLANTED.values() if finding]
    missed = [w for w in wanted if not any(w in f for f in found)]
    surplus = [f for f in found if not any(w in f for w in wanted)]
    return [f"not found: {m}" for m in missed] + [f"should be fine: {s}" for s in surplus]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = test() if sys.argv[1] == "--test" else check(sys.argv[1], HERE / "exceptions.txt")
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


main()
