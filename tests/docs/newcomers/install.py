#!/usr/bin/env python3
"""Follows a section of a page that installs the packages, in place of a newcomer.

The packages are those of this build, not of a release, and are in PACKAGES already. They are unpacked
in ROOT, so that the machine stays as it is. The commands on the page have to be the ones that this
stands for.

usage: install.py PAGE SECTION PACKAGES ROOT
"""

import pathlib
import shutil
import subprocess
import sys

from compare import agrees
from page import section, steps


def run(*words):
    done = subprocess.run([str(x) for x in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def expect(agree, what):
    if not agree:
        sys.exit(f"install.py: {what}")


def main():
    page, title, packages, root = sys.argv[1:]
    root = pathlib.Path(root)
    make, install, check = steps(section(pathlib.Path(page).read_text(), title))
    expect(make.text == "./dev package", f"it stands for './dev package', not for '{make.text}'")
    expect(install.text == "sudo apt-get install ./build/packages/*.deb",
           f"it stands for 'sudo apt-get install', not for '{install.text}'")
    found = sorted(pathlib.Path(packages).glob("*.deb"))
    names = "".join(f"build/packages/{x.name}\n" for x in found)
    expect(agrees(make.output, names), f"the page shows other packages than there are:\n{names}")
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    for package in found:
        run("dpkg-deb", "-x", package, root)
    version = run(root / "usr/bin/scratchpage", "--version")
    expect(agrees(check.output, version), f"the page shows another version than {version}")


main()
