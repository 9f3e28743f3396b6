#!/usr/bin/env bash
# Makes the reference of the library's public headers in FOLDER. Any warning is an error.
#
# usage: packaging/doxygen.sh FOLDER [HEADER…]    with other headers than the library's
set -euo pipefail
shopt -s inherit_errexit

to=$(realpath -m "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$to"
SCRATCHPAGE_VERSION=$(sed -nE 's/^project\(scratchpage VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
SCRATCHPAGE_DOCS=$to
export SCRATCHPAGE_VERSION SCRATCHPAGE_DOCS
if [ $# -eq 0 ]; then
  mapfile -t headers < <(grep '^[^#]' cmake/public_headers.txt)
  set -- packaging/library.md "${headers[@]}"
fi
{ cat packaging/Doxyfile
  echo "INPUT = $*"; } | doxygen -
