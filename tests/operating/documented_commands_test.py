#!/usr/bin/env python3
"""Runs the commands of docs/backup.md, in their order, beside a server. Blocks of `sh` are commands."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from served import Served


def blocks_of(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def check_units(page, folder):
    """systemd reads the units of the page without complaint."""
    service, timer = blocks_of(page, "ini")
    service = service.replace("/usr/local/bin/scratchpage-backup", "/bin/true")
    (folder / "scratchpage-backup.service").write_text(service)
    (folder / "scratchpage-backup.timer").write_text(timer)
    for unit in ("scratchpage-backup.service", "scratchpage-backup.timer"):
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", folder / unit],
                              capture_output=True, text=True)
        said = [x for x in done.stderr.splitlines() if "scratchpage-backup" in x]
        assert not said, said


def main(program, source):
    page = source / "docs/backup.md"
    with Served(program) as server:
        client = server.client()
        for number in range(20):
            client.add("ada", f"Ship {number}")
        home = server.folder / "home"
        (home / "bin").mkdir(parents=True)
        (home / "bin/scratchpage").symlink_to(program)
        # The page says the default directory and port.
        (home / "share").mkdir()
        (home / "share/scratchpage").symlink_to(server.data)
        script = "set -eu\n" + "".join(blocks_of(page, "sh"))
        script = script.replace("http://127.0.0.1:7070", server.url)
        # A server notices a new token within a second.
        script = script.replace("SCRATCHPAGE_TOKEN=$(cat", f"""
            until SCRATCHPAGE_TOKEN=$(cat backup.token) scratchpage query --server {server.url} \\
              --agent ada >noticed 2>&1; do :; done; SCRATCHPAGE_TOKEN=$(cat""")
        env = {**os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "HOME": str(home),
               "XDG_DATA_HOME": str(home / "share")}
        done = subprocess.run(["sh", "-c", script], cwd=home, env=env, capture_output=True, text=True,
                              timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr
        assert '"line":"end"' in done.stdout, done.stdout
        assert "Ship 19" in done.stdout, done.stdout
        kept = sorted(x.name for x in (home / "backups").iterdir())
        assert kept == ["daily", "pages.db", "pages.jsonl", "remote.db"], kept
        assert len(list((home / "backups/daily").iterdir())) == 1
        if shutil.which("systemd-analyze"):
            check_units(page, server.folder)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
