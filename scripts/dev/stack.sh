# shellcheck shell=bash
# ./dev stack: the seven services as separate processes, as in a real installation, on one machine.

STACK=$STATE/stack
# In the order of starting; stopping goes backwards, so that no service loses a peer that it calls.
SERVICES=(rules engine rating kifu clock game matchmaking)
# Base numbers: a service's number is added. Other bases allow a second stack beside this one.
# Below 32768: Linux takes the ports from there on for outgoing connections, and a service could not
# listen on its own.
STACK_PORTS=${KOMADAI_STACK_PORTS:-20060}
STACK_METRICS_PORTS=${KOMADAI_STACK_METRICS_PORTS:-9460}
declare -A SERVICE_NUMBER=(
  [rules]=1 [game]=2 [kifu]=3 [clock]=4 [matchmaking]=5 [rating]=6 [engine]=7
)
REDIS_PORT=$((STACK_PORTS + 11))
POSTGRES_PORT=$((STACK_PORTS + 12))

service_address() { echo "127.0.0.1:$((STACK_PORTS + SERVICE_NUMBER[$1]))"; }
service_metrics() { echo "127.0.0.1:$((STACK_METRICS_PORTS + SERVICE_NUMBER[$1]))"; }
service_pid() { cat "$STACK/$1.pid" 2>/dev/null || true; }
service_running() { process_is "$(service_pid "$1")" "komadai-$1"; }

# A process whose binary was rebuilt since it started shows its old file as deleted.
service_outdated() { [[ $(readlink "/proc/$(service_pid "$1")/exe") == *' (deleted)' ]]; }

stack_secret() {
  local file=$STACK/$1
  if [[ ! -s $file ]]; then
    (umask 077 && head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$file")
  fi
  cat "$file"
}

stack_targets() {
  local name list=()
  for name in "${SERVICES[@]}"; do list+=("$name=$(service_address "$name")"); done
  local IFS=,
  echo "${list[*]}"
}

# The settings that all services share; written down so that one can also be started by hand. All
# clients of this stack come from one address: it is for trying and measuring, without limits.
stack_environment() {
  local name login
  stack_secret token.secret >/dev/null
  login=komadai:$(stack_secret postgres.secret)
  cat <<ENV
KOMADAI_REDIS_URL=redis://127.0.0.1:$REDIS_PORT/0
KOMADAI_POSTGRES_URL=postgresql://$login@127.0.0.1:$POSTGRES_PORT/komadai
KOMADAI_TOKEN_SECRET_FILE=$STACK/token.secret
KOMADAI_ALLOW_TEST_PLAYERS=true
KOMADAI_PLAYER_CALLS_PER_SECOND=0
KOMADAI_ANONYMOUS_CALLS_PER_SECOND=0
KOMADAI_ADDRESS_CALLS_PER_SECOND=0
KOMADAI_ADDRESS_CONNECTIONS_PER_SECOND=0
KOMADAI_MAX_CONNECTIONS_PER_ADDRESS=0
KOMADAI_MAX_CALLS_PER_ADDRESS=0
KOMADAI_MAX_READS_PER_ADDRESS=0
KOMADAI_MAX_CONCURRENT_STREAMS=10000
ENV
  for name in "${SERVICES[@]}"; do
    echo "KOMADAI_PEER_${name^^}=$(service_address "$name")"
  done
}

service_up() {
  local name=$1 environment
  if service_running "$name"; then
    service_outdated "$name" || return 0
    stop_pid "$(service_pid "$name")" "komadai-$name" 30
  fi
  [[ $(grpc_health "$(service_address "$name")") == UNREACHABLE ]] ||
    fail "something else is serving on $(service_address "$name")"
  mapfile -t environment <"$STACK/environment"
  # A session of its own, so that Ctrl-C in this terminal does not reach it.
  setsid env "${environment[@]}" \
    KOMADAI_LISTEN="$(service_address "$name")" \
    KOMADAI_METRICS_LISTEN="$(service_metrics "$name")" \
    "build/bin/komadai-$name" >>"$STACK/log/$name.log" 2>&1 </dev/null &
  echo $! >"$STACK/$name.pid"
  disown
}

service_wait() {
  local name=$1 tries=300
  until [[ $(grpc_health "$(service_address "$name")") == SERVING ]]; do
    if ! service_running "$name" || ((tries-- <= 0)); then
      tail -n 20 "$STACK/log/$name.log" >&2
      fail "komadai-$name is not ready: see $STACK/log/$name.log"
    fi
    sleep 0.2
  done
}

stack_up() {
  local name
  cmd_prepare stack
  build_targets release programs
  for name in "${SERVICES[@]}"; do
    [[ -x build/bin/komadai-$name ]] || fail "build/bin/komadai-$name was not built"
  done
  mkdir -p "$STACK/log"
  (umask 077 && stack_environment >"$STACK/environment")
  redis_up "$REDIS_PORT"
  postgres_up "$(stack_secret postgres.secret)" "$POSTGRES_PORT"
  for name in "${SERVICES[@]}"; do service_up "$name"; done
  for name in "${SERVICES[@]}"; do service_wait "$name"; done
  stack_targets >"$STACK/targets"
  stack_status
  say ""
  say "play against it:  build/bin/komadai demo --target $(stack_targets)"
}

stack_status() {
  local name down=0 health pid
  printf '%-12s %-18s %-8s %-12s %s\n' name address pid ready metrics
  for name in "${SERVICES[@]}"; do
    pid=-
    health=DOWN
    if service_running "$name"; then
      pid=$(service_pid "$name")
      health=$(grpc_health "$(service_address "$name")")
    fi
    [[ $health == SERVING ]] || down=1
    printf '%-12s %-18s %-8s %-12s %s\n' "$name" "$(service_address "$name")" "$pid" "$health" \
      "http://$(service_metrics "$name")/metrics"
  done
  stack_stores_status || down=1
  return "$down"
}

stack_stores_status() {
  local pid=- health=DOWN ok=0
  if process_is "$(redis_pid)" redis-server; then
    pid=$(redis_pid)
    health=$(redis-cli -h 127.0.0.1 -p "$REDIS_PORT" ping 2>/dev/null || echo UNREACHABLE)
  fi
  [[ $health == PONG ]] || ok=1
  printf '%-12s %-18s %-8s %s\n' redis "127.0.0.1:$REDIS_PORT" "$pid" "$health"
  pid=-
  health=DOWN
  if postgres_running "$(postgres_data)"; then
    pid=$(as_postgres head -n 1 "$(postgres_data)/postmaster.pid")
    health=RUNNING
  else
    ok=1
  fi
  printf '%-12s %-18s %-8s %s\n' postgres "127.0.0.1:$POSTGRES_PORT" "$pid" "$health"
  return "$ok"
}

stack_down() {
  local index name
  [[ -d $STACK ]] || return 0
  for ((index = ${#SERVICES[@]} - 1; index >= 0; index--)); do
    name=${SERVICES[index]}
    stop_pid "$(service_pid "$name")" "komadai-$name" 30
    rm -f "$STACK/$name.pid"
  done
  redis_down
  postgres_down
  say "stopped; the data stays in .state/stack"
}

cmd_stack() {
  case ${1:-status} in
    up) stack_up ;;
    status) stack_status ;;
    down) stack_down ;;
    *) fail "usage: ./dev stack up|status|down" 2 ;;
  esac
}
