#!/usr/bin/env python3
"""Changes classes that need no actors, one place at a time, and runs their tests.

If no test notices a change (a survivor), then no test checks that line, or the change makes no
difference: a person has to look. The script works on a clone of HEAD in build/mutation, so that
the checkout does not change. It is run by hand, because each change compiles a source and links
its tests.

usage: run.py [--each N] [--seed S] [SOURCE ...]

Prints each survivor as FILE:LINE: before -> after, and a table with the score of each source.
"""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLONE = ROOT / "build" / "mutation"
BUILD = CLONE / "build" / "debug"
PATIENCE = 120  # seconds for the tests; a changed loop may never end

# source: the test programs that check it
CORES = {
    "actors/conversation/thread_conversation.cpp": ["compaction"],
    "actors/daemons/consent_hearing.cpp": ["consent_hearing"],
    "actors/page/commit_pipeline.cpp": ["commit_pipeline"],
    "actors/page/deadline_timer.hpp": ["deadline_timer"],
    "actors/page/index/deadline_queue.hpp": ["deadline_queue"],
    "actors/page/protection.cpp": ["protection"],
    "actors/page/source_shares.cpp": ["eviction_order", "source_shares"],
    "actors/page/index/field_index.cpp": ["observation_index"],
    "actors/page/filter_groups.cpp": ["filter_groups"],
    "actors/page/index/observation_index.cpp": ["observation_index"],
    "actors/page/index/slot_set.cpp": ["slot_set"],
    "actors/page/index/text_index.cpp": ["text_index"],
    "actors/policies/ambiguity_policy.cpp": ["policies"],
    "actors/policies/call_plan.cpp": ["policies"],
    "actors/policies/consent_policy.cpp": ["policies"],
    "actors/policies/evaluation_policy.cpp": ["policies"],
    "actors/policies/goal_progress.cpp": ["policies"],
    "actors/policies/promotion_rules.cpp": ["policies"],
    "actors/policies/recovery_policy.cpp": ["policies"],
    "actors/policies/reflection_policy.cpp": ["policies"],
    "actors/policies/urgency_policy.cpp": ["policies"],
    "messages/text/display_text.cpp": ["messages"],
    "messages/limits.cpp": ["messages"],
    "messages/json/json_size.cpp": ["messages"],
    "messages/time.cpp": ["messages"],
    "messages/text/utf8.cpp": ["messages"],
}

# a pattern and its replacement
CHANGES = [
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"\breturn true;", "return false;"),
    (r"\breturn false;", "return true;"),
    (r"\bif \(!", "if ("),
    (r"\bcontinue;", "break;"),
    (r"(?<![\w.])1(?![\w.'])", "2"),
    (r"(?<![\w.])0(?![\w.'])", "1"),
    (r"\+\+(\w+)", r"--\1"),
]


def places(text):
    """All possible changes of a source, as (offset, length, replacement). Skips comments, texts and includes."""
    found = []
    offset = 0
    for line in text.splitlines(keepends=True):
        code = re.sub(r'"(\\.|[^"\\])*"', lambda m: "#" * len(m.group()), line)
        code = code.split("//")[0]
        if not line.lstrip().startswith(("#", "template", "static_assert")):
            for pattern, new in CHANGES:
                for hit in re.finditer(pattern, code):
                    found.append((offset + hit.start(), len(hit.group()), hit.expand(new)))
        offset += len(line)
    return found


def run(command, patience=None):
    """Runs a command in the clone. True if it succeeded in time; else it is ended with all its children."""
    process = subprocess.Popen(
        command, cwd=CLONE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(patience) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def build(programs):
    return run(["cmake", "--build", str(BUILD), "--target", *("test_" + x for x in programs)])


def tests_pass(programs):
    pattern = "^(" + "|".join(programs) + ")$"
    return run(["ctest", "--test-dir", str(BUILD), "-R", pattern, "--no-tests=error"], PATIENCE)


def prepare(programs):
    """Makes a clone of HEAD, builds it, and checks that its tests pass."""
    if CLONE.exists():
        run(["git", "fetch", "--quiet", str(ROOT), "HEAD"])
        run(["git", "checkout", "--quiet", "--force", "FETCH_HEAD"])
    else:
        subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(CLONE)], check=True)
    caf = subprocess.run(["cmake/build_caf.sh"], cwd=CLONE, capture_output=True, text=True, check=True)
    root = caf.stdout.strip().splitlines()[-1]
    if not run(["cmake", "--preset", "debug", "-DCAF_ROOT=" + root]) or not build(programs):
        sys.exit("run.py: the tests of HEAD cannot be built in " + str(CLONE))
    if not tests_pass(programs):
        sys.exit("run.py: the tests of HEAD fail without any change")


def judge(source, programs, each, chance):
    """Changes one source at up to `each` places. Returns how many compiled, and how many a test noticed."""
    path = CLONE / source
    text = path.read_text()
    changes = places(text)
    chosen = sorted(chance.sample(changes, min(each, len(changes))))
    compiled = noticed = 0
    try:
        for offset, length, new in chosen:
            path.write_text(text[:offset] + new + text[offset + length :])
            if not build(programs):
                continue
            compiled += 1
            if tests_pass(programs):
                line = text.count("\n", 0, offset) + 1
                whole = text.splitlines()[line - 1].strip()
                print(f"{source}:{line}: {text[offset:offset + length].strip()} -> {new.strip()}   {whole}", flush=True)
            else:
                noticed += 1
    finally:
        path.write_text(text)
    return compiled, noticed


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--each", type=int, default=10, help="changes to each source (10)")
    options.add_argument("--seed", type=int, default=1, help="seed of the choice of places (1)")
    options.add_argument("sources", nargs="*", metavar="SOURCE", help="one of those listed in this script (all)")
    given = options.parse_args()
    unknown = [x for x in given.sources if x not in CORES]
    if unknown:
        options.error("sources that this script does not list: " + ", ".join(unknown))
    sources = given.sources or list(CORES)
    programs = sorted({x for source in sources for x in CORES[source]})
    prepare(programs)
    rows = []
    for source in sources:
        began = time.monotonic()
        compiled, noticed = judge(source, CORES[source], given.each, random.Random(f"{given.seed} {source}"))
        rows.append((source, compiled, noticed))
        print(f"# {source}: {noticed} of {compiled} noticed, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(f"\n{'source':45} {'changed':>8} {'noticed':>8}")
    for source, compiled, noticed in rows:
        print(f"{source:45} {compiled:8} {noticed:8}")
    compiled, noticed = sum(x[1] for x in rows), sum(x[2] for x in rows)
    print(f"{'all':45} {compiled:8} {noticed:8}   {100 * noticed / max(compiled, 1):.0f} %")


if __name__ == "__main__":
    main()
