#!/usr/bin/env python3
"""Does what a section of a page says, and nothing else, as somebody who reads it for the first time.

It begins in an empty folder with an empty home, saves the files that the section shows, enters its
commands into a shell on a terminal, and compares what they print with what the page shows. It
prints how long each took, and writes the minutes of all into REPORTS/ROLE.txt.

What differs from a person's machine: the packages are unpacked in PREFIX instead of installed
(`install.py`), so the folder of programs and that of CMake packages are named in the environment.
The environment also says how this machine reaches the network: proxies, certificates, npm's
registry and cache.

usage: newcomer.py ROLE PAGE SECTION PREFIX REPORTS [MOST_LINES_OF_CODE]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from compare import agrees
from page import File, section, steps
from shell import Shell

PATIENCE = 240  # seconds for one command
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
    def __init__(self, shell):
        self.shell = shell

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


def check_length(files, most):
    lines = max(file.lines_of_code() for file in files)
    if lines > most:
        sys.exit(f"a file has {lines} lines, expected at most {most}")


def main():
    role, page, title, prefix, reports = sys.argv[1:6]
    prefix, reports = pathlib.Path(prefix).resolve(), pathlib.Path(reports).resolve()
    to_do = steps(section(pathlib.Path(page).read_text(), title))
    files = [x for x in to_do if isinstance(x, File)]
    if len(sys.argv) > 6:
        check_length(files, int(sys.argv[6]))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"newcomer-{role}-", ignore_cleanup_errors=True) as folder:
        home, work = pathlib.Path(folder) / "home", pathlib.Path(folder) / "empty"
        home.mkdir()
        work.mkdir()
        shell = Shell(work, environment(home, prefix))
        try:
            newcomer = Newcomer(shell)
            for step in to_do:
                newcomer.save(step) if isinstance(step, File) else newcomer.enter(step)
        finally:
            shell.end()
    seconds = time.monotonic() - began
    report = (f"{role:8} {seconds / 60:4.1f} minutes ({seconds:.0f} s), {len(to_do) - len(files)} commands, "
              f"{sum(x.lines_of_code() for x in files)} lines of code")
    print(report)
    reports.mkdir(parents=True, exist_ok=True)
    (reports / f"{role}.txt").write_text(report + "\n")


if __name__ == "__main__":
    main()
