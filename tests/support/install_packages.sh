#!/usr/bin/env bash
# Installs what a package.json names into a directory, once: suites, clients and servers
# of others. Fails if one of the PROGRAMs is not there, which are not from npm.
#
# usage: install_packages.sh PACKAGE_JSON DIR [PROGRAM…]
set -euo pipefail

readonly wanted=$1 into=$2

for program in node npm "${@:3}"; do
  if ! command -v "$program" >/dev/null; then
    echo "install_packages.sh: there is no $program; './dev setup' installs it" >&2
    exit 1
  fi
done

mkdir -p "$into"
if cmp -s "$wanted" "$into/installed.json"; then exit 0; fi
cp "$wanted" "$into/package.json"
(cd "$into" && npm install --no-package-lock --no-audit --no-fund --loglevel=error)
cp "$wanted" "$into/installed.json"
