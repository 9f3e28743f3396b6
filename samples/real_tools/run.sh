#!/usr/bin/env bash
# Installs two public MCP servers, at the versions of package.json, and plays turns.json with an
# agent that uses them.
#
# usage: run.sh [FOLDER [SCRATCHPAGE]]
#   FOLDER       where the servers are installed and keep their files (default: a new folder)
#   SCRATCHPAGE  the program (default: the one in PATH)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$(mktemp -d)}
program=${2:-scratchpage}

die() {
  echo "real_tools: $*" >&2
  exit 1
}

command -v node >/dev/null || die "node is missing; the servers run on Node.js"
command -v npm >/dev/null || die "npm is missing; the servers come from its registry"

mkdir -p "$folder"
REAL_TOOLS=$(cd "$folder" && pwd)
export REAL_TOOLS

# If these versions are installed already, the network is not used.
if ! cmp -s "$here/package.json" "$REAL_TOOLS/installed.json"; then
  cp "$here/package.json" "$REAL_TOOLS/package.json"
  (cd "$REAL_TOOLS" && npm install --no-audit --no-fund --no-package-lock >npm.log 2>&1) \
    || die "npm could not install the servers; $REAL_TOOLS/npm.log says why"
  cp "$here/package.json" "$REAL_TOOLS/installed.json"
fi

rm -rf "$REAL_TOOLS/workspace"
mkdir "$REAL_TOOLS/workspace"
exec "$program" simulate --real-time --verbose --config "$here/servers.json" "$here/turns.json"
