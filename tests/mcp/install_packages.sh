#!/usr/bin/env bash
# Installs what package.json names into a directory, once: suites and clients of
# others, and the Node.js that they need.
#
# usage: install_packages.sh DIR
set -euo pipefail

wanted=$(dirname "${BASH_SOURCE[0]}")/package.json
readonly wanted
readonly into=$1

for program in node npm; do
  if ! command -v "$program" >/dev/null; then
    echo "install_packages.sh: there is no $program; './dev setup' installs it" >&2
    exit 1
  fi
done

mkdir -p "$into"
if cmp -s "$wanted" "$into/installed.json"; then exit 0; fi
cp "$wanted" "$into/package.json"
(cd "$into" && npm install --no-package-lock --no-audit --no-fund --loglevel=error)
"$into/node_modules/node/bin/node" --version
cp "$wanted" "$into/installed.json"
