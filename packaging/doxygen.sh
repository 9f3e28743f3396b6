#!/usr/bin/env bash
# Makes the library's reference; any warning is an error.
#
# usage: packaging/doxygen.sh FOLDER [HEADER…]    headers instead of the library's
set -euo pipefail
shopt -s inherit_errexit

to=$(realpath -m "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$to"
SCRATCHPAGE_VERSION=$(sed -nE 's/^project\(scratchpage VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
SCRATCHPAGE_DOCS=$to
export SCRATCHPAGE_VERSION SCRATCHPAGE_DOCS
{ cat packaging/Doxyfile
  if [ $# -gt 0 ]; then echo "INPUT = $*"; fi; } | doxygen -
