#!/usr/bin/env python3
"""Does what a section of a page says, and nothing else, as somebody who reads it for the first time.

It begins in an empty folder with an empty home, saves the files that the section shows, enters its
commands into a shell on a terminal, and compares what they print with what the page shows. It
prints how long each took, and writes the minutes of all into REPORTS/ROLE.txt.

What differs from a person's machine: the packages are unpacked in PREFIX instead of installed
(`install.py`), so the folder of programs and that of CMake packages are named in the environment.
The environment also says how this machine reaches the network: proxies, certificates, npm's
registry and cache.

usage: newcomer.py ROLE PAGE SECTION PREFIX REPORTS [--most-lines LINES] [--browser PACKAGES]

PACKAGES has the driver of a browser (tests/web), for pages that name an address to look at.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

from compare import agrees
from page import Command, File, Visit, section, steps
from shell import Shell

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 600  # seconds for one command; a compiler on a busy machine needs minutes
NETWORK = re.compile(r"(https?|no|all)_proxy|npm_config_.*|node_extra_ca_certs|ssl_cert_(file|dir)", re.IGNORECASE)


def of_npm(name):
    """A setting of npm on this machine; None if there is no npm."""
    try:
        return subprocess.run(["npm", "config", "get", name], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def environment(home, prefix):
    network = {k: v for k, v in os.environ.items() if NETWORK.fullmatch(k)}
    for name in "userconfig", "cache":
        if value := of_npm(name):
            network[f"npm_config_{name}"] = value
    return {"HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm", "PATH": f"{prefix}/bin:{os.environ['PATH']}",
            "CMAKE_PREFIX_PATH": str(prefix)} | network


class Newcomer:
    def __init__(self, shell, packages):
        self.shell = shell
        self.packages = packages

    def do(self, step):
        {File: self.save, Command: self.enter, Visit: self.visit}[type(step)](step)

    def save(self, file):
        self.shell.run(f"mkdir -p \"$(dirname {file.name})\" && cat >{file.name} <<'END OF FILE'\n"
                       f"{file.text}END OF FILE", PATIENCE)

    def enter(self, command):
        began = time.monotonic()
        printed, status = self.shell.run(command.text, PATIENCE)
        if status == 0 and command.stays() and not agrees(command.output, printed):
            printed += self.shell.listen(lambda more: agrees(command.output, printed + more), PATIENCE)
        took = time.monotonic() - began
        print(f"{took:6.1f} s  {command.text}", flush=True)
        if status != 0:
            sys.exit(f"it ended with {status}, and printed:\n{printed}")
        if not agrees(command.output, printed):
            shown = "\n".join(command.output)
            sys.exit(f"the page shows another output:\n{shown}\nit printed:\n{printed}")


    def visit(self, x):
        words = "node", HERE / "visit.mjs", self.packages, x.address, x.shows
        printed, status = self.shell.run(shlex.join(map(str, words)), PATIENCE)
        if status != 0:
            sys.exit(f"{x.address} does not show '{x.shows}':\n{printed}")
        print(f"          {x.address} shows '{x.shows}'", flush=True)


def check_length(files, most):
    lines = max(file.lines_of_code() for file in files)
    if lines > most:
        sys.exit(f"a file has {lines} lines, expected at most {most}")


def arguments():
    parser = argparse.ArgumentParser()
    for name in "role", "page", "section":
        parser.add_argument(name)
    for name in "prefix", "reports", "--browser":
        parser.add_argument(name, type=lambda x: pathlib.Path(x).resolve())
    parser.add_argument("--most-lines", type=int)
    return parser.parse_args()


def main():
    given = arguments()
    to_do = steps(section(pathlib.Path(given.page).read_text(), given.section))
    files = [x for x in to_do if isinstance(x, File)]
    commands = [x for x in to_do if isinstance(x, Command)]
    if given.most_lines:
        check_length(files, given.most_lines)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"newcomer-{given.role}-", ignore_cleanup_errors=True) as folder:
        home, work = pathlib.Path(folder) / "home", pathlib.Path(folder) / "empty"
        home.mkdir()
        work.mkdir()
        shell = Shell(work, environment(home, given.prefix))
        try:
            newcomer = Newcomer(shell, given.browser)
            for step in to_do:
                newcomer.do(step)
        finally:
            shell.end()
    seconds = time.monotonic() - began
    report = (f"{given.role:8} {seconds / 60:4.1f} minutes ({seconds:.0f} s), {len(commands)} commands, "
              f"{sum(x.lines_of_code() for x in files)} lines of code")
    print(report)
    given.reports.mkdir(parents=True, exist_ok=True)
    (given.reports / f"{given.role}.txt").write_text(report + "\n")


if __name__ == "__main__":
    main()
