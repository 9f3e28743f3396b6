#!/usr/bin/env bash
# Runs a PostgreSQL server for one test program, in DIR. Reads verbs from stdin, one
# a line, and answers each with a line: "ok" or a sentence that says what is wrong.
# When stdin ends, also because the test was killed, the script stops the server and
# removes DIR.
#
#   private_postgres.sh DIR [FSYNC]      then: start, stop, crash, freeze, thaw
#
# The server has no port, only a socket in DIR. Only DIR's owner may enter DIR, so no
# password is needed. PostgreSQL refuses to run as root: called by root, the script
# runs it as the user `postgres`. Commits survive `crash`, but a power cut only if FSYNC is `on`.
set -uo pipefail

readonly dir=$1
readonly fsync=${2:-off}
readonly seconds_to_start=60
owner=()  # prefix that runs a command as the server's user
server=   # process id of the server; empty: it does not run
frozen=() # process ids
wrong=    # error of the last verb

refuse() {
  wrong=$*
  return 1
}

last_line() { tail -n 1 "$1"; }

# Why a server has ended. The log has the reason before its last line, which only says
# that the server ends.
last_failure() { grep -E 'FATAL|PANIC' "$1" | tail -n 1 | grep . || last_line "$1"; }

# -- the folder ----------------------------------------------------------------

find_programs() {
  programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1) # not in Debian's PATH
  [ -x "$programs/initdb" ] || programs=$(dirname "$(command -v initdb)")
  [ -x "$programs/initdb" ] || refuse "no PostgreSQL server is installed; the package 'postgresql' has it"
}

become_owner() {
  if [ "$(id -u)" -eq 0 ]; then
    owner=(setpriv --reuid=postgres --regid=postgres --init-groups --)
    chown postgres: "$dir" || refuse "root needs a user 'postgres' to run the server" || return
  fi
  if ! chmod 700 "$dir" || ! cd "$dir" || ! "${owner[@]}" test -w "$dir"; then
    refuse "the server's user cannot enter $dir; set TMPDIR to a folder that all users may enter"
  fi
}

# The sort order is not bytewise, as on many servers.
make_data() {
  "${owner[@]}" "$programs/initdb" --pgdata=data --username=scratchpage --auth=trust --encoding=UTF8 \
    --locale=C --locale-provider=icu --icu-locale=en-US --no-sync --no-instructions >initdb.log 2>&1 \
    || refuse "initdb: $(last_line initdb.log)"
}

# -- verbs ---------------------------------------------------------------------

is_running() { [ -n "$server" ] && [ -e "/proc/$server/exe" ]; } # a zombie has no exe

is_ready() { [ "$(sed -n '8s/ *$//p' data/postmaster.pid 2>/dev/null)" = ready ]; }

launch() {
  rm -f data/postmaster.pid .s.PGSQL.* # left by a crash
  "${owner[@]}" "$programs/postgres" -D data -k "$dir" -c listen_addresses= \
    -c unix_socket_permissions=0700 -c fsync="$fsync" -c shared_buffers=16MB -c wal_level=minimal \
    -c max_wal_senders=0 -c max_connections=40 -c autovacuum=off -c lc_messages=C \
    </dev/null >>server.log 2>&1 &
  server=$!
}

start() {
  is_running && return
  launch
  local i
  for ((i = 0; i < seconds_to_start * 50; ++i)); do
    is_ready && return
    is_running || break
    sleep 0.02
  done
  refuse "the server did not start: $(last_failure server.log)"
}

end() { # SIGNAL
  is_running || return 0
  kill "-$1" "$server"
  wait "$server" 2>/dev/null
  server=
}

stop() { end INT; }

lives() { grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"; } # PROCESS

family() { # the server and its child processes
  echo "$server"
  sed -n "s/^\([0-9]*\) (.*) [A-Z] $server .*/\1/p" /proc/[0-9]*/stat 2>/dev/null
}

crash() {
  is_running || return 0
  local all process
  kill -STOP "$server" # so that it starts no process while they are listed
  mapfile -t all < <(family)
  kill -KILL "${all[@]}"
  wait "$server" 2>/dev/null
  server=
  for process in "${all[@]}"; do
    while lives "$process"; do sleep 0.01; done # until it ends, it holds the server's memory
  done
}

freeze() {
  mapfile -t frozen < <(family)
  kill -STOP "${frozen[@]}"
}

thaw() {
  kill -CONT "${frozen[@]}" 2>/dev/null
  frozen=()
}

# ------------------------------------------------------------------------------

clean_up() {
  [ ${#frozen[@]} -eq 0 ] || thaw
  end QUIT
  cd / && rm -rf "$dir"
}

obey() { # VERB
  case $1 in
    start | stop | crash | freeze | thaw) "$1" ;;
    *) refuse "unknown verb '$1'" ;;
  esac
}

trap clean_up EXIT
trap '' INT TERM HUP # when the test ends, stdin closes
if ! { find_programs && become_owner && make_data; }; then
  echo "$wrong"
  exit 1
fi
echo ok
while read -r verb; do
  if obey "$verb"; then echo ok; else echo "$wrong"; fi
done
