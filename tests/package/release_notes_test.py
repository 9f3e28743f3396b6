"""Checks the release notes that are made from a small changelog.

usage: release_notes_test.py …/release_notes.py
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CHANGELOG = """# Changelog

Words above all versions.

## [Unreleased]

### Added

- A door, with `a bell`
  and a mat ([docs/door.md](docs/door.md)).
- A window.

### Fixed

- The roof.

## [0.1.0] - 2026-02-03

### Added

- A house.
"""

NAMES = "A Maintainer <a@example.invalid>"
UNRELEASED = f"""scratchpage (0.2.0) unstable; urgency=medium

  [ Added ]
  * A door, with a bell and a mat (docs/door.md).
  * A window.
  [ Fixed ]
  * The roof.

 -- {NAMES}  Thu, 01 Jan 1970 00:00:01 +0000
"""
RELEASED = f"""scratchpage (0.1.0) unstable; urgency=medium

  [ Added ]
  * A house.

 -- {NAMES}  Tue, 03 Feb 2026 00:00:00 +0000
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "packaging", "release_notes.py")
        script.parent.mkdir()
        shutil.copy(sys.argv[1], script)
        pathlib.Path(folder, "CHANGELOG.md").write_text(CHANGELOG)

        def notes(*words):
            return subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True,
                                  env={**os.environ, "SOURCE_DATE_EPOCH": "1"})

        def expect(words, text):
            got = notes(*words)
            if got.returncode or got.stdout != text:
                sys.exit(f"release_notes.py {words} says:\n{got.stdout}{got.stderr}\nexpected:\n{text}")

        expect(["0.1.0"], "### Added\n\n- A house.\n")
        expect(["unreleased"], CHANGELOG.split("## [Unreleased]\n\n")[1].split("\n## ")[0])
        expect(["--debian", "0.1.0", NAMES], RELEASED)
        expect(["--debian", "0.2.0", NAMES], UNRELEASED)
        for wrong in ["9.9"], [], ["--debian"]:
            if notes(*wrong).returncode != 1:
                sys.exit(f"release_notes.py {wrong} should fail")
        parsed = subprocess.run(["dpkg-parsechangelog", "-l", "-", "-S", "Version"], input=UNRELEASED,
                                capture_output=True, text=True)
        if parsed.stdout != "0.2.0\n" or parsed.stderr:
            sys.exit(f"Debian's parser says {parsed.stdout}{parsed.stderr}")


main()
