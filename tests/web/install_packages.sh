#!/usr/bin/env bash
# Installs what package.json names into a directory, once: a driver of browsers, which
# brings no browser, and checks of accessibility.
#
# usage: install_packages.sh DIR
set -euo pipefail

wanted=$(dirname "${BASH_SOURCE[0]}")/package.json
readonly wanted
readonly into=$1

for program in node npm "${CHROMIUM:-/usr/bin/chromium}"; do
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
