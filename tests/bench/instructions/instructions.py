#!/usr/bin/env python3
"""Counts the instructions of the hot paths with valgrind, and compares them with instructions.json.

A path that takes more than 5 % more instructions than is recorded fails, and so does one that is not
recorded. With --record the counts of this run are written to instructions.json. A count is of the
optimised build of the rooms that CMakeLists.txt names, on one thread, on virtual time and without
chance: the same sources, compiler and system give the same count in each run, however busy the machine
is.

usage: instructions.py PROGRAM [--record]
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "instructions.json"
SCENARIOS = HERE.parents[2] / "samples/scenarios"
ALLOWED = 5  # per cent
SKIPPED = 77
# The C library has variants of its functions on texts for several processors. These are the ones that
# every processor has.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C",
               "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-AVX512F,-AVX512VL,-AVX512BW"}


def counts_in(dumps):
    """The counts of callgrind's files: of each path, the instructions for doing it once."""
    counts = {}
    for text in dumps:
        label = re.search(r"^desc: Trigger: Client Request: (\w+) (\d+)$", text, re.MULTILINE)
        total = re.search(r"^totals: (\d+)$", text, re.MULTILINE)
        if label and total:
            counts[label[1]] = round(int(total[1]) / int(label[2]))
    return counts


def counted(program):
    """The compiler of the program, and its counts."""
    if not shutil.which("valgrind"):
        sys.exit("instructions.py: valgrind is not installed; './dev setup' installs it")
    with tempfile.TemporaryDirectory(prefix="instructions-") as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no", "--dump-line=no",
             f"--callgrind-out-file={folder}/out", program,
             *sorted(SCENARIOS.glob("*.json"))],
            env=ENVIRONMENT, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"instructions.py: {program} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        compiler = done.stdout.splitlines()[0].removeprefix("compiler: ")
        return compiler, counts_in(x.read_text() for x in sorted(pathlib.Path(folder).glob("out*")))


def compare(recorded, counts):
    """The lines of a table, and what is wrong."""
    lines, wrong = [f"{'path':28} {'recorded':>12} {'now':>12} {'change':>9}"], []
    for name in sorted({*recorded, *counts}):
        before, now = recorded.get(name), counts.get(name)
        if before is None or now is None:
            wrong.append(f"{name} is {'not recorded' if before is None else 'recorded, and was not counted'}")
            lines.append(f"{name:28} {before or '-':>12} {now or '-':>12}")
            continue
        change, growth = now / before - 1, 100 * (now - before)
        lines.append(f"{name:28} {before:12,} {now:12,} {change:+9.1%}")
        if growth > before * ALLOWED:
            wrong.append(f"{name} takes {change:.1%} more instructions than recorded: {now:,} instead of {before:,}")
        elif -growth > before * ALLOWED:
            lines[-1] += "  record this, so that it is kept"
    return lines, wrong


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--record", action="store_true")
    given = options.parse_args()
    compiler, counts = counted(pathlib.Path(given.program).resolve())
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {"compiler": compiler, "counts": {}}
    if not given.record and recorded["compiler"] != compiler:
        print(f"skipped: the recorded counts are of {recorded['compiler']}, and this is {compiler}")
        sys.exit(SKIPPED)
    lines, wrong = compare(recorded["counts"], counts)
    print("\n".join(lines))
    if given.record:
        RECORDED.write_text(json.dumps({
            "build": "-O2 in the debug build (CMakeLists.txt)", "compiler": compiler,
            "counts": dict(sorted(counts.items()))}, indent=2) + "\n")
    elif wrong:
        sys.exit("\n".join([*wrong, "If this is meant: ./dev bench instructions --record"]))


if __name__ == "__main__":
    main()
