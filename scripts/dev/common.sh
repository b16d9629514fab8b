# shellcheck shell=bash
# What every command uses: messages on stderr, so that stdout stays free for results.

STATE=$ROOT/.state

say() { printf '%s\n' "$*" >&2; }

# fail MESSAGE [STATUS]
fail() {
  say "dev: $1"
  exit "${2:-1}"
}

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    fail "installing packages needs root: run this as root or install sudo"
  fi
}

# quietly LOG COMMAND...: shows what the command said only if it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    fail "failed: $* (whole output in $log)"
  fi
}

# process_is PID NAME: whether PID runs the program NAME. A recycled PID does not count, nor does a
# zombie: a process that has ended and that its parent has not asked about.
process_is() {
  local comm state
  [[ $1 =~ ^[0-9]+$ ]] || return 1
  comm=$(cat "/proc/$1/comm" 2>/dev/null) || return 1
  [[ $comm == "${2:0:15}" ]] || return 1 # the kernel keeps 15 characters of a name
  state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) || return 1
  [[ $state != [ZX] ]]
}

# stop_pid PID NAME SECONDS: SIGTERM, wait, and SIGKILL only after SECONDS.
stop_pid() {
  local pid=$1 name=$2 tenths=$(($3 * 10))
  process_is "$pid" "$name" || return 0
  kill -TERM "$pid" 2>/dev/null || return 0
  while process_is "$pid" "$name"; do
    if ((tenths-- <= 0)); then
      say "$name (pid $pid) did not stop in $3 s: killed"
      kill -KILL "$pid" 2>/dev/null || true
      return 0
    fi
    sleep 0.1
  done
}
