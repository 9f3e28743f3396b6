#!/usr/bin/env bash
# Installs the packages of a package.json into a directory, unless they are there already:
# test suites, clients and servers of other projects. Fails if a PROGRAM, which npm does not
# install, is missing.
#
# usage: install_packages.sh PACKAGE_JSON DIR [PROGRAM…]
set -euo pipefail

readonly wanted=$1 into=$2

for program in node npm "${@:3}"; do
  if ! command -v "$program" >/dev/null; then
    echo "install_packages.sh: $program is not installed; './dev setup' installs it" >&2
    exit 1
  fi
done

mkdir -p "$into"
if cmp -s "$wanted" "$into/installed.json"; then exit 0; fi
cp "$wanted" "$into/package.json"
(cd "$into" && npm install --no-package-lock --no-audit --no-fund --loglevel=error)
cp "$wanted" "$into/installed.json"
