"""Checks rules that a compiler does not check: which code may include which headers, write
files and read clocks, what a room consists of, that type ids are only appended, and that
no text names a place outside of the repository.

A layer is one of the four top-level folders in LAYERS. A room is a folder of a layer that
has sources. rooms.txt lists all rooms, the lowest first.

usage: check.py [--quiet] ROOT
       check.py --test   plants a violation of each rule and checks that it is found

Prints each finding as FILE:LINE: RULE: sentence. The exit code is 1 if there is any. If there is
none, it prints the rooms in their order, unless --quiet is given.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
LAYERS = ["messages", "persistence", "actors", "runtime"]  # each may include those before it
EDGES = ["tests", "samples"]
ROOMS = "tests/architecture/rooms.txt"
LEAST_FILES = 4  # of a room
PUBLIC = "cmake/public_headers.txt"
MOST_PUBLIC = 45  # headers that are installed
MOST_PLACES = 3  # that name an operation, including its row

# rule: (its folders, the forbidden pattern, the sentence); exceptions.txt lists the exceptions
PATTERNS = {
    "writing": (
        LAYERS,
        r"\bofstream\b|(?<!i)\bfstream\s+\w|\bf(re)?open\s*\(|(?<!\w)::(open|creat|unlink)\s*\(|\bmk(s|d)temp\b"
        r"|\bfilesystem::(create_\w+|remove|remove_all|rename|copy|copy_file|resize_file)\b",
        "only persistence/ writes to files",
    ),
    "clock": (
        LAYERS,
        r"\b(system|steady|high_resolution|utc|file)_clock::now\b|\bmake_timestamp\s*\("
        r"|\btime\s*\(\s*(nullptr|NULL|0)\s*\)|\bgettimeofday\b|\bclock_gettime\b|\bstd::clock\b",
        "only runtime/ reads a wall clock; take a time or a scratchpage::clock",
    ),
    "sleep": (
        LAYERS + ["tests", "samples"],
        r"\bsleep_(for|until)\b|\bu?sleep\s*\(|\bnanosleep\b",
        "no code sleeps: actors use timers, and tests virtual time",
    ),
    "chance": (
        LAYERS + ["tests"],
        r"\brandom_device\b|\bs?rand\s*\(",
        "random numbers come from a seed that the caller gives",
    ),
    "hash": (
        LAYERS,
        r"\bstd::hash<std::string|\bunordered_(?:flat_|multi)?(?:map|set)<\s*std::string(?:_view)?\b"
        r"(?!.*\b(?:keyed_text_hash|text_hash)\b)",
        "hash tables of texts use messages/text/key_text.hpp, so that nobody can predict the hashes",
    ),
    "internals": (
        LAYERS + EDGES,
        r"<caf/(detail|internal)/|<caf/scheduler/test_coordinator",
        "CAF's internals change between versions",
    ),
    "network": (
        ["messages", "persistence", "actors"],
        r"<caf/(io|openssl|net)/",
        "only runtime/ uses nodes and sockets",
    ),
}

COMMENT_OR_TEXT = re.compile(
    r'(?P<raw>R"(?P<end>[^(\s]*)\(.*?\)(?P=end)")|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\')'
    r"|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
NESTED = re.compile(r"^namespace scratchpage::(\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
ROW = re.compile(r'\.name = "(\w+)"')
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`[^`]*`')
TYPE_ID = re.compile(r"CAF_ADD_TYPE_ID\(\s*scratchpage\s*,\s*\(\s*scratchpage::(\w+)\s*\)\s*\)")

# The patterns are written so that they do not match this file.
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

    def allows(self, rule, path):
        return any(r == rule and path.startswith(p) for r, p in self.allowed)

    def report(self, rule, path, text, position, sentence):
        if not self.allows(rule, path):
            line = text.count("\n", 0, position) + 1
            self.found.append(f"{path}:{line}: {rule}: {sentence}")


def content_lines(path):
    for line in pathlib.Path(path).read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield line


def tracked(root):
    """The files that git tracks or would add; without git, all files outside of build/."""
    ask = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists():
        names = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.split("\0")
    else:
        names = [p.relative_to(root).as_posix() for p in root.rglob("*")]
        names = [n for n in names if not n.startswith("build/")]
    return {n for n in names if n and (root / n).is_file()}


def without_comments(text):
    """Removes comments, but keeps the line numbers."""

    def blank(match):
        if match["raw"] or match["text"]:
            return match[0]
        return "\n" * match[0].count("\n")

    return COMMENT_OR_TEXT.sub(blank, text)


def check_includes(tree):
    for path, text in tree.sources(LAYERS + EDGES):
        layer = path.split("/")[0]
        for match in INCLUDE.finditer(text):
            quote, name = match[1], match[2]
            at = match.start(2)
            parts = name.split("/")
            if quote == '"' and parts[0] != "scratchpage":
                tree.report("includes", path, text, at, f'write "scratchpage/<folder>/…", not "{name}"')
            if path.endswith(".hpp") and name == "caf/all.hpp":
                tree.report("includes", path, text, at, "caf/all.hpp takes two seconds to compile in each file")
            if parts[0] != "scratchpage" or len(parts) < 3:
                continue
            to = parts[1]
            if layer in LAYERS and (to not in LAYERS or LAYERS.index(to) > LAYERS.index(layer)):
                tree.report("includes", path, text, at, f"{layer}/ may not include headers of {to}/")
            if layer == "samples" and to not in LAYERS + ["samples"]:
                tree.report("includes", path, text, at, f"samples may only include what users can, not {to}/")


def room_of(path):
    return path.rpartition("/")[0]


def check_rooms(tree):
    """Rooms include only lower rooms, are all listed, have a README.md, and have enough files."""
    listed = list(content_lines(tree.root / ROOMS)) if ROOMS in tree.files else []
    place = {room: number for number, room in enumerate(listed)}
    files = {}
    for path in tree.files:
        if path.split("/")[0] in LAYERS and path.endswith((".hpp", ".cpp", ".js", ".css", ".html")):
            files.setdefault(room_of(path), []).append(path)
    has_sources = {room_of(path) for path, _ in tree.sources(LAYERS)}
    rooms = {room: all_of for room, all_of in files.items() if room in has_sources}
    for room in listed:
        if room not in rooms:
            tree.report("rooms", ROOMS, "", 0, f"{room}/ has no sources")
        if listed.count(room) > 1:
            tree.report("rooms", ROOMS, "", 0, f"{room}/ is listed more than once")
    for room, all_of in rooms.items():
        if room not in place:
            tree.report("rooms", all_of[0], "", 0, f"{room}/ is not listed in {ROOMS}")
        if len(all_of) < LEAST_FILES:
            few = f"{room}/ has {len(all_of)} files, but a room needs at least {LEAST_FILES}"
            tree.report("size", all_of[0], "", 0, few)
        if room + "/README.md" not in tree.files:
            tree.report("readme", all_of[0], "", 0, f"{room}/ has no README.md")
    for path, text in tree.sources(LAYERS):
        room = room_of(path)
        for match in INCLUDE.finditer(text):
            to = room_of(match[2].removeprefix("scratchpage/"))
            if to.split("/")[0] == room.split("/")[0] and place.get(to, -1) > place.get(room, len(place)):
                up = f"{room}/ may not include headers of {to}/, which is listed after it"
                tree.report("rooms", path, text, match.start(2), up)


def namespaces_of(room):
    """The names that a nested namespace of a room may have: parts of its path below the layer that
    follow each other, joined by underscores."""
    parts = room.split("/")[1:]
    return {"_".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}


def check_namespaces(tree):
    """A namespace within `scratchpage` is named after its room."""
    for path, text in tree.sources(LAYERS):
        allowed = namespaces_of(room_of(path))
        for match in NESTED.finditer(text):
            if match[1] not in allowed:
                wrong = f"{match[1]} is not named after the room {room_of(path)}/"
                tree.report("namespaces", path, text, match.start(), wrong)


def check_circles(tree):
    """No header includes itself, directly or indirectly."""
    headers = {p: t for p, t in tree.sources(LAYERS + EDGES) if p.endswith(".hpp")}
    to = {p: [m[2].removeprefix("scratchpage/") for m in INCLUDE.finditer(t)] for p, t in headers.items()}
    known = set()  # headers whose circles are all reported

    def visit(path, way):
        if path in way:
            circle = sorted(way[way.index(path):])
            tree.report("circles", circle[0], "", 0, "headers include each other: " + ", ".join(circle))
        elif path in to and path not in known:
            for next_one in to[path]:
                visit(next_one, way + [path])
            known.add(path)

    for path in to:
        visit(path, [])


def check_headers(tree):
    for path, text in tree.sources(LAYERS + EDGES):
        if path.endswith(".hpp") and "#pragma once" not in text:
            tree.report("headers", path, text, 0, "no #pragma once")


def check_public_headers(tree):
    """Only the public headers are installed, so they may include no others."""
    listed = list(content_lines(tree.root / PUBLIC)) if PUBLIC in tree.files else []
    if len(listed) > MOST_PUBLIC:
        many = f"{len(listed)} headers are public, but at most {MOST_PUBLIC} may be"
        tree.report("public", PUBLIC, "", 0, many)
    for path in listed:
        if path not in tree.files:
            tree.report("public", PUBLIC, "", 0, f"there is no header {path}")
            continue
        text = without_comments(tree.read(path))
        for match in INCLUDE.finditer(text):
            to = match[2].removeprefix("scratchpage/")
            if to != match[2] and to not in listed:
                tree.report("public", path, text, match.start(2), f"{to} is not in {PUBLIC}")


def check_patterns(tree):
    for rule, (folders, pattern, sentence) in PATTERNS.items():
        for path, text in tree.sources(folders):
            for match in re.finditer(pattern, text):
                tree.report(rule, path, text, match.start(), f"{match[0].strip()}: {sentence}")


def check_type_ids(tree):
    """A type id is a position in the block, so the block must begin with the committed list."""
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
        tree.report("ids", committed, "", 0, f"append the new types, in this order: {new}")


def places_of_operations(tree):
    """Where the runtime and the samples name each operation, by its name: its row in
    runtime/api/*_operations.cpp, and every other text.

    Layers below the runtime do not know operations. There, the same words are names of requests,
    tools and trace entries.
    """
    places = {}
    for path in tree.files:
        if re.fullmatch(r"runtime/api/\w+_operations\.cpp", path):
            places.update({name: [] for name in ROW.findall(tree.read(path))})
    names = re.compile(r"\b(?:%s)\b" % "|".join(places)) if places else None
    for path in tree.files if names else []:
        if not path.startswith(("runtime/", "samples/")) or not path.endswith((".hpp", ".cpp", ".js")):
            continue
        text = without_comments(tree.read(path))
        for literal in TEXT.finditer(text):
            is_row = text.endswith(".name = ", 0, literal.start())
            for match in names.finditer(literal[0]):
                if is_row or not tree.allows("operations", path):
                    places[match[0]].append((path, text, literal.start()))
    return places


def check_operations(tree):
    for name, found in places_of_operations(tree).items():
        for path, text, position in found[MOST_PLACES:]:
            many = f"{name} is named in {len(found)} places; at most {MOST_PLACES} may name it, including its row"
            tree.report("operations", path, text, position, many)


def check_itself_alone(tree):
    for path in tree.files:
        text = tree.read(path)
        if "\0" in text:
            continue
        for match in PLACES.finditer(text):
            tree.report("places", path, text, match.start(), f"'{match[0]}' is a path of one machine")
        for match in HOSTS.finditer(text):
            tree.report("places", path, text, match.start(), f"'{match[0]}' is a registry's host name")


def check(root, exceptions):
    tree = Tree(root, exceptions)
    check_includes(tree)
    check_rooms(tree)
    check_namespaces(tree)
    check_circles(tree)
    check_headers(tree)
    check_public_headers(tree)
    check_patterns(tree)
    check_type_ids(tree)
    check_operations(tree)
    check_itself_alone(tree)
    return tree


def print_rooms(tree):
    listed = list(content_lines(tree.root / ROOMS))
    files = dict.fromkeys(listed, 0)
    included = {room: set() for room in listed}
    for path, text in tree.sources(LAYERS):
        room = room_of(path)
        files[room] += 1
        included[room] |= {room_of(match[2].removeprefix("scratchpage/")) for match in INCLUDE.finditer(text)}
    for number, room in enumerate(listed, 1):
        count = len((included[room] - {room}) & set(listed))
        print(f"{number:3}  {room:24} {files[room]:4} sources and headers, includes {count:2} of the rooms above it")
    print(f"{len(listed)} rooms: no include goes to a later one, and no header includes itself")


def planted_room(room, files=LEAST_FILES):
    """The files of a correct room, in which violations are planted."""
    texts = {f"{room}/README.md": ("For a test.\n", None)}
    texts.update({f"{room}/part_{i}.hpp": ("#pragma once\n", None) for i in range(files)})
    return texts


# A small tree: texts by path, each with the findings expected in it, or None.
PLANTED = {
    **planted_room("messages"),
    **planted_room("persistence"),
    **planted_room("actors"),
    **planted_room("actors/higher"),
    **planted_room("actors/small", 3),
    **planted_room("actors/unlisted"),
    **planted_room("runtime"),
    "tests/architecture/rooms.txt": (
        "messages\npersistence\nactors\nactors/higher\nactors/small\nactors/silent\nruntime\nruntime\nruntime/api\nactors/gone\n",
        ("rooms: actors/gone/ has no sources", "rooms: runtime/ is listed more than once"),
    ),
    "actors/upwards.cpp": ('\n#include "scratchpage/actors/higher/part_0.hpp"\n', "upwards.cpp:2: rooms"),
    "actors/higher/named.cpp": ("namespace scratchpage::higher {}\n", None),
    "actors/higher/misnamed.cpp": ("namespace scratchpage::lower {}\n", "misnamed.cpp:1: namespaces"),
    "actors/higher/down.cpp": ('#include "scratchpage/actors/part_0.hpp"\n', None),
    "actors/unlisted/part_0.hpp": ("#pragma once\n", "actors/unlisted/part_0.hpp:1: rooms"),
    "actors/small/part_0.hpp": ("#pragma once\n", "actors/small/part_0.hpp:1: size"),
    **{f"actors/silent/part_{i}.cpp": ("", None) for i in range(1, LEAST_FILES)},
    "actors/silent/part_0.cpp": ("", "actors/silent/part_0.cpp:1: readme"),
    "actors/higher/first.hpp": (
        '#pragma once\n#include "scratchpage/actors/higher/second.hpp"\n',
        "first.hpp:1: circles",
    ),
    "actors/higher/second.hpp": ('#pragma once\n#include "scratchpage/actors/higher/first.hpp"\n', None),
    "messages/up.hpp": ('#pragma once\n#include "scratchpage/actors/x.hpp"\n', "up.hpp:2: includes"),
    "actors/all.hpp": ("#pragma once\n#include <caf/all.hpp>\n", "all.hpp:2: includes"),
    "actors/near.cpp": ('#include "x.hpp"\n', "near.cpp:1: includes"),
    "samples/peek.cpp": ('#include "scratchpage/tests/support/x.hpp"\n', "peek.cpp:1: includes"),
    "runtime/twice.hpp": ("struct x {};\n", "twice.hpp:1: headers"),
    "cmake/public_headers.txt": (
        "".join(f"{name}\n" for name in ["actors/open.hpp", "actors/gone.hpp"] + ["actors/first.hpp"] * 44),
        ("public: there is no header actors/gone.hpp", "public: 46 headers are public"),
    ),
    "actors/open.hpp": (
        '#pragma once\n#include "scratchpage/actors/first.hpp"\n#include "scratchpage/actors/part_0.hpp"\n',
        "actors/open.hpp:3: public",
    ),
    "actors/first.hpp": ("#pragma once\n", None),
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
    **planted_room("runtime/api"),
    "runtime/api/page_operations.cpp": ('{.name = "get_page"}, {.name = "put_page"}\n', None),
    "runtime/calls.cpp": ('call("get_page");\n// "get_page"\ncall("put_page"); call("get_pages");\n', None),
    "runtime/pages.js": ("ask('get_page')\nask(`get_page`)\n", "pages.js:2: operations"),
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
        found = check(root, HERE / "exceptions.txt").found
    wanted = []
    for _, finding in PLANTED.values():
        wanted += [finding] if isinstance(finding, str) else finding or []
    for w in wanted:
        for f in found:
            if w in f:
                print(f"found: {f}")
    missed = [w for w in wanted if not any(w in f for f in found)]
    surplus = [f for f in found if not any(w in f for w in wanted)]
    return [f"not found: {m}" for m in missed] + [f"should be fine: {s}" for s in surplus]


def main():
    arguments = sys.argv[1:]
    is_quiet = "--quiet" in arguments
    if is_quiet:
        arguments.remove("--quiet")
    if len(arguments) != 1:
        sys.exit(__doc__)
    if arguments == ["--test"]:
        found = test()
    else:
        tree = check(arguments[0], HERE / "exceptions.txt")
        found = tree.found
        if not found and not is_quiet:
            print_rooms(tree)
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
