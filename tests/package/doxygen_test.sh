#!/usr/bin/env bash
# Checks that Doxygen warns about planted mistakes, but not about the library's comments.
#
# usage: doxygen_test.sh packaging/doxygen.sh WORK_DIR
set -euo pipefail

rm -rf "$2"
mkdir -p "$2"
planted() { # NAME COMMENT
  printf '#pragma once\n%s\nint twice(int x);\n' "$2" >"$work/$1.hpp"
  if "$make" "$work/$1" "$work/$1.hpp" >"$work/$1.log" 2>&1; then
    echo "a comment with $1 is not noticed"
    exit 1
  fi
}
make=$1 work=$2
planted "a_parameter_that_is_none" '/// @param y is none.'
planted "a_bad_reference" '/// As @ref nothing_there does.'
planted "an_open_tag" '/// Up to <b>here.'
"$make" "$work/library"
if [ ! -e "$work/library/html/classscratchpage_1_1ensemble.html" ]; then
  echo "the reference has no page of scratchpage::ensemble"
  exit 1
fi
